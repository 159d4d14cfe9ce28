// A model behind Anthropic's Messages protocol. The base URL has no /v1, as with Anthropic's own
// clients.
import { anthropicRequestBody } from "./anthropic-request.ts";
import { readAnthropicStream } from "./anthropic-stream.ts";
import { post, prepare, targetOf, type Endpoint } from "../http/endpoint.ts";
import type { Model } from "../model.ts";
import { priceOf } from "../prices.ts";
import { windowOf } from "../windows.ts";

const headers = { "anthropic-version": "2023-06-01" };

export function anthropicModel(endpoint: Endpoint, id: string): Model {
  const price = priceOf(id, endpoint.provider);
  const { key } = endpoint;
  const target = targetOf(endpoint, "/v1/messages", headers);
  return {
    name: `${endpoint.provider}:${id}`,
    ...windowOf(id),
    ...(price ? { price } : {}),
    takesImages: true,
    takesDocuments: true,
    hasWebSearch: endpoint.provider === "anthropic",
    prepare: () => prepare(endpoint),
    send: (request, call) =>
      post(endpoint, {
        target,
        body: () => anthropicRequestBody(id, request),
        newReader: () => readAnthropicStream({ model: id, request, call, ...(key ? { key } : {}) }),
        call,
      }),
  };
}
