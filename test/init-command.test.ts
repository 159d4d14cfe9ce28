// `init` through the built command, and a flow with the people it wrote.
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startMockProvider, type MockLine } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { entry, retinue } from "./retinue-process.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test("the files it writes are the agents of the next flow, and the validator among them still runs the project's checks without a model", async () => {
  const project = tempProject({
    "package.json": JSON.stringify({ scripts: { test: "test -f done.txt" } }),
  });
  const answer = (value: object): MockLine =>
    JSON.stringify({
      status: "complete",
      decision: "PROCEED",
      findings: {},
      issues: [],
      context_summary: "done",
      ...value,
    });
  const server = await startMockProvider({
    script: [
      answer({}),
      {
        tools: [
          { name: "Write", input: { file_path: join(project.root, "done.txt"), content: "x\n" } },
        ],
      },
      answer({ findings: { files_changed: ["done.txt"] } }),
    ],
  });
  open.push(server, { close: () => project.remove() });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };

  expect(await retinue(["init"], { project, env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("create    .claude/agents/validator.md"),
  });
  expect(await retinue(["agents", "validate"], { project, env })).toMatchObject({
    code: 0,
    stdout: "18 files checked, 18 loaded, 0 errors, 0 warnings\n",
  });
  project.write(
    ".claude/agents/researcher.md",
    project
      .read(".claude/agents/researcher.md")
      .replace("\nRole\n", "\nCount to 4711 first.\n\nRole\n"),
  );

  const { stdout, stderr, code } = await retinue(
    [
      "flow",
      "sequence",
      "--output-format",
      "json",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      "Bash(npm run:*)",
      "--",
      "make the test pass",
    ],
    { project, env },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    decision: "PROCEED",
    phases: [
      { agent: "researcher" },
      { agent: "writer" },
      {
        agent: "validator",
        run_ids: [],
        context_summary: expect.stringContaining("tests: passed"),
      },
    ],
  });
  expect(code).toBe(0);
  expect(stderr).not.toContain("not trusted");
  expect(JSON.stringify(server.requests[0]!.body)).toContain("Count to 4711 first.");
  server.finish();
});

test("what it wrote needs no trust until somebody changes a profile", async () => {
  const project = tempProject();
  open.push({ close: () => project.remove() });
  const doctor = async (): Promise<Record<string, boolean>> =>
    Object.fromEntries(
      (
        JSON.parse((await retinue(["doctor", "--json"], { project })).stdout) as {
          check: string;
          ok: boolean;
        }[]
      ).map(({ check, ok }) => [check, ok]),
    );
  await retinue(["init"], { project });
  expect(await doctor()).toMatchObject({ agents: true, settings: true, trust: true });
  project.write(
    ".claude/sub-agents/profiles/read-only.md",
    project.read(".claude/sub-agents/profiles/read-only.md").replace("- Grep", "- Bash"),
  );
  expect(await doctor()).toMatchObject({ settings: true, trust: false });
});

test.skipIf(!hasTmux)(
  "on a terminal it asks which files may be overwritten, and leaves the others alone",
  async () => {
    const project = tempProject({
      ".claude/agents/validator.md": "mine\n",
      ".claude/agents/writer.md": "mine too\n",
    });
    const terminal = openTerminal(`${process.execPath} ${entry} init`, {
      cwd: project.root,
      env: { HOME: project.home },
    });
    open.push({ close: () => (terminal.tear(), project.remove()) });
    await terminal.until(/Which ones may be overwritten\?[\s\S]*writer\.md/);
    terminal.press("Space", "Enter");
    await terminal.until(/\[exit 0\]/);
    expect(project.read(".claude/agents/validator.md")).toContain("name: validator");
    expect(project.read(".claude/agents/writer.md")).toBe("mine too\n");
  },
);
