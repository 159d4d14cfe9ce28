// Keys of a definition that mean nothing here: kept as they are, with a warning for those that were
// probably meant as another key.
import type { YamlEntry } from "../../base/data/read-yaml.ts";
import { suggest } from "../../base/text/suggest.ts";
import { definitionKeys } from "../agent-definition.ts";
import type { FieldReader } from "./field-reader.ts";

/** Keys that other programs read, and that look like a misspelt key of ours. */
const foreignKeys = new Set([
  "mode",
  "type",
  "role",
  "tags",
  "title",
  "version",
  "author",
  "category",
  "license",
  "metadata",
  "temperature",
  "triggers",
  "examples",
  "dependencies",
  "priority",
  "domain",
  "tier",
  "argument-hint",
]);
/** Keys of Claude Code that have no effect here, and why. */
const idleKeys: Readonly<Record<string, string>> = {
  autoCompactWindow:
    "when a conversation is summarised follows from the model's window and CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
  observer: "no agent watches another one here",
  observerMessage: "no agent watches another one here",
  observeSubagents: "no agent watches another one here",
  experimental: "how long prompts are kept in the provider's cache is not set by an agent here",
};

const spellings: Readonly<Record<string, string>> = {
  allowedtools: "tools",
  allowtools: "tools",
  toolnames: "tools",
};

export function readUnknownKeys(reader: FieldReader): Record<string, unknown> {
  const unknown = Object.fromEntries(
    Object.entries(reader.data).filter(([key]) => !definitionKeys.has(key)),
  );
  for (const key of Object.keys(unknown)) {
    const idle = Object.hasOwn(idleKeys, key) ? idleKeys[key] : undefined;
    if (idle !== undefined) {
      reader.warn(key, { code: "idle-key", message: `\`${key}\` has no effect here: ${idle}` });
      continue;
    }
    const near = foreignKeys.has(key) ? undefined : nearKey(key);
    if (near)
      reader.warn(key, {
        code: "near-miss-key",
        message: `\`${key}\`: did you mean \`${near}\`?`,
        suggestion: near,
      });
  }
  return unknown;
}

function nearKey(key: string): string | undefined {
  const plain = key.replace(/[-_ ]/g, "").toLowerCase();
  return (
    spellings[plain] ??
    suggest(plain, definitionKeys) ??
    (suggest(plain, ["allowedTools"]) && "disallowedTools")
  );
}

/**
 * `Name`, `Tools` or `disallowed_tools` count as the right key if that is absent: such a key only
 * names or narrows. The warning stays.
 */
export function adoptKeyVariants(
  data: Record<string, unknown>,
  entries: Map<string, YamlEntry>,
): Record<string, unknown> {
  const adopted = { ...data };
  for (const key of Object.keys(data)) {
    const meant = ["name", "description", "tools", "disallowedTools"].find(
      (name) => name.toLowerCase() === key.replace(/[-_]/g, "").toLowerCase(),
    );
    const entry = entries.get(key);
    if (meant === undefined || meant === key || Object.hasOwn(data, meant)) continue;
    adopted[meant] = data[key];
    if (entry) entries.set(meant, entry);
  }
  return adopted;
}
