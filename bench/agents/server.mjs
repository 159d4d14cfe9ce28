// A model that takes two seconds for every reply: Anthropic's Messages as one small stream, in a process of its own.
import { createServer } from "node:http";

const replyMs = 2_000;
const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

function streamOf({ messages, max_tokens: _cap }) {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  const [, turns] = /(\d+) turns/.exec(JSON.stringify(messages[0])) ?? [undefined, "1"];
  const isLast = turn >= Number(turns);
  const block = isLast
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${turn}`, name: "lookup", input: {} };
  const delta = isLast
    ? { type: "text_delta", text: "All done." }
    : { type: "input_json_delta", partial_json: '{"key":"a"}' };
  const usage = { input_tokens: 100, output_tokens: 20 };
  return [
    { type: "message_start", message: { id: `msg_${turn}`, model: "slow", usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: isLast ? "end_turn" : "tool_use" }, usage },
    { type: "message_stop" },
  ]
    .map(event)
    .join("");
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = streamOf(JSON.parse(Buffer.concat(chunks)));
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(body);
    }, replyMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", 8_192, () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}` }),
);
process.on("disconnect", () => process.exit(0));
