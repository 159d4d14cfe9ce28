// deepagents: createDeepAgent with its usual middleware, as a stream of states.
import { createDeepAgent } from "deepagents";
import { lookupTool, model } from "./langchain-model.mjs";
import { prompt, system } from "./scenario.mjs";

export async function prepare({ url }) {
  const agent = createDeepAgent({ model: model(url), tools: [lookupTool], systemPrompt: system });
  return async () => {
    let last;
    for await (const state of await agent.stream(
      { messages: [{ role: "user", content: prompt }] },
      { streamMode: "values", recursionLimit: 100 },
    ))
      last = state;
    return last.messages.at(-1).text;
  };
}
