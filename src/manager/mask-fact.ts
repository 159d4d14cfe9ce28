// Facts on their way to disk lose their secrets: every text in them, however deep. What nothing was found in is passed on as it is.
import { maskSecrets } from "../base/secret-scan.ts";

/** Signatures and media are opaque, and a provider wants them back byte for byte. */
const opaque: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["thinking", ["signature", "extra_content"]],
  ["redacted_thinking", ["data"]],
  ["base64", ["data"]],
  ["tool_use", ["extra_content"]],
  ["web_search_result", ["encrypted_content"]],
]);
/** What the one writer of a run stamps on a fact: ids that were made here. */
const stamps: readonly string[] = ["agentId", "runId"];
/** Names under which a value counts as `name=value`. */
const telling = /pass|pwd|secret|token|key|credential|auth/i;
const tellingNames = new Map<string, boolean>();
const mostNames = 1_000;
/** Texts of every fact that say nothing but what kind of thing it is. */
const kinds: ReadonlySet<string> = new Set(["message", "user", "assistant", "prompt", "reply", "tool_results", "text", "thinking", "tool_use", "tool_result", "end_turn"]);
const longestKind = 12;
/** The longest text that a name and a value are joined for. */
const longestValue = 4_000;

/** A copy where something was masked, the same object where not: whoever else holds the fact sees no change. */
export function maskFact<T extends object>(fact: T, known: readonly string[]): T {
  return maskedFields(fact, known, stamps) as T;
}

function masked(value: unknown, known: readonly string[]): unknown {
  if (typeof value === "string") return value.length <= longestKind && kinds.has(value) ? value : maskSecrets(value, known);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? maskedItems(value, known) : maskedFields(value, known, opaque.get((value as { type?: unknown }).type));
}

function maskedItems(items: readonly unknown[], known: readonly string[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const clean = masked(items[index], known);
    if (clean !== items[index]) (copy ??= [...items])[index] = clean;
  }
  return copy ?? items;
}

function maskedFields(value: object, known: readonly string[], untouched: readonly string[] | undefined): object {
  let copy: Record<string, unknown> | undefined;
  // The one loop over names whose values cost no lookup; facts are plain data and inherit nothing.
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "number" || typeof item === "boolean" || untouched?.includes(key)) continue;
    const clean = field(key, item, known);
    if (clean !== item) (copy ??= { ...value })[key] = clean;
  }
  return copy ?? value;
}

function field(key: string, item: unknown, known: readonly string[]): unknown {
  const clean = masked(item, known);
  if (typeof clean !== "string" || clean.length > longestValue || !isTelling(key)) return clean;
  const named = `${key}=${clean}`;
  const hidden = maskSecrets(named);
  return hidden === named ? clean : hidden.slice(key.length + 1);
}

/** The same few names come in every fact. */
function isTelling(name: string): boolean {
  const seen = tellingNames.get(name);
  if (seen !== undefined) return seen;
  if (tellingNames.size >= mostNames) tellingNames.clear();
  const tells = telling.test(name);
  tellingNames.set(name, tells);
  return tells;
}
