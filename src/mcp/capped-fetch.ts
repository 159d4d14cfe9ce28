// The fetch of the HTTP transport: undici's fetch with a cap on the size of one answer.
import { EnvHttpProxyAgent, fetch, Response, type RequestInit } from "undici";
import { limits } from "../base/limits.ts";

let agent: EnvHttpProxyAgent | undefined;
const maxRedirects: number = limits.mcp.redirects;

/**
 * Like `fetch`; the body fails once one JSON document, or one event of a stream, exceeds the cap.
 * HTTPS_PROXY and NO_PROXY apply. A redirect to another origin is refused: the configured headers,
 * which may hold keys, are meant for the configured address.
 */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  agent ??= new EnvHttpProxyAgent();
  const response = await fetchWithin(new URL(url), {
    ...init,
    dispatcher: agent,
    redirect: "manual",
  });
  if (response.body === null) return response;
  const perEvent = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const body = response.body.pipeThrough(byteCap(limits.mcp.messageBytes, perEvent));
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

async function fetchWithin(url: URL, init: RequestInit, left = maxRedirects): Promise<Response> {
  const response = await fetch(url, init);
  const location = response.headers.get("location");
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
  await response.body?.cancel();
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (target?.origin !== url.origin)
    throw new Error(
      `the server redirects to ${target ? target.origin : "something that is no address"}, ` +
        "where nothing is sent; if that is right, configure it as the server's url",
    );
  if (left === 0) throw new Error(`the server redirects more than ${maxRedirects} times`);
  // As in fetch: these statuses turn a POST into a GET.
  const asGet =
    response.status === 303 || (response.status < 303 && init.method?.toUpperCase() === "POST");
  return fetchWithin(target, asGet ? { ...init, method: "GET", body: null } : init, left - 1);
}

function byteCap(maxBytes: number, perEvent: boolean): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const boundary = perEvent ? lastBlankLine(chunk) : -1;
      const longest = seen + (boundary < 0 ? chunk.length : boundary);
      seen = boundary < 0 ? longest : chunk.length - boundary;
      if (longest > maxBytes)
        controller.error(new Error(`the server's answer is over ${maxBytes / 1024 / 1024} MB`));
      else controller.enqueue(chunk);
    },
  });
}

/** The end of the last event in a chunk: after "\n\n" or "\n\r\n". */
function lastBlankLine(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(10); at > 0; at = chunk.lastIndexOf(10, at - 1)) {
    if (chunk[at - 1] === 10 || (chunk[at - 1] === 13 && chunk[at - 2] === 10)) return at + 1;
  }
  return -1;
}
