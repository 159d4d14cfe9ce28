// Puts unique relocations right in the text: the same content stands at exactly one other place, so
// nobody has to be asked. Only what then verifies is kept.
import type { Check } from "../verdict.ts";

export type Correction = { id: string; span: [number, number]; text: string };

/** The reference rewritten to its suggestion; undefined where its shape leaves room for doubt. */
export function correctionOf(check: Check): Correction | undefined {
  const { verdict, grade, suggestion, path, lines, text } = check;
  if (verdict !== "relocated" || grade === "X" || !suggestion) return undefined;
  const moved =
    path === null || suggestion.path === path ? text : replaceOnce(text, path, suggestion.path);
  if (moved === undefined) return undefined;
  if (lines === null)
    return moved === text ? undefined : { id: check.id, span: check.span, text: moved };
  const numbered = renumbered(moved, lines, suggestion.line);
  return numbered === undefined || numbered === text
    ? undefined
    : { id: check.id, span: check.span, text: numbered };
}

function replaceOnce(text: string, from: string, to: string): string | undefined {
  const at = text.indexOf(from);
  return at >= 0 && text.indexOf(from, at + 1) < 0
    ? text.slice(0, at) + to + text.slice(at + from.length)
    : undefined;
}

/** The line numbers are the last numbers of the reference; a range keeps its length. */
function renumbered(
  text: string,
  [first, last]: [number, number],
  line: number,
): string | undefined {
  const wanted = first === last ? [first] : [first, last];
  const numbers = [...text.matchAll(/\d+/g)].slice(-wanted.length);
  if (
    numbers.length !== wanted.length ||
    numbers.some((match, index) => Number(match[0]) !== wanted[index])
  )
    return undefined;
  return numbers.reduceRight(
    (rest, match) =>
      rest.slice(0, match.index) +
      String(Number(match[0]) + line - first) +
      rest.slice(match.index + match[0].length),
    text,
  );
}

/** Non-overlapping corrections, in the order of the text. */
export function applyCorrections(report: string, corrections: readonly Correction[]): string {
  let text = "";
  let at = 0;
  for (const { span, text: written } of [...corrections].sort((a, b) => a.span[0] - b.span[0])) {
    if (span[0] < at) continue;
    text += report.slice(at, span[0]) + written;
    at = span[1];
  }
  return text + report.slice(at);
}
