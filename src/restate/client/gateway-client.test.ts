import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openGateway } from "./gateway-client.ts";

test("a request is made again until the gateway answers, or until nobody wants it any more", async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked < 3) request.socket.destroy();
    else response.end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const gateway = openGateway({ url: `http://127.0.0.1:${port}`, token: "t" });
  const given = new AbortController();
  await gateway.stop("r", given.signal);
  expect(asked).toBe(3);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const stopped = gateway.stop("r", given.signal);
  given.abort();
  await expect(stopped).rejects.toThrow();
});
