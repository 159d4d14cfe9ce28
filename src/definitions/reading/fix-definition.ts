// Rewrites the frontmatter of a definition as strict YAML with today's names. The body stays
// unchanged, and the meaning is compared before and after.
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { readFrontmatter } from "../../base/data/frontmatter.ts";
import { definitionKeys } from "../agent-definition.ts";
import type { AgentDefinition, DefinitionOrigin } from "../agent-definition.ts";
import { readDefinition } from "./read-definition.ts";

export type DefinitionFix = { text: string; fixed: string[] };

/** Problems that a rewrite removes without guessing. */
const fixable = new Set([
  "tolerant-yaml",
  "frontmatter-start",
  "frontmatter-end",
  "unquoted-hash",
  "tool-case",
  "dropped-tool",
  "tools-all",
  "tools-empty",
  "model-name",
  "model-list",
  "number-as-text",
  "control-characters",
  "near-miss-key",
  "word-case",
  "absent-mode",
  "duplicate-key",
]);

/**
 * Undefined if there is nothing to repair, or nothing that can be repaired without changing the
 * meaning.
 */
export function fixDefinition(text: string, origin: DefinitionOrigin): DefinitionFix | undefined {
  const before = readDefinition(text, origin);
  if (!before.definition || !before.problems.some((problem) => fixable.has(problem.code)))
    return undefined;
  const { data, bodyOffset } = readFrontmatter(text, definitionKeys);
  const newline = text.slice(0, bodyOffset).includes("\r\n") ? "\r\n" : "\n";
  const yaml = stringify(rewritten(data, before.definition), {
    lineWidth: 0,
    blockQuote: "literal",
    aliasDuplicateObjects: false,
  });
  const head = `---\n${yaml}---\n`.replaceAll("\n", newline);
  const after = head + text.slice(bodyOffset);
  const again = readDefinition(after, origin);
  if (
    !again.definition ||
    !isDeepStrictEqual(meaning(again.definition), meaning(before.definition))
  )
    return undefined;
  const left = again.problems.map((problem) => problem.code);
  const fixed = before.problems
    .filter((problem) => fixable.has(problem.code) && !left.includes(problem.code))
    .map((problem) => problem.message);
  return fixed.length > 0 ? { text: after, fixed } : undefined;
}

const meaning = ({
  unknownKeys: _unknown,
  ...definition
}: AgentDefinition): Omit<AgentDefinition, "unknownKeys"> => definition;

/** Fields whose understood value may replace the written one. */
const plainFields = new Set([
  "name",
  "description",
  "model",
  "permissionMode",
  "memory",
  "isolation",
  "contract",
  "maxTurns",
  "timeoutMs",
  "maxTokens",
]);

function rewritten(
  data: Record<string, unknown>,
  definition: AgentDefinition,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(data)) {
    const key = knownSpelling(given, data);
    const read = (definition as unknown as Record<string, unknown>)[key];
    if ((key === "tools" || key === "disallowedTools") && read === undefined) continue;
    if (key === "tools" || key === "disallowedTools")
      out[key] = Array.isArray(value) ? read : (read as string[]).join(", ");
    else if (plainFields.has(key) && read !== undefined) out[key] = read;
    else out[key] = value;
  }
  return out;
}

/**
 * `disallowed_tools` becomes `disallowedTools` if that key is free; less certain keys keep their
 * name.
 */
function knownSpelling(key: string, data: Record<string, unknown>): string {
  if (definitionKeys.has(key)) return key;
  const plain = key.replace(/[-_]/g, "").toLowerCase();
  const known = ["name", "description", "tools", "disallowedTools"].find(
    (name) => name.toLowerCase() === plain,
  );
  return known !== undefined && !Object.hasOwn(data, known) ? known : key;
}
