// `outputSchema` of a definition: a JSON Schema in a file, a JSON Schema or a Zod type in a program.
// One that cannot be used refuses the definition: its agent would owe something that nobody can check.
import * as z from "zod";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { errorText } from "../../base/errors.ts";
import type { FieldReader } from "./field-reader.ts";

export function readOutputSchema(reader: FieldReader): JsonObject | undefined {
  if (!reader.has("outputSchema")) return undefined;
  const given = reader.data["outputSchema"];
  try {
    if (!isObject(given))
      throw new Error(`it is ${Array.isArray(given) ? "a list" : typeof given}`);
    if ("_zod" in given) {
      const { $schema: _dialect, ...schema } = z.toJSONSchema(given as unknown as z.ZodType, {
        io: "input",
      });
      return schema as JsonObject;
    }
    z.fromJSONSchema(given);
    return given as JsonObject;
  } catch (error) {
    reader.refuse("outputSchema", {
      code: "invalid-output-schema",
      message: `\`outputSchema\` cannot be used: ${errorText(error)}`,
      suggestion: "a JSON Schema, such as outputSchema: {type: object, properties: {…}}",
    });
    return undefined;
  }
}
