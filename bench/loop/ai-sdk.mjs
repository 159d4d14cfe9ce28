// AI SDK: streamText with steps, on its mock language model or its own Anthropic provider.
import { createAnthropic } from "@ai-sdk/anthropic";
import { stepCountIs, streamText, tool as defineTool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { lookup, prompt, system, tool } from "./scenario.mjs";
import { sdkStream } from "./ai-sdk-parts.mjs";

export async function prepare({ url }) {
  const tools = {
    [tool.name]: defineTool({
      description: tool.description,
      inputSchema: tool.input,
      execute: lookup,
    }),
  };
  const model = url
    ? createAnthropic({ baseURL: `${url}/v1`, apiKey: "sk-ant-test" })("claude-sonnet-4-5")
    : undefined;
  return async () => {
    // The mock keeps every call it was given, so each agent has its own.
    const result = streamText({
      model: model ?? new MockLanguageModelV3({ doStream: (options) => sdkStream(options, 3) }),
      system,
      prompt,
      tools,
      stopWhen: stepCountIs(20),
    });
    await result.consumeStream();
    return result.text;
  };
}
