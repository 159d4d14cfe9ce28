// The limit: a hand-written loop with real message objects and a validated tool input, and nothing else.
import { assembler, lookup, prompt, system, tool, toolSchema, wholeReply } from "./scenario.mjs";

export async function rawLoop(ask) {
  const messages = [{ role: "user", content: prompt }];
  for (let turn = 1; ; turn++) {
    const reply = await ask(messages, turn);
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason !== "tool_use") return reply.content[0].text;
    const results = [];
    for (const block of reply.content) {
      if (block.type !== "tool_use") continue;
      const parsed = tool.input.safeParse(block.input);
      results.push({
        type: "tool_result",
        tool_use_id: block.id,
        content: parsed.success ? await lookup(parsed.data) : parsed.error.message,
      });
    }
    messages.push({ role: "user", content: results });
  }
}

export const askFake = async (_messages, turn) => wholeReply(turn);

export const bodyOf = (messages) =>
  JSON.stringify({
    model: "claude-sonnet-4-5",
    max_tokens: 8_192,
    stream: true,
    system,
    tools: [toolSchema],
    messages,
  });
export const headers = {
  "content-type": "application/json",
  "x-api-key": "sk-ant-test",
  "anthropic-version": "2023-06-01",
};

/** Feeds the events of a body that arrives in pieces of text. */
export function sse(take) {
  let rest = "";
  return (text) => {
    rest += text;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const data = rest.indexOf("data: ");
      if (data >= 0 && data < end) take(JSON.parse(rest.slice(data + 6, end)));
      rest = rest.slice(end + 2);
    }
  };
}

export async function prepare({ url }) {
  if (!url) return () => rawLoop(askFake);
  return () =>
    rawLoop(async (messages) => {
      const { take, reply } = assembler();
      const feed = sse(take);
      const response = await fetch(`${url}/v1/messages`, {
        method: "POST",
        headers,
        body: bodyOf(messages),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const decoder = new TextDecoder();
      for await (const chunk of response.body) feed(decoder.decode(chunk, { stream: true }));
      return reply;
    });
}
