import { expect, test } from "vitest";
import { createPolicy } from "../../../permissions/policy.ts";
import type { Session } from "../../session/session.ts";
import { admittedTools, sharedPolicy } from "./resolve-policy.ts";

const policy = (deny: string[] = [], disallowed: string[] = []) =>
  createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: ["Read"], ask: [], deny },
    disallowed,
  });
const session = {} as Session;

test("runs of one type that may do the same share a policy, and no others do", () => {
  const first = sharedPolicy(session, "worker", policy());
  expect(first).toEqual(policy());
  expect(sharedPolicy(session, "worker", policy())).toBe(first);
  expect(sharedPolicy({} as Session, "worker", policy())).not.toBe(first);
  expect(sharedPolicy(session, "worker", policy(["Bash"])).rules.deny).toEqual(["Bash"]);
  expect(sharedPolicy(session, "worker", policy(["Write"])).rules.deny).toEqual(["Write"]);
  const { memoryDirectory, ...workspace } = {
    ...policy().workspace,
    memoryDirectory: "/m",
  };
  const remembering = { ...policy(), workspace: { ...workspace, memoryDirectory } };
  expect(sharedPolicy(session, "worker", remembering).workspace.memoryDirectory).toBe("/m");
});

test("a shared policy cannot be changed for the runs that share it", () => {
  const shared = sharedPolicy(session, "frozen", policy());
  expect(() => (shared.mode = "bypassPermissions")).toThrow(TypeError);
  expect(() => (shared.rules.deny = [])).toThrow(TypeError);
  expect(() => shared.rules.allow.push("Bash")).toThrow(TypeError);
  expect(() => shared.workspace.protectedPaths.pop()).toThrow(TypeError);
});

test("the tools of a policy are those that it admits, asked once or often", () => {
  const narrow = policy([], ["Bash"]);
  for (let time = 0; time < 2; time++)
    expect(admittedTools(["Read", "Bash", "Agent", "nonsense"], narrow)).toEqual(["Read", "Agent"]);
});
