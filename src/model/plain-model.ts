// A model as plain data and functions, whatever it was made as: what a class keeps on its prototype
// or behind `#` survives no spreading.
import type { Model } from "./model.ts";

export function plainModel(model: Model, name = model.name): Model {
  const { contextWindow, maxOutputTokens, takesImages, takesDocuments, hasWebSearch, price } =
    model;
  return {
    name,
    contextWindow,
    maxOutputTokens,
    takesImages,
    takesDocuments,
    hasWebSearch,
    ...(price ? { price } : {}),
    ...(model.prepare ? { prepare: () => model.prepare?.() } : {}),
    send: (request, call) => model.send(request, call),
  };
}
