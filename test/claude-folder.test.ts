// Stories of `.claude` folders that were written for Claude Code: what they forbid stays forbidden, what they say is read, and what has no effect here is named.
import { afterEach, describe, expect, test } from "vitest";
import {
  startMockProvider,
  type MockLine,
  type MockProvider,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Story = {
  project: TempProject;
  server: MockProvider;
  run: (...args: string[]) => Promise<Finished>;
};

async function story(files: Record<string, string>, script: MockLine[]): Promise<Story> {
  const project = tempProject(files);
  const server = await startMockProvider({ script });
  open.push(server, { close: () => project.remove() });
  const run = (...args: string[]): Promise<Finished> =>
    retinue(args, {
      project,
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    });
  return { project, server, run };
}

const shown = (server: MockProvider, index: number): string =>
  JSON.stringify(server.requests[index]!.body);
const settings = (value: object): Record<string, string> => ({
  ".claude/settings.json": JSON.stringify(value),
});

describe("a skill that a rule forbids", () => {
  const skill = {
    ".claude/skills/release/SKILL.md":
      "---\nname: ship-it\ndescription: releases\n---\nThe words of the skill.",
  };

  test.each([
    ["its name", "Skill(ship-it)"],
    ["its folder", "Skill(release *)"],
  ])("by %s cannot be loaded by any other name", async (_what, rule) => {
    const names = ["ship-it", "/ship-it", "release", "/release"];
    const { server, run } = await story(
      { ...skill, ...settings({ permissions: { deny: [rule] } }) },
      [{ tools: names.map((name) => ({ name: "Skill", input: { skill: name } })) }, "done"],
    );
    await run("run", "go");
    expect(shown(server, 1)).not.toContain("The words of the skill");
    expect(shown(server, 1).match(/is covered by Skill\(/g)).toHaveLength(4);
  });
});

describe("a prompt that begins with a slash", () => {
  const files = {
    ".claude/commands/greet.md":
      "---\ndescription: greets\nallowed-tools: Bash(touch:*)\n---\nGreet $ARGUMENTS politely.",
  };
  const call: MockLine = { tools: [{ name: "Bash", input: { command: "touch hi" } }] };

  test("hands the command over with its arguments, and with its rules once the folder is trusted", async () => {
    const trusted = await story(files, [call, "done"]);
    expect(await trusted.run("run", "--trust", "/greet the world")).toMatchObject({ code: 0 });
    expect(shown(trusted.server, 0)).toContain("Greet the world politely.");
    expect(shown(trusted.server, 1)).not.toContain("denied");
    const other = await story(files, [call, "done"]);
    await other.run("run", "/greet the world");
    expect(shown(other.server, 0)).toContain("Greet the world politely.");
    expect(shown(other.server, 1)).toContain("no rule allows `touch hi`");
  });

  test("stays as it is where nothing has that name", async () => {
    const { server, run } = await story(files, ["done"]);
    await run("run", "/etc/hosts is odd");
    expect(shown(server, 0)).not.toContain("was asked for");
  });
});

describe("doctor", () => {
  type Row = { check: string; ok: boolean; detail: string };
  const doctor = async (files: Record<string, string>): Promise<Map<string, Row>> => {
    const { run } = await story(files, []);
    return new Map(
      (JSON.parse((await run("doctor", "--json")).stdout) as Row[]).map((row) => [row.check, row]),
    );
  };

  test("names a skill that cannot be used, and hooks of skills", async () => {
    const skills = await doctor({
      ".claude/skills/big/SKILL.md": "x".repeat(200_000),
      ".claude/skills/x/SKILL.md": "---\nname: x\ndescription: d\nhooks: {}\n---\nx",
    });
    expect(skills.get("skills")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/1 error: .*big\/SKILL\.md:1: not read.*hooks of a skill/),
    });
    const fine = await doctor({
      ".claude/skills/x/SKILL.md": "---\nname: x\ndescription: d\n---\nx",
      ".claude/commands/y.md": "y",
    });
    expect(fine.get("skills")).toMatchObject({ ok: true, detail: "2 skills and commands" });
  });

  test("says which keys of Claude Code do nothing here, and is content with them", async () => {
    const rows = await doctor(
      settings({ enabledPlugins: { "a@b": true }, statusLine: { type: "command", command: "x" } }),
    );
    expect(rows.get("settings")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/without effect here: enabledPlugins \(.*--plugin-dir\)$/),
    });
  });

  test("says the same complaint about many hooks once", async () => {
    const hooks = Array.from({ length: 12 }, (_, at) => ({
      type: "command",
      command: `x${at}`,
      async: true,
    }));
    const rows = await doctor({
      "../home/.claude/settings.json": JSON.stringify({ hooks: { Stop: [{ hooks }] } }),
    });
    expect(rows.get("settings")?.detail).toMatch(
      /^[^\n]*hooks\.Stop\[0\]\.hooks\[0\] and 11 more: `async` has no effect on a hook here$/,
    );
  });
});

test("a hook after a tool finds the fields that it knows, and a folder below the home is one", async () => {
  const log = 'cat >> "$CLAUDE_PROJECT_DIR"/seen.jsonl';
  const files = settings({
    permissions: { allow: ["Bash(touch:*)"], additionalDirectories: ["~/notes"] },
    hooks: { PostToolUse: [{ matcher: "Bash|Write", hooks: [{ type: "command", command: log }] }] },
  });
  const { project, server, run } = await story(
    { ...files, "../home/notes/a.txt": "from the notes" },
    [
      {
        tools: [
          { name: "Bash", input: { command: "echo out; echo err >&2" } },
          { name: "Write", input: { file_path: "new.txt", content: "x" } },
          { name: "Read", input: { file_path: "~/notes/a.txt" } },
        ],
      },
      "done",
    ],
  );
  await run("run", "--trust", "--permission-mode", "acceptEdits", "go");
  const seen = project
    .read("seen.jsonl")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { tool_response: unknown }).tool_response);
  expect(seen).toMatchObject([
    { stdout: expect.stringMatching(/out\s+err/), stderr: "", interrupted: false },
    { filePath: "new.txt", success: true },
  ]);
  expect(shown(server, 1)).toContain("from the notes");
});
