// Writes a request as JSON text that every provider accepts. The tools, which are the same in every
// turn, are written once.
import { toJson } from "../../base/data/jsonl.ts";
import type { ToolSchema } from "../model.ts";

/** Writes a list of tools with `write`; the text of a list is kept and used again. */
export function toolsWriter(
  write: (tools: readonly ToolSchema[]) => object[],
): (tools: readonly ToolSchema[]) => string {
  const written = new WeakMap<readonly ToolSchema[], string>();
  return (tools) => {
    let json = written.get(tools);
    if (json === undefined) written.set(tools, (json = toJson(write(tools))));
    return json;
  };
}

/** The body of a request: its small fields, its tools and its messages. */
export function toRequestBody(
  fields: object,
  { tools, messages }: { tools: string; messages: object[] },
): string {
  const start = toJson(fields).slice(0, -1);
  const listed = tools === "[]" ? "" : `,"tools":${tools}`;
  return `${start}${listed},"messages":${toJson(messages)}}`;
}
