// The scenario's model for LangChain: its base class streaming chunks, or its Anthropic client.
import { ChatAnthropic } from "@langchain/anthropic";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { tool as defineTool } from "@langchain/core/tools";
import { lookup, replyOf, tool } from "./scenario.mjs";

class FakeChat extends BaseChatModel {
  _llmType() {
    return "fake";
  }
  bindTools() {
    return this;
  }
  async _generate(messages, options, runManager) {
    let whole;
    for await (const chunk of this._streamResponseChunks(messages, options, runManager))
      whole = whole ? whole.concat(chunk) : chunk;
    return { generations: [whole] };
  }
  async *_streamResponseChunks(messages, _options, runManager) {
    const { text, call } = replyOf(
      messages.filter((message) => message.getType() === "ai").length + 1,
    );
    for (const piece of text) {
      yield new ChatGenerationChunk({
        text: piece,
        message: new AIMessageChunk({ content: piece }),
      });
      await runManager?.handleLLMNewToken(piece);
    }
    for (const [index, args] of (call?.input ?? []).entries()) {
      const head = index === 0 ? { id: call.id, name: call.name } : {};
      yield new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({
          content: "",
          tool_call_chunks: [{ type: "tool_call_chunk", index: 0, args, ...head }],
        }),
      });
    }
    yield new ChatGenerationChunk({
      text: "",
      message: new AIMessageChunk({
        content: "",
        usage_metadata: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      }),
    });
  }
}

export const model = (url) =>
  url
    ? new ChatAnthropic({
        model: "claude-sonnet-4-5",
        apiKey: "sk-ant-test",
        anthropicApiUrl: url,
        streaming: true,
      })
    : new FakeChat({});
export const lookupTool = defineTool(lookup, {
  name: tool.name,
  description: tool.description,
  schema: tool.input,
});
