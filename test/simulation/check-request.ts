// Reads a request the way a provider does: user first, roles in turns, every call answered once and right after it, nothing empty.
import type { Message, ToolResultBlock, ToolUseBlock } from "../../src/model/message.ts";

/** What is wrong with it, in words; empty when nothing is. */
export function requestFaults(
  messages: readonly Message[],
  { mayEndWithAssistant }: { mayEndWithAssistant: boolean },
): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  if (messages[0]?.role !== "user") faults.push("the first message is not the user's");
  if (messages.at(-1)?.role !== "user" && !mayEndWithAssistant)
    faults.push("the last message is not the user's");
  for (const [index, message] of messages.entries()) {
    if (isEmpty(message)) faults.push(`message ${index} is empty`);
    const before = messages[index - 1];
    if (before?.role === "user" && message.role === "user")
      faults.push(`message ${index}: two of the user in a row`);
    if (message.role === "user") faults.push(...answerFaults(before, message, index));
    for (const { id } of message.role === "assistant" ? usesOf(message) : []) {
      if (seen.has(id)) faults.push(`message ${index}: the tool_use id ${id} occurs twice`);
      seen.add(id);
    }
    if (
      message.role === "assistant" &&
      usesOf(message).length > 0 &&
      messages[index + 1]?.role !== "user"
    )
      faults.push(`message ${index}: calls without results`);
  }
  return faults;
}

function answerFaults(before: Message | undefined, message: Message, index: number): string[] {
  const wanted = before?.role === "assistant" ? usesOf(before).map((use) => use.id) : [];
  const given = resultsOf(message);
  const faults: string[] = [];
  for (const id of wanted)
    if (given.filter((one) => one === id).length !== 1)
      faults.push(
        `message ${index}: ${given.filter((one) => one === id).length} results for ${id}`,
      );
  for (const id of given)
    if (!wanted.includes(id))
      faults.push(`message ${index}: a result for ${id}, which was not called just before`);
  return faults;
}

function isEmpty({ content }: Message): boolean {
  if (typeof content === "string") return content.trim() === "";
  return (
    content.length === 0 ||
    content.some((block) => block.type === "text" && block.text.trim() === "")
  );
}

const usesOf = ({ content }: Message): ToolUseBlock[] =>
  typeof content === "string"
    ? []
    : (content as { type: string }[]).filter(
        (block): block is ToolUseBlock => block.type === "tool_use",
      );

const resultsOf = ({ content }: Message): string[] =>
  typeof content === "string"
    ? []
    : (content as { type: string }[])
        .filter((block): block is ToolResultBlock => block.type === "tool_result")
        .map((block) => block.tool_use_id);
