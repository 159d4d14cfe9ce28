// What the loop knows about a language model: one function from a request to a reply or a failure,
// both plain data.
import type { efforts } from "../base/efforts.ts";
import type { JsonObject } from "../base/data/json.ts";
import type { AssistantBlock, Message } from "./message.ts";

export type ToolSchema = { name: string; description: string; input_schema: JsonObject };

export type Effort = (typeof efforts)[number];

/** What a model is sent: system prompt, messages, tools. */
export type ModelRequest = {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  maxOutputTokens: number;
  effort?: Effort;
  /** Asks for the provider's own web search, if it has one. */
  webSearch?: boolean;
};

/** Tokens of one reply, as providers count them. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
};

export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/** One reply of a model. */
export type Reply = {
  id?: string;
  /** The model id as the provider names it. */
  model: string;
  content: AssistantBlock[];
  stop_reason: StopReason;
  usage: Usage;
  /**
   * Tool calls that must not run (for example because their input is no JSON object), by tool_use
   * id, with the reason.
   */
  invalid_inputs?: Record<string, string>;
};

export type FailureKind =
  | "rate_limit"
  | "overloaded"
  | "server"
  | "network"
  | "timeout"
  | "malformed"
  | "auth"
  | "overflow"
  | "invalid_request"
  | "aborted";

/**
 * A provider's failure as a value. `partialText` is what had arrived before the cut.
 * `isUnreachable`: there was no connection, so nothing was asked and nothing costs money.
 */
export type ModelFailure = {
  kind: FailureKind;
  message: string;
  isUnreachable?: true;
  status?: number;
  retryAfterMs?: number;
  partialText?: string;
  attempts?: number;
};

/** What `send` returns: a reply, or a failure as a value. */
export type ModelResult = { ok: true; reply: Reply } | { ok: false; failure: ModelFailure };

/** A piece of a reply while it arrives. */
export type ReplyDelta =
  | { kind: "text" | "thinking"; text: string }
  | { kind: "tool"; name: string };

export type ModelCall = {
  signal: AbortSignal;
  /**
   * To be called before a request leaves the process: what it rests on is on disk afterwards. A
   * model that does not call it finds it there a moment later.
   */
  beforeRequest?: () => void;
  onDelta?: (delta: ReplyDelta) => void;
  /** A retry is waiting: why, for how long; deltas sent so far are void. */
  onWait?: (wait: {
    kind: FailureKind;
    delayMs: number;
    attempt: number;
    /** The error message, if there was an error. */ message?: string;
  }) => void;
};

type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** USD per million tokens; some models have other rates for a call with a long prompt. */
export type Price = Rates & { longPrompt?: Rates & { overTokens: number } };

/** A language model: facts about it, and `send`. */
export type Model = {
  /** `provider:id`. */
  name: string;
  contextWindow: number;
  maxOutputTokens: number;
  price?: Price;
  takesImages: boolean;
  takesDocuments: boolean;
  hasWebSearch: boolean;
  /** False where a request with tools is refused: its agents have none, and report in text. */
  takesTools?: boolean;
  /**
   * Begins to open the connection: useful when a request is certain to follow. Never throws; a
   * failure appears again in `send`.
   */
  prepare?(): void;
  /** Never rejects: outages, refusals and cuts are failures in the result. */
  send(request: ModelRequest, call: ModelCall): Promise<ModelResult>;
};

/** Whether the reply ended before the model did: its last call or sentence may be incomplete. */
export const isCut = ({ stop_reason }: Pick<Reply, "stop_reason">): boolean =>
  stop_reason === "max_tokens" || stop_reason === "model_context_window_exceeded";

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
  };
}

export const totalTokens = (usage: Usage): number =>
  usage.input_tokens +
  usage.output_tokens +
  usage.cache_read_input_tokens +
  usage.cache_creation_input_tokens;
