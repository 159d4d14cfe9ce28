// Reads the chunk stream of an OpenAI-compatible chat endpoint into a reply. A reply is complete
// only when its finish_reason has arrived.
import { isObject } from "../../base/data/json.ts";
import {
  newToolUseId,
  readCount,
  settleReply,
  type DraftReply,
  type DraftBlock,
} from "../draft-reply.ts";
import type { StreamReader } from "../http/exchange.ts";
import { failureOfErrorEvent } from "../http/failure.ts";
import type { ToolUseBlock } from "../message.ts";
import type { ModelCall, ModelRequest, ModelResult, Usage } from "../model.ts";
import { wireName } from "./openai-request.ts";

type Source = { model: string; request: ModelRequest; call: ModelCall; key?: string };

const stopReasonOf: Readonly<Record<string, string>> = {
  stop: "end_turn",
  eos: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  function_call: "tool_use",
  content_filter: "refusal",
};

export function readOpenAiStream(source: Source): StreamReader {
  const chunks = new ChunkReader(source);
  return {
    event(data) {
      const text = data.trim();
      if (text === "") return undefined;
      if (text === "[DONE]") return chunks.end();
      let chunk: unknown;
      try {
        chunk = JSON.parse(text);
      } catch {
        return {
          ok: false,
          failure: {
            kind: "malformed",
            message: `an event is not JSON: ${JSON.stringify(text.slice(0, 80))}`,
          },
        };
      }
      return isObject(chunk) ? chunks.read(chunk) : undefined;
    },
    end: () => chunks.end(),
    partialText: () => chunks.text(),
  };
}

type DraftCall = DraftBlock & { block: ToolUseBlock };

class ChunkReader {
  readonly #source: Source;
  readonly #draft: DraftReply;
  readonly #calls = new Map<unknown, DraftCall>();
  #seen = 0;
  #refused = false;

  constructor(source: Source) {
    this.#source = source;
    this.#draft = { model: source.model, blocks: [], usage: {} };
  }

  text(): string {
    return this.#draft.blocks
      .map(({ block }) => (block.type === "text" ? block.text : ""))
      .join("");
  }

  read(chunk: Record<string, unknown>): ModelResult | undefined {
    if (chunk.error) return { ok: false, failure: failureOfErrorEvent(chunk, this.#source.key) };
    this.#seen++;
    if (typeof chunk.id === "string" && chunk.id) this.#draft.id ??= chunk.id;
    if (typeof chunk.model === "string" && chunk.model) this.#draft.model = chunk.model;
    if (isObject(chunk.usage)) this.#draft.usage = usageOf(chunk.usage);
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return undefined;
    if (isObject(choice.delta)) this.#delta(choice.delta);
    if (typeof choice.finish_reason === "string" && choice.finish_reason)
      this.#draft.stopReason = stopReasonOf[choice.finish_reason] ?? choice.finish_reason;
    return undefined;
  }

  end(): ModelResult {
    const { request } = this.#source;
    if (this.#seen === 0)
      return { ok: false, failure: { kind: "malformed", message: "the answer held no chunks" } };
    if (this.#draft.stopReason === undefined)
      return {
        ok: false,
        failure: {
          kind: "network",
          message: "the reply is incomplete: the stream ended without a finish_reason",
        },
      };
    if (this.#refused) this.#draft.stopReason = "refusal";
    const used = this.#calls.size > 0 ? idsOf(request) : new Set();
    const names = new Map(request.tools.map(({ name }) => [wireName(name), name]));
    for (const part of this.#draft.blocks) {
      part.closed = true;
      if (part.block.type !== "tool_use") continue;
      // Some servers number their calls from 1 in every reply; ids must be unique in a
      // conversation.
      if (used.has(part.block.id)) part.block.id = newToolUseId();
      part.block.name = names.get(part.block.name) ?? part.block.name;
    }
    return settleReply(this.#draft, request);
  }

  #delta(delta: Record<string, unknown>): void {
    const thoughts = delta.reasoning_content ?? delta.reasoning;
    if (typeof thoughts === "string" && thoughts) this.#think(thoughts);
    const text = typeof delta.content === "string" ? delta.content : textOfParts(delta.content);
    if (text) this.#say(text);
    if (typeof delta.refusal === "string" && delta.refusal) {
      this.#refused = true;
      this.#say(delta.refusal);
    }
    if (Array.isArray(delta.tool_calls))
      for (const call of delta.tool_calls as unknown[]) if (isObject(call)) this.#call(call);
  }

  #say(text: string): void {
    const last = this.#draft.blocks.at(-1)?.block;
    if (last?.type === "text") last.text += text;
    else this.#draft.blocks.push({ block: { type: "text", text }, json: "", closed: false });
    this.#source.call.onDelta?.({ kind: "text", text });
  }

  #think(text: string): void {
    const last = this.#draft.blocks.at(-1)?.block;
    if (last?.type === "thinking") last.thinking += text;
    else
      this.#draft.blocks.push({
        block: { type: "thinking", thinking: text },
        json: "",
        closed: false,
      });
    this.#source.call.onDelta?.({ kind: "thinking", text });
  }

  #call(wire: Record<string, unknown>): void {
    const made = isObject(wire.function) ? wire.function : {};
    const name = typeof made.name === "string" ? made.name : "";
    const call = this.#callOf(wire, name);
    call.block.name ||= name;
    if (isObject(wire.extra_content))
      call.block.extra_content = wire.extra_content as NonNullable<ToolUseBlock["extra_content"]>;
    if (typeof made.arguments === "string") call.json += made.arguments;
    else if (isObject(made.arguments)) call.json += JSON.stringify(made.arguments);
  }

  /**
   * The call that a chunk continues, or a new one. A new id, or a name without an index, begins a
   * new call: some servers give every call the number 0, or none.
   */
  #callOf({ index, ...wire }: Record<string, unknown>, name: string): DraftCall {
    const id = typeof wire.id === "string" ? wire.id : "";
    const known = this.#calls.get(index);
    const isNew = !known || (id && known.block.id !== id) || (index === undefined && name);
    if (!isNew) return known;
    const call: DraftCall = {
      block: { type: "tool_use", id: id || newToolUseId(), name, input: undefined },
      json: "",
      closed: false,
    };
    this.#calls.set(index, call);
    this.#draft.blocks.push(call);
    if (name) this.#source.call.onDelta?.({ kind: "tool", name });
    return call;
  }
}

function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function idsOf(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const { role, content } of request.messages)
    if (role === "assistant")
      for (const block of content) if (block.type === "tool_use") ids.add(block.id);
  return ids;
}

/** The provider's prompt count includes tokens from the cache; ours does not. */
function usageOf(raw: Record<string, unknown>): Partial<Usage> {
  const details = isObject(raw.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const prompt = readCount(raw.prompt_tokens);
  const output = readCount(raw.completion_tokens);
  const cacheRead = Math.min(
    readCount(details.cached_tokens) ?? readCount(raw.prompt_cache_hit_tokens) ?? 0,
    prompt ?? 0,
  );
  const cacheWrite = Math.min(
    readCount(details.cache_write_tokens) ?? 0,
    (prompt ?? 0) - cacheRead,
  );
  return {
    ...(prompt === undefined ? {} : { input_tokens: prompt - cacheRead - cacheWrite }),
    ...(output === undefined ? {} : { output_tokens: output }),
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}
