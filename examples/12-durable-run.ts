// A run that survives its process: every step is kept, so that a run that is executed again repeats
// nothing. `executor: "durable"` keeps them in a file; here they are kept in a map of the program's.
import assert from "node:assert/strict";
import {
  createDurableExecutor,
  createLocalExecutor,
  createManager,
  readOutput,
  type StepJournal,
} from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const kept = new Map<string, string>();
const journal: StepJournal = {
  attempt: "process 1",
  once: async (key, work) => {
    const known = kept.get(key);
    if (known !== undefined) return JSON.parse(known) as Awaited<ReturnType<typeof work>>;
    const step = await work();
    kept.set(key, JSON.stringify(step));
    return step;
  },
  close: () => undefined,
};

const project = tempProject({ "notes.md": "buy milk\n" });
const env = { HOME: project.home, PATH: process.env["PATH"] };
const manager = createManager({
  cwd: project.root,
  env,
  contract: "none",
  model: scriptedModel([{ tools: [{ name: "Read", input: { file_path: "notes.md" } }] }, "Milk."]),
  executor: (catalog) => createDurableExecutor({ ...catalog, journal: () => journal }),
});
const run = manager.spawn({ description: "notes", prompt: "What do I have to buy?" });
assert.equal((await run.done).content, "Milk.");
await manager.close();

// Two replies, one judgement of the gate, one call with its hooks.
const kinds = [...kept.keys()].map((key) => key.split("/")[0]);
assert.deepEqual(
  kinds.filter((kind) => kind === "reply" || kind === "gate" || kind === "tool"),
  ["reply", "gate", "tool", "reply"],
);
// Any other process reads the result by the agent's id.
assert.equal((await readOutput(run.id, { env })).content, "Milk.");

// An executor is an object: this one notes every spec before the usual one runs it.
const specs: string[] = [];
const noting = createManager({
  cwd: project.root,
  env,
  contract: "none",
  model: scriptedModel(["Nothing."]),
  executor: (catalog) => {
    const usual = createLocalExecutor(catalog);
    return {
      ...usual,
      execute: (spec, watch) => {
        specs.push(spec.agentType);
        return usual.execute(spec, watch);
      },
    };
  },
});
await noting.spawn({ description: "more", prompt: "Anything else?" }).done;
await noting.close();
assert.deepEqual(specs, ["general-purpose"]);

project.remove();
