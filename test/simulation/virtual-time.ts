// Time that stands still while anything can run and jumps to the next timer when nothing can: thirty minutes cost nothing, and
// whoever waits for something that will never come is found at once. Takes the place of the global timers until it is given back.

type Timer = { id: number; at: number; fire: () => void; isHidden: boolean };

export type VirtualTime = {
  now(): number;
  /** Timers of the code under test that are still set; those of signals, which nobody can clear, left out. */
  pending(): number;
  /** Waits as a part of the world: no timer of the code under test. Ends early with the signal. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The same with a function. */
  later(ms: number, act: () => void): void;
  /** Lets time pass until `promise` has settled; throws when nothing is left that could settle it. */
  until<T>(promise: Promise<T>): Promise<T>;
  restore(): void;
};

/** Turns of the event loop without any file access under way after which nothing can happen by itself. */
const quietTurns = 3;
/** Real time after which a world in which nothing moves counts as standing still. */
const standstillMs = 200;
const mostTimers = 200_000;

export function takeOverTime(startMs: number): VirtualTime {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    dateNow: Date.now,
    now: performance.now.bind(performance),
    signalTimeout: AbortSignal.timeout.bind(AbortSignal),
  };
  const timers = new Map<number, Timer>();
  let time = 0;
  let ids = 0;
  const add = (fire: () => void, ms: number, isHidden = false): number => {
    const id = ++ids;
    timers.set(id, { id, at: time + (ms > 0 ? ms : 1), fire, isHidden });
    return id;
  };
  patch({
    setTimeout: (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      handle(add(() => fire(...args), ms)),
    clearTimeout: (given: unknown) => void timers.delete(Number(given)),
    dateNow: () => startMs + Math.floor(time),
    now: () => time,
    signalTimeout: (ms: number) => {
      const controller = new AbortController();
      add(() => controller.abort(new DOMException("timeout", "TimeoutError")), ms, true);
      return controller.signal;
    },
  });

  const fireNext = (): boolean => {
    let next: Timer | undefined;
    for (const timer of timers.values()) if (!next || timer.at < next.at) next = timer;
    if (!next) return false;
    timers.delete(next.id);
    time = Math.max(time, next.at);
    next.fire();
    return true;
  };

  return {
    now: () => time,
    pending: () => [...timers.values()].filter((timer) => !timer.isHidden).length,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          timers.delete(id);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const id = add(done, ms, true);
        signal?.addEventListener("abort", done);
      }),
    later: (ms, act) => void add(act, ms, true),
    async until(promise) {
      let isSettled = false;
      const settle = (): void => void (isSettled = true);
      promise.then(settle, settle);
      for (let fired = 0; ; fired++) {
        await quiet();
        if (isSettled) return promise;
        if (fired > mostTimers)
          throw new Error(`the world did not come to an end within ${mostTimers} timers`);
        if (fireNext()) continue;
        await new Promise((resolve) => void real.setTimeout(resolve, standstillMs));
        if (!isSettled && timers.size === 0)
          throw new Error("the world stands still: somebody waits for what will never come");
      }
    },
    restore: () => patch(real),
  };
}

function patch(functions: {
  setTimeout: unknown;
  clearTimeout: unknown;
  dateNow: () => number;
  now: () => number;
  signalTimeout: typeof AbortSignal.timeout;
}): void {
  Object.assign(globalThis, {
    setTimeout: functions.setTimeout,
    clearTimeout: functions.clearTimeout,
  });
  Date.now = functions.dateNow;
  Object.defineProperty(performance, "now", {
    value: functions.now,
    configurable: true,
    writable: true,
  });
  AbortSignal.timeout = functions.signalTimeout;
}

/** What Node's own setTimeout returns, as far as anyone uses it. */
function handle(id: number): {
  ref(): unknown;
  unref(): unknown;
  hasRef(): boolean;
  [Symbol.toPrimitive](): number;
} {
  const self = {
    ref: () => self,
    unref: () => self,
    hasRef: () => true,
    [Symbol.toPrimitive]: () => id,
  };
  return self;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Waits until only a timer could make something happen. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < quietTurns;) {
    await turn();
    turns = process
      .getActiveResourcesInfo()
      .some((name) => name === "FSReqPromise" || name === "FSReqCallback" || name === "CloseReq")
      ? 0
      : turns + 1;
  }
}
