// Retries a call while that can help: with jitter, the provider's own waiting times, a bounded time
// and, except in outages, a bounded count. An abort ends every wait at once.
import { limits } from "../../base/limits.ts";
import type { Clock } from "../clock.ts";
import { isPushBack, retriesOf } from "./failure.ts";
import type { Limiter } from "./limiter.ts";
import type { FailureKind, ModelCall, ModelFailure, ModelResult } from "../model.ts";

const firstBackoffMs = limits.model.firstBackoffMs;
const longestBackoffMs = limits.model.maxBackoffMs;

export type RetryOptions = {
  limiter: Limiter;
  clock: Clock;
  call: ModelCall;
  retries?: number;
  budgetMs?: number;
};

/** What the attempts of one call have cost so far. */
type Tries = {
  attempts: number;
  /** Failures that count towards `retries`. */
  counted: number;
  outages: number;
  lostMs: number;
  servedBefore: number;
  partialText?: string;
};

/**
 * Runs `attempt` until it succeeds, fails for good, or the budget is spent. Never rejects if
 * `attempt` never does.
 */
export async function sendWithRetry(
  attempt: () => Promise<ModelResult>,
  options: RetryOptions,
): Promise<ModelResult> {
  const { limiter, clock, call } = options;
  const { signal } = call;
  const tries: Tries = {
    attempts: 0,
    counted: 0,
    outages: 0,
    lostMs: 0,
    servedBefore: limiter.served,
  };
  const onGate =
    call.onWait &&
    ((delayMs: number): void =>
      call.onWait?.({ kind: "rate_limit", delayMs: Math.round(delayMs), attempt: tries.attempts }));

  for (;;) {
    const entering = limiter.enter(signal, onGate);
    const pass = entering instanceof Promise ? await entering : entering;
    if (!pass || signal.aborted) {
      if (pass) limiter.leave(pass, { served: false, pushBack: false });
      return failed(aborted, tries);
    }
    const started = clock.now();
    tries.attempts++;
    call.beforeRequest?.();
    const result = await attempt();
    if (result.ok) {
      limiter.leave(pass, { served: true, pushBack: false });
      return result;
    }
    const { failure } = result;
    const retryAfterMs = requestedWaitMs(failure);
    limiter.leave(pass, {
      served: false,
      pushBack: isPushBack(failure.kind),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    if (failure.partialText) tries.partialText = failure.partialText;
    if (signal.aborted) return failed(aborted, tries);
    const delayMs = nextDelayMs(failure, tries, { ...options, started });
    if (delayMs === undefined) return failed(failure, tries);
    call.onWait?.({
      kind: failure.kind,
      delayMs: Math.round(delayMs),
      attempt: tries.attempts,
      message: failure.message,
    });
    await clock.sleep(delayMs, signal);
  }
}

const requestedWaitMs = ({ retryAfterMs }: ModelFailure): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, limits.model.maxRetryAfterMs);

/** Counts the failure; the wait before the next attempt, or undefined to give up. */
function nextDelayMs(
  failure: ModelFailure,
  tries: Tries,
  {
    limiter,
    clock,
    started,
    retries = limits.model.retries,
    budgetMs = limits.model.retryBudgetMs,
  }: RetryOptions & { started: number },
): number | undefined {
  // A provider that served calls before and cannot be reached now: the network sleeps or changes.
  // Trying costs nothing, so only the time is bounded, not the count.
  const isOutage = failure.isUnreachable === true && limiter.served > 0;
  // If other calls succeed, 429 means load: reset the count. The time goes on.
  const isLoad = isPushBack(failure.kind) && limiter.served > tries.servedBefore;
  if (isOutage) tries.outages++;
  else tries.counted = isLoad ? 1 : tries.counted + 1;
  tries.servedBefore = limiter.served;
  // At least half of the wait in an outage is certain, because no count ends it.
  const delayMs = isOutage
    ? (0.5 + clock.random() / 2) * backoffMs(failure.kind, tries.outages)
    : (requestedWaitMs(failure) ?? 0) + clock.random() * backoffMs(failure.kind, tries.counted);
  tries.lostMs += clock.now() - started + delayMs;
  const triedEnough = !isOutage && tries.counted > Math.min(retries, retriesOf(failure.kind));
  return triedEnough || tries.lostMs > budgetMs ? undefined : delayMs;
}

function failed(failure: ModelFailure, { attempts, partialText }: Tries): ModelResult {
  return { ok: false, failure: { ...failure, attempts, ...(partialText ? { partialText } : {}) } };
}

/**
 * The usual network failure is a kept connection that the other side has just closed: the first
 * retry comes soon.
 */
function backoffMs(kind: FailureKind, tries: number): number {
  return kind === "network" && tries === 1
    ? firstBackoffMs / 10
    : Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));
}

const aborted: ModelFailure = { kind: "aborted", message: "stopped before the reply was complete" };
