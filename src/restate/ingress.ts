// Calls the engine's ingress: sealed bodies in and out. Only gateways and workers can reach it.
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { ClusterKey } from "./cluster-key.ts";
import { services, type LifeEnd } from "./services.ts";

export type Ingress = {
  /** Calls a handler of a keyed service and waits for its answer. */
  call<T>(service: string, key: string, more: { handler: string; input?: unknown }): Promise<T>;
  /** Starts a life. False: it was started before. */
  submit(life: string, job: object): Promise<boolean>;
  /** How a life ended; waits for it. Undefined: there is no such life. Throws for a refused one. */
  end(life: string, signal: AbortSignal): Promise<LifeEnd | undefined>;
  /** Whether the engine answers. */
  isUp(): Promise<boolean>;
};

const path = (...parts: string[]): string => parts.map(encodeURIComponent).join("/");

export function openIngress(url: string, key: ClusterKey): Ingress {
  const base = url.replace(/\/+$/, "");
  const headers = { "content-type": "application/json" };
  const sealed = (value: unknown): Uint8Array<ArrayBuffer> =>
    new Uint8Array(key.encode(Buffer.from(JSON.stringify(value ?? null))));
  const opened = async <T>(response: Response): Promise<T> => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = bytes.length === 0 ? "" : Buffer.from(key.decode(bytes)).toString("utf8");
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  const post = async (where: string, input: unknown): Promise<Response> => {
    const response = await reached(base, () =>
      fetch(`${base}/${where}`, {
        method: "POST",
        headers,
        body: sealed(input),
        signal: AbortSignal.timeout(limits.restate.requestMs),
      }),
    );
    if (response.ok) return response;
    throw new Error(
      `the engine answers ${response.status}: ${(await response.text()).slice(0, 500)}`,
    );
  };
  return {
    async call<T>(
      service: string,
      at: string,
      { handler, input }: { handler: string; input?: unknown },
    ) {
      return opened<T>(await post(path(service, at, handler), input));
    },
    async submit(life, job) {
      const response = await post(`${path(services.run, life, "run")}/send`, job);
      const { status } = (await response.json()) as { status?: string };
      return status === "Accepted";
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
