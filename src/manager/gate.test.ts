import { describe, expect, test } from "vitest";
import { createPolicy, type FactsOf } from "../permissions/policy.ts";
import { createApprovals } from "./asker.ts";
import { createGate, type GateParts } from "./gate.ts";

const facts: FactsOf = (path) => ({ real: path.startsWith("/") ? path : `/w/${path}`, exists: true, kind: "file" });
const policy = createPolicy({ workspace: { cwd: "/w", home: "/h" }, rules: { allow: ["Bash(ls:*)"], ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"] } });
const gateWith = (parts: Partial<GateParts>) => createGate({ agentId: "a", agentType: "t", policy: () => policy, facts, approvals: createApprovals(), ...parts });
const bash = (command: string) => ({ toolUseId: "1", tool: "Bash", input: { command } });
const run = (parts: Partial<GateParts>, command: string) => gateWith(parts)(bash(command), new AbortController().signal);

describe("the gate", () => {
  test.each([
    ["what no rule covers", "make build", "allow"],
    ["what an ask rule covers", "git push origin", "deny"],
    ["a protected path", "ls > .git/config", "deny"],
    ["what a deny rule covers", "rm x", "deny"],
  ])("a PermissionRequest hook's yes counts for %s: %s is %s", async (_what, command, behavior) => {
    expect(await run({ answerInstead: async () => "allow" }, command)).toMatchObject({ behavior });
  });

  test("a PreToolUse hook that changes the input has the change judged", async () => {
    const beforeTool = async () => ({ verdict: { behavior: "allow" as const }, input: { command: "rm x" } });
    expect(await run({ beforeTool }, "ls")).toMatchObject({ behavior: "deny", layer: "deny" });
  });

  test("a person is still asked where the hook's yes does not count", async () => {
    expect(await run({ answerInstead: async () => "allow", ask: async () => "once" }, "git push origin")).toMatchObject({ behavior: "allow", reason: "a person said yes" });
  });
});
