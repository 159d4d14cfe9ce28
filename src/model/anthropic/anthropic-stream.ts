// Reads the event stream of Anthropic's Messages into a reply. A reply is complete only when its
// stop reason and its message_stop have arrived.
import { isObject } from "../../base/data/json.ts";
import { readCount, settleReply, type DraftReply, type DraftBlock } from "../draft-reply.ts";
import type { StreamReader } from "../http/exchange.ts";
import { failureOfErrorEvent } from "../http/failure.ts";
import type { AssistantBlock, ProviderBlock } from "../message.ts";
import type { ModelCall, ModelRequest, ModelResult, Usage } from "../model.ts";

type Source = { model: string; request: ModelRequest; call: ModelCall; key?: string };

/** The fields of events that are read; each is checked when it is used. */
type WireEvent = {
  type?: unknown;
  index?: unknown;
  message?: unknown;
  content_block?: unknown;
  delta?: unknown;
  usage?: unknown;
};

/** The reply so far, and its open blocks by the index that the server gives them. */
type Reading = Source & { draft: DraftReply; open: Map<unknown, DraftBlock> };

export function readAnthropicStream(source: Source): StreamReader {
  const draft: DraftReply = { model: source.model, blocks: [], usage: {} };
  const reading: Reading = { ...source, draft, open: new Map() };
  let events = 0;
  return {
    event(data) {
      if (data.trim() === "") return undefined;
      events++;
      let event: unknown;
      try {
        event = JSON.parse(data);
      } catch {
        return malformed(`an event is not JSON: ${JSON.stringify(data.slice(0, 80))}`);
      }
      return isObject(event) ? eventReaders.get(event.type)?.(event, reading) : undefined;
    },
    end: () =>
      events === 0
        ? malformed("the answer held no events")
        : incomplete("the stream was cut before its end"),
    partialText: () =>
      draft.blocks.map(({ block }) => (block.type === "text" ? block.text : "")).join(""),
  };
}

type EventReader = (event: WireEvent, reading: Reading) => ModelResult | undefined;

/** What each event does to the reply; a result ends the reading. Unknown events do nothing. */
const eventReaders = new Map<unknown, EventReader>([
  ["message_start", ({ message }, { draft }) => startMessage(draft, message)],
  ["content_block_start", startBlock],
  [
    "content_block_delta",
    ({ index, delta }, { open, call }) => applyDelta(open.get(index), delta, call),
  ],
  ["content_block_stop", ({ index }, { open }) => closeBlock(open.get(index))],
  ["message_delta", (event, { draft }) => endMessage(draft, event)],
  [
    "message_stop",
    (_event, { draft, request }) =>
      draft.stopReason === undefined
        ? incomplete("it ended without a stop reason")
        : settleReply(draft, request),
  ],
  ["error", (event, { key }) => ({ ok: false, failure: failureOfErrorEvent(event, key) })],
]);

const malformed = (message: string): ModelResult => ({
  ok: false,
  failure: { kind: "malformed", message },
});

const incomplete = (why: string): ModelResult => ({
  ok: false,
  failure: { kind: "network", message: `the reply is incomplete: ${why}` },
});

function startMessage(draft: DraftReply, message: unknown): undefined {
  if (!isObject(message)) return;
  if (typeof message.id === "string") draft.id = message.id;
  if (typeof message.model === "string" && message.model) draft.model = message.model;
  readUsage(draft.usage, message.usage);
  // The output count in the start event is a first guess.
  delete draft.usage.output_tokens;
}

function endMessage(draft: DraftReply, event: WireEvent): undefined {
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

function closeBlock(part: DraftBlock | undefined): undefined {
  if (part) part.closed = true;
}

function startBlock(event: WireEvent, { draft, open, call }: Reading): undefined {
  // Some servers use an index twice: blocks are kept in the order in which they start.
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

function applyDelta(part: DraftBlock | undefined, delta: unknown, call: ModelCall): undefined {
  if (part && isObject(delta)) deltaReaders.get(delta.type)?.(part, delta, call);
}

type DeltaReader = (part: DraftBlock, delta: Record<string, unknown>, call: ModelCall) => void;

const deltaReaders = new Map<unknown, DeltaReader>([
  [
    "text_delta",
    ({ block }, { text }, call) => {
      if (block.type !== "text" || typeof text !== "string") return;
      block.text += text;
      call.onDelta?.({ kind: "text", text });
    },
  ],
  [
    "input_json_delta",
    (part, { partial_json }) => {
      if (typeof partial_json === "string") part.json += partial_json;
    },
  ],
  [
    "thinking_delta",
    ({ block }, { thinking }, call) => {
      if (block.type !== "thinking" || typeof thinking !== "string") return;
      block.thinking += thinking;
      call.onDelta?.({ kind: "thinking", text: thinking });
    },
  ],
  [
    "signature_delta",
    ({ block }, { signature }) => {
      if (block.type === "thinking" && typeof signature === "string")
        block.signature = (block.signature ?? "") + signature;
    },
  ],
]);
