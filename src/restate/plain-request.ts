// Requests between the parts of a cluster, which are many: a run that begins makes a dozen of them, and
// fetch takes several times as long for each, with its streams and signals.
import { Agent, request, type Dispatcher } from "undici";

export type PlainAnswer = Dispatcher.ResponseData;

export type PlainRequest = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal | undefined;
  /** How long the beginning of the answer may take, and each silence in it; without it, for ever. */
  patienceMs?: number;
};

const agent = new Agent({ keepAliveTimeout: 30_000 });

/** Whoever gets an answer takes its body, or dumps it: until then nobody else has the connection. */
export function plainRequest(
  url: string,
  { method = "GET", headers, body, signal, patienceMs = 0 }: PlainRequest = {},
): Promise<PlainAnswer> {
  return request(url, {
    dispatcher: agent,
    method,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
}

export const isOk = ({ statusCode }: PlainAnswer): boolean => statusCode >= 200 && statusCode < 300;
