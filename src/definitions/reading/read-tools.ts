// Reads the tool lists of a definition in all the ways in which they are written. An unknown name
// never widens anything.
import { parseRule, splitRuleList } from "../../base/parse-rule.ts";
import { suggest } from "../../base/text/suggest.ts";
import {
  builtInTools,
  canonicalToolName,
  foreignTools,
  isKnownTool,
  rightlyCased,
} from "../../base/tool-names.ts";
import type { FieldReader } from "./field-reader.ts";

const elsewhere: ReadonlySet<string> = new Set(foreignTools);
const dropped = new Set(["MultiEdit", "LS"]);

/** Undefined: inherit. An empty list: no tools. */
export function readTools(reader: FieldReader, own: Iterable<string>): string[] | undefined {
  const value = reader.data["tools"];
  if (value === undefined) return undefined;
  if (value === null) {
    reader.warn("tools", {
      code: "tools-empty",
      message: "`tools` has no value, so all tools are inherited",
      suggestion: "remove the key to inherit, or write `tools: []` for none",
    });
    return undefined;
  }
  const items = toolItems(reader, "tools", own);
  if (!items || items.some((item) => item === "*")) return undefined;
  if (/^all(?: tools)?$/i.test(items.join(" "))) {
    reader.warn("tools", {
      code: "tools-all",
      message: `\`tools: ${items.join(" ")}\` is read as: inherit all`,
      suggestion: 'remove the key, or write `tools: "*"`',
    });
    return undefined;
  }
  if (/^none$/i.test(items.join(" "))) return [];
  const { entries, unknown } = understand(reader, { key: "tools", items, own });
  if (items.length > 0 && unknown.length === entries.length) {
    reader.fault("tools", {
      code: "no-known-tool",
      message: `none of the tools exists here (${unknown.join(", ").slice(0, 200)}), so the agent cannot be started`,
      suggestion: `known: ${builtInTools.join(", ")}`,
    });
  }
  if (entries.some((entry) => /^Agent(?:\(|$)/.test(entry)))
    reader.warn("tools", {
      code: "agent-tool",
      message:
        "`tools` names Agent: as a main thread it starts agents (`retinue run --agent NAME`), " +
        "as a sub-agent it gets no Agent tool",
    });
  return entries;
}

export function readDisallowedTools(
  reader: FieldReader,
  own: Iterable<string>,
): string[] | undefined {
  if (!reader.has("disallowedTools")) return undefined;
  const items = toolItems(reader, "disallowedTools", own);
  return items && understand(reader, { key: "disallowedTools", items, own }).entries;
}

/**
 * A text with commas, a list, words separated by blanks, or a list in brackets that YAML did not
 * read as one.
 */
function toolItems(reader: FieldReader, key: string, own: Iterable<string>): string[] | undefined {
  const value = reader.data[key];
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!parts.every((part) => typeof part === "string")) {
    reader.refuse(key, {
      code: "invalid-tools",
      message: `\`${key}\` must be a list of tool names`,
      suggestion: `${key}: Read, Grep, Glob`,
    });
    return undefined;
  }
  return parts
    .map((part) => part.trim().replace(/^\[(.*)\]$/s, "$1"))
    .flatMap((part) => (key === "tools" ? itemsOf(part, own) : splitRuleList(part)))
    .map(clean)
    .filter((item) => item !== "");
}

/**
 * Commas separate. Blanks separate too if most words are tools: "Task Planner" is no tool and must
 * not become Task.
 */
function itemsOf(text: string, own: Iterable<string>): string[] {
  if (!/\s/.test(text.trim()) || text.includes("(")) return splitRuleList(text);
  const isTool = (word: string): boolean =>
    isKnownTool(word) ||
    elsewhere.has(word) ||
    rightlyCased(word) !== undefined ||
    [...own].includes(word);
  return text.split(",").flatMap((phrase) => {
    const words = splitRuleList(phrase);
    return words.filter((word) => isTool(clean(word))).length * 2 > words.length
      ? words
      : [phrase.trim()];
  });
}

const clean = (item: string): string => item.replace(/^[`"'-]+|[`"';.]+$/g, "");

type Unknown = { item: string; near?: string; reason?: string };

function understand(
  reader: FieldReader,
  list: { key: string; items: string[]; own: Iterable<string> },
): { entries: string[]; unknown: string[] } {
  const names = [...builtInTools, ...list.own];
  const entries: string[] = [];
  const unknown = new Map<string, Unknown>();
  for (const item of new Set(list.items)) {
    const name = item.split("(", 1)[0]!;
    const cased = rightlyCased(name, list.own);
    const written = cased === undefined ? item : cased + item.slice(name.length);
    // What is taken away may leave the server open: `mcp__*`.
    const isTaken = list.key === "disallowedTools";
    const parsed = parseRule(written, { tools: list.own, ...(isTaken && { list: "deny" }) });
    entries.push(
      parsed.ok
        ? parsed.rule.tool +
            (parsed.rule.specifier === undefined ? "" : `(${parsed.rule.specifier})`)
        : item,
    );
    if (written !== item)
      reader.warn(list.key, {
        code: "tool-case",
        message: `the tool "${name}" is written ${canonicalToolName(cased!)}`,
        suggestion: canonicalToolName(cased!),
      });
    else if (dropped.has(name))
      reader.warn(list.key, {
        code: "dropped-tool",
        message: `the tool ${name} no longer exists; ${canonicalToolName(name)} takes its place`,
        suggestion: canonicalToolName(name),
      });
    if (parsed.ok) continue;
    const isName = names.includes(canonicalToolName(name)) || name.startsWith("mcp__");
    const near = isName || elsewhere.has(name) ? undefined : suggest(name, names);
    unknown.set(item, {
      item,
      ...(near !== undefined && { near }),
      ...(isName && { reason: parsed.problem.message }),
    });
  }
  reportUnknown(reader, list.key, [...unknown.values()]);
  return { entries: [...new Set(entries)], unknown: [...unknown.keys()] };
}

/**
 * A misspelt name in `disallowedTools` would leave that tool open, so the file is not used. In
 * `tools` the tool is only missing.
 */
function reportUnknown(reader: FieldReader, key: string, unknown: Unknown[]): void {
  for (const { item, near, reason } of unknown.filter(
    (one) => one.near !== undefined || one.reason !== undefined,
  )) {
    const complaint = {
      code: "unknown-tool",
      message: reason ?? `there is no tool named "${item.slice(0, 80)}": did you mean ${near}?`,
      ...(near !== undefined && { suggestion: near }),
    };
    if (key === "disallowedTools") reader.refuse(key, complaint);
    else reader.warn(key, complaint);
  }
  const far = unknown
    .filter((one) => one.near === undefined && one.reason === undefined)
    .map((one) => one.item);
  const [absent, foreign] = [
    far.filter((item) => elsewhere.has(item)),
    far.filter((item) => !elsewhere.has(item)),
  ];
  if (absent.length > 0)
    reader.warn(key, {
      code: "absent-tool",
      message:
        `Claude Code's ${absent.join(", ")} ${absent.length > 1 ? "do" : "does"} not exist ` +
        "here; the agent runs without",
    });
  const likeMcp = foreign.some((item) => /^mcp|\/|\.mcp/i.test(item));
  if (foreign.length > 0)
    reader.warn(key, {
      code: "unknown-tool",
      message: `there is no tool named ${foreign
        .map((item) => `"${item.slice(0, 60)}"`)
        .join(", ")
        .slice(0, 400)}`,
      ...(likeMcp && {
        suggestion:
          "tools of an MCP server are written mcp__SERVER__TOOL, all of one server's mcp__SERVER",
      }),
    });
}
