// Turns a request into the AI SDK's call: its prompt, its tools and the options that its providers
// know.
import type { JsonObject } from "../../base/data/json.ts";
import type {
  AssistantBlock,
  ImageBlock,
  DocumentBlock,
  Message,
  ToolResultBlock,
  UserBlock,
} from "../message.ts";
import type { ModelRequest } from "../model.ts";

export type AiSdkVersion = "v2" | "v3";

type Options = { providerOptions?: object };
type Part = { type: string; [key: string]: unknown } & Options;
type PromptMessage = {
  role: "system" | "user" | "assistant" | "tool";
  content: string | Part[];
} & Options;

export type AiSdkCall = {
  prompt: PromptMessage[];
  tools?: object[];
  maxOutputTokens: number;
  providerOptions?: object;
};

export function aiSdkCall(
  request: ModelRequest,
  { version, provider }: { version: AiSdkVersion; provider: string },
): AiSdkCall {
  const names = toolNames(request.messages);
  const prompt: PromptMessage[] = request.system.trim()
    ? [{ role: "system", content: request.system }]
    : [];
  for (const message of request.messages)
    prompt.push(
      ...(message.role === "user"
        ? userMessages(message.content, { names, version })
        : assistantMessages(message.content)),
    );
  if (/anthropic|bedrock/i.test(provider)) markForCache(prompt);
  const options = effortOptions(request, provider);
  return {
    prompt,
    maxOutputTokens: request.maxOutputTokens,
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, input_schema }) => ({
            type: "function",
            name,
            description,
            inputSchema: input_schema,
          })),
        }
      : {}),
    ...(options ? { providerOptions: options } : {}),
  };
}

function toolNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { role, content } of messages)
    if (role === "assistant")
      for (const block of content) if (block.type === "tool_use") names.set(block.id, block.name);
  return names;
}

function effortOptions({ effort }: ModelRequest, provider: string): object | undefined {
  if (!effort) return undefined;
  if (/^anthropic/i.test(provider)) return { anthropic: { effort } };
  return /^openai/i.test(provider)
    ? { openai: { reasoningEffort: effort === "max" || effort === "xhigh" ? "high" : effort } }
    : undefined;
}

/**
 * Marks the system prompt and the end of the conversation for the cache: the next call begins with
 * both.
 */
function markForCache(prompt: PromptMessage[]): void {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const [first, last] = [prompt[0], prompt.at(-1)];
  if (first?.role === "system") first.providerOptions = mark;
  if (last && last !== first) last.providerOptions = mark;
}

function assistantMessages(content: readonly AssistantBlock[]): PromptMessage[] {
  const parts = content.flatMap(assistantPart);
  return parts.length > 0 ? [{ role: "assistant", content: parts }] : [];
}

function assistantPart(block: AssistantBlock): Part[] {
  switch (block.type) {
    case "text":
      return block.text.trim() ? [{ type: "text", text: block.text }] : [];
    case "thinking": {
      const given: JsonObject | undefined =
        block.extra_content ??
        (block.signature ? { anthropic: { signature: block.signature } } : undefined);
      return given ? [{ type: "reasoning", text: block.thinking, providerOptions: given }] : [];
    }
    case "redacted_thinking":
      return [
        {
          type: "reasoning",
          text: "",
          providerOptions: { anthropic: { redactedData: block.data } },
        },
      ];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: block.id,
          toolName: block.name,
          input: block.input ?? {},
          ...(block.extra_content ? { providerOptions: block.extra_content } : {}),
        },
      ];
    default:
      return [];
  }
}

type Facts = { names: ReadonlyMap<string, string>; version: AiSdkVersion };

function userMessages(content: string | readonly UserBlock[], facts: Facts): PromptMessage[] {
  if (typeof content === "string")
    return [{ role: "user", content: [{ type: "text", text: content || "(empty)" }] }];
  const results: Part[] = [];
  const parts: Part[] = [];
  for (const block of content) {
    if (block.type === "tool_result")
      results.push({
        type: "tool-result",
        toolCallId: block.tool_use_id,
        toolName: facts.names.get(block.tool_use_id) ?? "unknown",
        output: resultOutput(block, facts.version),
      });
    else if (block.type !== "text") parts.push(filePart(block));
    else if (block.text.trim()) parts.push({ type: "text", text: block.text });
  }
  return [
    ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
    ...(parts.length > 0 ? [{ role: "user" as const, content: parts }] : []),
  ];
}

const filePart = ({ source }: ImageBlock | DocumentBlock): Part => ({
  type: "file",
  mediaType: source.media_type,
  data: source.data,
});

function resultOutput({ content, is_error }: ToolResultBlock, version: AiSdkVersion): object {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  if (is_error || blocks.every((block) => block.type === "text")) {
    const value = blocks
      .map((block) => (block.type === "text" ? block.text : `(${block.type} left out)`))
      .join("\n");
    return { type: is_error ? "error-text" : "text", value };
  }
  const value = blocks.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    const { media_type: mediaType, data } = block.source;
    return {
      type: version === "v2" ? "media" : block.type === "image" ? "image-data" : "file-data",
      mediaType,
      data,
    };
  });
  return { type: "content", value };
}
