// Messages in the form of Anthropic's protocol, which is also the form of transcripts: one form
// from socket to disk.
import type { JsonObject } from "../base/data/json.ts";

export type TextBlock = { type: "text"; text: string };
/** What other providers attach to a thought or a call and expect back, such as signatures. */
type Extra = { extra_content?: JsonObject };
export type ThinkingBlock = { type: "thinking"; thinking: string; signature?: string } & Extra;
export type RedactedThinkingBlock = { type: "redacted_thinking"; data: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: unknown } & Extra;
export type MediaSource = { type: "base64"; media_type: string; data: string };
export type ImageBlock = { type: "image"; source: MediaSource };
export type DocumentBlock = { type: "document"; source: MediaSource };
/** Blocks of a provider's own tools (web search and others): kept and sent back unchanged. */
export type ProviderBlock = {
  type: "server_tool_use" | "web_search_tool_result";
  [key: string]: unknown;
};

export type ResultContent = string | (TextBlock | ImageBlock | DocumentBlock)[];
export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content: ResultContent;
  is_error?: boolean;
};

export type UserBlock = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock;
export type AssistantBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ProviderBlock;

export type UserMessage = { role: "user"; content: string | UserBlock[] };
export type AssistantMessage = { role: "assistant"; content: AssistantBlock[] };
/** One message of a conversation, in the blocks of Anthropic's protocol. */
export type Message = UserMessage | AssistantMessage;

/** The text of a message; tool calls, tool results and thoughts are left out. */
export function textOf(content: Message["content"]): string {
  if (typeof content === "string") return content;
  let text = "";
  for (const block of content) if (block.type === "text") text += block.text;
  return text;
}

export function toolUsesOf(content: readonly AssistantBlock[]): ToolUseBlock[] {
  // Copied, because a filtered array keeps spare room as long as the calls run.
  return content.filter((block): block is ToolUseBlock => block.type === "tool_use").slice();
}

/** A user message with one more text: providers take two user messages in a row as one. */
export function withText(message: UserMessage, text: string): UserMessage {
  const blocks =
    typeof message.content === "string"
      ? [{ type: "text" as const, text: message.content }]
      : message.content;
  return { role: "user", content: [...blocks, { type: "text", text }] };
}
