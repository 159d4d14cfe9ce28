// What the runtime itself wrote into a report needs no reading: its places hold because they were
// computed. Everything else in the text is read like anybody's.
import type { MarkedText } from "../../contract/report-tool/marked-text.ts";
import type { Check } from "../verdict.ts";
import type { LookedUp } from "./lookup.ts";

/** Checks that are settled, the stretches of the text that they stand for, and words of the runtime. */
export type KnownChecks = {
  checks: readonly Check[];
  regions: readonly [number, number][];
  own: readonly [number, number][];
};

/** For a report that somebody else wrote. */
export const nothingKnown: KnownChecks = { checks: [], regions: [], own: [] };

/** The checks of a rendered report, from what was looked up for its entries. */
export function knownChecks(
  { text, marks, own }: MarkedText,
  lookups: { findings: readonly LookedUp[]; key_references: readonly LookedUp[] },
): KnownChecks {
  const checks = marks.flatMap(({ owner, part, span }): Check[] => {
    const { placed, lines, verdict, grade, reason } = lookups[owner.list][owner.index]!;
    // What ran is judged by the record, with everything else that is said of it.
    if (placed.path === null && lines === null && verdict !== "verified") return [];
    const { path, label, excerpt } = placed;
    const quote = excerpt ?? "";
    // Written out twice: an object put together from parts costs more than the rest of this function.
    if (part === "quote")
      return [
        { id: "", span, path, lines, verdict, grade, reason, kind: "quote", text: label, quote },
      ];
    const kind = lines === null ? "path" : "location";
    const written = text.slice(span[0], span[1]);
    return [{ id: "", span, path, lines, verdict, grade, reason, kind, text: written }];
  });
  return { checks, regions: checks.map(({ span }) => span), own };
}

/** The text as it is to be read: what is known is blank, so that every offset stays. */
export function unread(text: string, { regions, own }: KnownChecks): string {
  const all = [...regions, ...own].sort((a, b) => a[0] - b[0]);
  if (all.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of all) {
    const known = text.slice(start, end);
    const blank = known.includes("\n") ? known.replace(/[^\n]/g, " ") : " ".repeat(end - start);
    parts.push(text.slice(from, start), blank);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

/** Those that stand for places in files: what a file says is no word of whoever quotes it. */
export function inFiles(known: KnownChecks): KnownChecks {
  const checks = known.checks.filter(({ path }) => path !== null);
  return checks.length === known.checks.length
    ? known
    : { ...known, checks, regions: checks.map(({ span }) => span) };
}

/** The checks that were read with those that are known, in the order of the text. */
export function withKnown(read: readonly Check[], known: KnownChecks): readonly Check[] {
  if (known.checks.length === 0) return read;
  return [...read, ...known.checks].sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]);
}
