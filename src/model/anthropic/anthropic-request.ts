// Builds the body of a request to Anthropic's Messages. Our messages nearly have its form; cache
// marks, thinking and the provider's web search are added.
import type { AssistantBlock, Message, UserBlock } from "../message.ts";
import type { Effort, ModelRequest, ToolSchema } from "../model.ts";
import { toJson } from "../../base/data/jsonl.ts";
import { settledWriter, toRequestBody, toolsWriter } from "../http/request-body.ts";

const cached = { cache_control: { type: "ephemeral" } } as const;
/**
 * The provider allows four cache marks: tools, system, and the ends of the last two user messages.
 */
const cachedMessages = 2;

const thinkingBudgets: Record<Effort, number> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
};

const search = { type: "web_search_20250305", name: "web_search", max_uses: 8 };

const wireTools = (tools: readonly ToolSchema[]): object[] =>
  tools.map(({ name, description, input_schema }, index) => ({
    name,
    description,
    input_schema,
    ...(index === tools.length - 1 ? cached : {}),
  }));
const writeTools = toolsWriter(wireTools);
const writeToolsAndSearch = toolsWriter((tools) => [...wireTools(tools), search]);

export function anthropicRequestBody(id: string, request: ModelRequest): string {
  const { system, tools, maxOutputTokens, effort, webSearch } = request;
  const fields = {
    model: id,
    max_tokens: maxOutputTokens,
    stream: true,
    ...(system.trim() ? { system: [{ type: "text", text: system, ...cached }] } : {}),
    ...(effort ? thinkingOf(id, effort, maxOutputTokens) : {}),
  };
  return toRequestBody(fields, {
    tools: (webSearch ? writeToolsAndSearch : writeTools)(tools),
    messages: wireMessages(request.messages),
  });
}

/**
 * From 4.6 on, the model decides how much to think and effort is a word; before that, effort is a
 * budget of tokens.
 */
function thinkingOf(id: string, effort: Effort, maxOutputTokens: number): object {
  const version = /claude-[a-z]+-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(id);
  const number = version ? Number(version[1]) * 100 + Number(version[2] ?? 0) : 0;
  // Before 4.7 there is no word between high and max.
  if (number >= 406)
    return {
      thinking: { type: "adaptive" },
      output_config: { effort: effort === "xhigh" && number < 407 ? "high" : effort },
    };
  if (/claude-3-(?!7)/.test(id)) return {};
  const budget_tokens = Math.min(thinkingBudgets[effort], maxOutputTokens - 1);
  return budget_tokens >= 1_024 ? { thinking: { type: "enabled", budget_tokens } } : {};
}

type WireMessage = { role: string; content: readonly object[] };

/** The last two user messages carry marks; what stands before them is the same in the next request. */
function wireMessages(messages: readonly Message[]): string {
  let settled = messages.length;
  for (let marks = cachedMessages; settled > 0 && marks > 0; settled--)
    if (messages[settled - 1]!.role === "user") marks--;
  let text = writeSettled(messages, settled);
  for (let index = settled; index < messages.length; index++) {
    const { role, content } = wireMessage(messages[index]!);
    const isMarked = role === "user";
    if (content.length > 0)
      text += `,${toJson({ role, content: isMarked ? marked(content) : content })}`;
  }
  return `[${text.slice(1)}]`;
}

const writeSettled = settledWriter((message) => {
  const wire = wireMessage(message);
  return wire.content.length > 0 ? `,${toJson(wire)}` : "";
});

const wireMessage = ({ role, content }: Message): WireMessage => ({
  role,
  content: role === "user" ? userContent(content) : assistantContent(content),
});

const marked = (content: readonly object[]): object[] => [
  ...content.slice(0, -1),
  { ...content.at(-1), ...cached },
];

/** The provider refuses empty texts, and messages without content. */
function userContent(content: string | readonly UserBlock[]): readonly object[] {
  const blocks: readonly UserBlock[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  const kept = blocks.some(isBlank) ? blocks.filter((block) => !isBlank(block)) : blocks;
  return kept.length > 0 ? kept : [{ type: "text", text: "(empty)" }];
}

const isBlank = (block: UserBlock): boolean => block.type === "text" && block.text.trim() === "";

/**
 * Returns the same object if it needs no change, which is nearly always: a long conversation is
 * written again at every turn.
 */
function assistantContent(content: readonly AssistantBlock[]): readonly object[] {
  return content.every(isWire) ? content : content.flatMap(assistantBlock);
}

function isWire(block: AssistantBlock): boolean {
  if (block.type === "text") return block.text.trim() !== "" && hasOnly(block, 2);
  if (block.type === "thinking") return Boolean(block.signature) && hasOnly(block, 3);
  if (block.type === "tool_use")
    return block.input !== undefined && block.input !== null && hasOnly(block, 4);
  return true;
}

/** Whether a block has only fields of its own; what other providers attach is not sent. */
function hasOnly(block: object, count: number): boolean {
  let found = 0;
  for (const _ in block) if (++found > count) return false;
  return found === count;
}

function assistantBlock(block: AssistantBlock): object[] {
  if (block.type === "text")
    return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
  // Thoughts without a signature come from other models and would be refused.
  if (block.type === "thinking")
    return block.signature
      ? [{ type: "thinking", thinking: block.thinking, signature: block.signature }]
      : [];
  if (block.type === "tool_use")
    return [{ type: "tool_use", id: block.id, name: block.name, input: block.input ?? {} }];
  return [block];
}
