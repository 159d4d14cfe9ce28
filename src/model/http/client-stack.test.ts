import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, type Dispatcher } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { ClientStack } from "./client-stack.ts";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

async function serve(
  answer: (response: ServerResponse) => void,
): Promise<{ origin: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => answer(response)).on(
    "connection",
    () => (connections += 1),
  );
  open.push(server);
  await new Promise<void>((done) =>
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1_000 }, done),
  );
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

const stackFor = (origin: string): ClientStack =>
  new ClientStack(() => new Client(origin, { pipelining: 1 }));

/** The body of the answer, or the code of what went wrong. */
function ask(stack: ClientStack): Promise<string> {
  return new Promise((resolve) => {
    let body = "";
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseData: (_, chunk) => (body += chunk.toString()),
      onResponseEnd: () => resolve(body),
      onResponseError: (_, error) =>
        resolve((error as NodeJS.ErrnoException).code ?? error.message),
    };
    stack.dispatch({ origin: "", path: "/", method: "POST", body: "{}" }, handler);
  });
}

const many = (count: number, stack: ClientStack): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => ask(stack)));

describe("ClientStack", () => {
  test("as many requests are under way as were asked for, however many: none waits for the reply to another", async () => {
    const held: ServerResponse[] = [];
    const { origin, connections } = await serve((response) => {
      held.push(response);
      if (held.length === 300) for (const each of held) each.end("all here");
    });
    const stack = stackFor(origin);
    expect(new Set(await many(300, stack))).toEqual(new Set(["all here"]));
    expect(connections()).toBe(300);
    await stack.destroy();
  });

  test("of a crowd at most 64 shake hands at a time, and the next crowd finds their sockets open", async () => {
    const { origin, connections } = await serve((response) => response.end("quick"));
    let [opening, most] = [0, 0];
    const stack = new ClientStack(() => {
      most = Math.max(most, ++opening);
      return new Client(origin, { pipelining: 1 }).once("connect", () => (opening -= 1));
    });
    expect(new Set(await many(500, stack))).toEqual(new Set(["quick"]));
    expect(most).toBe(64);
    const first = connections();
    await many(60, stack);
    expect(connections()).toBe(first);
    await stack.destroy();
  });

  test("who asks again as soon as the reply is there gets the socket that it came by, not a new one", async () => {
    const { origin, connections } = await serve((response) => response.end("quick"));
    const stack = stackFor(origin);
    for (let turn = 0; turn < 10; turn++) expect(await ask(stack)).toBe("quick");
    expect(connections()).toBe(1);
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        for (let turn = 0; turn < 10; turn++) await ask(stack);
      }),
    );
    expect(connections()).toBeLessThanOrEqual(100);
    await stack.destroy();
  });

  test("a server that hangs up after each reply is connected to again", async () => {
    const { origin } = await serve((response) =>
      response.setHeader("connection", "close").end("bye"),
    );
    const stack = stackFor(origin);
    for (let round = 0; round < 3; round++)
      expect(new Set(await many(80, stack))).toEqual(new Set(["bye"]));
    await stack.destroy();
  });

  test("nobody there: everyone hears of it, those that waited for a socket too, and the stack can be used again", async () => {
    const stack = stackFor("http://127.0.0.1:9");
    expect(new Set(await many(200, stack))).toEqual(new Set(["ECONNREFUSED"]));
    expect(await ask(stack)).toBe("ECONNREFUSED");
    await stack.destroy();
  });

  test("after the end everything fails with the same word: what was under way, what waited, what comes later", async () => {
    const { origin } = await serve(() => undefined);
    const stack = stackFor(origin);
    const asked = many(200, stack);
    await stack.destroy();
    expect(new Set(await asked)).toEqual(new Set(["UND_ERR_DESTROYED"]));
    expect(await ask(stack)).toBe("UND_ERR_DESTROYED");
  });
});
