// Makes any catalog durable at its seams: model replies, decisions and tool results come from
// `once`, so a run that crashed can be executed again from the start and repeats nothing.
import type { Model } from "../model/model.ts";
import type { Tool } from "../tool/tool.ts";
import type { Catalog } from "./catalog.ts";
import type { RunSpec } from "../events/run-spec.ts";

/**
 * Does the work the first time a key is seen and keeps its JSON result; afterwards returns what was
 * kept.
 */
export type Once = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Wraps a catalog so that a run that was cut off can be executed again from its start: model replies,
 * decisions and tool results that were kept are not made again.
 */
export function durable(catalog: Catalog, once: Once): Catalog {
  return {
    ...catalog,
    model: (spec) => durableModel(catalog.model(spec), spec, once),
    async tools(spec) {
      const set = await catalog.tools(spec);
      return { ...set, tools: set.tools.map((tool) => durableTool(tool, spec, once)) };
    },
    gate(spec, log) {
      const gate = catalog.gate(spec, log);
      return (call, signal) =>
        once(`${spec.runId}/gate/${call.toolUseId}`, async () => gate(call, signal));
    },
    async store(spec) {
      const store = await catalog.store(spec);
      const written = store.lastSeq;
      // The replay says the same facts again; only what the first life did not get to write is new.
      return {
        ...store,
        history: [],
        usedIds: new Set(),
        lastSeq: 0,
        append: (fact) => fact.seq > written && store.append(fact),
        close: () => store.close(),
      };
    },
  };
}

function durableModel(model: Model, spec: RunSpec, once: Once): Model {
  let replies = 0;
  return {
    ...model,
    send: (request, call) =>
      once(`${spec.runId}/reply/${++replies}`, () => model.send(request, call)),
  };
}

function durableTool(tool: Tool, spec: RunSpec, once: Once): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    readOnly: tool.readOnly,
    ...(tool.concurrent ? { concurrent: true } : {}),
    parse: (input) => tool.parse(input),
    execute: (input, context) =>
      once(`${spec.runId}/tool/${context.toolUseId}`, () => tool.execute(input, context)),
  };
}
