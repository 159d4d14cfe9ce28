// pi agent-core: runAgentLoop with a stream function of its event stream, or its own client of Anthropic's Messages.
import { runAgentLoop } from "@mariozechner/pi-agent-core";
import {
  createAssistantMessageEventStream,
  getModel,
  streamSimple,
  Type,
} from "@mariozechner/pi-ai";
import { lookup, prompt, replyOf, system, tool } from "./scenario.mjs";

export const agentTool = {
  name: tool.name,
  label: tool.name,
  description: tool.description,
  parameters: Type.Object({
    key: Type.String({ minLength: 1 }),
    limit: Type.Optional(Type.Integer({ exclusiveMinimum: 0 })),
  }),
  execute: async (_id, input) => ({
    content: [{ type: "text", text: await lookup(input) }],
    details: undefined,
  }),
};

export const usage = () => ({
  input: 100,
  output: 20,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 120,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});

function fakeStream(model, context) {
  const stream = createAssistantMessageEventStream();
  void play(
    stream,
    model,
    replyOf(context.messages.filter(({ role }) => role === "assistant").length + 1),
  );
  return stream;
}

async function play(stream, model, { text, call }) {
  await undefined;
  const content = [{ type: "text", text: text.join("") }];
  if (call)
    content.push({
      type: "toolCall",
      id: call.id,
      name: call.name,
      arguments: JSON.parse(call.input.join("")),
    });
  const message = {
    role: "assistant",
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usage(),
    stopReason: call ? "toolUse" : "stop",
    timestamp: Date.now(),
  };
  stream.push({ type: "start", partial: message });
  stream.push({ type: "done", reason: message.stopReason, message });
  stream.end(message);
}

export async function prepare({ url }) {
  const model = { ...getModel("anthropic", "claude-sonnet-4-5"), ...(url ? { baseUrl: url } : {}) };
  const convertToLlm = (messages) => messages;
  return async () => {
    const context = { systemPrompt: system, messages: [], tools: [agentTool] };
    const config = { model, convertToLlm, apiKey: "sk-ant-test" };
    const messages = await runAgentLoop(
      [{ role: "user", content: prompt, timestamp: Date.now() }],
      context,
      config,
      () => {},
      undefined,
      url ? streamSimple : fakeStream,
    );
    return messages.at(-1).content[0].text;
  };
}
