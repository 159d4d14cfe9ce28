// Copies a model into plain data and functions, also one that is a class instance: a spread would
// lose what stands on its prototype or behind `#`.
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
    ...(model.takesTools === undefined ? {} : { takesTools: model.takesTools }),
    ...(price ? { price } : {}),
    ...(model.prepare ? { prepare: () => model.prepare?.() } : {}),
    send: (request, call) => model.send(request, call),
  };
}
