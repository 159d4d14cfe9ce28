// What no rule decides is put to your function. Rules come first: what is denied is never asked.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createManager, type PermissionQuestion } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject();
const write = (name: string) => ({
  tools: [{ name: "Write", input: { file_path: project.path(name), content: "x\n" } }],
});
const model = scriptedModel([
  write("notes.md"),
  write("main.ts"),
  { tools: [{ name: "Bash", input: { command: "curl example.org" } }] },
  "Done what I may.",
]);

const questions: PermissionQuestion[] = [];
const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  model,
  contract: "none",
  permissions: { deny: ["Bash(curl:*)"] },
  ask: async (question) => {
    questions.push(question);
    return String(question.input["file_path"]).endsWith(".md") ? "once" : "no";
  },
});

const { permission_denials } = await manager.spawn({
  description: "write",
  prompt: "Write it down.",
}).done;
assert.deepEqual(
  questions.map(({ tool }) => tool),
  ["Write", "Write"],
);
assert.equal(existsSync(project.path("notes.md")), true);
assert.equal(existsSync(project.path("main.ts")), false);
assert.deepEqual(
  permission_denials.map(({ tool_name }) => tool_name),
  ["Write", "Bash"],
);

await manager.close();
project.remove();
