// Makes a model of any language model of the AI SDK (specification v2 or v3). The SDK is not a
// dependency: only the shape of its models is known here.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { aiSdkCall, type AiSdkVersion } from "./ai-sdk-call.ts";
import { failureOfThrown, AiSdkStreamReader } from "./ai-sdk-stream.ts";
import { systemClock, type Clock } from "../clock.ts";
import { Limiter } from "../http/limiter.ts";
import type { Model, ModelCall, ModelFailure, ModelRequest, ModelResult } from "../model.ts";
import { priceOf } from "../prices.ts";
import { sendWithRetry } from "../http/retry.ts";
import { windowOf } from "../windows.ts";

type PartSource = {
  getReader(): {
    read(): Promise<{ done: boolean; value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
  };
};

/** The shape of a `LanguageModelV2` or `LanguageModelV3`. */
export type AiSdkModel = {
  specificationVersion: string;
  provider: string;
  modelId: string;
  doStream(options: never): PromiseLike<{ stream: PartSource }>;
};

export type AiSdkOptions = Partial<Omit<Model, "send">> & {
  idleTimeoutMs?: number;
  replyTimeoutMs?: number;
  clock?: Clock;
};

/** Models of one provider share a limiter, as with our own clients. */
const limiters = new Map<string, Limiter>();

export function isAiSdkModel(value: unknown): value is AiSdkModel {
  return (
    typeof value === "object" &&
    value !== null &&
    "doStream" in value &&
    typeof value.doStream === "function" &&
    "modelId" in value &&
    typeof value.modelId === "string"
  );
}

/**
 * Makes a model from one of the AI SDK. Window, price and other facts are known for well-known
 * families; `options` states them for others.
 */
export function aiSdkModel(sdk: AiSdkModel, options: AiSdkOptions = {}): Model {
  const {
    idleTimeoutMs = limits.run.idleTimeoutMs,
    replyTimeoutMs = limits.model.replyTimeoutMs,
    clock,
    ...facts
  } = options;
  const version = sdk.specificationVersion;
  if (version !== "v2" && version !== "v3") {
    throw new RetinueError(
      "config",
      `the AI SDK model "${sdk.modelId}" has the specification "${version}"; expected v2 ` +
        "or v3. Install a version 2 or 3 of its @ai-sdk package.",
    );
  }
  const limiter = clock
    ? new Limiter(clock)
    : (limiters.get(sdk.provider) ?? new Limiter(systemClock));
  if (!clock) limiters.set(sdk.provider, limiter);
  const price = priceOf(sdk.modelId);
  return {
    name: `${sdk.provider}:${sdk.modelId}`,
    ...windowOf(sdk.modelId),
    ...(price ? { price } : {}),
    takesImages: true,
    takesDocuments: /anthropic|google|openai/i.test(sdk.provider),
    hasWebSearch: false,
    ...facts,
    send: (request, call) =>
      sendWithRetry(() => attempt({ sdk, version, request, call, idleTimeoutMs, replyTimeoutMs }), {
        limiter,
        clock: clock ?? systemClock,
        call,
      }),
  };
}

type Attempt = {
  sdk: AiSdkModel;
  version: AiSdkVersion;
  request: ModelRequest;
  call: ModelCall;
  idleTimeoutMs: number;
  replyTimeoutMs: number;
};

async function attempt({
  sdk,
  version,
  request,
  call,
  idleTimeoutMs,
  replyTimeoutMs,
}: Attempt): Promise<ModelResult> {
  const reader = new AiSdkStreamReader({ model: sdk.modelId, request, call });
  const watch = watchTime({ signal: call.signal, idleTimeoutMs, replyTimeoutMs });
  const stop = new AbortController();
  try {
    const options = {
      ...aiSdkCall(request, { version, provider: sdk.provider }),
      abortSignal: stop.signal,
      includeRawChunks: false,
    };
    const started = await Promise.race([sdk.doStream(options as never), watch.ended]);
    if ("kind" in started) return { ok: false, failure: started };
    const parts = started.stream.getReader();
    for (;;) {
      const next = await Promise.race([parts.read(), watch.ended]);
      if ("kind" in next) return failed(next, reader);
      watch.alive();
      const result = next.done ? reader.end() : reader.part(next.value);
      if (!result) continue;
      if (!next.done) parts.cancel().catch(() => {});
      return result.ok ? result : failed(result.failure, reader);
    }
  } catch (error) {
    return failed(failureOfThrown(error), reader);
  } finally {
    watch.close();
    stop.abort();
  }
}

function failed(failure: ModelFailure, reader: AiSdkStreamReader): ModelResult {
  const partialText = reader.text();
  return { ok: false, failure: partialText ? { ...failure, partialText } : failure };
}

/**
 * A promise of the failure that ends an attempt from outside: the caller stopped it, nothing
 * arrived for too long, or the whole reply took too long.
 */
function watchTime({
  signal,
  idleTimeoutMs,
  replyTimeoutMs,
}: {
  signal: AbortSignal;
  idleTimeoutMs: number;
  replyTimeoutMs: number;
}): { ended: Promise<ModelFailure>; alive: () => void; close: () => void } {
  let finish: (failure: ModelFailure) => void = () => {};
  const ended = new Promise<ModelFailure>((resolve) => (finish = resolve));
  const onAbort = (): void =>
    finish({ kind: "aborted", message: "stopped before the reply was complete" });
  const idle = setTimeout(
    () => finish({ kind: "timeout", message: `nothing came for ${idleTimeoutMs} ms` }),
    idleTimeoutMs,
  );
  const whole = setTimeout(
    () =>
      finish({ kind: "timeout", message: `the reply was not complete after ${replyTimeoutMs} ms` }),
    replyTimeoutMs,
  );
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    ended,
    alive: () => void idle.refresh(),
    close() {
      clearTimeout(idle);
      clearTimeout(whole);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
