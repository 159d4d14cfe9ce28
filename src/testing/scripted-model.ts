// A language model from a script: answers line by line, fails on a call too many and on lines left
// over, and remembers every request.
import { counted } from "../base/text/grouped.ts";
import type { AssistantBlock } from "../model/message.ts";
import type {
  Model,
  ModelFailure,
  ModelRequest,
  ModelResult,
  Reply,
  Usage,
} from "../model/model.ts";

export type ScriptedReply = {
  text?: string;
  thinking?: string;
  tools?: { name: string; input: unknown; id?: string }[];
  stop_reason?: Reply["stop_reason"];
  usage?: Partial<Usage>;
  invalid_inputs?: Record<string, string>;
};

/** A text, a reply, a failure, or a function that makes one of them from the request. */
export type ScriptLine =
  | string
  | ScriptedReply
  | { failure: ModelFailure }
  | ((request: ModelRequest) => Exclude<ScriptLine, (request: ModelRequest) => unknown>);

export type ScriptedModel = Model & {
  /** Every request, copied when it was made. */
  readonly requests: readonly ModelRequest[];
  /** Throws if lines are left over or there was a call too many. */
  finish(): void;
};

const replyKeys = [
  "text",
  "thinking",
  "tools",
  "stop_reason",
  "usage",
  "invalid_inputs",
  "failure",
];

/** One line per call, in order. `facts` gives the model another name, window or price. */
export function scriptedModel(
  script: readonly ScriptLine[],
  facts: Partial<Omit<Model, "send">> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  return {
    name: "scripted:model",
    contextWindow: 200_000,
    maxOutputTokens: 8_192,
    takesImages: true,
    takesDocuments: true,
    hasWebSearch: false,
    ...facts,
    requests,
    async send(request, { signal, onDelta }) {
      calls += 1;
      requests.push({ ...request, messages: structuredClone(request.messages) });
      if (signal.aborted) return failure({ kind: "aborted", message: "aborted" });
      const line = script[calls - 1];
      if (line === undefined)
        throw new Error(
          `scripted model: call ${calls}, but the script has ${counted(script.length, "line")}`,
        );
      const result = toResult(typeof line === "function" ? line(request) : line, calls);
      if (result.ok)
        for (const block of result.reply.content)
          if (block.type === "text") onDelta?.({ kind: "text", text: block.text });
      return result;
    },
    finish() {
      if (calls !== script.length)
        throw new Error(
          `scripted model: ${counted(calls, "call")}, but the script has ${counted(script.length, "line")}`,
        );
    },
  };
}

const failure = (value: ModelFailure): ModelResult => ({ ok: false, failure: value });

function toResult(
  line: Exclude<ScriptLine, (request: ModelRequest) => unknown>,
  call: number,
): ModelResult {
  if (typeof line === "string") return toResult({ text: line }, call);
  const unknown = Object.keys(line).find((key) => !replyKeys.includes(key));
  if (unknown !== undefined)
    throw new Error(
      `scripted model: line ${call} has "${unknown}"; a line is a text, or an object with ${replyKeys.join(", ")}`,
    );
  if ("failure" in line) return failure(line.failure);
  const content: AssistantBlock[] = [];
  if (line.thinking)
    content.push({ type: "thinking", thinking: line.thinking, signature: `sig_${call}` });
  if (line.text) content.push({ type: "text", text: line.text });
  for (const [index, use] of (line.tools ?? []).entries())
    content.push({
      type: "tool_use",
      id: use.id ?? `toolu_${call}_${index + 1}`,
      name: use.name,
      input: use.input,
    });
  const usage: Usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    ...line.usage,
  };
  const reply: Reply = {
    id: `msg_${call}`,
    model: "scripted",
    content,
    stop_reason: line.stop_reason ?? (line.tools?.length ? "tool_use" : "end_turn"),
    usage,
  };
  return {
    ok: true,
    reply: line.invalid_inputs ? { ...reply, invalid_inputs: line.invalid_inputs } : reply,
  };
}
