// The events of a run as one stream, whichever worker shows them: when a worker dies, the next one
// says the same facts again and the stream goes on; when a life moves on, its next part follows.
import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { limits } from "../../base/limits.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { Ingress } from "../ingress.ts";
import { services, type Asking, type ShownAt } from "../services.ts";
import type { HubMessage } from "../worker/event-hub.ts";

/** What a client reads. */
export type RunMessage = HubMessage | { outcome: RunOutcome } | { refused: string };

export type FollowParts = {
  ingress: Ingress;
  eventsToken: string;
  tell: (message: RunMessage) => void;
  signal: AbortSignal;
};

const lookAgainMs = 100;
/** When the outcome is there, the last events have this long to arrive. */
const lastEventsMs = 10_000;

export async function followLife(
  run: { place: string; life: string; afterSeq: number },
  parts: FollowParts,
): Promise<void> {
  const { ingress, tell, signal } = parts;
  let { life, afterSeq } = run;
  while (!signal.aborted) {
    const given = new AbortController();
    const shown: Shown = { ...run, life, afterSeq, isEnded: false };
    const showing = showEvents(shown, parts, given.signal);
    const end = await waited(ingress, life, signal);
    if (signal.aborted) return;
    shown.isEnded = true;
    const timer = setTimeout(() => given.abort(), lastEventsMs);
    afterSeq = await showing;
    clearTimeout(timer);
    if ("refused" in end) return tell(end);
    if ("outcome" in end) return tell(end);
    life = end.next;
  }
}

/** Waits through restarts of the engine. */
async function waited(ingress: Ingress, life: string, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const end = await ingress.end(life, signal);
      if (end) return end;
      await sleep(lookAgainMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) break;
      if (String(error).includes("the run failed")) return { refused: String(error) };
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return { refused: "nobody listens any more" };
}

type Shown = {
  place: string;
  life: string;
  afterSeq: number;
  /** Its outcome is known: what no worker shows now, nobody will. */
  isEnded: boolean;
};

/** Until a worker has shown the run to its end; gives the last fact that was told. */
async function showEvents(run: Shown, parts: FollowParts, given: AbortSignal): Promise<number> {
  const { ingress, tell, signal } = parts;
  let lastSeq = run.afterSeq;
  let told: string | undefined;
  const until = AbortSignal.any([signal, given]);
  while (!until.aborted) {
    const isLastTry = run.isEnded;
    try {
      const place = await ingress.call<ShownAt | null>(services.place, run.place, {
        handler: "where",
      });
      const how =
        place?.life === run.life &&
        (await readEvents(`${place.url}/events/${run.life}?after=${lastSeq}`, {
          token: parts.eventsToken,
          signal: until,
          onMessage(message) {
            if ("event" in message) lastSeq = Math.max(lastSeq, message.event.seq);
            if (!("over" in message)) tell(message);
          },
        }));
      if (how === "over" || isLastTry) return lastSeq;
      // No worker holds a run that waits for a person: the engine knows the question.
      const asking = await ingress.call<Asking | null>(services.run, run.life, {
        handler: "asking",
      });
      if (asking && asking.toolUseId !== told) tell({ asks: asking });
      told = asking?.toolUseId;
    } catch {
      // The engine or the worker restarts.
      if (isLastTry) return lastSeq;
    }
    await sleep(lookAgainMs, undefined, { signal: until }).catch(() => undefined);
  }
  return lastSeq;
}

type Reading = { token: string; signal: AbortSignal; onMessage: (message: HubMessage) => void };

/** `over`: the attempt ended while it was watched. */
async function readEvents(
  url: string,
  { token, signal, onMessage }: Reading,
): Promise<"over" | "broken"> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), limits.restate.silentMs);
  try {
    const headers = { authorization: `Bearer ${token}` };
    const until = AbortSignal.any([signal, silent.signal]);
    return await readStream(await fetch(url, { headers, signal: until }), timer, onMessage);
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(
  response: Response,
  timer: NodeJS.Timeout,
  onMessage: Reading["onMessage"],
): Promise<"over" | "broken"> {
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    return "broken";
  }
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      timer.refresh();
      controller.enqueue(chunk);
    },
  });
  const messages = response.body
    .pipeThrough(heard)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of messages) {
    const message = JSON.parse(data) as HubMessage;
    onMessage(message);
    if ("over" in message) return message.over === "end" ? "over" : "broken";
  }
  return "broken";
}
