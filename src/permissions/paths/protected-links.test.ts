import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { factsNear } from "../../base/files/path-facts.ts";
import { decide } from "../decide.ts";
import { createPolicy } from "../policy.ts";

let ws = "";

beforeAll(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "protected-links-")));
  for (const folder of ["docs", "conf", "team", ".claude/agents"])
    mkdirSync(join(ws, folder), { recursive: true });
  writeFileSync(join(ws, "docs/agent.md"), "x");
  symlinkSync("docs/agent.md", join(ws, "CLAUDE.md"));
  symlinkSync("conf", join(ws, ".vscode"));
  symlinkSync("../../team/a.md", join(ws, ".claude/agents/a.md"));
});

afterAll(() => rmSync(ws, { recursive: true, force: true }));

function answer(tool: string, input: Record<string, unknown>): string {
  const policy = createPolicy({ mode: "acceptEdits", workspace: { cwd: ws, home: "/nowhere" } });
  return decide({ tool, input }, policy, (path, folder) =>
    factsNear(path, { cwd: ws, home: "/nowhere", folder }),
  ).behavior;
}

test.each([
  ["docs/agent.md", "ask"],
  ["docs/other.md", "allow"],
  ["conf/tasks.json", "ask"],
  ["team/a.md", "ask"],
  ["team/b.md", "allow"],
])("who writes %s is judged by the protected link that leads there: %s", (path, expected) => {
  expect(answer("Write", { file_path: join(ws, path), content: "x" })).toBe(expected);
});

test("a link that is made between two calls is seen", () => {
  const input = { file_path: join(ws, "docs/late.md"), content: "x" };
  expect(answer("Write", input)).toBe("allow");
  symlinkSync("docs/late.md", join(ws, "AGENTS.md"));
  expect(answer("Write", input)).toBe("ask");
});
