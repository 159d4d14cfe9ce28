// The process goes away in the middle of the work. Another one opens the same session and goes on where the transcript ends.
import assert from "node:assert/strict";
import { createManager, type ManagerOptions } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject({ "notes.md": "The release is on Friday.\n" });
const common: ManagerOptions = {
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  contract: "none",
  permissions: { allow: ["Bash(sleep:*)"] },
};

const first = scriptedModel([
  { tools: [{ name: "Read", input: { file_path: project.path("notes.md") } }] },
  { tools: [{ name: "Bash", input: { command: "sleep 60" } }] },
]);
const before = createManager({ ...common, model: first });
const run = before.spawn({ description: "read", prompt: "When is the release?" });
for await (const event of run.events())
  if (event.type === "tool-start" && event.tool === "Bash") break;
await before.close(); // the work is not done
assert.equal((await run.done).state, "stopped");

const second = scriptedModel(["On Friday."]);
const after = createManager({ ...common, model: second, sessionId: before.sessionId });
const { state, content, agent_id } = await after.resume(run.id, "Please finish.").done;
assert.equal(state, "completed");
assert.equal(agent_id, run.id);
assert.equal(content, "On Friday.");
const shown = JSON.stringify(second.requests[0]!.messages);
assert.match(shown, /The release is on Friday/); // what it had read is still there
assert.match(shown, /Please finish/);

await after.close();
project.remove();
