// `npm run bench -- fanout [AGENTS] [SHARE]`: agents with ten tool turns each against a provider that refuses a share of all requests with 429.
import { replyOf, turns } from "./loop/scenario.mjs";

export const summary =
  "agents against a provider that refuses half of the requests with 429: all finish ([AGENTS] [SHARE], 50 0.5)";

export async function run([count = "50", share = "0.5"] = []) {
  const agents = Number(count);
  const [{ startMockProvider }, { prepare }] = await Promise.all([
    import("../dist/testing/index.js"),
    import("./loop/retinue.mjs"),
  ]);
  const provider = await startMockProvider({
    reply({ body }) {
      const { text, call } = replyOf(
        body.messages.filter(({ role }) => role === "assistant").length + 1,
      );
      return {
        text: text.join(""),
        ...(call
          ? { tools: [{ name: call.name, id: call.id, rawInput: call.input.join("") }] }
          : {}),
      };
    },
    rateLimited: { share: Number(share), seed: 5, headers: { "retry-after-ms": "50" } },
  });
  const runAgent = await prepare({ url: provider.url });
  const started = performance.now();
  const ends = await Promise.allSettled(Array.from({ length: agents }, runAgent));
  const finished = ends.filter(({ status }) => status === "fulfilled").length;
  for (const { reason } of ends.filter(({ status }) => status === "rejected").slice(0, 5))
    console.error(reason.message);
  const requests = provider.requests.length;
  console.log(
    `${finished} of ${agents} agents finished in ${((performance.now() - started) / 1000).toFixed(1)} s: ${requests} requests, of which ${requests - finished * (turns + 1)} were refused`,
  );
  await provider.close();
  return finished === agents;
}
