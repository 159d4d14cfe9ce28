// The tool with which an agent answers: it gives its report as data, and hears at once what does
// not hold. What is wrong with the fields is told by the verifier, so that it counts as a correction.
import { isObject, type JsonObject } from "../../../base/data/json.ts";
import { answeringTool } from "../../../base/tool-names.ts";
import { handoffInputJsonSchema } from "../../../contract/report-tool/handoff-input.ts";
import { reportInputJsonSchema } from "../../../contract/report-tool/report-input.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import { dataToolSchema } from "./owed-data.ts";
import { errorResult, type Tool, type ToolResult } from "../../../tool/tool.ts";

const description =
  "Ends your work: an accepted call is your answer. Quote lines exactly as you have read them; " +
  "the runtime finds where they stand. What does not hold comes back at once: correct it and call again.";

export function createReportTool(
  { contract, outputSchema }: Pick<RunSpec, "contract" | "outputSchema">,
  submit: (input: unknown) => Promise<ToolResult> | undefined,
): Tool {
  return {
    name: answeringTool,
    description,
    inputSchema: outputSchema ? dataToolSchema(outputSchema) : schemaOf(contract),
    readOnly: true,
    parse: (input) =>
      isObject(input)
        ? { ok: true, value: input }
        : { ok: false, problem: "the report must be a JSON object" },
    execute: async (input) =>
      (await submit(input)) ?? errorResult("no report is owed here: answer in words"),
    // The verifier must know the answer again that it has accepted in another process.
    recall: async (input) => void (await submit(input)),
  };
}

const schemas = new Map<boolean, JsonObject>();

/** Made once: runs that are given the same object share what is made of it. */
function schemaOf(contract: RunSpec["contract"]): JsonObject {
  const isHandoff = contract === "handoff";
  const known = schemas.get(isHandoff);
  if (known) return known;
  const made = withoutBounds(isHandoff ? handoffInputJsonSchema() : reportInputJsonSchema());
  schemas.set(isHandoff, made);
  return made;
}

/** Bounds that the check tells in words when they are broken; a model that reads them all pays for it. */
const bounds: ReadonlySet<string> = new Set([
  "$schema",
  "additionalProperties",
  "default",
  "maximum",
  "maxItems",
  "maxLength",
  "minimum",
  "minItems",
  "minLength",
  "propertyNames",
]);

function withoutBounds(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (bounds.has(key) ? undefined : value)),
  ) as JsonObject;
}
