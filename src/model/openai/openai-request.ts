// Builds the body of a request to an OpenAI-compatible chat endpoint from messages in our form.
import { createHash } from "node:crypto";
import { toJson } from "../../base/data/jsonl.ts";
import type {
  AssistantMessage,
  Message,
  ResultContent,
  ToolResultBlock,
  UserBlock,
  UserMessage,
} from "../message.ts";
import type { Effort, ModelRequest } from "../model.ts";
import { toRequestBody, toolsWriter } from "../http/request-body.ts";

export type OpenAiDialect = {
  /**
   * `max_completion_tokens` is OpenAI's newer name; most compatible servers know only `max_tokens`.
   */
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /**
   * Whether the server knows `reasoning_effort`; some servers answer an unknown field with an
   * error.
   */
  takesEffort: boolean;
};

const wireEfforts: Record<Effort, string> = {
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

type ContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };

const writeTools = toolsWriter((tools) =>
  tools.map(({ name, description, input_schema }) => ({
    type: "function",
    function: { name: wireName(name), description, parameters: input_schema },
  })),
);

export function openAiRequestBody(
  id: string,
  request: ModelRequest,
  dialect: OpenAiDialect,
): string {
  const { system, tools, maxOutputTokens, effort } = request;
  const fields = {
    model: id,
    stream: true,
    stream_options: { include_usage: true },
    [dialect.maxTokensField]: maxOutputTokens,
    ...(effort && dialect.takesEffort ? { reasoning_effort: wireEfforts[effort] } : {}),
  };
  return toRequestBody(fields, {
    tools: writeTools(tools),
    messages: toJson([
      ...(system.trim() ? [{ role: "system", content: system }] : []),
      ...wireMessages(request.messages),
    ]),
  });
}

/**
 * A function name has at most 64 plain characters here; a longer one keeps its beginning and gets a
 * hash of the whole.
 */
export function wireName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  return `${name.replace(/[^\w-]/g, "_").slice(0, 55)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}

function wireMessages(messages: readonly Message[]): object[] {
  const lastPrompt = messages.findLastIndex(
    (message) => message.role === "user" && !hasResults(message),
  );
  return messages.flatMap((message, index) =>
    message.role === "user"
      ? userMessages(message.content)
      : assistantMessage(message, index > lastPrompt),
  );
}

const hasResults = ({ content }: UserMessage): boolean =>
  typeof content !== "string" && content.some((block) => block.type === "tool_result");

function assistantMessage({ content }: AssistantMessage, inToolLoop: boolean): object[] {
  let text = "";
  let thoughts = "";
  const calls: object[] = [];
  for (const block of content) {
    if (block.type === "text") text += block.text;
    else if (block.type === "thinking" && block.signature === undefined) thoughts += block.thinking;
    else if (block.type === "tool_use") {
      const { id, name, input, extra_content } = block;
      calls.push({
        id,
        type: "function",
        function: { name: wireName(name), arguments: JSON.stringify(input ?? {}) },
        ...(extra_content ? { extra_content } : {}),
      });
    }
  }
  if (calls.length === 0) return text ? [{ role: "assistant", content: text }] : [];
  // Servers that show their reasoning want it back while tools are in use; afterwards they refuse
  // it or charge for it.
  return [
    {
      role: "assistant",
      content: text || null,
      tool_calls: calls,
      ...(thoughts && inToolLoop ? { reasoning_content: thoughts } : {}),
    },
  ];
}

/**
 * Results come first, one message each. Results are text here, so an image of a result follows as a
 * user message.
 */
function userMessages(content: string | readonly UserBlock[]): object[] {
  if (typeof content === "string") return [{ role: "user", content: content || "(empty)" }];
  const messages: object[] = [];
  const parts: ContentPart[] = [];
  for (const block of content) {
    if (block.type === "tool_result")
      messages.push({
        role: "tool",
        tool_call_id: block.tool_use_id,
        content: resultText(block, parts),
      });
    else parts.push(partOf(block));
  }
  const kept = parts.filter((part) => part.type !== "text" || part.text !== "");
  if (kept.length > 0)
    messages.push({
      role: "user",
      content: kept.every((part) => part.type === "text")
        ? kept.map((part) => part.text).join("\n\n")
        : kept,
    });
  return messages;
}

function resultText({ content, is_error }: ToolResultBlock, parts: ContentPart[]): string {
  const text = textOfResult(content, parts);
  return is_error ? `Error: ${text}` : text || "(no output)";
}

function textOfResult(content: ResultContent, parts: ContentPart[]): string {
  if (typeof content === "string") return content;
  const texts: string[] = [];
  for (const block of content) {
    const part = partOf(block);
    if (part.type === "text") texts.push(part.text);
    else {
      texts.push("(the image follows in the next message)");
      parts.push(part);
    }
  }
  return texts.join("\n");
}

function partOf(block: Exclude<UserBlock, ToolResultBlock>): ContentPart {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "image")
    return {
      type: "image_url",
      image_url: { url: `data:${block.source.media_type};base64,${block.source.data}` },
    };
  return {
    type: "text",
    text:
      `(a document of type ${block.source.media_type} stood here, but this model's ` +
      "provider takes no documents: it was not shown)",
  };
}
