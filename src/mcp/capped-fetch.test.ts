import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { limits } from "../base/limits.ts";
import { cappedFetch } from "./capped-fetch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(type: string, answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": type });
    answer(response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server!.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const overLimit = "x".repeat(limits.mcp.messageBytes + 1);

it("passes on a stream of many small events, however long", async () => {
  const event = `data: ${"y".repeat(100_000)}\n\n`;
  const url = await serve("text/event-stream", (response) => response.end(event.repeat(250)));
  expect((await (await cappedFetch(url)).text()).length).toBe(event.length * 250);
});

it.each([
  ["text/event-stream", `data: ${overLimit}\n\n`],
  ["application/json", `"${overLimit}"`],
  ["application/json", `[\n\n${overLimit}\n\n]`],
])("breaks off one %s message over the cap", async (type, body) => {
  const url = await serve(type, (response) => response.end(body));
  const length = (await cappedFetch(url)).text().then((text) => text.length);
  await expect(length).rejects.toThrow("over 16 MB");
});

it("keeps status, headers and empty bodies", async () => {
  const url = await serve("text/plain", (response) => response.end());
  const response = await cappedFetch(url, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([200, "text/plain", ""]);
});
