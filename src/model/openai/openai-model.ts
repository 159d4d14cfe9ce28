// A model behind an OpenAI-compatible chat endpoint. The base URL includes the version, as with
// OpenAI's own clients.
import { post, prepare, targetOf, type Endpoint } from "../http/endpoint.ts";
import type { Model, ModelCall, ModelRequest, ModelResult } from "../model.ts";
import { openAiRequestBody, type OpenAiDialect } from "./openai-request.ts";
import { readOpenAiStream } from "./openai-stream.ts";
import { priceOf } from "../prices.ts";
import { windowOf } from "../windows.ts";

const reasoning = /^(o\d|gpt-[5-9])|^gemini/;

export function openAiModel(endpoint: Endpoint, id: string): Model {
  const { provider, key } = endpoint;
  const price = priceOf(id, provider);
  const dialect: OpenAiDialect = {
    maxTokensField: provider === "openai" ? "max_completion_tokens" : "max_tokens",
    takesEffort: (provider === "openai" || provider === "google") && reasoning.test(id),
  };

  const target = targetOf(endpoint, "/chat/completions", {});
  const sendOnce = (request: ModelRequest, call: ModelCall): Promise<ModelResult> =>
    post(endpoint, {
      target,
      body: () => openAiRequestBody(id, request, dialect),
      newReader: () => readOpenAiStream({ model: id, request, call, ...(key ? { key } : {}) }),
      call,
    });

  return {
    name: `${provider}:${id}`,
    ...windowOf(id),
    ...(price ? { price } : {}),
    takesImages: true,
    takesDocuments: false,
    hasWebSearch: false,
    prepare: () => prepare(endpoint),
    async send(request, call) {
      const result = await sendOnce(request, call);
      if (result.ok || !wantsOtherField(result.failure.message, dialect)) return result;
      dialect.maxTokensField =
        dialect.maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
      return sendOnce(request, call);
    },
  };
}

/**
 * If a server refuses one name of the output limit and mentions it, the request is sent once more
 * with the other name.
 */
function wantsOtherField(message: string, { maxTokensField }: OpenAiDialect): boolean {
  return (
    message.startsWith("HTTP 4") &&
    new RegExp(`\\b${maxTokensField}\\b`).test(message) &&
    /unsupported|not supported|unrecognized|unknown|extra|not permitted|use 'max/i.test(message)
  );
}
