// The scenario's reply as the parts that a language model of the AI SDK streams, in its specification 2 or 3.
import { replyOf } from "./scenario.mjs";

export async function sdkStream({ prompt }, specification) {
  const { text, call } = replyOf(prompt.filter(({ role }) => role === "assistant").length + 1);
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
  ];
  for (const delta of text) parts.push({ type: "text-delta", id: "0", delta });
  parts.push({ type: "text-end", id: "0" });
  if (call) {
    parts.push({ type: "tool-input-start", id: call.id, toolName: call.name });
    for (const delta of call.input) parts.push({ type: "tool-input-delta", id: call.id, delta });
    parts.push(
      { type: "tool-input-end", id: call.id },
      { type: "tool-call", toolCallId: call.id, toolName: call.name, input: call.input.join("") },
    );
  }
  const reason = call ? "tool-calls" : "stop";
  const counts =
    specification === 3
      ? {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        }
      : { inputTokens: 100, outputTokens: 20, totalTokens: 120 };
  parts.push({
    type: "finish",
    finishReason: specification === 3 ? { unified: reason, raw: reason } : reason,
    usage: counts,
  });
  let next = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (next < parts.length) controller.enqueue(parts[next++]);
      else controller.close();
    },
  });
  return { stream };
}
