// Reads the message of a transcript line into a type that the rest of the system can rely on,
// whichever program wrote the line.
import { isObject } from "../../base/data/json.ts";
import type { AssistantBlock, Message, UserBlock } from "../../model/message.ts";

export type ReadMessage = { message: Message; isSidechain: boolean } | { problem: string };

export const isMessageLine = (line: Record<string, unknown>): boolean =>
  line["type"] === "user" || line["type"] === "assistant";

/**
 * For a line of type user or assistant. Blocks that are not objects with a type are left out; their
 * content is not checked here.
 */
export function readMessage(line: Record<string, unknown>): ReadMessage {
  const { message } = line;
  if (!isObject(message)) return { problem: "a message line without a message" };
  const role = message["role"] ?? line["type"];
  if (role !== "user" && role !== "assistant")
    return { problem: `a message with the role ${JSON.stringify(role)?.slice(0, 40)}` };
  const content = message["content"];
  const isSidechain = line["isSidechain"] === true;
  if (typeof content === "string") {
    return {
      isSidechain,
      message:
        role === "user" ? { role, content } : { role, content: [{ type: "text", text: content }] },
    };
  }
  if (!Array.isArray(content))
    return { problem: "a message whose content is neither text nor a list" };
  const blocks = content.filter((block) => isObject(block) && typeof block["type"] === "string");
  return {
    isSidechain,
    message:
      role === "user"
        ? { role, content: blocks as UserBlock[] }
        : { role, content: blocks as AssistantBlock[] },
  };
}
