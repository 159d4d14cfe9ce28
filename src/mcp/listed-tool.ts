// A server's description of a tool, made safe to show: bounded, without control or invisible
// characters, with a fingerprint that reveals later changes.
import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../base/data/json.ts";
import { isObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import { printable } from "../base/text/printable.ts";

export type Annotations = {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
};

export type ListedTool = {
  /** The server's own name for it. */
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** The server's claims: hints for the policy, never a proof. */
  annotations: Annotations;
  fingerprint: string;
};

export type ListedTools = { tools: ListedTool[]; problems: string[] };

/**
 * `offered` is the answer to `tools/list`. A tool that is too large to show is left out with a
 * sentence.
 */
export function listedTools(server: string, offered: readonly unknown[]): ListedTools {
  const result: ListedTools = { tools: [], problems: [] };
  if (offered.length > limits.mcp.tools)
    result.problems.push(
      `MCP server ${server} offers ${offered.length} tools; the first ${limits.mcp.tools} are used`,
    );
  for (const tool of offered.slice(0, limits.mcp.tools)) {
    if (!isObject(tool) || typeof tool["name"] !== "string") continue;
    const schema = schemaText(tool["inputSchema"] ?? {});
    if (schema === undefined || schema.length > limits.mcp.schemaBytes) {
      result.problems.push(
        `MCP tool ${JSON.stringify(tool["name"].slice(0, 100))} of ${server} is left out: ` +
          `its input schema is over ${limits.mcp.schemaBytes / 1024} KB, or nested too deeply`,
      );
    } else result.tools.push(listedTool(tool["name"], tool, schema));
  }
  return result;
}

function schemaText(schema: unknown): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

function listedTool(name: string, tool: Record<string, unknown>, schema: string): ListedTool {
  const annotations = annotationsOf(tool["annotations"]);
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([name, tool["description"] ?? "", schema, annotations]))
    .digest("hex");
  return {
    name,
    description: shown(tool["description"], limits.mcp.descriptionCharacters),
    inputSchema: cleanSchema(JSON.parse(schema) as Json),
    annotations,
    fingerprint,
  };
}

function annotationsOf(value: unknown): Annotations {
  const annotations: Annotations = {};
  if (!isObject(value)) return annotations;
  for (const hint of [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
  ] as const) {
    if (typeof value[hint] === "boolean") annotations[hint] = value[hint];
  }
  return annotations;
}

function shown(text: unknown, max: number): string {
  if (typeof text !== "string") return "";
  const clean = printable(text.slice(0, max * 4)).trim();
  return clean.length <= max ? clean : `${clean.slice(0, max)}… [cut]`;
}

/**
 * Providers want an object at the root. Only descriptions are cleaned: values and patterns must
 * reach the server unchanged.
 */
function cleanSchema(schema: Json): JsonObject {
  const clean = isObject(schema) ? (cleanWords(schema, 0) as JsonObject) : {};
  return clean["type"] === "object" ? clean : { ...clean, type: "object" };
}

function cleanWords(value: Json, depth: number): Json {
  if (typeof value !== "object" || value === null) return value;
  if (depth > 30) return {};
  if (Array.isArray(value)) return value.map((item) => cleanWords(item, depth + 1));
  const isWords = (key: string, item: Json): item is string =>
    (key === "description" || key === "title") && typeof item === "string";
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isWords(key, item)
        ? shown(item, limits.mcp.descriptionCharacters)
        : cleanWords(item, depth + 1),
    ]),
  );
}
