// Calls the engine's ingress: sealed bodies in and out. Only gateways and workers can reach it.
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { ClusterKey } from "./cluster-key.ts";
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
  return {
    async call<T>(service: string, at: string, { handler, ...call }: IngressCall) {
      return opened<T>(await post(path(service, at, handler), call));
    },
    async submit(life, job) {
      const response = await post(`${path(services.run, life, "run")}/send`, { input: job });
      const { status } = (await response.json()) as { status?: string };
      return status === "Accepted";
    },
    async isKnown(life) {
      const { status } = await reached(base, () =>
        fetch(`${base}/restate/workflow/${path(services.run, life)}/output`, {
          signal: AbortSignal.timeout(limits.restate.requestMs),
        }),
      );
      return status !== 404;
    },
    async end(life, signal) {
      const response = await reached(base, () =>
        fetch(`${base}/restate/workflow/${path(services.run, life)}/attach`, { signal }),
      );
      if (response.ok) return opened<LifeEnd>(response);
      const text = (await response.text()).slice(0, 500);
      if (response.status === 404) return undefined;
      throw new Error(`the run failed (${response.status}): ${text}`);
    },
    async isUp() {
      try {
        const signal = AbortSignal.timeout(2_000);
        return (await fetch(`${base}/restate/health`, { signal })).ok;
      } catch {
        return false;
      }
    },
  };
}

/** Bodies that nobody between here and the workers can read. */
function sealedPosts(base: string, key: ClusterKey) {
  const headers = { "content-type": "application/json" };
  const sealed = (value: unknown): Uint8Array<ArrayBuffer> =>
    new Uint8Array(key.encode(Buffer.from(JSON.stringify(value ?? null))));
  return {
    opened: async <T>(response: Response): Promise<T> => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = bytes.length === 0 ? "" : Buffer.from(key.decode(bytes)).toString("utf8");
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
    post: async (
      where: string,
      { input, once, signal }: Omit<IngressCall, "handler">,
    ): Promise<Response> => {
      const timeOut = AbortSignal.timeout(limits.restate.requestMs);
      const response = await reached(base, () =>
        fetch(`${base}/${where}`, {
          method: "POST",
          headers: once === undefined ? headers : { ...headers, "idempotency-key": once },
          body: sealed(input),
          signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
        }),
      );
      if (response.ok) return response;
      throw new Error(
        `the engine answers ${response.status}: ${(await response.text()).slice(0, 500)}`,
      );
    },
  };
}

async function reached(base: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`the engine cannot be reached at ${base}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** fetch hides the reason one level down. */
function reasonOf(error: unknown): string {
  return errorText(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
