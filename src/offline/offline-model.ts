// A model without a provider, and without a price. What it says is loaded when it is asked.
import type { Model } from "../model/model.ts";

export function offlineModel(): Model {
  return {
    name: "offline",
    contextWindow: 1_000_000,
    maxOutputTokens: 100_000,
    takesImages: false,
    takesDocuments: false,
    hasWebSearch: false,
    price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    send: async (request, { signal, onDelta }) => {
      if (signal.aborted) return { ok: false, failure: { kind: "aborted", message: "aborted" } };
      const { answerOffline } = await import("./answer-offline.ts");
      const result = answerOffline(request);
      if (result.ok)
        for (const block of result.reply.content)
          if (block.type === "text") onDelta?.({ kind: "text", text: block.text });
      return result;
    },
  };
}
