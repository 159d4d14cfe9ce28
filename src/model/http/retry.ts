// Tries a call again while that can help: jitter, the provider's own waiting times, a bounded time
// and, but for outages, a bounded count. An abort ends every wait at once.
import { limits } from "../../base/limits.ts";
import type { Clock } from "../clock.ts";
import { isPushBack, retriesOf } from "./failure.ts";
import type { Limiter } from "./limiter.ts";
import type { FailureKind, ModelCall, ModelFailure, ModelResult } from "../model.ts";

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

export type RetryOptions = {
  limiter: Limiter;
  clock: Clock;
  call: ModelCall;
  retries?: number;
  budgetMs?: number;
};

/**
 * Runs `attempt` until it succeeds, fails for good, or the budget is spent. Never rejects if
 * `attempt` never does.
 */
export async function sendWithRetry(
  attempt: () => Promise<ModelResult>,
  options: RetryOptions,
): Promise<ModelResult> {
  const {
    limiter,
    clock,
    call,
    retries = limits.model.retries,
    budgetMs = limits.model.retryBudgetMs,
  } = options;
  const { signal } = call;
  let attempts = 0;
  let counted = 0;
  let outages = 0;
  let lostMs = 0;
  let servedBefore = limiter.served;
  let partialText: string | undefined;
  const onGate =
    call.onWait &&
    ((delayMs: number): void =>
      call.onWait?.({ kind: "rate_limit", delayMs: Math.round(delayMs), attempt: attempts }));

  for (;;) {
    const entering = limiter.enter(signal, onGate);
    const pass = entering instanceof Promise ? await entering : entering;
    if (!pass || signal.aborted) {
      if (pass) limiter.leave(pass, { served: false, pushBack: false });
      return given(aborted, { attempts, partialText });
    }
    const started = clock.now();
    attempts++;
    const result = await attempt();
    if (result.ok) {
      limiter.leave(pass, { served: true, pushBack: false });
      return result;
    }
    const { failure } = result;
    const pushBack = isPushBack(failure.kind);
    const toldMs =
      failure.retryAfterMs === undefined
        ? undefined
        : Math.min(failure.retryAfterMs, limits.model.maxRetryAfterMs);
    limiter.leave(pass, {
      served: false,
      pushBack,
      ...(toldMs === undefined ? {} : { retryAfterMs: toldMs }),
    });
    if (failure.partialText) partialText = failure.partialText;
    if (signal.aborted) return given(aborted, { attempts, partialText });

    // Refused while others are served is a busy hour, not an outage: the count begins anew, the
    // time does not. A provider that has answered and cannot be reached now is a network that
    // sleeps or is being changed: asking costs nothing, and only the time is bounded.
    const isOutage = failure.isUnreachable === true && limiter.served > 0;
    if (isOutage) outages++;
    else counted = pushBack && limiter.served > servedBefore ? 1 : counted + 1;
    servedBefore = limiter.served;
    // Half of an outage's wait is certain: where no count ends it, the time has to pass.
    const delayMs = isOutage
      ? (0.5 + clock.random() / 2) * backoffMs(failure.kind, outages)
      : (toldMs ?? 0) + clock.random() * backoffMs(failure.kind, counted);
    lostMs += clock.now() - started + delayMs;
    if ((!isOutage && counted > Math.min(retries, retriesOf(failure.kind))) || lostMs > budgetMs)
      return given(failure, { attempts, partialText });
    call.onWait?.({
      kind: failure.kind,
      delayMs: Math.round(delayMs),
      attempt: attempts,
      message: failure.message,
    });
    await clock.sleep(delayMs, signal);
  }
}

function given(
  failure: ModelFailure,
  { attempts, partialText }: { attempts: number; partialText: string | undefined },
): ModelResult {
  return { ok: false, failure: { ...failure, attempts, ...(partialText ? { partialText } : {}) } };
}

/**
 * A kept connection that the other side had just closed is the usual network failure: the first new
 * try comes soon.
 */
function backoffMs(kind: FailureKind, tries: number): number {
  return kind === "network" && tries === 1
    ? firstBackoffMs / 10
    : Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tries - 1));
}

const aborted: ModelFailure = { kind: "aborted", message: "stopped before the reply was complete" };
