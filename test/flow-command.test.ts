// Flows on the mock provider, through the built command: what each agent is shown, and how each way ends.
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
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
  flow: (args: string[], onStart?: (child: ChildProcess) => void) => Promise<Finished>;
};

async function story(
  script: (root: string) => MockLine[],
  files: Record<string, string> = {},
): Promise<Story> {
  const project = tempProject({
    "package.json": JSON.stringify({ scripts: { test: "test -f done.txt" } }),
    ...files,
  });
  const server = await startMockProvider({ script: script(project.root) });
  open.push(server, { close: () => project.remove() });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  return {
    project,
    server,
    flow: (args, onStart) =>
      retinue(["flow", args[0]!, "--output-format", "json", ...args.slice(1)], {
        project,
        env,
        ...(onStart ? { onStart } : {}),
      }),
  };
}

const answer = (value: Record<string, unknown>): MockLine =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {},
    issues: [],
    context_summary: "done",
    ...value,
  });
const write = (root: string, name: string): MockLine => ({
  tools: [{ name: "Write", input: { file_path: join(root, name), content: "x\n" } }],
});
const result = (finished: Finished): Record<string, unknown> =>
  JSON.parse(finished.stdout.trim().split("\n").at(-1)!) as Record<string, unknown>;
const shown = (server: MockProvider, index: number): string =>
  JSON.stringify(server.requests[index]!.body);

describe("retinue flow sequence", () => {
  test("researches, writes and validates with the project's own checks; the writer sees the summary and nothing else", async () => {
    const { project, server, flow } = await story(
      (root) => [
        { tools: [{ name: "Read", input: { file_path: join(root, "notes.txt") } }] },
        answer({ context_summary: "the marker file is missing" }),
        write(root, "done.txt"),
        answer({ findings: { files_changed: ["done.txt"] }, context_summary: "wrote done.txt" }),
      ],
      { "notes.txt": "raw material 4711" },
    );
    const finished = await flow([
      "sequence",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Bash(npm run:*)",
      "--",
      "make the test pass",
    ]);
    expect(result(finished)).toMatchObject({
      decision: "PROCEED",
      phases: [
        { phase: "research" },
        { phase: "write", files: ["done.txt"] },
        { phase: "validate", decision: "PROCEED" },
      ],
    });
    expect(finished.code).toBe(0);
    expect(shown(server, 2)).toContain("the marker file is missing");
    expect(shown(server, 2)).not.toContain("raw material 4711");
    server.finish();
    const [file] = readdirSync(project.path(".retinue/progress"));
    expect(
      JSON.parse(readFileSync(project.path(`.retinue/progress/${file}`), "utf8")),
    ).toMatchObject({
      phases: [{ phase: "research" }, { phase: "write" }, { phase: "validate" }],
      todos: [],
      warnings: [],
    });
  });

  test("STOP halts with the reason, CLARIFY without a person with the questions; --answer continues", async () => {
    const stopped = await story(() => [answer({ decision: "STOP", reason: "it exists already" })]);
    const finished = await stopped.flow(["sequence", "add it"]);
    expect(finished.code).toBe(1);
    expect(result(finished)).toMatchObject({
      decision: "STOP",
      reason: "it exists already",
      suggestion: expect.any(String),
    });

    const asked = await story((root) => [
      answer({ decision: "CLARIFY", status: "blocked", questions: ["Which provider?"] }),
      answer({ context_summary: "Google it is" }),
      write(root, "done.txt"),
      answer({ findings: { files_changed: ["done.txt"] } }),
    ]);
    const first = result(
      await asked.flow(["sequence", "--permission-mode", "acceptEdits", "--", "add login"]),
    );
    expect(first).toMatchObject({ decision: "CLARIFY", questions: ["Which provider?"] });
    expect(
      await asked.flow(["resume", first["flow_id"] as string, "--answer", "Google"]),
    ).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("QUESTION=ANSWER") });
    const second = result(
      await asked.flow([
        "resume",
        first["flow_id"] as string,
        "--allowedTools",
        "Bash(npm run:*)",
        "--answer",
        "Which provider?=Google",
      ]),
    );
    expect(second).toMatchObject({ decision: "PROCEED" });
    expect(shown(asked.server, 1)).toContain("Which provider?=Google");
  });

  test("--confirm where nobody can be asked is refused before anything runs", async () => {
    const { server, flow } = await story(() => []);
    expect(await flow(["sequence", "--confirm", "--", "add it"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--confirm waits for a person's yes"),
    });
    expect(server.requests).toEqual([]);
  });

  test("the project's own scripts are not run unless they are allowed", async () => {
    const { project, flow } = await story(
      (root) => [
        answer({}),
        write(root, "done.txt"),
        answer({ findings: { files_changed: ["done.txt"] } }),
      ],
      {
        "package.json": JSON.stringify({ scripts: { test: "touch script-ran" } }),
        ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(npm run:*)"] } }),
      },
    );
    const told = await flow(["sequence", "--permission-mode", "acceptEdits", "--", "x"]);
    expect(told.stderr).toMatch(/^! not trusted: .*settings\.json: allow Bash\(npm run:\*\)/);
    const finished = result(told);
    expect(finished).toMatchObject({
      decision: "CLARIFY",
      questions: [expect.stringContaining("Bash(npm run --silent test)")],
      suggestion: expect.stringMatching(/^resume the flow .* or with the options that they name$/),
    });
    expect((finished["phases"] as { context_summary: string }[]).at(-1)!.context_summary).toMatch(
      /tests: not run \(no rule allows/,
    );
    expect(readFileSync(project.path(".retinue/.gitignore"), "utf8")).toBe("*\n");
    expect(existsSync(project.path("script-ran"))).toBe(false);
  });
});

describe("retinue flow parallel and branch", () => {
  test("tasks side by side keep every result", async () => {
    const { flow } = await story(() => [
      answer({ context_summary: "a" }),
      answer({ decision: "STOP", issues: ["b is broken"] }),
    ]);
    const finished = await flow([
      "parallel",
      "look",
      "--task",
      "researcher=look at a",
      "researcher=look at b",
    ]);
    expect(result(finished)).toMatchObject({ decision: "STOP", issues: ["b is broken"] });
    expect((result(finished)["phases"] as unknown[]).length).toBe(2);
  });

  test("an interrupt stops the agents at work, with 130, and the flow goes on later", async () => {
    const { flow, project } = await story((root) => [
      { tools: [{ name: "Bash", input: { command: `touch ${join(root, "began")}; sleep 600` } }] },
      answer({ context_summary: "looked" }),
    ]);
    const interrupted = await flow(
      ["parallel", "--allowedTools", "Bash", "--task", "type-checker=look", "--", "x"],
      (child) => {
        const timer = setInterval(
          () => existsSync(project.path("began")) && (clearInterval(timer), child.kill("SIGINT")),
          20,
        );
      },
    );
    expect(interrupted.code).toBe(130);
    expect(result(interrupted)).toMatchObject({ decision: "STOP", phases: [{ status: "failed" }] });
    const resumed = await flow(["resume", result(interrupted)["flow_id"] as string]);
    expect(result(resumed)).toMatchObject({ decision: "PROCEED" });
  });

  test("a simple task takes the short way", async () => {
    const { flow } = await story((root) => [
      answer({ findings: { complexity: "simple" } }),
      write(root, "done.txt"),
      answer({ findings: { files_changed: ["done.txt"] } }),
    ]);
    expect(
      result(
        await flow([
          "branch",
          "--permission-mode",
          "acceptEdits",
          "--allowedTools",
          "Bash(npm run:*)",
          "--",
          "x",
        ]),
      ),
    ).toMatchObject({
      decision: "PROCEED",
      phases: [{ agent: "analyzer" }, { agent: "quick-writer" }, { agent: "validator" }],
    });
  });

  test("bad input is told in a sentence", async () => {
    const { flow } = await story(() => []);
    expect(await flow(["parallel", "x", "--task", "nonsense"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("AGENT=PROMPT"),
    });
    expect(await flow(["parallel", "x", "--task", "reseacher=look"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "researcher"?'),
    });
    expect(await flow(["resume", "../x"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no flow"),
    });
  });
});
