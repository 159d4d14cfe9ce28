import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { systemClock } from "../clock.ts";
import { Limiter, type Pass } from "./limiter.ts";
import { noUsage, type FailureKind, type ModelCall, type ModelResult } from "../model.ts";
import { sendWithRetry } from "./retry.ts";

const fine: ModelResult = {
  ok: true,
  reply: {
    model: "m",
    content: [{ type: "text", text: "done" }],
    stop_reason: "end_turn",
    usage: noUsage,
  },
};
const failing = (kind: FailureKind, more: object = {}): ModelResult => ({
  ok: false,
  failure: { kind, message: kind, ...more },
});
const newCall = (over: Partial<ModelCall> = {}): ModelCall => ({
  signal: new AbortController().signal,
  ...over,
});

/** Answers with the results in order, the last one for ever. */
function answers(...results: ModelResult[]): {
  attempt: () => Promise<ModelResult>;
  count: () => number;
} {
  let count = 0;
  return {
    attempt: async () => results[Math.min(count++, results.length - 1)]!,
    count: () => count,
  };
}

it("lets the run write down what a request rests on, before every attempt", async () => {
  const clock = createFakeClock();
  const { attempt } = answers(failing("server"), fine);
  const steps: string[] = [];
  await sendWithRetry(() => (steps.push("attempt"), attempt()), {
    limiter: new Limiter(clock),
    clock,
    call: newCall({ beforeRequest: () => void steps.push("written") }),
  });
  expect(steps).toEqual(["written", "attempt", "written", "attempt"]);
});

describe("a call that fails", () => {
  const table: [FailureKind, number][] = [
    ["rate_limit", 7],
    ["overloaded", 7],
    ["server", 7],
    ["network", 7],
    ["timeout", 7],
    ["malformed", 3],
    ["auth", 1],
    ["overflow", 1],
    ["invalid_request", 1],
    ["aborted", 1],
  ];
  it.each(table)(
    "with %s for ever is tried %i times and ends as that failure",
    async (kind, tries) => {
      const clock = createFakeClock();
      const { attempt, count } = answers(failing(kind));
      const result = await sendWithRetry(attempt, {
        limiter: new Limiter(clock),
        clock,
        call: newCall(),
      });
      expect(count()).toBe(tries);
      expect(result).toEqual({ ok: false, failure: { kind, message: kind, attempts: tries } });
    },
  );

  it("PROVI-03 three times and then succeeds gives the one reply", async () => {
    const clock = createFakeClock();
    const { attempt, count } = answers(
      failing("overloaded"),
      failing("overloaded"),
      failing("overloaded"),
      fine,
    );
    expect(
      await sendWithRetry(attempt, { limiter: new Limiter(clock), clock, call: newCall() }),
    ).toBe(fine);
    expect(count()).toBe(4);
  });

  it("PROVI-01 waits as told, with jitter, tells so, and caps what it is told", async () => {
    const clock = createFakeClock();
    const waits: object[] = [];
    const { attempt } = answers(
      failing("rate_limit", { retryAfterMs: 30_000 }),
      failing("rate_limit", { retryAfterMs: 86_400_000 }),
      fine,
    );
    await sendWithRetry(attempt, {
      limiter: new Limiter(clock),
      clock,
      call: newCall({ onWait: (wait) => waits.push(wait) }),
    });
    expect(waits).toEqual([
      { kind: "rate_limit", delayMs: 30_250, attempt: 1, message: "rate_limit" },
      { kind: "rate_limit", delayMs: 60_500, attempt: 2, message: "rate_limit" },
    ]);
    expect(clock.now()).toBe(90_750);
  });

  it("PROVI-02 gives up when the time budget is spent, although tries are left, and keeps the partial text", async () => {
    const clock = createFakeClock(() => 0);
    const { attempt, count } = answers(
      failing("rate_limit", { retryAfterMs: 60_000, partialText: "so far" }),
      failing("rate_limit", { retryAfterMs: 60_000 }),
    );
    const result = await sendWithRetry(attempt, {
      limiter: new Limiter(clock),
      clock,
      call: newCall(),
      retries: 100,
    });
    expect(count()).toBe(6);
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: "rate_limit", attempts: 6, partialText: "so far" },
    });
  });

  it("backs off exponentially within full jitter", async () => {
    const high = createFakeClock(() => 0.999);
    await sendWithRetry(answers(failing("server")).attempt, {
      limiter: new Limiter(high),
      clock: high,
      call: newCall(),
    });
    expect(high.sleeps.map(Math.round)).toEqual([500, 999, 1998, 3996, 7992, 15984]);
    const network = createFakeClock(() => 0.999);
    await sendWithRetry(answers(failing("network")).attempt, {
      limiter: new Limiter(network),
      clock: network,
      call: newCall(),
    });
    expect(network.sleeps.map(Math.round)).toEqual([50, 999, 1998, 3996, 7992, 15984]);
    const low = createFakeClock(() => 0);
    await sendWithRetry(answers(failing("server")).attempt, {
      limiter: new Limiter(low),
      clock: low,
      call: newCall(),
    });
    expect(low.sleeps).toEqual([0, 0, 0, 0, 0, 0]);
  });

  const unreachable = failing("network", { isUnreachable: true });
  const servedBefore = (clock: ReturnType<typeof createFakeClock>): Limiter => {
    const limiter = new Limiter(clock);
    limiter.leave(limiter.enter(new AbortController().signal) as Pass, {
      served: true,
      pushBack: false,
    });
    return limiter;
  };

  it("because a provider that has answered before cannot be reached is tried again for as long as the budget lasts", async () => {
    const clock = createFakeClock(() => 0);
    const back = answers(...Array<ModelResult>(10).fill(unreachable), fine);
    expect(
      await sendWithRetry(back.attempt, { limiter: servedBefore(clock), clock, call: newCall() }),
    ).toBe(fine);
    expect(clock.sleeps).toEqual([
      25, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000,
    ]);
    const gone = answers(unreachable);
    expect(
      await sendWithRetry(gone.attempt, { limiter: servedBefore(clock), clock, call: newCall() }),
    ).toMatchObject({ ok: false, failure: { kind: "network", attempts: gone.count() } });
    const waited = clock.sleeps.slice(10).reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(270_000);
    expect(waited).toBeLessThanOrEqual(300_000);
  });

  it("because a provider that never answered cannot be reached ends with the count: its address is wrong", async () => {
    const clock = createFakeClock(() => 0.999);
    const { attempt, count } = answers(unreachable);
    await sendWithRetry(attempt, { limiter: new Limiter(clock), clock, call: newCall() });
    expect(count()).toBe(7);
  });

  it("in another way after an outage has tries of its own left", async () => {
    const clock = createFakeClock(() => 0);
    const { attempt, count } = answers(
      ...Array<ModelResult>(9).fill(unreachable),
      failing("server"),
    );
    await sendWithRetry(attempt, { limiter: servedBefore(clock), clock, call: newCall() });
    expect(count()).toBe(9 + 7);
  });

  it("PROVI-32 waits by a monotonic clock: a jump of the wall clock changes nothing", async () => {
    const realNow = Date.now;
    try {
      const started = performance.now();
      const sleeping = systemClock.sleep(60);
      Date.now = () => realNow() + 3_600_000;
      await sleeping;
      const elapsed = performance.now() - started;
      expect(elapsed).toBeGreaterThan(50);
      expect(elapsed).toBeLessThan(10_000);
    } finally {
      Date.now = realNow;
    }
  });

  it("wakes at once when aborted in a wait", async () => {
    const stop = new AbortController();
    const call = newCall({ signal: stop.signal, onWait: () => setTimeout(() => stop.abort(), 10) });
    const started = performance.now();
    const result = await sendWithRetry(
      answers(failing("rate_limit", { retryAfterMs: 60_000 })).attempt,
      { limiter: new Limiter(systemClock), clock: systemClock, call },
    );
    expect(result).toMatchObject({ ok: false, failure: { kind: "aborted", attempts: 1 } });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("calls that share a limiter", () => {
  it("all wait when one was told to, and are told why", async () => {
    let draws = 0;
    const clock = createFakeClock(() => (++draws % 10) / 10);
    const limiter = new Limiter(clock);
    await sendWithRetry(answers(failing("rate_limit", { retryAfterMs: 10_000 })).attempt, {
      limiter,
      clock,
      call: newCall(),
      retries: 0,
    });
    const waits: number[] = [];
    const sent: number[] = [];
    const attempt = async (): Promise<ModelResult> => (sent.push(clock.now()), fine);
    await Promise.all(
      [1, 2, 3].map(() =>
        sendWithRetry(attempt, {
          limiter,
          clock,
          call: newCall({ onWait: (wait) => waits.push(wait.delayMs) }),
        }),
      ),
    );
    expect(waits).toEqual([10_000, 10_000, 10_000]);
    expect(Math.min(...sent)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...sent)).toBeLessThan(10_500);
    expect(new Set(sent).size).toBe(3);
  });

  it("all stop waiting at the gate when aborted, and later ones still get through", async () => {
    const clock = createFakeClock();
    const limiter = new Limiter(clock);
    limiter.leave((await limiter.enter(newCall().signal))!, {
      served: false,
      pushBack: true,
      retryAfterMs: 50_000,
    });
    const stop = new AbortController();
    const waiting = [1, 2, 3].map(async () => limiter.enter(stop.signal));
    stop.abort();
    const late = limiter.enter(newCall().signal);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
    expect(await late).toBeDefined();
    expect(clock.now()).toBe(50_125);
  });

  it("go fewer at once after a refusal without a time, and more again as they are served", async () => {
    const clock = createFakeClock();
    const limiter = new Limiter(clock);
    const signal = newCall().signal;
    const passes = await Promise.all(Array.from({ length: 16 }, async () => limiter.enter(signal)));
    for (const pass of passes) limiter.leave(pass!, { served: false, pushBack: true });
    const free = (): number => {
      const taken = [];
      for (
        let entered = limiter.enter(signal);
        !(entered instanceof Promise);
        entered = limiter.enter(signal)
      )
        taken.push(entered);
      for (const pass of taken) limiter.leave(pass, { served: true, pushBack: false });
      return taken.length;
    };
    const first = free();
    expect(first).toBe(8);
    expect(free()).toBeGreaterThan(4);
  });

  it.each([undefined, 1_000])(
    "50 agents of 10 turns all finish against a provider that refuses half of the calls (retry-after %s)",
    async (retryAfterMs) => {
      let seed = 7;
      const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
      const clock = createFakeClock(random);
      const limiter = new Limiter(clock);
      const attempt = async (): Promise<ModelResult> => {
        const refused = random() < 0.5;
        await clock.sleep(refused ? 5 : 200);
        return refused
          ? failing("rate_limit", retryAfterMs === undefined ? {} : { retryAfterMs })
          : fine;
      };
      const agents = Array.from({ length: 50 }, async () => {
        for (let turn = 0; turn < 10; turn++)
          if (!(await sendWithRetry(attempt, { limiter, clock, call: newCall() })).ok) return turn;
        return 10;
      });
      expect(await Promise.all(agents)).toEqual(Array.from({ length: 50 }, () => 10));
      expect(clock.now()).toBeLessThan(60_000);
    },
  );
});
