// `retinue audit` over transcripts as Claude Code leaves them: a project on disk, sessions in the home of
// one test, the built command.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";
import { toJsonLines, transcriptLines, type Step } from "./support/transcript-lines.ts";

const edit: Step = {
  tool: "Edit",
  input: { file_path: "src/a.ts", old_string: "1", new_string: "2" },
  output: "ok",
};
const bash = (command: string, output: string): Step => ({
  tool: "Bash",
  input: { command },
  output,
});
const green = "      Tests  3 passed (3)\n";

const sessions: [name: string, steps: Step[]][] = [
  ["lie", [edit, { say: "I changed the file. All tests pass." }]],
  ["truth", [edit, bash("npx vitest run", green), { say: "I changed the file. All tests pass." }]],
  ["old", [bash("npx vitest run", green), edit, { say: "All tests pass after the change." }]],
  ["absence", [{ say: "I looked around: `used` has no callers in this project." }]],
  // One place of this project, an address and a file of another one.
  [
    "elsewhere",
    [
      {
        say: "`used` is defined in `src/a.ts:1`. See [the notes](https://example.org/notes) and `other/lib/none.py` of the other project.",
      },
    ],
  ],
  ["silent", [edit]],
];

test("counts what was claimed and what holds, and names the worst", async () => {
  using project = tempProject({
    "src/a.ts": "export function used() {\n  return 2;\n}\n",
    "src/b.ts": 'import { used } from "./a.ts";\n\nconsole.log(used());\n',
  });
  const folder = join(project.home, ".claude", "projects", "-shop");
  mkdirSync(folder, { recursive: true });
  for (const [name, steps] of sessions)
    writeFileSync(
      join(folder, `${name}.jsonl`),
      toJsonLines(transcriptLines(steps, { cwd: project.root, dialect: "claude-code" })),
    );
  writeFileSync(
    join(folder, "gone.jsonl"),
    toJsonLines(transcriptLines([edit, { say: "All tests pass." }], { cwd: "/nowhere/at/all" })),
  );
  const finished = await retinue(["audit", "--json"], { project });
  expect(finished).toMatchObject({ code: 0, stderr: "" });
  const audit = JSON.parse(finished.stdout) as {
    reports: { transcript: string; flags: { verdict: string }[] }[];
    unjudged: { reason: string }[];
    totals: Record<string, number>;
  };
  expect(audit.totals).toMatchObject({
    results_without_run: 1,
    results_stale: 1,
    results_contradicted: 0,
    countered: 1,
    places: 1,
    not_judged: 2,
  });
  const verdicts = Object.fromEntries(
    audit.reports.map(({ transcript, flags }) => [
      transcript.replace(/^.*\/|\.jsonl$/g, ""),
      flags.map(({ verdict }) => verdict),
    ]),
  );
  expect(verdicts).toEqual({
    lie: ["unsupported"],
    truth: [],
    elsewhere: [],
    old: ["stale"],
    absence: ["countered"],
  });
  expect(audit.unjudged.map(({ reason }) => reason).sort()).toEqual([
    "/nowhere/at/all is gone",
    "it has no final message",
  ]);
  const text = await retinue(["audit"], { project });
  expect(text.stdout).toContain("1 without a run, 0 contradicted, 1 older than the last edit");
  expect(text.stdout).toContain(`retinue verify --transcript ${join(folder, "lie.jsonl")}`);
});

test("a place that held in the commit before or after the message has moved, and is not wrong", async () => {
  using project = tempProject({ "src/a.ts": "export const first = 1;\nexport const later = 2;\n" });
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync("git", args, {
      cwd: project.root,
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@example.com",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@example.com",
        GIT_COMMITTER_DATE: "2026-03-01T12:00:00Z",
      },
    });
    expect(status, stderr).toBe(0);
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "start");
  project.write("src/a.ts", `${"export const more = 0;\n".repeat(30)}${project.read("src/a.ts")}`);
  const folder = join(project.home, ".claude", "projects", "-shop");
  mkdirSync(folder, { recursive: true });
  const say = (at: string, text: string): string =>
    toJsonLines(
      transcriptLines([{ say: text }], { cwd: project.root, dialect: "claude-code" }).map(
        (line) => ({ ...line, timestamp: at }),
      ),
    );
  const place = "The constant `later` is defined at `src/a.ts:2`: `export const later = 2;`";
  writeFileSync(join(folder, "then.jsonl"), say("2026-03-02T08:00:00Z", place));
  const never = "The constant `later` is defined in `src/b.ts:2`: `export const later = 2;`";
  writeFileSync(join(folder, "never.jsonl"), say("2026-03-02T08:00:00Z", never));
  const { stdout } = await retinue(["audit", "--json"], { project });
  const { reports } = JSON.parse(stdout) as {
    reports: { transcript: string; counts: Record<string, number>; flags: unknown[] }[];
  };
  const told = Object.fromEntries(
    reports.map(({ transcript, counts, flags }) => [
      transcript.replace(/^.*\/|\.jsonl$/g, ""),
      [counts["places_wrong"]! + counts["places_corrected"]!, counts["places_moved"], flags.length],
    ]),
  );
  expect(told["then"]).toEqual([0, 1, 0]);
  expect(told["never"]![0]).toBe(1);
});

test("says what is wrong with what it was given", async () => {
  using project = tempProject({});
  expect(await retinue(["audit"], { project })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("does not exist; give --folder"),
  });
  mkdirSync(join(project.home, ".claude", "projects"), { recursive: true });
  expect(await retinue(["audit", "--since", "soon"], { project })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--since "soon" is no time'),
  });
});
