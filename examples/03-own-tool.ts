// A tool of your own: a Zod schema, a function, and a definition that names it.
import assert from "node:assert/strict";
import * as z from "zod";
import { createManager, defineTool } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const stock = new Map([
  ["apple", 12],
  ["pear", 0],
]);
const lookUp = defineTool({
  name: "Stock",
  description: "How many of an article are in stock",
  input: z.object({ article: z.string().min(1) }),
  readOnly: true,
  run: async ({ article }) =>
    stock.has(article)
      ? { content: `${stock.get(article)} in stock` }
      : { content: `no article named ${article}`, isError: true },
});

const project = tempProject();
const model = scriptedModel([
  {
    tools: [
      { name: "Stock", input: { article: "apple" } },
      { name: "Stock", input: { article: "" } },
    ],
  },
  (request) => `The model was shown: ${JSON.stringify(request.messages.at(-1)!.content)}`,
]);
const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  model,
  tools: [lookUp],
  permissions: { allow: ["Stock"] },
  agents: {
    clerk: {
      description: "Knows the stock",
      prompt: "You answer questions about the stock.",
      tools: ["Stock"],
      contract: "none",
    },
  },
});

const { content } = await manager.spawn({
  subagent_type: "clerk",
  description: "apples",
  prompt: "Are there apples?",
}).done;
assert.match(content, /12 in stock/);
assert.match(content, /article: /); // the empty name did not reach the function: the model was told what is wrong with its input
assert.deepEqual(
  model.requests[0]!.tools.map(({ name }) => name),
  ["Stock"],
);

await manager.close();
project.remove();
