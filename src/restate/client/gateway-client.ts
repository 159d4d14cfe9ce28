// A gateway as a client sees it: plain HTTP with a token. Requests that may be repeated are, until
// the gateway answers or the caller gives up; a refusal is an answer.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../base/errors.ts";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunMessage } from "../gateway/follow-life.ts";
import { isOk, plainRequest, type PlainAnswer, type PlainRequest } from "../plain-request.ts";
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
  const request: Requesting = async (path, options = {}) => {
    const patienceMs = limits.restate.requestMs;
    const answer = await plainRequest(base + path, { patienceMs, ...options, headers });
    if (isOk(answer)) return answer;
    const problem = await problemOf(answer);
    if (answer.statusCode >= 500) throw new Error(problem);
    throw new GatewayRefusal(answer.statusCode, problem);
  };
  const post = async (path: string, value: unknown, signal: AbortSignal): Promise<unknown> => {
    const body = JSON.stringify(value ?? null);
    const answer = await untilAnswered(signal, async () =>
      (await request(path, { method: "POST", body, signal })).body.text(),
    );
    return JSON.parse(answer);
  };
  const run = (runId: string, what: string): string => `/v1/runs/${runId}/${what}`;
  return {
    async submit(order, signal) {
      const { accepted } = (await post("/v1/runs", order, signal)) as { accepted?: boolean };
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
      const { body } = await request(`${run(runId, "events")}?after=${afterSeq}`, { signal });
      for await (const text of serverSentEvents(body as AsyncIterable<Uint8Array>))
        yield JSON.parse(text) as RunMessage;
    },
    store: readOnlyStore(base, request),
    async tenant() {
      const answer = (await (await request("/v1/tenant")).body.json()) as { tenant?: unknown };
      return String(answer.tenant);
    },
  };
}

type Requesting = (path: string, options?: PlainRequest) => Promise<PlainAnswer>;

async function problemOf({ statusCode, body }: PlainAnswer): Promise<string> {
  const text = await body.text().catch(() => "");
  try {
    return String((JSON.parse(text) as { error?: unknown }).error);
  } catch {
    return `the gateway answers ${statusCode}: ${text.slice(0, 200)}`;
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

function readOnlyStore(base: string, request: Requesting): ObjectStore {
  const read = async <T>(
    path: string,
    take: (body: PlainAnswer["body"]) => Promise<T>,
    options: PlainRequest = {},
  ) => {
    try {
      return await take((await request(path, options)).body);
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
      read(`/v1/store/object?key=${encodeURIComponent(key)}`, async (body) =>
        Buffer.from(await body.arrayBuffer()),
      ),
    getJoined: (keys) =>
      read("/v1/store/joined", async (body) => Buffer.from(await body.arrayBuffer()), {
        method: "POST",
        body: JSON.stringify({ keys }),
      }),
    list: async (prefix) =>
      (await read(
        `/v1/store/objects?prefix=${encodeURIComponent(prefix)}`,
        (body) => body.json() as Promise<StoredObject[]>,
      )) ?? [],
  };
}
