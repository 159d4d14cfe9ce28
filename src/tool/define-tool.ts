// Makes a Tool from a Zod object schema: the JSON Schema is derived once, on first use; the input is checked on every call.
import * as z from "zod";
import { RetinueError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { ParsedInput, Tool, ToolContext, ToolResult } from "./tool.ts";

export type ToolPlan<S extends z.ZodObject> = {
  name: string;
  description: string;
  input: S;
  readOnly: boolean;
  concurrent?: boolean;
  run(input: z.output<S>, context: ToolContext): Promise<ToolResult>;
};

export function defineTool<S extends z.ZodObject>(plan: ToolPlan<S>): Tool {
  // Schemas of Zod 3 and plain JSON Schemas fit in JavaScript, and would fail where nobody knows why.
  if (!("_zod" in (plan.input ?? {}))) throw new RetinueError("usage", `defineTool: the input of ${JSON.stringify(plan.name)} must be an object schema of Zod 4, such as z.object({ path: z.string() })`);
  return {
    name: plan.name,
    description: plan.description,
    readOnly: plan.readOnly,
    ...(plan.concurrent ? { concurrent: true } : {}),
    get inputSchema() {
      return jsonSchemaOf(plan.input);
    },
    parse: (input) => parseWith(plan.input, input),
    execute: (input, context) => plan.run(input as z.output<S>, context),
  };
}

const written = new WeakMap<z.ZodType, JsonObject>();

/** Once per schema, however many runs have the tool. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const known = written.get(schema);
  if (known) return known;
  const { $schema: _ignored, ...rest } = z.toJSONSchema(schema, { io: "input" });
  written.set(schema, rest as JsonObject);
  return rest as JsonObject;
}

function parseWith(schema: z.ZodObject, input: unknown): ParsedInput {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problem = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`).join("; ");
  return { ok: false, problem };
}
