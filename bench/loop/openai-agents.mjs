// OpenAI Agents: run() as a stream, on a model of its interface or on its chat-completions model.
import {
  Agent,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  tool as defineTool,
} from "@openai/agents";
import OpenAI from "openai";
import { lookup, prompt, replyOf, system, tool } from "./scenario.mjs";

setTracingDisabled(true);

const fakeModel = {
  async getResponse() {
    throw new Error("only streamed");
  },
  async *getStreamedResponse({ input }) {
    const turn =
      typeof input === "string"
        ? 1
        : input.filter(({ type }) => type === "function_call").length + 1;
    const { text, call } = replyOf(turn);
    yield { type: "response_started" };
    for (const delta of text) yield { type: "output_text_delta", delta };
    for (const delta of call?.input ?? [])
      yield { type: "model", event: { type: "response.function_call_arguments.delta", delta } };
    const output = [
      {
        type: "message",
        id: `msg_${turn}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: text.join("") }],
      },
    ];
    if (call)
      output.push({
        type: "function_call",
        id: `fc_${turn}`,
        callId: call.id,
        name: call.name,
        status: "completed",
        arguments: call.input.join(""),
      });
    yield {
      type: "response_done",
      response: {
        id: `resp_${turn}`,
        usage: { requests: 1, inputTokens: 100, outputTokens: 20, totalTokens: 120 },
        output,
      },
    };
  },
};

export async function prepare({ url }) {
  const lookupTool = defineTool({
    name: tool.name,
    description: tool.description,
    parameters: tool.input.extend({ limit: tool.input.shape.limit.unwrap() }),
    execute: lookup,
  });
  const model = url
    ? new OpenAIChatCompletionsModel(
        new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test" }),
        "gpt-5",
      )
    : fakeModel;
  const agent = new Agent({ name: "bench", instructions: system, model, tools: [lookupTool] });
  return async () => {
    const result = await run(agent, prompt, { stream: true, maxTurns: 20 });
    for await (const _event of result);
    await result.completed;
    return result.finalOutput;
  };
}
