// Calls the engine's ingress: sealed bodies in and out. Only gateways and workers can reach it.
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { ClusterKey } from "./cluster-key.ts";
import { isOk, plainRequest, type PlainAnswer, type PlainRequest } from "./plain-request.ts";
import { services, type LifeEnd } from "./services.ts";

export type IngressCall = {
  handler: string;
  input?: unknown;
  /** Whoever calls under the same name waits for the same call. */
  once?: string;
  signal?: AbortSignal;
};

export type Ingress = {
  /** Calls a handler of a keyed service and waits for its answer. */
  call<T>(service: string, key: string, call: IngressCall): Promise<T>;
  /** Starts a life. False: it was started before. */
  submit(life: string, job: object): Promise<boolean>;
  /** Whether the engine knows a life, under way or ended. */
  isKnown(life: string): Promise<boolean>;
  /** How a life ended; waits for it. Undefined: there is no such life. Throws for a refused one. */
  end(life: string, signal: AbortSignal): Promise<LifeEnd | undefined>;
  /** Whether the engine answers. */
  isUp(): Promise<boolean>;
};

const path = (...parts: string[]): string => parts.map(encodeURIComponent).join("/");

export function openIngress(url: string, key: ClusterKey): Ingress {
  const base = url.replace(/\/+$/, "");
  const { post, opened } = sealedPosts(base, key);
  const lifeUrl = (life: string): string => `${base}/restate/workflow/${path(services.run, life)}`;
  return {
    async call<T>(service: string, at: string, { handler, ...call }: IngressCall) {
      return opened<T>(await post(path(service, at, handler), call));
    },
    async submit(life, job) {
      const { body } = await post(`${path(services.run, life, "run")}/send`, { input: job });
      const { status } = (await body.json()) as { status?: string };
      return status === "Accepted";
    },
    async isKnown(life) {
      const { statusCode, body } = await reached(`${lifeUrl(life)}/output`, bounded);
      await body.dump();
      return statusCode !== 404;
    },
    async end(life, signal) {
      const answer = await reached(`${lifeUrl(life)}/attach`, { signal });
      if (isOk(answer)) return opened<LifeEnd>(answer);
      const text = (await answer.body.text()).slice(0, 500);
      if (answer.statusCode === 404) return undefined;
      throw new Error(`the run failed (${answer.statusCode}): ${text}`);
    },
    async isUp() {
      try {
        const answer = await plainRequest(`${base}/restate/health`, { patienceMs: 2_000 });
        await answer.body.dump();
        return isOk(answer);
      } catch {
        return false;
      }
    },
  };
}

const bounded = { patienceMs: limits.restate.requestMs };

/** Bodies that nobody between here and the workers can read. */
function sealedPosts(base: string, key: ClusterKey) {
  const headers = { "content-type": "application/json" };
  const sealed = (value: unknown): Uint8Array =>
    key.encode(Buffer.from(JSON.stringify(value ?? null)));
  return {
    opened: async <T>({ body }: PlainAnswer): Promise<T> => {
      const bytes = new Uint8Array(await body.arrayBuffer());
      const text = bytes.length === 0 ? "" : Buffer.from(key.decode(bytes)).toString("utf8");
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
    post: async (
      where: string,
      { input, once, signal }: Omit<IngressCall, "handler">,
    ): Promise<PlainAnswer> => {
      const answer = await reached(`${base}/${where}`, {
        ...bounded,
        method: "POST",
        headers: once === undefined ? headers : { ...headers, "idempotency-key": once },
        body: sealed(input),
        signal,
      });
      if (isOk(answer)) return answer;
      const text = (await answer.body.text()).slice(0, 500);
      throw new Error(`the engine answers ${answer.statusCode}: ${text}`);
    },
  };
}

async function reached(url: string, options: PlainRequest): Promise<PlainAnswer> {
  try {
    return await plainRequest(url, options);
  } catch (error) {
    const { origin } = new URL(url);
    throw new Error(`the engine cannot be reached at ${origin}: ${errorText(error)}`, {
      cause: error,
    });
  }
}
