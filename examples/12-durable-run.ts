// An executor of your own: every reply and every tool result is kept, so that a run that is executed
// again repeats nothing. A real program keeps them in a database instead of a map.
import assert from "node:assert/strict";
import {
  createLocalExecutor,
  createManager,
  durable,
  readOutput,
  type Once,
} from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const kept = new Map<string, string>();
const once: Once = async (key, work) => {
  const known = kept.get(key);
  if (known !== undefined) return JSON.parse(known) as Awaited<ReturnType<typeof work>>;
  const result = await work();
  kept.set(key, JSON.stringify(result));
  return result;
};

const project = tempProject({ "notes.md": "buy milk\n" });
const env = { HOME: project.home, PATH: process.env["PATH"] };
const manager = createManager({
  cwd: project.root,
  env,
  contract: "none",
  model: scriptedModel([{ tools: [{ name: "Read", input: { file_path: "notes.md" } }] }, "Milk."]),
  executor: (catalog) => createLocalExecutor(durable(catalog, once)),
});
const run = manager.spawn({ description: "notes", prompt: "What do I have to buy?" });
assert.equal((await run.done).content, "Milk.");
await manager.close();

// Two replies, one decision of the gate, one tool result.
assert.deepEqual([...kept.keys()].map((key) => key.split("/")[1]).sort(), [
  "gate",
  "reply",
  "reply",
  "tool",
]);
// Any other process reads the result by the agent's id.
assert.equal((await readOutput(run.id, { env })).content, "Milk.");

project.remove();
