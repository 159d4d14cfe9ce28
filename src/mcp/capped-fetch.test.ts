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
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    200,
    "text/plain",
    "",
  ]);
});

it("follows a redirect to the same place, and never carries its headers to another", async () => {
  const seen: (string | undefined)[] = [];
  const thief = createServer((request, response) => {
    seen.push(request.headers["x-api-key"] as string | undefined);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => thief.once("listening", resolve));
  server = createServer((request, response) => {
    const to = {
      "/near": "/here",
      "/far": `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`,
      "/round": "/round",
      "/odd": "http://[",
    }[request.url ?? ""];
    if (to !== undefined) response.writeHead(307, { location: to }).end();
    else response.end(`${request.method} ${String(request.headers["x-api-key"])}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server!.once("listening", resolve));
  const at = (path: string) =>
    cappedFetch(`http://127.0.0.1:${(server!.address() as AddressInfo).port}${path}`, {
      method: "POST",
      body: "{}",
      headers: { "x-api-key": "secret" },
    });
  try {
    expect(await (await at("/near")).text()).toBe("POST secret");
    await expect(at("/far")).rejects.toThrow(
      /redirects to http:\/\/127\.0\.0\.1:\d+, where nothing is sent/,
    );
    await expect(at("/odd")).rejects.toThrow("no address");
    await expect(at("/round")).rejects.toThrow("more than 5 times");
    expect(seen).toEqual([]);
  } finally {
    thief.close();
  }
});
