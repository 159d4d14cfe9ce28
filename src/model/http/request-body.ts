// A request as JSON text that every provider accepts, with the tools, which are the same in every
// turn, written once.
import type { ToolSchema } from "../model.ts";

type WellFormed = { toWellFormed(): string };

/**
 * JSON in which half a surrogate pair, which JSON can write but providers refuse, has become a
 * replacement sign.
 */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON writes only lone surrogates as \ud…; the rare false alarm costs a second pass.
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "string" ? (item as unknown as WellFormed).toWellFormed() : item,
  );
}

/** Writes a list of tools by `write`, and the same list never again. */
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

/** The body of a request from its small fields and its two large ones. */
export function toBody(
  fields: object,
  { tools, messages }: { tools: string; messages: object[] },
): string {
  return `${toJson(fields).slice(0, -1)}${tools === "[]" ? "" : `,"tools":${tools}`},"messages":${toJson(messages)}}`;
}
