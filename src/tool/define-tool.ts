// Makes a Tool from a Zod object schema: the JSON Schema is derived once, on first use; the input
// is checked on every call.
import * as z from "zod";
import type { JsonObject } from "../base/data/json.ts";
import type { ParsedInput, Tool, ToolContext, ToolResult } from "./tool.ts";

type ToolPlan<S extends z.ZodType> = {
  name: string;
  description: string;
  input: S;
  /** The schema that the model sees, if it is not derived from `input`. */
  inputSchema?: JsonObject;
  readOnly: boolean;
  concurrent?: boolean;
  run(input: z.output<S> & object, context: ToolContext): Promise<ToolResult>;
  canContinue?: Tool["canContinue"];
  recall?: Tool["recall"];
};

export function defineZodTool<S extends z.ZodType>(plan: ToolPlan<S>): Tool {
  return {
    name: plan.name,
    description: plan.description,
    readOnly: plan.readOnly,
    ...(plan.concurrent ? { concurrent: true } : {}),
    get inputSchema() {
      return plan.inputSchema ?? jsonSchemaOf(plan.input);
    },
    parse: (input) => parseWith(plan.input, input),
    execute: (input, context) => plan.run(input as z.output<S> & object, context),
    ...(plan.canContinue ? { canContinue: plan.canContinue } : {}),
    ...(plan.recall ? { recall: plan.recall } : {}),
  };
}

const written = new WeakMap<z.ZodType, JsonObject>();

/** Derived once per schema, for all runs that have the tool. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const known = written.get(schema);
  if (known) return known;
  const { $schema: _ignored, ...rest } = z.toJSONSchema(schema, { io: "input" });
  written.set(schema, rest as JsonObject);
  return rest as JsonObject;
}

function parseWith(schema: z.ZodType, input: unknown): ParsedInput {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data as Record<string, unknown> };
  const problem = parsed.error.issues
    .map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`)
    .join("; ");
  return { ok: false, problem };
}
