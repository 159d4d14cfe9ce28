// Mastra: an Agent's stream, on a language model of specification 2 or on the Anthropic provider that it ships.
import { createAnthropic } from "@ai-sdk/anthropic-v5";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { lookup, prompt, system, tool } from "./scenario.mjs";
import { sdkStream } from "./ai-sdk-parts.mjs";

export async function prepare({ url }) {
  const fake = {
    specificationVersion: "v2",
    provider: "fake",
    modelId: "fake",
    supportedUrls: {},
    doStream: (options) => sdkStream(options, 2),
  };
  const model = url
    ? createAnthropic({ baseURL: `${url}/v1`, apiKey: "sk-ant-test" })("claude-sonnet-4-5")
    : fake;
  const lookupTool = createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: tool.input,
    execute: ({ context }) => lookup(context),
  });
  const agent = new Agent({
    name: "bench",
    instructions: system,
    model,
    tools: { [tool.name]: lookupTool },
  });
  return async () => {
    const result = await agent.stream(prompt, { maxSteps: 20 });
    return result.text;
  };
}
