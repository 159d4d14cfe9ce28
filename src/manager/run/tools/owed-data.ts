// Data that an agent owes instead of a report: the caller's schema, as a type that checks and as the
// schema of a tool.
import * as z from "zod";
import { errorText, RetinueError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/data/json.ts";

/** A Zod 4 type, whichever release of it the caller has, or a JSON Schema. */
export type OutputSchema<T = unknown> =
  | { readonly _zod: { readonly output: T } }
  | (JsonObject & { readonly _zod?: never });

export type OwedData = { schema: JsonObject; type: z.ZodType };

/** Throws `usage` for a schema that cannot be used. */
export function owedData(given: OutputSchema): OwedData {
  try {
    if (given._zod !== undefined) {
      const type = given as unknown as z.ZodType;
      const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io: "input" });
      return { schema: schema as JsonObject, type };
    }
    return { schema: given, type: z.fromJSONSchema(given) };
  } catch (error) {
    throw new RetinueError(
      "usage",
      `outputSchema cannot be used: ${errorText(error)}. Give a Zod 4 type or a JSON Schema.`,
    );
  }
}

/** A tool's input is an object: anything else is its `value`. */
export const isBare = (schema: JsonObject): boolean => schema["type"] !== "object";

export const dataToolSchema = (schema: JsonObject): JsonObject =>
  isBare(schema) ? { type: "object", properties: { value: schema }, required: ["value"] } : schema;
