import { expect, test } from "vitest";
import type { Tool } from "../tool/tool.ts";
import { toolSchemas } from "./tool-schemas.ts";

const schema = { type: "object" };
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `does ${name}`,
  inputSchema: schema,
  parse: () => ({ ok: true, value: {} }),
  readOnly: true,
  execute: async () => ({ content: "" }),
  ...more,
});
const mapOf = (...tools: Tool[]): Map<string, Tool> =>
  new Map(tools.map((each) => [each.name, each]));

test("runs with the same tools share one list, although each has tools of its own", () => {
  const first = toolSchemas(mapOf(tool("A"), tool("B")));
  expect(first).toEqual([
    { name: "A", description: "does A", input_schema: schema },
    { name: "B", description: "does B", input_schema: schema },
  ]);
  expect(toolSchemas(mapOf(tool("A"), tool("B")))).toBe(first);
});

test.each<[string, Tool[]]>([
  ["another order", [tool("B"), tool("A")]],
  ["one less", [tool("A")]],
  ["one more", [tool("A"), tool("B"), tool("C")]],
  ["another description", [tool("A"), tool("B", { description: "does more" })]],
  ["another schema", [tool("A"), tool("B", { inputSchema: { type: "object" } })]],
])("%s is another list", (_, tools) => {
  const first = toolSchemas(mapOf(tool("A"), tool("B")));
  const other = toolSchemas(mapOf(...tools));
  expect(other).not.toBe(first);
  expect(other.map(({ name, description }) => [name, description])).toEqual(
    tools.map(({ name, description }) => [name, description]),
  );
});

test("kinds of runs that are long gone are forgotten, and come back right", () => {
  const first = toolSchemas(mapOf(tool("A"), tool("B")));
  for (let kind = 0; kind < 100; kind++) toolSchemas(mapOf(tool(`Kind${kind}`)));
  const again = toolSchemas(mapOf(tool("A"), tool("B")));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
