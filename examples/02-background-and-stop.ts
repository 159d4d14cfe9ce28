// Start an agent in the background, look at it while it works, and stop it together with the processes it started.
import assert from "node:assert/strict";
import { createManager } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject();
const model = scriptedModel([
  {
    text: "This will take a while.",
    tools: [{ name: "Bash", input: { command: "sleep 60", description: "Wait" } }],
  },
]);
const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  model,
  permissions: { allow: ["Bash(sleep:*)"] },
});

const run = manager.spawn({
  description: "wait",
  prompt: "Wait for a minute.",
  run_in_background: true,
});
for await (const event of run.events()) if (event.type === "tool-start") break; // the command is running now

const soFar = await manager.getOutput(run.id, { block: false });
assert.equal(soFar.state, "running");
assert.match(soFar.content, /take a while/); // the text so far, marked as running: nobody has checked it yet
assert.deepEqual(
  manager.list().map(({ agent_id }) => agent_id),
  [run.id],
);

const before = performance.now();
await manager.stop(run.id);
const { state } = await run.done;
assert.equal(state, "stopped");
assert.ok(performance.now() - before < 20_000); // not the minute of the command
assert.deepEqual(manager.list(), []);

await manager.close();
project.remove();
