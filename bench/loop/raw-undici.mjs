// For information: the raw loop on a pool of undici instead of global fetch.
import { Pool } from "undici";
import { assembler } from "./scenario.mjs";
import { bodyOf, headers, rawLoop, sse } from "./raw.mjs";

export async function prepare({ url }) {
  const ask = askUndici(url);
  return () => rawLoop(ask);
}

export function askUndici(url) {
  const pool = new Pool(url, { pipelining: 1 });
  return async (messages) => {
    const { take, reply } = assembler();
    const feed = sse(take);
    const { statusCode, body } = await pool.request({
      path: "/v1/messages",
      method: "POST",
      headers,
      body: bodyOf(messages),
    });
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
    body.setEncoding("utf8");
    for await (const text of body) feed(text);
    return reply;
  };
}
