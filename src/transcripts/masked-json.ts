// Removes the secrets from everything that is written to disk, at any depth. A value without
// secrets is returned unchanged.
import { toJson } from "../base/data/jsonl.ts";
import { maskSecrets } from "../base/secrets/find-secrets.ts";

/** Signatures and media are opaque: a provider wants them back byte for byte. */
const opaque: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["thinking", ["signature", "extra_content"]],
  ["redacted_thinking", ["data"]],
  ["base64", ["data"]],
  ["tool_use", ["extra_content"]],
  ["web_search_result", ["encrypted_content"]],
]);
/** Names whose value is searched as `name=value`. */
const telling = /pass|pwd|secret|token|key|credential|auth/i;
const tellingNames = new Map<string, boolean>();
const mostNames = 1_000;
/** A name and a value are searched together up to this length. */
const longestValue = 4_000;

/** JSON of a value without its secrets. */
export const maskedJson = (value: unknown, known: readonly string[]): string =>
  toJson(masked(value, known));

/**
 * A copy if something was masked, else the same value; other holders of the value see no change.
 */
export function masked<T>(value: T, known: readonly string[]): T;
export function masked(value: unknown, known: readonly string[]): unknown {
  if (typeof value === "string") {
    searched += value.length;
    const clean = maskSecrets(value, known);
    if (clean !== value) hidden += 1;
    return clean;
  }
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? maskedItems(value, known)
    : maskedFields(value, known, opaque.get((value as { type?: unknown }).type));
}

/**
 * Lists and notes that were found to hold nothing secret, with the values that were known then: what a
 * run says is written once, and read again when its answer is checked. Messages are never changed.
 */
const clean = new WeakMap<object, readonly string[]>();
/** What is shorter is searched again sooner than it is remembered. */
const worthRemembering = 2_000;
/** Characters so far. */
let searched = 0;
/** Texts so far in which something was masked. */
let hidden = 0;

/** Unchanged by a piece of work that masked nothing: what it wrote needs no second search. */
export const maskedSoFar = (): number => hidden;

/** The same; asked again for the same value, it is not searched again. */
export function maskedOnce<T extends object>(value: T, known: readonly string[]): T {
  if (clean.get(value) === known) return value;
  const before = searched;
  const found = masked(value, known);
  if (found === value && searched - before >= worthRemembering) clean.set(value, known);
  return found;
}

function maskedItems(items: readonly unknown[], known: readonly string[]): readonly unknown[] {
  if (clean.get(items) === known) return items;
  const before = searched;
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const clean = masked(items[index], known);
    if (clean !== items[index]) (copy ??= [...items])[index] = clean;
  }
  if (!copy && searched - before >= worthRemembering) clean.set(items, known);
  return copy ?? items;
}

function maskedFields(
  value: object,
  known: readonly string[],
  untouched: readonly string[] | undefined,
): object {
  let copy: Record<string, unknown> | undefined;
  // This loop over names needs no look-up of values; recorded data is plain and inherits nothing.
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
  const shown = maskSecrets(named);
  if (shown === named) return clean;
  hidden += 1;
  return shown.slice(key.length + 1);
}

/** Every message has the same few names. */
function isTelling(name: string): boolean {
  const seen = tellingNames.get(name);
  if (seen !== undefined) return seen;
  if (tellingNames.size >= mostNames) tellingNames.clear();
  const tells = telling.test(name);
  tellingNames.set(name, tells);
  return tells;
}
