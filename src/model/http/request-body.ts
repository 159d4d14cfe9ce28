// Writes a request as JSON text that every provider accepts. The tools, which are the same in every
// turn, are written once, and so is the part of a conversation that does not change any more.
import { toJson } from "../../base/data/jsonl.ts";
import type { Message } from "../message.ts";
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

/** `text`: the first `count` messages, each behind a comma. */
type Written = { count: number; first: Message; last: Message; text: string };

/**
 * Writes the first `settled` messages of a conversation with `write`, each behind a comma; what an
 * earlier request of the same list has written is not written again. Messages do not change; a list
 * grows, or has another one at its end. The text is given up when memory is needed.
 */
export function settledWriter(
  write: (message: Message) => string,
): (messages: readonly Message[], settled: number) => string {
  const conversations = new WeakMap<readonly Message[], WeakRef<Written>>();
  return (messages, settled) => {
    const [first] = messages;
    if (!first || settled === 0) return "";
    let known = conversations.get(messages)?.deref();
    const holds = known && known.count <= settled && messages[known.count - 1] === known.last;
    if (!known || !holds || known.first !== first) {
      known = { count: 0, first, last: first, text: "" };
      conversations.set(messages, new WeakRef(known));
    }
    for (; known.count < settled; known.count++) known.text += write(messages[known.count]!);
    known.last = messages[settled - 1]!;
    return known.text;
  };
}

/** The body of a request: its small fields, its tools and its messages, these two as JSON. */
export function toRequestBody(
  fields: object,
  { tools, messages }: { tools: string; messages: string },
): string {
  const start = toJson(fields).slice(0, -1);
  const listed = tools === "[]" ? "" : `,"tools":${tools}`;
  return `${start}${listed},"messages":${messages}}`;
}
