// The fetch of the HTTP transport: undici's own, with a cap on what a server may send as one answer.
import { EnvHttpProxyAgent, fetch, Response, type RequestInit } from "undici";
import { limits } from "../base/limits.ts";

let agent: EnvHttpProxyAgent | undefined;

/** Like `fetch`; the body fails once one JSON document, or one event of a stream, is over the cap. HTTPS_PROXY and NO_PROXY hold. */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  agent ??= new EnvHttpProxyAgent();
  const response = await fetch(url, { ...init, dispatcher: agent });
  if (response.body === null) return response;
  const perEvent = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const body = response.body.pipeThrough(byteCap(limits.mcp.messageBytes, perEvent));
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

function byteCap(maxBytes: number, perEvent: boolean): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const boundary = perEvent ? lastBlankLine(chunk) : -1;
      const longest = seen + (boundary < 0 ? chunk.length : boundary);
      seen = boundary < 0 ? longest : chunk.length - boundary;
      if (longest > maxBytes) controller.error(new Error(`the server's answer is over ${maxBytes / 1024 / 1024} MB`));
      else controller.enqueue(chunk);
    },
  });
}

/** Where the last event of a chunk ends: after "\n\n" or "\n\r\n". */
function lastBlankLine(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(10); at > 0; at = chunk.lastIndexOf(10, at - 1)) {
    if (chunk[at - 1] === 10 || (chunk[at - 1] === 13 && chunk[at - 2] === 10)) return at + 1;
  }
  return -1;
}
