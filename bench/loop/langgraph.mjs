// LangGraph: its prebuilt ReAct agent, as a stream of messages.
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { lookupTool, model } from "./langchain-model.mjs";
import { prompt, system } from "./scenario.mjs";

export async function prepare({ url }) {
  const agent = createReactAgent({ llm: model(url), tools: [lookupTool], prompt: system });
  return async () => {
    let last;
    for await (const state of await agent.stream(
      { messages: [{ role: "user", content: prompt }] },
      { streamMode: "values", recursionLimit: 50 },
    ))
      last = state;
    return last.messages.at(-1).text;
  };
}
