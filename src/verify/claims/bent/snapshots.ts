// Recorded output that was recorded anew: told where neither a document nor a new word of the code says so.
import type { BentPlace } from "./test-cases.ts";
import { isSnapshot, type Change, type Files } from "./what-changed.ts";

export function rewrittenSnapshots(
  { old, now }: { old: Files; now: Files },
  change: Change,
): BentPlace[] {
  return [...old].flatMap(([path, was]): BentPlace[] => {
    const is = now.get(path);
    if (!isSnapshot(path) || is === undefined || is === was) return [];
    if (change.isDocumented || follows(was, is, change)) return [];
    const kept = new Set(valuesIn(is));
    const lost = valuesIn(was).some((value) => !kept.has(value));
    return lost || valuesIn(was).length > valuesIn(is).length
      ? [{ path, line: 1, what: "snapshots were rewritten" }]
      : [];
  });
}

const follows = (was: string, is: string, { sources, isNamed }: Change): boolean =>
  sources.length > 0 && isNamed(was, is);

/** Keys and headers change when tests are renamed; what was expected under them must stay. */
function valuesIn(text: string): string[] {
  const keyed = [...text.matchAll(/= `([\s\S]*?)`;/g)].map((match) => match[1]!.trim());
  return keyed.length > 0 ? keyed : [text.replace(/^---\n[\s\S]*?\n---\n/, "").trim()];
}
