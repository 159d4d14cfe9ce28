// A reply under construction, for every protocol. `settleReply` makes sure that nothing incomplete
// looks complete and that usage is never missing.
import { randomBytes } from "node:crypto";
import { isObject } from "../base/data/json.ts";
import { countTokens, mediaTokens } from "../base/text/tokens.ts";
import type { AssistantBlock, ToolUseBlock } from "./message.ts";
import type { ModelRequest, ModelResult, Reply, StopReason, Usage } from "./model.ts";

/** An unfinished block; `json` collects the input of a tool call. */
export type DraftBlock = { block: AssistantBlock; json: string; closed: boolean };

export type DraftReply = {
  id?: string;
  model: string;
  blocks: DraftBlock[];
  /** The provider's stop reason in Anthropic's words; undefined until it arrives. */
  stopReason?: string;
  usage: Partial<Usage>;
};

const stopReasons = new Set<string>([
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
] satisfies StopReason[]);

export const newToolUseId = (): string => `toolu_${randomBytes(12).toString("hex")}`;

/** The reply of a stream that ended properly. */
export function settleReply(draft: DraftReply, request: ModelRequest): ModelResult {
  const { content, ids, invalid } = settleBlocks(draft);
  const calls = ids.size > 0;
  const known = stopReasons.has(draft.stopReason ?? "");
  const given = String(draft.stopReason).slice(0, 60);
  if (!known)
    for (const id of ids)
      invalid[id] ??=
        `the reply ended with an unknown stop reason (${given}), so this call was not run`;
  const stop_reason = settleStopReason(
    known ? (draft.stopReason as StopReason) : "end_turn",
    calls,
  );
  const usage = settleUsage(draft.usage, { content, request });
  const reply: Reply = {
    ...(draft.id ? { id: draft.id } : {}),
    model: draft.model,
    content,
    stop_reason,
    usage,
  };
  if (Object.keys(invalid).length > 0) reply.invalid_inputs = invalid;
  return { ok: true, reply };
}

/** The blocks of the reply, the ids of its tool calls, and what is wrong with some of them. */
function settleBlocks({ blocks, stopReason }: DraftReply): {
  content: AssistantBlock[];
  ids: Set<string>;
  invalid: Record<string, string>;
} {
  const content: AssistantBlock[] = [];
  const invalid: Record<string, string> = {};
  const ids = new Set<string>();
  const cutOff = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  for (const part of blocks) {
    const { block } = part;
    if (block.type === "text" && block.text === "") continue;
    if (block.type === "tool_use") {
      const problem = settleToolUse(block, part, { ids, cutOff });
      if (problem) invalid[block.id] = problem;
    } else if (block.type === "server_tool_use")
      block.input = parseInput(part.json).input ?? block.input ?? {};
    content.push(block);
  }
  return { content, ids, invalid };
}

/**
 * Makes the stop reason agree with the content: some servers end a tool call with "stop", or a
 * plain text with "tool_calls".
 */
function settleStopReason(given: StopReason, calls: boolean): StopReason {
  if (given === "end_turn" && calls) return "tool_use";
  if (given === "tool_use" && !calls) return "end_turn";
  return given;
}

function settleToolUse(
  block: ToolUseBlock,
  part: DraftBlock,
  { ids, cutOff }: { ids: Set<string>; cutOff: boolean },
): string | undefined {
  const repeated = ids.has(block.id);
  if (repeated || !isSafeId(block.id)) block.id = newToolUseId();
  ids.add(block.id);
  const parsed =
    part.json.trim() === "" && isObject(block.input)
      ? { input: block.input }
      : parseInput(part.json);
  block.input = parsed.input ?? {};
  if (repeated) return "its id repeats that of an earlier call in the same reply";
  if (!part.closed) return "the call is incomplete: the reply ended inside it";
  if (parsed.input) return undefined;
  return cutOff
    ? "the call is incomplete: the output limit was reached inside its input"
    : parsed.problem;
}

/**
 * Ids become keys of objects and are sent back: names of object properties and odd characters are
 * refused.
 */
const isSafeId = (id: string): boolean => /^[\w.:-]{1,128}$/.test(id) && !(id in {});

function parseInput(json: string): { input?: Record<string, unknown>; problem?: string } {
  if (json.trim() === "") return { input: {} };
  try {
    const input = JSON.parse(json) as unknown;
    return isObject(input)
      ? { input }
      : {
          problem: `the input is no JSON object but ${Array.isArray(input) ? "an array" : typeof input}`,
        };
  } catch (error) {
    return {
      problem: `the input is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
    };
  }
}

/** A count of a provider's usage object, if it is possible. */
export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * Budgets must hold even if a provider counts nothing: missing or impossible counts are estimated.
 */
function settleUsage(
  given: Partial<Usage>,
  { content, request }: { content: readonly AssistantBlock[]; request: ModelRequest },
): Usage {
  const { cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = given;
  const prompt = (given.input_tokens ?? 0) + cache_read_input_tokens + cache_creation_input_tokens;
  const input_tokens =
    given.input_tokens === undefined || prompt === 0
      ? estimateTokens([request.system, request.tools, request.messages])
      : given.input_tokens;
  const output_tokens = given.output_tokens || (content.length > 0 ? estimateTokens(content) : 0);
  return { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens };
}

/** Counts text by the token counter and media by a flat rate. */
export function estimateTokens(value: unknown): number {
  let media = 0;
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (key !== "source" || !isObject(item)) return item;
    media++;
    return undefined;
  });
  return countTokens(text) + media * mediaTokens;
}
