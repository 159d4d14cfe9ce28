// Reads the parts that an AI SDK model streams into a reply. A reply is complete only when its
// finish part gives a reason.
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { readCount, settleReply, type DraftReply, type DraftBlock } from "../draft-reply.ts";
import { failureOfErrorEvent, failureOfResponse, failureOfSocket } from "../http/failure.ts";
import type { ThinkingBlock } from "../message.ts";
import type { ModelCall, ModelFailure, ModelRequest, ModelResult, Usage } from "../model.ts";
import type { ResponseHeaders } from "../http/retry-after.ts";

const stopReasonOf: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
};

export class AiSdkStreamReader {
  readonly #source: { request: ModelRequest; call: ModelCall };
  readonly #draft: DraftReply;
  readonly #open = new Map<unknown, DraftBlock>();

  constructor(source: { model: string; request: ModelRequest; call: ModelCall }) {
    this.#source = source;
    this.#draft = { model: source.model, blocks: [], usage: {} };
  }

  text(): string {
    return this.#draft.blocks
      .map(({ block }) => (block.type === "text" ? block.text : ""))
      .join("");
  }

  /** Reads one part; a result ends the reading. */
  part(part: unknown): ModelResult | undefined {
    return isObject(part) ? this.#readers.get(part.type)?.(part) : undefined;
  }

  readonly #readers = new Map<unknown, (part: Record<string, unknown>) => ModelResult | undefined>([
    ["text-start", (part) => this.#say(part)],
    ["text-delta", (part) => this.#say(part)],
    ["reasoning-start", (part) => this.#think(part)],
    ["reasoning-delta", (part) => this.#think(part)],
    ["reasoning-end", (part) => this.#think(part)],
    ["tool-input-start", (part) => this.#announceTool(part)],
    ["tool-call", (part) => this.#callTool(part)],
    ["response-metadata", (part) => this.#readMetadata(part)],
    ["finish", (part) => this.#finish(part)],
    ["error", ({ error }) => ({ ok: false, failure: failureOfThrown(error) })],
  ]);

  #announceTool({ toolName, providerExecuted }: Record<string, unknown>): undefined {
    if (typeof toolName === "string" && !providerExecuted)
      this.#source.call.onDelta?.({ kind: "tool", name: toolName });
  }

  #readMetadata({ id, modelId }: Record<string, unknown>): undefined {
    if (typeof id === "string") this.#draft.id = id;
    if (typeof modelId === "string") this.#draft.model = modelId;
  }

  end(): ModelResult {
    return {
      ok: false,
      failure: {
        kind: "network",
        message: "the reply is incomplete: the stream ended without a reason to finish",
      },
    };
  }

  #say({ id, delta }: Record<string, unknown>): undefined {
    const part = this.#opened(`text ${String(id)}`, () => ({ type: "text", text: "" }));
    if (part.block.type !== "text" || typeof delta !== "string" || delta === "") return;
    part.block.text += delta;
    this.#source.call.onDelta?.({ kind: "text", text: delta });
  }

  #think({ id, delta, providerMetadata }: Record<string, unknown>): undefined {
    const { block } = this.#opened(`thought ${String(id)}`, () => ({
      type: "thinking",
      thinking: "",
    }));
    if (block.type !== "thinking") return;
    if (isObject(providerMetadata)) keepMetadata(block, providerMetadata);
    if (typeof delta !== "string" || delta === "") return;
    block.thinking += delta;
    this.#source.call.onDelta?.({ kind: "thinking", text: delta });
  }

  #callTool({
    toolCallId,
    toolName,
    input,
    providerExecuted,
    providerMetadata,
  }: Record<string, unknown>): undefined {
    if (providerExecuted) return;
    const extra = isObject(providerMetadata)
      ? { extra_content: providerMetadata as JsonObject }
      : {};
    const json = typeof input === "string" ? input : JSON.stringify(input ?? {});
    const [id, name] = [toolCallId, toolName].map((word) =>
      typeof word === "string" ? word : "",
    ) as [string, string];
    this.#draft.blocks.push({
      block: { type: "tool_use", id, name, input: undefined, ...extra },
      json,
      closed: true,
    });
  }

  #opened(key: string, make: () => DraftBlock["block"]): DraftBlock {
    const found = this.#open.get(key);
    if (found) return found;
    const part: DraftBlock = { block: make(), json: "", closed: true };
    this.#open.set(key, part);
    this.#draft.blocks.push(part);
    return part;
  }

  #finish({ finishReason, usage }: Record<string, unknown>): ModelResult {
    const unified = isObject(finishReason) ? finishReason.unified : finishReason;
    const raw =
      isObject(finishReason) && typeof finishReason.raw === "string" ? finishReason.raw : undefined;
    if (unified === "error")
      return {
        ok: false,
        failure: {
          kind: "server",
          message: `the provider ended the reply with an error${raw ? ` (${raw})` : ""}`,
        },
      };
    // When a stream was cut, the SDK's providers end it with a reason that says nothing.
    if ((unified === "other" || unified === "unknown") && raw === undefined) return this.end();
    this.#draft.stopReason =
      raw === "pause_turn" ? raw : (stopReasonOf[String(unified)] ?? raw ?? String(unified));
    if (isObject(usage)) this.#draft.usage = usageOf(usage);
    return settleReply(this.#draft, this.#source.request);
  }
}

/**
 * A provider's marks on a thought are sent back unchanged; Anthropic's signature also in its usual
 * place.
 */
function keepMetadata(block: ThinkingBlock, metadata: Record<string, unknown>): void {
  block.extra_content = { ...block.extra_content, ...(metadata as JsonObject) };
  const { anthropic } = metadata;
  if (isObject(anthropic) && typeof anthropic.signature === "string")
    block.signature = anthropic.signature;
}

/** Version 2 has plain counts, version 3 has split ones. */
function usageOf({
  inputTokens,
  outputTokens,
  cachedInputTokens,
}: Record<string, unknown>): Partial<Usage> {
  const input = isObject(inputTokens)
    ? inputTokens
    : { total: inputTokens, cacheRead: cachedInputTokens };
  const total = readCount(input.total);
  const cacheRead = readCount(input.cacheRead) ?? 0;
  const cacheWrite = readCount(input.cacheWrite) ?? 0;
  const fresh =
    readCount(input.noCache) ??
    (total === undefined ? undefined : Math.max(0, total - cacheRead - cacheWrite));
  const output = readCount(isObject(outputTokens) ? outputTokens.total : outputTokens);
  return {
    ...(fresh === undefined ? {} : { input_tokens: fresh }),
    ...(output === undefined ? {} : { output_tokens: output }),
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

/**
 * The failure behind an error that a provider of the SDK threw: its call errors have status,
 * headers and body.
 */
export function failureOfThrown(error: unknown): ModelFailure {
  if (!isObject(error)) return failureOfErrorEvent({ error });
  const message = typeof error.message === "string" ? error.message : "";
  if (typeof error.statusCode === "number" && (error.statusCode < 200 || error.statusCode >= 300)) {
    const headers = (
      isObject(error.responseHeaders) ? error.responseHeaders : {}
    ) as ResponseHeaders;
    const body =
      typeof error.responseBody === "string" && error.responseBody
        ? error.responseBody
        : JSON.stringify({ error: { message } });
    return failureOfResponse({ status: error.statusCode, headers, body });
  }
  if (
    error instanceof Error &&
    /JSONParse|TypeValidation|InvalidResponse|EmptyResponse/.test(error.name)
  )
    return { kind: "malformed", message: message.slice(0, 300) };
  return error instanceof Error ? failureOfSocket(error) : failureOfErrorEvent({ error });
}
