// Facts on their way to disk lose their secrets: every text in them, however deep. What nothing was found in is passed on as it is.
import { maskSecrets } from "../base/secret-scan.ts";

/** Signatures and media are opaque, and a provider wants them back byte for byte. */
const opaque: ReadonlySet<string> = new Set(["thinking.signature", "redacted_thinking.data", "base64.data", "tool_use.extra_content", "thinking.extra_content", "web_search_result.encrypted_content"]);
/** Names under which a value counts as `name=value`. */
const telling = /pass|pwd|secret|token|key|credential|auth/i;
/** The longest text that a name and a value are joined for. */
const longestValue = 4_000;

/** A copy where something was masked, the same object where not: whoever else holds the fact sees no change. */
export function maskFact<T>(fact: T, known: readonly string[]): T {
  return masked(fact, known) as T;
}

function masked(value: unknown, known: readonly string[]): unknown {
  if (typeof value === "string") return maskSecrets(value, known);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => masked(item, known));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  const { type } = value as { type?: unknown };
  for (const [key, item] of Object.entries(value)) {
    const clean = typeof type === "string" && opaque.has(`${type}.${key}`) ? item : field(key, item, known);
    if (clean !== item) (copy ??= { ...value })[key] = clean;
  }
  return copy ?? value;
}

function field(key: string, item: unknown, known: readonly string[]): unknown {
  const clean = masked(item, known);
  if (typeof clean !== "string" || clean.length > longestValue || !telling.test(key)) return clean;
  const named = `${key}=${clean}`;
  const hidden = maskSecrets(named);
  return hidden === named ? clean : hidden.slice(key.length + 1);
}
