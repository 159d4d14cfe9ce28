// The library's way to a Tool: any Zod 4 object schema or plain JSON Schema, with a sentence for a
// plan that could not work.
import * as z from "zod";
import { errorText, RetinueError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/data/json.ts";
import { defineZodTool as toolOf } from "../tool/define-tool.ts";
import { errorResult, type Tool, type ToolContext, type ToolResult } from "../tool/tool.ts";

/**
 * `z.object({ … })` of Zod 4, whichever release of it the caller has: the types of two releases do
 * not fit one another.
 */
export type ZodObjectSchema = {
  readonly _zod: { readonly def: { readonly type: "object" }; readonly output: object };
};

/** A JSON Schema of an object; `run` then gets an object with values of unknown types. */
export type JsonObjectSchema = { readonly type: "object"; readonly [keyword: string]: unknown };

/** What `defineTool` takes. */
export type ToolPlan<S extends ZodObjectSchema | JsonObjectSchema> = {
  /** Letters, digits, `_` and `-`, at most 64; not the name of a built-in tool. */
  name: string;
  description: string;
  input: S;
  /**
   * True when running it changes nothing: such calls of one reply run side by side, and may be
   * repeated after a crash.
   */
  readOnly: boolean;
  /** Not read-only, and yet such calls of one reply do not get in each other's way. */
  concurrent?: boolean;
  /** Returns what the model reads: a string, or a result that says more. It may be synchronous. */
  run(input: ToolInput<S>, context: ToolContext): ToolAnswer | Promise<ToolAnswer>;
};

/** What `run` of a tool returns; a string means `{ content }`. */
export type ToolAnswer = string | ToolResult;

/** What `run` gets: the schema's output. */
export type ToolInput<S> = S extends ZodObjectSchema
  ? S["_zod"]["output"]
  : Record<string, unknown>;

/**
 * Makes a tool from a schema and a function; the function may be synchronous and may return a
 * string. Throws `RetinueError("usage")` for a plan that could not work.
 */
export function defineTool<const S extends ZodObjectSchema | JsonObjectSchema>(
  plan: ToolPlan<S>,
): Tool {
  checkPlan(plan);
  const { name, description, readOnly, concurrent, input } = plan;
  // Not async: a function that waits is kept in memory for every agent that does.
  const run = (given: object, context: ToolContext): Promise<ToolResult> =>
    promised(() => plan.run(given as ToolInput<S>, context)).then((answer) =>
      asResult(name, answer),
    );
  const rest = { name, description, readOnly, ...(concurrent ? { concurrent } : {}), run };
  if ("_zod" in input) return toolOf({ ...rest, input: input as unknown as z.ZodObject });
  return toolOf({
    ...rest,
    input: fromJsonSchema(name, input),
    inputSchema: input as unknown as JsonObject,
  });
}

function promised<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(run());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** In JavaScript a tool can return anything; the model then reads what was wrong. */
function asResult(name: string, answer: unknown): ToolResult {
  if (typeof answer === "string") return { content: answer };
  if (
    isObject(answer) &&
    (typeof answer["content"] === "string" || Array.isArray(answer["content"]))
  )
    return answer as ToolResult;
  const given = answer === null ? "null" : Array.isArray(answer) ? "an array" : typeof answer;
  return errorResult(
    `the tool ${name} returned ${given}; expected a string or { content: string | blocks }`,
  );
}

/** In JavaScript nobody says so before the model does. */
function checkPlan(plan: ToolPlan<ZodObjectSchema | JsonObjectSchema>): void {
  const wrong = (message: string): never => {
    throw new RetinueError("usage", `defineTool: ${message}`);
  };
  if (!isObject(plan)) return wrong("expected { name, description, input, readOnly, run }");
  const { name, description, input, readOnly, run } = plan as Partial<typeof plan>;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
    return wrong(`the name ${JSON.stringify(name)} must be letters, digits, _ and -, at most 64`);
  if (typeof description !== "string")
    wrong(`the description of "${name}" must be a text that tells the model what the tool does`);
  if (typeof run !== "function")
    wrong(
      `\`run\` of "${name}" must be a function (input, context) => string | { content }, or a promise of it`,
    );
  if (typeof readOnly !== "boolean")
    wrong(
      `say of "${name}" whether it is readOnly: true where running it changes nothing, else false`,
    );
  const given: unknown = input;
  if (!isObject(given) || !isObjectSchema(given))
    wrong(
      `the input of "${name}" must be an object schema: z.object({ path: z.string() }) of ` +
        `Zod 4, or a JSON Schema { type: "object", properties: { … } }`,
    );
}

/** Zod 3 has a `safeParse` and no `_zod`; of Zod 4 only an object can be a tool's input. */
function isObjectSchema(schema: Record<string, unknown>): boolean {
  if (!("_zod" in schema))
    return schema["type"] === "object" && typeof schema["safeParse"] !== "function";
  return (
    isObject(schema["_zod"]) &&
    isObject(schema["_zod"]["def"]) &&
    schema["_zod"]["def"]["type"] === "object"
  );
}

function fromJsonSchema(name: string, schema: JsonObjectSchema): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch (error) {
    throw new RetinueError(
      "usage",
      `defineTool: the JSON Schema of "${name}" cannot be used: ${errorText(error)}`,
    );
  }
}
