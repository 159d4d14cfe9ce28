// One GET with bounds: the checked address is the one that is connected to, redirects are checked
// in the same way, the size counts after decompression, and the time counts in total.
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, buildConnector, request, type Dispatcher } from "undici";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { checkPublicUrl, publicAddresses } from "./public-url.ts";
import type { FetchAllowances } from "../tool-environment.ts";

export type Fetched =
  | { ok: true; url: string; status: number; contentType: string; body: Buffer }
  /**
   * The page is on another host: nothing was sent there, because the permission covers the first
   * host only.
   */
  | { ok: true; url: string; redirectedTo: string }
  | { ok: false; problem: string };

type Page = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Dispatcher.ResponseData["body"];
};

const userAgent = "retinue (+WebFetch)";

export async function fetchPublic(
  address: string,
  allowances: FetchAllowances,
  signal: AbortSignal,
): Promise<Fetched> {
  const timeoutMs = allowances.timeoutMs ?? limits.webFetch.timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  const bounded = AbortSignal.any([signal, deadline]);
  try {
    return await follow(address, { allowances, signal: bounded });
  } catch (error) {
    if (deadline.aborted)
      return { ok: false, problem: `${address} did not answer completely within ${timeoutMs} ms.` };
    if (signal.aborted) return { ok: false, problem: "The fetch was stopped." };
    return { ok: false, problem: `${address} could not be fetched: ${errorText(error)}` };
  }
}

type Terms = { allowances: FetchAllowances; signal: AbortSignal };

async function follow(first: string, terms: Terms): Promise<Fetched> {
  const start = checkPublicUrl(first);
  if (!start.ok) return start;
  let { url } = start;
  for (let hop = 0; hop <= limits.webFetch.redirects; hop++) {
    const dialled = await dial(url, terms);
    if (!dialled.ok) return dialled;
    try {
      const target = redirectTarget(dialled.page);
      if (target === undefined) return await read(url, dialled.page, terms.signal);
      const next = await checkRedirect(url, target, terms);
      if (!next.ok) return next;
      if (!sameSite(url, next.url)) return { ok: true, url: url.href, redirectedTo: next.url.href };
      ({ url } = next);
    } finally {
      await dialled.agent.destroy();
    }
  }
  return { ok: false, problem: `${first} redirects more than ${limits.webFetch.redirects} times.` };
}

/** The checked addresses are tried in turn; the name is not looked up again. */
async function dial(
  url: URL,
  { allowances, signal }: Terms,
): Promise<{ ok: true; page: Page; agent: Agent } | { ok: false; problem: string }> {
  const found = await orAbort(publicAddresses(url, allowances), signal);
  if (!found.ok) return found;
  let failure: unknown;
  for (const address of found.addresses.slice(0, 4)) {
    const agent = pinnedAgent(address);
    try {
      const headers = {
        "user-agent": userAgent,
        accept: "text/html, text/markdown, text/plain, */*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
      };
      const {
        statusCode,
        headers: received,
        body,
      } = await request(url, { dispatcher: agent, signal, headers });
      return { ok: true, agent, page: { status: statusCode, headers: received, body } };
    } catch (error) {
      failure = error;
      await agent.destroy();
      if (signal.aborted) break;
    }
  }
  throw failure;
}

/** The system's resolver cannot be interrupted, so an abort does not wait for it. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => (abort = () => reject(signal.reason)));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * An agent that connects to one address, whatever the URL says: undici calls no lookup hook for IP
 * literals.
 */
function pinnedAgent(address: string): Agent {
  const connect = buildConnector({ timeout: 10_000 });
  return new Agent({
    connections: 1,
    maxHeaderSize: 32 * 1024,
    connect: (options, callback) => connect({ ...options, hostname: address }, callback),
  });
}

function redirectTarget({ status, headers }: Page): string | undefined {
  const location = headers["location"];
  return [301, 302, 303, 307, 308].includes(status) && typeof location === "string"
    ? location
    : undefined;
}

/** Checks the target of a redirect; nothing is sent there yet. */
export async function checkRedirect(
  from: URL,
  target: string,
  { allowances, signal }: Terms,
): Promise<{ ok: true; url: URL } | { ok: false; problem: string }> {
  if (!URL.canParse(target, from.href))
    return { ok: false, problem: `${from.href} redirects to something that is not a URL.` };
  const checked = checkPublicUrl(new URL(target, from.href).href);
  if (!checked.ok)
    return {
      ok: false,
      problem: `${from.href} redirects to an address that is refused. ${checked.problem}`,
    };
  if (from.protocol === "https:" && checked.url.protocol === "http:")
    return { ok: false, problem: `${from.href} redirects from https to http, which is refused.` };
  if (sameSite(from, checked.url)) return checked;
  const found = await orAbort(publicAddresses(checked.url, allowances), signal);
  return found.ok
    ? checked
    : {
        ok: false,
        problem: `${from.href} redirects to an address that is refused. ${found.problem}`,
      };
}

function sameSite(a: URL, b: URL): boolean {
  const bare = (url: URL): string => url.hostname.replace(/\.$/, "").replace(/^www\./, "");
  return bare(a) === bare(b);
}

async function read(
  url: URL,
  { status, headers, body }: Page,
  signal: AbortSignal,
): Promise<Fetched> {
  const encoding = String(headers["content-encoding"] ?? "identity")
    .trim()
    .toLowerCase();
  const decoded = decode(body, encoding);
  if (!decoded)
    return {
      ok: false,
      problem: `${url.href} is encoded as ${JSON.stringify(encoding.slice(0, 50))}, which is not supported.`,
    };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded) {
    signal.throwIfAborted();
    size += (chunk as Buffer).length;
    if (size > limits.webFetch.bytes) {
      decoded.destroy();
      body.destroy();
      return {
        ok: false,
        problem: `${url.href} is larger than ${limits.webFetch.bytes} bytes; it was not read further.`,
      };
    }
    chunks.push(chunk as Buffer);
  }
  return {
    ok: true,
    url: url.href,
    status,
    contentType: String(headers["content-type"] ?? ""),
    body: Buffer.concat(chunks),
  };
}

function decode(body: Readable, encoding: string): Readable | undefined {
  if (encoding === "identity" || encoding === "") return body;
  const unpack =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "br"
        ? createBrotliDecompress()
        : encoding === "deflate"
          ? createInflate()
          : undefined;
  if (!unpack) return undefined;
  body.on("error", (error) => unpack.destroy(error));
  return body.pipe(unpack);
}
