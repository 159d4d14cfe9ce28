// Reads the event stream of Anthropic's Messages into a reply. A reply counts only when its stop
// reason and its message_stop have arrived.
import { isObject } from "../../base/data/json.ts";
import { readCount, settleReply, type Draft, type DraftBlock } from "../draft-reply.ts";
import type { StreamReader } from "../http/exchange.ts";
import { failureOfErrorEvent } from "../http/failure.ts";
import type { AssistantBlock, ProviderBlock } from "../message.ts";
import type { ModelCall, ModelRequest, ModelResult, Usage } from "../model.ts";

type Source = { model: string; request: ModelRequest; call: ModelCall; key?: string };

/** The fields of any event that are read; everything is unchecked until used. */
type WireEvent = {
  type?: unknown;
  index?: unknown;
  message?: unknown;
  content_block?: unknown;
  delta?: unknown;
  usage?: unknown;
};

export function readAnthropicStream({ model, request, call, key }: Source): StreamReader {
  const draft: Draft = { model, blocks: [], usage: {} };
  const open = new Map<unknown, DraftBlock>();
  let events = 0;

  const handle = (event: WireEvent): ModelResult | undefined => {
    switch (event.type) {
      case "content_block_delta":
        applyDelta(open.get(event.index), event.delta, call);
        return undefined;
      case "content_block_start":
        startBlock(event, { draft, open, call });
        return undefined;
      case "content_block_stop": {
        const part = open.get(event.index);
        if (part) part.closed = true;
        return undefined;
      }
      case "message_start":
        startMessage(draft, event.message);
        return undefined;
      case "message_delta":
        endMessage(draft, event);
        return undefined;
      case "message_stop":
        return draft.stopReason === undefined
          ? incomplete("it ended without a stop reason")
          : settleReply(draft, request);
      case "error":
        return { ok: false, failure: failureOfErrorEvent(event, key) };
      default:
        return undefined;
    }
  };

  return {
    event(data) {
      if (data.trim() === "") return undefined;
      events++;
      let event: unknown;
      try {
        event = JSON.parse(data);
      } catch {
        return {
          ok: false,
          failure: {
            kind: "malformed",
            message: `an event is not JSON: ${JSON.stringify(data.slice(0, 80))}`,
          },
        };
      }
      return isObject(event) ? handle(event) : undefined;
    },
    end: () =>
      events === 0
        ? { ok: false, failure: { kind: "malformed", message: "the answer held no events" } }
        : incomplete("the stream was cut before its end"),
    partialText: () =>
      draft.blocks.map(({ block }) => (block.type === "text" ? block.text : "")).join(""),
  };
}

const incomplete = (why: string): ModelResult => ({
  ok: false,
  failure: { kind: "network", message: `the reply is incomplete: ${why}` },
});

function startMessage(draft: Draft, message: unknown): void {
  if (!isObject(message)) return;
  if (typeof message.id === "string") draft.id = message.id;
  if (typeof message.model === "string" && message.model) draft.model = message.model;
  readUsage(draft.usage, message.usage);
  // What the start says of the output is a first word, not a count.
  delete draft.usage.output_tokens;
}

function endMessage(draft: Draft, event: WireEvent): void {
  if (isObject(event.delta) && typeof event.delta.stop_reason === "string")
    draft.stopReason = event.delta.stop_reason;
  readUsage(draft.usage, event.usage);
}

function readUsage(into: Partial<Usage>, usage: unknown): void {
  if (!isObject(usage)) return;
  for (const field of [
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
  ] as const) {
    const count = readCount(usage[field]);
    if (count !== undefined) into[field] = count;
  }
}

function startBlock(
  event: WireEvent,
  { draft, open, call }: { draft: Draft; open: Map<unknown, DraftBlock>; call: ModelCall },
): void {
  // An index may be used again by careless servers: the order of starts is the order of blocks.
  open.delete(event.index);
  const block = newBlock(event.content_block);
  if (!block) return;
  const part: DraftBlock = { block, json: "", closed: false };
  open.set(event.index, part);
  draft.blocks.push(part);
  if (block.type === "tool_use") call.onDelta?.({ kind: "tool", name: block.name });
  if (block.type === "text" && block.text) call.onDelta?.({ kind: "text", text: block.text });
}

function newBlock(raw: unknown): AssistantBlock | undefined {
  if (!isObject(raw)) return undefined;
  const word = (field: string): string => (typeof raw[field] === "string" ? raw[field] : "");
  switch (raw.type) {
    case "text":
      return { type: "text", text: word("text") };
    case "thinking":
      return {
        type: "thinking",
        thinking: word("thinking"),
        ...(word("signature") ? { signature: word("signature") } : {}),
      };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: word("data") };
    case "tool_use":
      return { type: "tool_use", id: word("id"), name: word("name"), input: raw.input };
    case "server_tool_use":
    case "web_search_tool_result":
      return raw as ProviderBlock;
    default:
      return undefined;
  }
}

function applyDelta(part: DraftBlock | undefined, delta: unknown, call: ModelCall): void {
  if (!part || !isObject(delta)) return;
  const { block } = part;
  if (delta.type === "text_delta" && block.type === "text" && typeof delta.text === "string") {
    block.text += delta.text;
    call.onDelta?.({ kind: "text", text: delta.text });
  } else if (delta.type === "input_json_delta" && typeof delta.partial_json === "string") {
    part.json += delta.partial_json;
  } else if (
    block.type === "thinking" &&
    delta.type === "thinking_delta" &&
    typeof delta.thinking === "string"
  ) {
    block.thinking += delta.thinking;
    call.onDelta?.({ kind: "thinking", text: delta.thinking });
  } else if (
    block.type === "thinking" &&
    delta.type === "signature_delta" &&
    typeof delta.signature === "string"
  ) {
    block.signature = (block.signature ?? "") + delta.signature;
  }
}
