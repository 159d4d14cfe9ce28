// The events of a run as one stream, whichever worker shows them: when a worker dies, the next one
// says the same facts again and the stream goes on; when a life moves on, its next part follows.
import { setTimeout as sleep } from "node:timers/promises";
import type { RunOutcome } from "../../events/outcome.ts";
import type { Ingress } from "../ingress.ts";
import { plainRequest, type PlainAnswer } from "../plain-request.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { services, type Asking, type ShownAt } from "../services.ts";
import type { HubMessage } from "../worker/event-hub.ts";
import type { WorkerPulses } from "./worker-pulses.ts";

/** What a client reads. */
export type RunMessage = HubMessage | { outcome: RunOutcome } | { refused: string };

export type FollowParts = {
  ingress: Ingress;
  eventsToken: string;
  /** Whether the workers are alive whose events are read. */
  pulses: WorkerPulses;
  /** The life that goes on, where the engine has forgotten the first one. */
  newest: () => Promise<string>;
  /** Whether it waits for a place among its tenant's runs, or has one. */
  isQueued: () => Promise<boolean>;
  /** A RunMessage as JSON. */
  tell: (text: string) => void;
  signal: AbortSignal;
};

const lookAgainMs = 100;
/** When the outcome is there, the last events have this long to arrive. */
const lastEventsMs = 10_000;

export async function followLife(
  run: { life: string; afterSeq: number },
  parts: FollowParts,
): Promise<void> {
  const { tell, signal } = parts;
  let { life, afterSeq } = run;
  while (!signal.aborted) {
    const given = new AbortController();
    const ended = new AbortController();
    const begun = new AbortController();
    const shown: Shown = { life, afterSeq, ended: ended.signal, begun };
    const showing = showEvents(shown, parts, given.signal);
    const end = await waited(life, parts, begun.signal);
    if (signal.aborted) return;
    ended.abort();
    const timer = setTimeout(() => given.abort(), lastEventsMs);
    afterSeq = await showing;
    clearTimeout(timer);
    if (!("next" in end)) return tell(JSON.stringify(end satisfies RunMessage));
    life = end.next;
  }
}

/** Waits through restarts of the engine. */
async function waited(life: string, parts: FollowParts, begun: AbortSignal) {
  const { ingress, newest, isQueued, signal } = parts;
  const awake = AbortSignal.any([signal, begun]);
  let pauseMs = lookAgainMs;
  while (!signal.aborted) {
    try {
      const end = await ingress.end(life, signal);
      if (end) return end;
      if (await isQueued()) {
        const until = begun.aborted ? signal : awake;
        await sleep(pauseMs, undefined, { signal: until }).catch(() => undefined);
        pauseMs = begun.aborted ? lookAgainMs : Math.min(longestPauseMs, pauseMs * 2);
        continue;
      }
      // It may have begun and ended between the two looks.
      if (await ingress.isKnown(life)) continue;
      const next = await newest();
      return next === life ? { refused: "the engine does not know this run" } : { next };
    } catch (error) {
      if (signal.aborted) break;
      if (String(error).includes("the run failed")) return { refused: String(error) };
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return { refused: "nobody listens any more" };
}

type Shown = {
  life: string;
  afterSeq: number;
  /** Aborts when its outcome is known: what no worker shows then, nobody will. */
  ended: AbortSignal;
  /** Aborted here when a worker has it. */
  begun: AbortController;
};

/** Until a worker has shown the run to its end; gives the last fact that was told. */
async function showEvents(run: Shown, parts: FollowParts, given: AbortSignal): Promise<number> {
  const { tell, signal } = parts;
  const until = AbortSignal.any([signal, given]);
  const place = new PlaceOfLife(run.life, parts.ingress, AbortSignal.any([until, run.ended]));
  let lastSeq = run.afterSeq;
  while (!until.aborted) {
    const isLastTry = run.ended.aborted;
    const at = place.known;
    if (at) run.begun.abort();
    const how =
      at &&
      (await readEvents(`/events/${run.life}?after=${lastSeq}`, {
        at: at.url,
        token: parts.eventsToken,
        pulses: parts.pulses,
        signal: AbortSignal.any([until, place.isLeft]),
        onMessage(message, text) {
          place.isThere();
          if ("event" in message) lastSeq = Math.max(lastSeq, message.event.seq);
          if (!("over" in message)) tell(text);
        },
      }).catch(() => "broken" as const));
    if (how === "over" || isLastTry) return lastSeq;
    const asking = await place.next();
    if (asking) tell(JSON.stringify({ asks: asking } satisfies RunMessage));
  }
  return lastSeq;
}

const firstPauseMs = 200;
const askingPauseMs = 800;
const longestPauseMs = 10_000;

/** The worker that shows a life, as far as the engine has told. */
class PlaceOfLife {
  readonly #life: string;
  readonly #ingress: Ingress;
  readonly #signal: AbortSignal;
  #waiting: Promise<void> | undefined;
  #pauseMs = firstPauseMs;
  #told: string | undefined;
  #left = new AbortController();
  known: ShownAt | undefined;

  constructor(life: string, ingress: Ingress, signal: AbortSignal) {
    this.#life = life;
    this.#ingress = ingress;
    this.#signal = signal;
  }

  /** Aborts when the engine tells a newer place than the one that is known now. */
  get isLeft(): AbortSignal {
    return this.#left.signal;
  }

  isThere(): void {
    this.#pauseMs = firstPauseMs;
  }

  /**
   * Settles when there is a newer place, or after a pause, for one more look at the same one. Gives a
   * question that waits while no worker holds the run.
   */
  async next(): Promise<Asking | undefined> {
    const before = this.known;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    const over = new AbortController();
    const until = AbortSignal.any([this.#signal, over.signal]);
    const paused = sleep(pauseMs, undefined, { signal: until }).catch(() => undefined);
    await Promise.race([(this.#waiting ??= this.#wait()), paused]);
    over.abort();
    const isSuspended = before && before === this.known && pauseMs >= askingPauseMs;
    return isSuspended && !this.#signal.aborted ? this.#asking() : undefined;
  }

  /** Once for each place, whoever waits for it, and however often. */
  async #wait(): Promise<void> {
    const after = this.known?.attempt ?? 0;
    try {
      const found = await this.#ingress.call<ShownAt | null>(services.run, this.#life, {
        handler: "where",
        input: after,
        once: `${this.#life}/${after}`,
        signal: this.#signal,
      });
      // Null: it is over, and its end comes another way.
      if (!found) return;
      this.known = found;
      this.isThere();
      this.#left.abort();
      this.#left = new AbortController();
    } catch {
      // The engine restarts.
      await sleep(lookAgainMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
    this.#waiting = undefined;
  }

  /** Told once, however often it is seen. */
  async #asking(): Promise<Asking | undefined> {
    const asking = await this.#ingress
      .call<Asking | null>(services.run, this.#life, { handler: "asking" })
      .catch(() => null);
    const isNew = asking !== null && asking.toolUseId !== this.#told;
    this.#told = asking?.toolUseId;
    return isNew ? asking : undefined;
  }
}

type Reading = {
  at: string;
  token: string;
  pulses: WorkerPulses;
  signal: AbortSignal;
  onMessage: (message: HubMessage, text: string) => void;
};

/** `over`: the attempt ended while it was watched. */
async function readEvents(
  path: string,
  { at, token, pulses, signal, onMessage }: Reading,
): Promise<"over" | "broken"> {
  const silent = new AbortController();
  const release = pulses.watch(at, () => silent.abort());
  try {
    const headers = { authorization: `Bearer ${token}` };
    const until = AbortSignal.any([signal, silent.signal]);
    return await readStream(await plainRequest(at + path, { headers, signal: until }), onMessage);
  } finally {
    release();
  }
}

async function readStream(
  { statusCode, body }: PlainAnswer,
  onMessage: Reading["onMessage"],
): Promise<"over" | "broken"> {
  if (statusCode !== 200) {
    await body.dump();
    return "broken";
  }
  for await (const text of serverSentEvents(body as AsyncIterable<Uint8Array>)) {
    const message = JSON.parse(text) as HubMessage;
    onMessage(message, text);
    if ("over" in message) return message.over === "end" ? "over" : "broken";
  }
  return "broken";
}
