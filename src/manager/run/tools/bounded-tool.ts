// Tools and models of the library's user may hang and may ignore a stop: the run does neither.
import { unwatchAbort, watchAbort } from "../../../base/abort-watch.ts";
import { errorText } from "../../../base/errors.ts";
import { isObject } from "../../../base/data/json.ts";
import { limits } from "../../../base/limits.ts";
import { noUsage, type Model, type ModelResult, type Reply } from "../../../model/model.ts";
import { plainModel } from "../../../model/plain-model.ts";
import {
  errorResult,
  withExecute,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../../tool/tool.ts";
import { unlessStopped } from "./unless-stopped.ts";

/**
 * The tool with a deadline; a stop is answered at once, whether the tool heeds its signal or not.
 */
export function boundedTool(tool: Tool, timeoutMs: number = limits.task.toolMs): Tool {
  return withExecute(
    tool,
    (input, context) =>
      new Promise((resolve) => new BoundedCall({ tool, timeoutMs, context }, resolve).start(input)),
  );
}

/**
 * One call, which is also what the tool is told of it: ends with the tool, with the run or at the
 * deadline, whichever is first. A thousand agents may wait in one, so it holds little.
 */
class BoundedCall implements ToolContext {
  readonly toolUseId: string;
  readonly judgedPath: ToolContext["judgedPath"];
  readonly progress: ToolContext["progress"];
  declare readonly signal: AbortSignal;
  readonly #tool: Tool;
  readonly #timeoutMs: number;
  readonly #resolve: (result: ToolResult) => void;
  readonly #run: AbortSignal;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #abortReason: unknown;

  constructor(
    {
      tool,
      timeoutMs,
      context: { toolUseId, judgedPath, progress, signal },
    }: { tool: Tool; timeoutMs: number; context: ToolContext },
    resolve: (result: ToolResult) => void,
  ) {
    this.#tool = tool;
    this.#timeoutMs = timeoutMs;
    this.toolUseId = toolUseId;
    this.judgedPath = judgedPath;
    this.progress = progress;
    this.#run = signal;
    this.#resolve = resolve;
    // Its own property, so that a copy of the context has it too; made only for a tool that looks
    // at it.
    Object.defineProperty(this, "signal", ownSignal);
  }

  static signalOf(call: BoundedCall): AbortSignal {
    if (!call.#controller) {
      call.#controller = new AbortController();
      if (call.#abortReason !== undefined) call.#controller.abort(call.#abortReason);
    }
    return call.#controller.signal;
  }

  start(input: Record<string, unknown>): void {
    if (this.#run.aborted) return this.handleEvent();
    this.#timer = setTimeout(expire, this.#timeoutMs, this);
    watchAbort(this.#run, this);
    try {
      Promise.resolve(this.#tool.execute(input, this)).then(
        (value: unknown) => this.#end(resultOf(this.#tool, value)),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  expire(): void {
    this.#cut("deadline", `${this.#tool.name} did not answer within ${this.#timeoutMs / 1000} s`);
  }

  #fail(error: unknown): void {
    this.#end(errorResult(`${this.#tool.name} failed: ${errorText(error)}`));
  }

  /** The run was stopped. */
  handleEvent(): void {
    this.#cut(this.#run.reason, "interrupted: the run was stopped while the tool ran");
  }

  #cut(reason: unknown, words: string): void {
    if (this.#isOver) return;
    this.#abortReason = reason ?? "stop";
    this.#controller?.abort(this.#abortReason);
    this.#end(errorResult(words));
  }

  #end(result: ToolResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    unwatchAbort(this.#run, this);
    this.#resolve(result);
  }
}

/**
 * Types do not bind every caller: a text is taken for the content, and what is no result is said to
 * be none instead of being lost.
 */
function resultOf(tool: Tool, value: unknown): ToolResult {
  if (typeof value === "string") return { content: value };
  if (isObject(value) && (typeof value["content"] === "string" || isBlocks(value["content"])))
    return isJson(value["facts"]) ? (value as ToolResult) : { ...(value as ToolResult), facts: {} };
  const given = isObject(value)
    ? `an object with ${Object.keys(value).slice(0, 5).join(", ") || "no keys"}`
    : value === null
      ? "null"
      : typeof value;
  return errorResult(
    `${tool.name} gave no result: its function must return { content: TEXT }, and returned ${given}`,
  );
}

const isBlocks = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((block) => isObject(block) && typeof block["type"] === "string");

/** Facts go to the transcript, whose failure would end the run; the result counts without them. */
function isJson(facts: unknown): boolean {
  if (facts === undefined) return true;
  try {
    return JSON.stringify(facts) !== undefined;
  } catch {
    return false;
  }
}

const expire = (call: BoundedCall): void => call.expire();

const ownSignal: PropertyDescriptor = {
  enumerable: true,
  get(this: BoundedCall) {
    return BoundedCall.signalOf(this);
  },
};

/** The model with a stop that always works; its failures become values. */
export function boundedModel(model: Model): Model {
  return {
    ...plainModel(model),
    send(request, call) {
      try {
        return unlessStopped(
          call.signal,
          Promise.resolve(model.send(request, call)).then((value: unknown) =>
            replyOf(model, value),
          ),
          modelFailure,
        );
      } catch (error) {
        return Promise.resolve(modelFailure(error, call.signal));
      }
    },
  };
}

const counts = Object.keys(noUsage);

/**
 * As with tools: what is no result is said to be none, where the loop would fall over it. Usage
 * that is not told counts as none.
 */
function replyOf({ name }: Model, value: unknown): ModelResult {
  const { ok, reply, failure } = isObject(value) ? value : {};
  if (ok === false && isObject(failure) && typeof failure["kind"] === "string")
    return value as ModelResult;
  if (
    ok !== true ||
    !isObject(reply) ||
    !isBlocks(reply["content"]) ||
    typeof reply["stop_reason"] !== "string"
  )
    throw new Error(
      `${name} gave no result: send must resolve to { ok: true, reply: { model, content: ` +
        `[{ type: "text", text }], stop_reason: "end_turn", usage } } or { ok: false, ` +
        "failure: { kind, message } }",
    );
  const { usage } = reply;
  return isObject(usage) && counts.every((key) => typeof usage[key] === "number")
    ? (value as ModelResult)
    : {
        ok: true,
        reply: {
          ...(reply as Reply),
          usage: { ...noUsage, ...(isObject(usage) ? usage : {}) },
        },
      };
}

function modelFailure(error: unknown, signal: AbortSignal): ModelResult {
  return {
    ok: false,
    failure: signal.aborted
      ? { kind: "aborted", message: "aborted" }
      : { kind: "invalid_request", message: `the model failed: ${errorText(error)}` },
  };
}
