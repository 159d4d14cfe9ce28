// Reports of sub-agents on the mock provider, end to end: checked, corrected, sent back once, graded, and only then shown to the parent.
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import { functionHook } from "../src/hooks/hook.ts";
import type { AgentResult } from "../src/manager/session/agent-result.ts";
import {
  scriptedModel,
  type ScriptLine,
  type ScriptedModel,
} from "../src/testing/scripted-model.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const source = [
  "import { hash } from './hash.js';",
  "",
  "export function login(name, password) {",
  "  const user = find(name);",
  "  return user && user.hash === hash(password);",
  "}",
  "",
  "export function logout(session) {",
  "  session.user = null;",
  "}",
  "",
].join("\n");

type World = { project: TempProject; model: ScriptedModel; manager: AgentManager };

function world(script: (root: string) => ScriptLine[], more: Partial<ManagerOptions> = {}): World {
  const project = tempProject({ "src/auth.js": source });
  const model = scriptedModel(script(project.root));
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] ?? "" },
    model,
    watch: false,
    permissions: { mode: "acceptEdits" },
    ...more,
  });
  open.push({ close: () => project.remove() }, manager);
  return { project, model, manager };
}

const read = (root: string): ScriptLine => ({
  tools: [{ name: "Read", input: { file_path: join(root, "src/auth.js") } }],
});
const report = (findings: string, rest = ""): string =>
  `## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\nLooked at it.\n\n### Findings\n${findings}\n\n### Confidence\n95 - read it\n- verified_confidence: 95\n- inferred_confidence: 95\n\n### Verification Completed\n- [x] File References Valid\n\n### Next Steps\n1. none\n${rest}`;
const table = (...rows: string[]): string =>
  ["| ID | Issue | File:Line | Severity | Confidence |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );

const run = ({ manager }: World, prompt = "look"): Promise<AgentResult> =>
  manager.spawn({ description: "look", prompt, subagent_type: "general-purpose" }).done;

describe("a report", () => {
  test("that holds is verified, and the agent is not asked again", async () => {
    const all = world((root) => [
      read(root),
      report(
        table(
          "| QA-1 | `login` compares hashes | `src/auth.js:5` `return user && user.hash === hash(password);` | Important | 90 |",
        ),
      ),
    ]);
    const result = await run(all);
    all.model.finish();
    expect(result.verification).toMatchObject({
      trust: "VERIFIED",
      outcome: { value: "SUCCESS" },
      repair: null,
    });
    expect(result.verification?.["header"]).toMatch(/trust VERIFIED/);
  });

  test("that is wrong and comes with the last turn is judged as it is, not lost with the turns", async () => {
    const all = world((root) => [
      read(root),
      report(table("| QA-1 | `reset` is missing a check | `src/reset.js:3` | Important | 90 |")),
    ]);
    const result = await all.manager.spawn({
      description: "look",
      prompt: "look",
      subagent_type: "general-purpose",
      max_turns: 2,
    }).done;
    all.model.finish();
    expect(result).toMatchObject({
      state: "completed",
      verification: { trust: "CONTRADICTED", repair: null },
    });
  });

  test("with a wrong line that stands at one other place is corrected without the model", async () => {
    const all = world((root) => [
      read(root),
      report(
        table(
          "| QA-1 | ends the session | `src/auth.js:4` `session.user = null;` | Important | 90 |",
        ),
      ),
    ]);
    const result = await run(all);
    all.model.finish();
    expect(result.content).toContain("src/auth.js:9");
    expect(result.verification?.["header"]).toMatch(
      /corrected: .*src\/auth\.js:4.* is now .*src\/auth\.js:9/,
    );
  });

  test("with three bad references goes back once: two are fixed, one is withdrawn", async () => {
    const bad = table(
      "| QA-1 | `login` is weak | `src/auth.js:40` | Critical | 90 |",
      "| QA-2 | signing out leaks | `src/session.js:8` | Important | 90 |",
      "| QA-3 | `reset` is missing a check | `src/reset.js:3` | Important | 90 |",
    );
    const good = table(
      "| QA-1 | `login` is weak | `src/auth.js:3` | Critical | 90 |",
      "| QA-2 | signing out leaks | `src/auth.js:8` | Important | 90 |",
    );
    const all = world((root) => [read(root), report(bad), report(good)]);
    const result = await run(all);
    all.model.finish();
    const asked = JSON.stringify(all.model.requests[2]!.messages.at(-1));
    expect(asked).toContain("src/auth.js:40");
    expect(asked).toContain("there is no src/reset.js");
    expect(result.verification).toMatchObject({
      repair: { accepted: true, fixed: 2, failing: 0 },
      withdrawn: [expect.objectContaining({ text: expect.stringContaining("src/reset.js:3") })],
    });
    expect(result.content).toContain("### Withdrawn");
  });

  test("with a slip that was put right by itself may come back with the right name: that deletes no evidence", async () => {
    const bad = table(
      "| QA-1 | `logout` leaks | `src/atuh.js:8` | Important | 90 |",
      "| QA-2 | `reset` is missing a check | `src/reset.js:3` | Important | 90 |",
    );
    const all = world((root) => [
      read(root),
      report(bad),
      report(table("| QA-1 | `logout` leaks | `src/auth.js:8` | Important | 90 |")),
    ]);
    const result = await run(all);
    all.model.finish();
    expect(JSON.stringify(all.model.requests[2]!.messages.at(-1))).not.toContain("atuh");
    expect(result.verification).toMatchObject({
      trust: "VERIFIED",
      repair: { accepted: true, failing: 0 },
      withdrawn: [expect.objectContaining({ text: expect.stringContaining("src/reset.js:3") })],
    });
  });

  test("whose repair deletes the evidence keeps its faults", async () => {
    const bad = table(
      "| QA-1 | `login` is weak | `src/auth.js:40` | Critical | 90 |",
      "| QA-2 | signing out leaks | `src/auth.js:8` | Important | 90 |",
    );
    const all = world((root) => [read(root), report(bad), report("Everything is fine.")]);
    const result = await run(all);
    expect(result.verification).toMatchObject({
      trust: "CONTRADICTED",
      outcome: { claimed: "SUCCESS", value: "PARTIAL" },
      repair: { accepted: false },
    });
  });

  test("that a hook asks for after the repair stands for itself, and the first one is not brought back", async () => {
    let asked = 0;
    const hook = functionHook({
      event: "SubagentStop",
      run: async () =>
        ++asked === 1 ? { decision: "block", reason: "say only what matters" } : undefined,
    });
    const row = (line: number): string =>
      `| QA-1 | \`login\` is weak | \`src/auth.js:${line}\` | Critical | 90 |`;
    const all = world(
      (root) => [
        read(root),
        report(table(row(40), "| QA-2 | signing out leaks | `src/auth.js:8` | Important | 90 |")),
        report(table(row(3), "| QA-2 | `logout` leaks | `src/auth.js:8` | Important | 90 |")),
        report(table(row(3))),
      ],
      { hooks: [hook] },
    );
    const result = await run(all);
    all.model.finish();
    expect([
      result.content.includes("auth.js:3"),
      result.content.includes("auth.js:40"),
      result.content.includes("logout"),
    ]).toEqual([true, false, false]);
    expect(result.verification).toMatchObject({ repair: null });
  });

  test("cannot be repaired by writing: until it is settled the agent may only look", async () => {
    const all = world((root) => [
      read(root),
      report(table("| QA-1 | `gone` | `src/gone.js:1` | Critical | 90 |")),
      {
        tools: [
          {
            name: "Write",
            input: { file_path: join(root, "src/gone.js"), content: "export function gone() {}\n" },
          },
        ],
      },
      report(table("| QA-1 | `gone` | `src/gone.js:1` | Critical | 90 |")),
    ]);
    const result = await run(all);
    expect(result.permission_denials).toMatchObject([{ tool_name: "Write" }]);
    expect(result.verification).toMatchObject({ trust: "CONTRADICTED" });
  });
});

describe("evidence", () => {
  test("an agent that quotes what it never read is capped at 84", async () => {
    const all = world((root) => [
      { tools: [{ name: "Glob", input: { pattern: "**/*.js", path: root } }] },
      report(
        table(
          "| QA-1 | hashes | `src/auth.js:5` `return user && user.hash === hash(password);` | Important | 95 |",
        ),
      ),
    ]);
    const { verification } = await run(all);
    expect(verification).toMatchObject({ confidence: { claimed: 95, cap: 84 } });
  });

  test("zero tool calls and claims of action are INVALID", async () => {
    const claim = report(
      "#### Files Created\n| File | Purpose |\n|---|---|\n| `src/new.js` | new |",
    );
    const all = world(() => [claim, claim]);
    const { verification } = await run(all);
    expect(verification).toMatchObject({ outcome: { value: "INVALID" } });
  });

  test("a file that was changed and not declared is named", async () => {
    const all = world((root) => [
      {
        tools: [
          {
            name: "Write",
            input: { file_path: join(root, "src/extra.js"), content: "export const extra = 1;\n" },
          },
        ],
      },
      read(root),
      report("- `login` is at `src/auth.js:3`"),
      report("- `login` is at `src/auth.js:3`"),
    ]);
    const { verification } = await run(all);
    expect(verification).toMatchObject({
      undeclared: [{ path: "src/extra.js", change: "created" }],
    });
    expect(verification?.["header"]).toContain("undeclared: src/extra.js was created");
  });

  test("a read-only agent that claims to have created a file is contradicted", async () => {
    const claim = report(
      "#### Files Created\n| File | Purpose |\n|---|---|\n| `src/auth.js` | new |",
    );
    const all = world((root) => [read(root), claim, claim], {
      agents: { looker: { description: "looks", prompt: "look", tools: ["Read"] } },
    });
    const result = await all.manager.spawn({
      description: "look",
      prompt: "look",
      subagent_type: "looker",
    }).done;
    expect(result.verification).toMatchObject({ trust: "CONTRADICTED" });
  });

  test("tests pass, with an edit after the run, is stale", async () => {
    const all = world(
      (root) => [
        read(root),
        { tools: [{ name: "Bash", input: { command: "node --test" } }] },
        {
          tools: [
            {
              name: "Edit",
              input: {
                file_path: join(root, "src/auth.js"),
                old_string: "session.user = null;",
                new_string: "session.user = undefined;",
              },
            },
          ],
        },
        report(
          "#### Files Modified\n| File | Change |\n|---|---|\n| `src/auth.js` | logout |\n\n#### Test Results\nAll tests pass: 1 passed, 0 failed.",
        ),
        report(
          "#### Files Modified\n| File | Change |\n|---|---|\n| `src/auth.js` | logout |\n\n#### Test Results\nAll tests pass: 1 passed, 0 failed.",
        ),
      ],
      { permissions: { mode: "acceptEdits", allow: ["Bash(node --test)"] } },
    );
    all.project.write("a.test.js", 'import test from "node:test";\ntest("ok", () => {});\n');
    const { verification } = await run(all);
    const checks = verification?.["checks"] as { kind: string; verdict: string }[];
    expect(checks.filter(({ kind }) => kind === "test")).toMatchObject([{ verdict: "stale" }]);
  });
});

test("a free answer is looked at too: what fails is marked, and its form binds nobody", async () => {
  const all = world(() => ["src/nowhere.js:1 is wrong"], {
    agents: { free: { description: "free", prompt: "free", contract: "none" } },
  });
  const result = await all.manager.spawn({ description: "x", prompt: "x", subagent_type: "free" })
    .done;
  expect(result.state).toBe("completed");
  expect(result.content).toMatch(/^src\/nowhere\.js:1 \[missing: .*\] is wrong$/);
  expect(result.verification).toMatchObject({ is_free: true });
});
