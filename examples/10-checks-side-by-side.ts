// Independent checks at the same time. One fails: the others are kept, the failure is named, and the decision is STOP.
import assert from "node:assert/strict";
import { createManager, parallel, type Phase } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject({ "src/login.ts": "export const login = (user: string) => user;\n" });
const answer = (decision: string, issues: string[]) =>
  JSON.stringify({
    status: "complete",
    decision,
    ...(decision === "STOP" ? { reason: issues[0] } : {}),
    findings: {},
    context_summary: "Looked at src/login.ts.",
    issues,
  });
const checkers = {
  style: answer("PROCEED", []),
  security: answer("STOP", ["login takes any user without a password"]),
  docs: answer("PROCEED", ["login has no comment"]),
};

const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  contract: "handoff",
  models: Object.fromEntries(
    Object.entries(checkers).map(([name, text]) => [name, scriptedModel([text])]),
  ),
  agents: Object.fromEntries(
    Object.keys(checkers).map((name) => [
      name,
      { description: `checks ${name}`, prompt: `You check ${name}.`, tools: ["Read"], model: name },
    ]),
  ),
});

const phases = Object.keys(checkers).map((name): Phase => ({
  name,
  agent: name,
  instructions: "Check src/login.ts.",
  expected_output: "validation_result",
  required: true,
}));
let tasks = 0;
const ports = {
  delegate: manager.delegate,
  newTaskId: (phase: string) => `${phase}-${++tasks}`,
  record: () => {},
};
const { decision, checks, issues } = await parallel({ task: { feature: "log in" }, phases, ports });

assert.equal(decision, "STOP");
assert.equal(Object.keys(checks).length, 3); // nothing is lost
assert.ok(issues.some((issue) => issue.includes("without a password")));
assert.ok(issues.some((issue) => issue.includes("no comment")));

const lenient = await parallel({
  task: { feature: "log in" },
  phases: phases.slice(0, 1),
  ports: {
    ...ports,
    delegate: async () => {
      throw new Error("the network is gone");
    },
  },
  rule: "any_pass",
});
assert.equal(lenient.decision, "STOP"); // a check that threw is a failed check
assert.ok(lenient.issues.some((issue) => issue.includes("the network is gone")));

await manager.close();
project.remove();
