// The tools as the model sees them. Runs with the same tools share one list, so that it is kept and
// written once.
import type { ToolSchema } from "../model/model.ts";
import type { LoopPorts } from "./ports.ts";

/** The lists of the newest kinds of runs. */
const known: ToolSchema[][] = [];
const keptKinds = 32;

export function toolSchemas(tools: LoopPorts["tools"]): readonly ToolSchema[] {
  const found = known.find((schemas) => describes(schemas, tools));
  if (found) return found;
  const schemas = [...tools.values()].map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  known.unshift(schemas);
  known.length = Math.min(known.length, keptKinds);
  return schemas;
}

/** In the same order, because a provider's cache depends on it. */
function describes(schemas: readonly ToolSchema[], tools: LoopPorts["tools"]): boolean {
  if (schemas.length !== tools.size) return false;
  let index = 0;
  for (const { name, description, inputSchema } of tools.values()) {
    const schema = schemas[index++]!;
    if (
      schema.name !== name ||
      schema.description !== description ||
      schema.input_schema !== inputSchema
    )
      return false;
  }
  return true;
}
