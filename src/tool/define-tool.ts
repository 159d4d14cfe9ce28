// Makes a Tool from a Zod object schema: the JSON Schema is derived once, on first use; the input is checked on every call.
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { ParsedInput, Tool, ToolContext, ToolResult } from "./tool.ts";

export type ToolPlan<S extends z.ZodObject> = {
  name: string;
  description: string;
  input: S;
  readOnly: boolean;
  run(input: z.output<S>, context: ToolContext): Promise<ToolResult>;
};

export function defineTool<S extends z.ZodObject>(plan: ToolPlan<S>): Tool {
  let schema: JsonObject | undefined;
  return {
    name: plan.name,
    description: plan.description,
    readOnly: plan.readOnly,
    get inputSchema() {
      schema ??= jsonSchemaOf(plan.input);
      return schema;
    },
    parse: (input) => parseWith(plan.input, input),
    execute: (input, context) => plan.run(input as z.output<S>, context),
  };
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _ignored, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as JsonObject;
}

function parseWith(schema: z.ZodObject, input: unknown): ParsedInput {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problem = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`).join("; ");
  return { ok: false, problem };
}
