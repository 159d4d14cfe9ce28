// The events of the runs that this worker drives, for gateways to show: facts since the run's
// start, signals while they happen, and questions as long as they are open. In memory only: after a
// crash the replay says the same facts again, on whichever worker goes on.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { timingSafeEqual } from "node:crypto";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../events/event.ts";
import { isSignal } from "../../events/is-signal.ts";

/** One line to a gateway. */
export type HubMessage =
  | { event: RunEvent }
  | { asks: { toolUseId: string; question: object } }
  | { answered: string }
  /** The attempt is over: with it the life (`end`), or it goes on elsewhere (`left`). */
  | { over: "end" | "left" };

type Subscriber = (message: HubMessage) => void;

/** One attempt at a run, as it is shown. */
export class ShownRun {
  readonly #facts: RunEvent[] = [];
  /** Calls that are under way: who comes now learns what the run is doing. */
  readonly #calls = new Map<string, RunEvent>();
  readonly #questions = new Map<string, object>();
  readonly #subscribers = new Set<Subscriber>();
  #over: "end" | "left" | undefined;

  publish(event: RunEvent): void {
    if (!isSignal(event)) this.#facts.push(event);
    else if (event.type === "tool-start") this.#calls.set(event.toolUseId, event);
    else if (event.type === "tool-end") this.#calls.delete(event.toolUseId);
    this.#tell({ event });
  }

  show(toolUseId: string, question: object | undefined): void {
    if (question) this.#questions.set(toolUseId, question);
    else this.#questions.delete(toolUseId);
    this.#tell(question ? { asks: { toolUseId, question } } : { answered: toolUseId });
  }

  over(how: "end" | "left"): void {
    this.#over = how;
    this.#tell({ over: how });
    this.#subscribers.clear();
  }

  /** Everything after a fact, then what happens. Returns what ends it. */
  subscribe(afterSeq: number, subscriber: Subscriber): () => void {
    for (const event of this.#facts) if (event.seq > afterSeq) subscriber({ event });
    for (const event of this.#calls.values()) subscriber({ event });
    for (const [toolUseId, question] of this.#questions)
      subscriber({ asks: { toolUseId, question } });
    if (this.#over) subscriber({ over: this.#over });
    else this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  #tell(message: HubMessage): void {
    for (const subscriber of this.#subscribers) subscriber(message);
  }
}

export class EventHub {
  readonly #runs = new Map<string, ShownRun>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** A new attempt takes the place of one that this worker gave up. */
  open(life: string): ShownRun {
    this.#runs.get(life)?.over("left");
    const run = new ShownRun();
    this.#runs.set(life, run);
    return run;
  }

  /** A run that has ended is shown for a while: who asked for it a moment too late sees it whole. */
  end(life: string, run: ShownRun, how: "end" | "left"): void {
    run.over(how);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#runs.get(life) === run) this.#runs.delete(life);
    }, limits.restate.keptEventsMs);
    timer.unref();
    this.#timers.add(timer);
  }

  get(life: string): ShownRun | undefined {
    return this.#runs.get(life);
  }

  get size(): number {
    return this.#runs.size;
  }
}

/**
 * Serves `GET /events/<life>?after=<seq>` and `GET /pulse` to whoever has the cluster's token, and
 * `GET /metrics` to anybody: it says nothing but numbers.
 */
export function serveEvents(
  hub: EventHub,
  token: string,
  counts: Readonly<Record<string, number>>,
): Server {
  const expected = Buffer.from(`Bearer ${token}`);
  const isAllowed = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(headers.authorization ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://worker");
    const life = /^\/events\/([A-Za-z0-9.-]{1,200})$/.exec(url.pathname)?.[1];
    const run = life === undefined ? undefined : hub.get(life);
    if (url.pathname === "/metrics") tellCounts(counts, response);
    else if (!isAllowed(request)) response.writeHead(401).end();
    else if (url.pathname === "/pulse") beat(response);
    else if (!run) response.writeHead(404).end();
    else stream(run, Number(url.searchParams.get("after")) || 0, response);
  });
}

function tellCounts(counts: Readonly<Record<string, number>>, response: ServerResponse): void {
  const lines = Object.entries(counts).flatMap(([name, count]) => {
    const metric = name === "driven" ? "retinue_worker_runs" : `retinue_worker_${name}_total`;
    return [`# TYPE ${metric} ${name === "driven" ? "gauge" : "counter"}`, `${metric} ${count}`];
  });
  response
    .writeHead(200, { "content-type": "text/plain; version=0.0.4" })
    .end(`${lines.join("\n")}\n`);
}

/** A gateway takes a worker that is silent for a frozen one, and looks for where its runs go on. */
function beat(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" });
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  const timer = setInterval(() => response.write("."), limits.restate.beatMs);
  response.on("error", () => undefined);
  response.on("close", () => clearInterval(timer));
}

function stream(run: ShownRun, afterSeq: number, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.socket?.setNoDelay(true);
  // What a run says comes in bursts, word by word: one write for each would wake three processes.
  const gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    timer = undefined;
    response.write(gathered.splice(0).join(""));
  };
  const end = run.subscribe(afterSeq, (message) => {
    gathered.push(`data: ${JSON.stringify(message)}\n\n`);
    if ("over" in message) {
      write();
      response.end();
    } else timer ??= setTimeout(write, limits.restate.gatherMs);
  });
  response.on("error", () => undefined);
  response.on("close", () => {
    clearTimeout(timer);
    end();
  });
  response.flushHeaders();
}
