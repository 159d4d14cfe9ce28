// A gateway as a client sees it: plain HTTP with a token. Requests that may be repeated are, until
// the gateway answers or the caller gives up; a refusal is an answer.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../base/errors.ts";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunMessage } from "../gateway/follow-life.ts";
import type { RunOrder } from "../run-job.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { StoreFailure, type ObjectStore, type StoredObject } from "../store/object-store.ts";

export type GatewayAddress = { url: string; token: string; tenant?: string | undefined };

/** The gateway has answered, and the answer is no. */
export class GatewayRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "GatewayRefusal";
    this.status = status;
  }
}

export type GatewayClient = {
  /** False: the run was started before. */
  submit(order: RunOrder, signal: AbortSignal): Promise<boolean>;
  stop(runId: string, signal: AbortSignal): Promise<void>;
  send(runId: string, text: string, signal: AbortSignal): Promise<void>;
  answer(
    runId: string,
    answer: { toolUseId: string; said: unknown },
    signal: AbortSignal,
  ): Promise<void>;
  /** Ends when the connection does. */
  events(runId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<RunMessage>;
  /** The tenant's transcripts, for reading. */
  readonly store: ObjectStore;
  /** The tenant that the token belongs to. */
  tenant(): Promise<string>;
};

export function openGateway({ url, token, tenant }: GatewayAddress): GatewayClient {
  const base = url.replace(/\/+$/, "");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(tenant === undefined ? {} : { "x-retinue-tenant": tenant }),
  };
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(base + path, { ...init, headers });
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (response.status >= 500) throw new Error(problem);
    throw new GatewayRefusal(response.status, problem);
  };
  const post = async (path: string, value: unknown, signal: AbortSignal): Promise<Response> =>
    untilAnswered(signal, () =>
      request(path, {
        method: "POST",
        body: JSON.stringify(value ?? null),
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.restate.requestMs)]),
      }),
    );
  const run = (runId: string, what: string): string => `/v1/runs/${runId}/${what}`;
  return {
    async submit(order, signal) {
      const { accepted } = (await (await post("/v1/runs", order, signal)).json()) as {
        accepted?: boolean;
      };
      return accepted === true;
    },
    stop: async (runId, signal) => void (await post(run(runId, "stop"), null, signal)),
    async send(runId, text, signal) {
      // A request whose answer is lost is sent again, and is the same message.
      await post(run(runId, "message"), { text, id: newUuid() }, signal);
    },
    answer: async (runId, answer, signal) =>
      void (await post(run(runId, "answer"), answer, signal)),
    async *events(runId, afterSeq, signal) {
      const response = await request(`${run(runId, "events")}?after=${afterSeq}`, { signal });
      for await (const text of serverSentEvents(response.body!))
        yield JSON.parse(text) as RunMessage;
    },
    store: readOnlyStore(base, request),
    async tenant() {
      const answer = (await (await request("/v1/tenant")).json()) as { tenant?: unknown };
      return String(answer.tenant);
    },
  };
}

async function problemOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  try {
    return String((JSON.parse(text) as { error?: unknown }).error);
  } catch {
    return `the gateway answers ${response.status}: ${text.slice(0, 200)}`;
  }
}

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/** Networks and engines come back; only a refusal or the caller ends this. */
async function untilAnswered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayRefusal || signal.aborted) throw error;
      await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** tries), undefined, { signal });
    }
  }
}

function readOnlyStore(
  base: string,
  request: (path: string, init?: RequestInit) => Promise<Response>,
): ObjectStore {
  const read = async <T>(
    path: string,
    take: (response: Response) => Promise<T>,
    init: RequestInit = {},
  ) => {
    try {
      const signal = AbortSignal.timeout(limits.restate.requestMs);
      return await take(await request(path, { ...init, signal }));
    } catch (error) {
      if (error instanceof GatewayRefusal && error.status === 404) return undefined;
      throw new StoreFailure(errorText(error), { isPassing: true, cause: error });
    }
  };
  const refuse = async (): Promise<never> => {
    throw new Error("a client does not write to the store");
  };
  return {
    name: base,
    put: refuse,
    remove: refuse,
    get: (key) =>
      read(`/v1/store/object?key=${encodeURIComponent(key)}`, async (response) =>
        Buffer.from(await response.arrayBuffer()),
      ),
    getJoined: (keys) =>
      read("/v1/store/joined", async (response) => Buffer.from(await response.arrayBuffer()), {
        method: "POST",
        body: JSON.stringify({ keys }),
      }),
    list: async (prefix) =>
      (await read(
        `/v1/store/objects?prefix=${encodeURIComponent(prefix)}`,
        (response) => response.json() as Promise<StoredObject[]>,
      )) ?? [],
  };
}
