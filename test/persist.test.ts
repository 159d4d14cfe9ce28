// A manager that keeps nothing: no file is written, answers are verified all the same, and what needs a transcript is refused with a sentence.
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/index.ts";
import { scriptedModel, tempProject, type TempProject } from "../src/testing/index.ts";

let project: TempProject;
beforeEach(() => void (project = tempProject({ "src/a.ts": "export const a = 1;\n" })));
afterEach(() => project.remove());

function open(replies: Parameters<typeof scriptedModel>[0], persist = false): AgentManager {
  return createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    contract: "none",
    watch: false,
    persist,
    model: scriptedModel(replies),
  });
}

const files = (): string[] =>
  readdirSync(project.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const read = { name: "Read", input: { file_path: "src/a.ts" } };
const task = { description: "look", prompt: "Where is a?" };

test("nothing is written, and the result stays readable", async () => {
  const manager = open([{ tools: [read] }, { text: "`src/a.ts:1` exports a." }]);
  const run = manager.spawn({ ...task, run_in_background: true });
  const result = await run.done;
  expect(result).toMatchObject({ state: "completed", transcript: "" });
  expect(result).not.toHaveProperty("output_file");
  expect(await manager.getOutput(run.id)).toEqual(result);
  expect(await manager.stop(run.id)).toMatchObject({ stopped: false, state: "completed" });
  await manager.close();
  expect(files()).toEqual([]);
});

test.each([true, false])("the evidence is the same with persist: %s", async (persist) => {
  const manager = open(
    [{ tools: [read] }, { text: "`src/a.ts:1` says `export const a = 1;`" }],
    persist,
  );
  const { verification } = await manager.spawn(task).done;
  expect(
    verification?.checks?.filter(({ kind }) => kind === "quote" || kind === "location"),
  ).toMatchObject([{ path: "src/a.ts", lines: [1, 1], verdict: "verified", grade: "E3" }]);
  await manager.close();
  expect(files().length > 0).toBe(persist);
});

test("a resume, a message to an ended agent and a move to the background are refused with a sentence", async () => {
  const manager = open([{ text: "done" }]);
  const { agent_id } = await manager.spawn(task).done;
  const refusal = /cannot be resumed: this manager was made with persist: false/;
  expect(() => manager.resume(agent_id, "more")).toThrow(refusal);
  expect(() => manager.send(agent_id, "more")).toThrow(refusal);
  expect(() => manager.background(agent_id)).toThrow(/has already ended/);
  await manager.close();
});

test("a long answer is given whole, because nowhere else is the rest", async () => {
  const long = "word ".repeat(10_000);
  const manager = open([{ text: long }]);
  expect((await manager.spawn(task).done).content).toContain(long.trim());
  await manager.close();
});
