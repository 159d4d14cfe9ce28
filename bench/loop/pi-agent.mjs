// pi through its own front door, as its README shows it: `new Agent(…).prompt(…)`. In process the stream function gives the pieces of a reply as events,
// as pi's own client of Anthropic's Messages does; over HTTP it is that client.
import { Agent } from "@mariozechner/pi-agent-core";
import { createAssistantMessageEventStream, getModel } from "@mariozechner/pi-ai";
import { agentTool, usage } from "./pi.mjs";
import { prompt, replyOf, system } from "./scenario.mjs";

function pieces(model, context) {
  const stream = createAssistantMessageEventStream();
  const turn = context.messages.filter(({ role }) => role === "assistant").length + 1;
  void play(stream, model, replyOf(turn));
  return stream;
}

async function play(stream, model, { text, call }) {
  await undefined;
  const output = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usage(),
    stopReason: call ? "toolUse" : "stop",
    timestamp: Date.now(),
  };
  const push = (type, contentIndex, more) =>
    stream.push({ type, contentIndex, ...more, partial: output });
  stream.push({ type: "start", partial: output });
  const block = { type: "text", text: "" };
  output.content.push(block);
  push("text_start", 0);
  for (const delta of text) {
    block.text += delta;
    push("text_delta", 0, { delta });
  }
  push("text_end", 0, { content: block.text });
  if (call) {
    const toolCall = { type: "toolCall", id: call.id, name: call.name, arguments: {} };
    output.content.push(toolCall);
    push("toolcall_start", 1);
    for (const delta of call.input) push("toolcall_delta", 1, { delta });
    toolCall.arguments = JSON.parse(call.input.join(""));
    push("toolcall_end", 1, { toolCall });
  }
  stream.push({ type: "done", reason: output.stopReason, message: output });
  stream.end(output);
}

export async function prepare({ url }) {
  const model = { ...getModel("anthropic", "claude-sonnet-4-5"), ...(url ? { baseUrl: url } : {}) };
  return async () => {
    const agent = new Agent({
      initialState: { systemPrompt: system, model, tools: [agentTool] },
      getApiKey: () => "sk-ant-test",
      ...(url ? {} : { streamFn: pieces }),
    });
    await agent.prompt(prompt);
    const last = agent.state.messages.at(-1);
    if (last.role !== "assistant" || last.stopReason !== "stop")
      throw new Error(last.errorMessage ?? "pi gave no answer");
    return last.content[0].text;
  };
}
