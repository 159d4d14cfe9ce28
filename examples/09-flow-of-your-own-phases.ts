// Phases of your own, one after another. The second agent gets the summary of the first and nothing else of what it saw.
import assert from "node:assert/strict";
import { createManager, sequence, type Phase, type PhaseRecord } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject({
  "src/greet.ts":
    "// A long file that only the reader has to see.\nexport const greeting = 'hello';\n",
});
const answer = (findings: object, context_summary: string) =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings,
    context_summary,
    issues: [],
  });
const reader = scriptedModel([
  { tools: [{ name: "Read", input: { file_path: project.path("src/greet.ts") } }] },
  answer(
    { existing_implementations: ["src/greet.ts:2"] },
    "The greeting stands in src/greet.ts, line 2.",
  ),
]);
const writer = scriptedModel([
  { tools: [{ name: "Read", input: { file_path: project.path("src/greet.ts") } }] },
  {
    tools: [
      {
        name: "Edit",
        input: {
          file_path: project.path("src/greet.ts"),
          old_string: "'hello'",
          new_string: "'bonjour'",
        },
      },
    ],
  },
  answer({ files_changed: ["src/greet.ts"] }, "The greeting is French now."),
]);

const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  contract: "handoff",
  models: { reader, writer },
  permissions: { allow: ["Edit"] },
  agents: {
    reader: {
      description: "finds things",
      prompt: "You find things.",
      tools: ["Read", "Grep"],
      model: "reader",
    },
    writer: {
      description: "changes things",
      prompt: "You change things.",
      tools: ["Read", "Edit"],
      model: "writer",
    },
  },
});

const phases: Phase[] = [
  {
    name: "research",
    agent: "reader",
    instructions: "Find the greeting.",
    expected_output: "structured_findings",
    required: true,
  },
  {
    name: "write",
    agent: "writer",
    instructions: "Make it French.",
    expected_output: "files_changed",
    required: true,
  },
];
const seen: PhaseRecord[] = [];
const result = await sequence({
  task: { feature: "greet in French" },
  phases,
  ports: {
    delegate: manager.delegate,
    newTaskId: (phase) => `greet-${phase}`,
    record: (entry) => void seen.push(entry),
  },
});

assert.equal(result.decision, "PROCEED");
assert.deepEqual(
  seen.map(({ phase, status }) => [phase, status]),
  [
    ["research", "done"],
    ["write", "done"],
  ],
);
assert.match(project.read("src/greet.ts"), /bonjour/); // really edited
const given = JSON.stringify(writer.requests[0]!.messages);
assert.match(given, /The greeting stands in src\/greet\.ts, line 2\./);
assert.doesNotMatch(given, /A long file that only the reader has to see/);

await manager.close();
project.remove();
