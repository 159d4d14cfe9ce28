// Agents that owe data instead of a report: by a definition, by a spawn, in Zod and in JSON Schema.
import { afterEach, describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import {
  scriptedModel,
  type ScriptLine,
  type ScriptedModel,
} from "../src/testing/scripted-model.ts";
import { tempProject } from "../src/testing/temp-project.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function world(
  script: ScriptLine[],
  agents: ManagerOptions["agents"] = {},
): { manager: AgentManager; model: ScriptedModel } {
  const project = tempProject({ "a.txt": "one\n" });
  open.push(() => project.remove());
  const model = scriptedModel(script);
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] ?? "" },
    model,
    watch: false,
    agents: {
      counter: { description: "Counts", prompt: "Count.", tools: ["Read"] },
      ...agents,
    },
  });
  open.push(() => manager.close());
  return { manager, model };
}

const call = (input: unknown): ScriptLine => ({ tools: [{ name: "Report", input }] });
const ask = { description: "count", prompt: "count the lines", subagent_type: "counter" };
const shape = z.object({ lines: z.number().int(), files: z.array(z.string()) });

describe("outputSchema", () => {
  test("of a spawn, in Zod: what does not fit comes back, what fits is typed", async () => {
    const { manager, model } = world([
      call({ lines: "many", files: [] }),
      call({ lines: 1, files: ["a.txt"] }),
    ]);
    const { output, content, state } = await manager.spawn(ask, { outputSchema: shape }).done;
    model.finish();
    expectTypeOf(output).toEqualTypeOf<{ lines: number; files: string[] } | undefined>();
    expect({ output, state }).toEqual({
      output: { lines: 1, files: ["a.txt"] },
      state: "completed",
    });
    expect(JSON.parse(content)).toEqual(output);
    expect(JSON.stringify(model.requests[1]!.messages)).toContain("- lines: Invalid input");
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["Read", "Report"]);
    expect(model.requests[0]!.system).toContain("the data that its schema describes");
  });

  test("of a spawn, as JSON Schema of a list: the tool takes it as `value`", async () => {
    const { manager, model } = world([call({ value: [1, 2] })]);
    const schema = { type: "array", items: { type: "integer" } };
    const { output } = await manager.spawn<number[]>(ask, { outputSchema: schema }).done;
    expect(output).toEqual([1, 2]);
    expect(model.requests[0]!.tools[1]!.input_schema).toMatchObject({ required: ["value"] });
  });

  test("of a definition, and read again from the transcript", async () => {
    const { manager } = world([call({ lines: 3, files: [] })], {
      counter: { description: "Counts", prompt: "Count.", tools: ["Read"], outputSchema: shape },
    });
    const run = manager.spawn(ask);
    expect((await run.done).output).toEqual({ lines: 3, files: [] });
    expect(await manager.getOutput(run.id)).toMatchObject({ output: { lines: 3, files: [] } });
  });

  test("JSON in words counts; other words are pointed to the tool once", async () => {
    const json = world(['Here it is: {"lines": 1, "files": []}']);
    expect((await json.manager.spawn(ask, { outputSchema: shape }).done).output).toEqual({
      lines: 1,
      files: [],
    });
    const words = world(["One line.", "Still one line."]);
    const result = await words.manager.spawn(ask, { outputSchema: shape }).done;
    words.model.finish();
    expect(result).toMatchObject({ state: "completed", content: "Still one line." });
    expect(result).not.toHaveProperty("output");
    expect(JSON.stringify(words.model.requests[1]!.messages)).toContain("You owe data, not words");
  });

  test("a schema that cannot be used is refused before anything runs", () => {
    const { manager } = world([]);
    expect(() => manager.spawn(ask, { outputSchema: { type: "nonsense" } })).toThrow(
      /outputSchema cannot be used/,
    );
    expect(() =>
      manager.registerAgents({
        bad: { description: "b", prompt: "b", outputSchema: { type: "nonsense" } },
      }),
    ).toThrow(/outputSchema.*cannot be used/);
  });
});
