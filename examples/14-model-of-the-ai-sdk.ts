// A model of the AI SDK runs an agent. In your program `sdk` is `openai("gpt-5")` or the like; here it
// is an object of the same shape, so that no key is needed.
import assert from "node:assert/strict";
import { aiSdkModel, createManager, type AiSdkModel } from "../src/app/index.ts";
import { tempProject } from "../src/testing/index.ts";

const parts = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Hello from the SDK." },
  { type: "text-end", id: "0" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 30 }, outputTokens: { total: 7 } },
  },
];
const sdk: AiSdkModel = {
  specificationVersion: "v3",
  provider: "my-provider",
  modelId: "my-model",
  doStream: async () => ({
    stream: new ReadableStream<unknown>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }),
};

const project = tempProject();
const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  contract: "none",
  // What is not known of the model is stated here.
  model: aiSdkModel(sdk, { contextWindow: 64_000 }),
});
const { content } = await manager.spawn({ description: "hello", prompt: "Say hello." }).done;
assert.equal(content, "Hello from the SDK.");
await manager.close();
project.remove();
