// The links of one block's text. Offsets count from the start of the text.
import { inlineCode, type InlineCode } from "./inline-code.ts";

/** `[label](target)`, `[label]: target`, `<https://…>`. */
export type InlineLink = {
  start: number;
  end: number;
  label: string;
  from: number;
  target: string;
};

const label = String.raw`(?<!\\)\[((?:[^[\]\n]|\[[^[\]\n]*\]){0,400})\]`;
/** Bounded, because the engine keeps a place to return to for every pair of brackets. */
const target = String.raw`\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*){0,40})>?(?:\s+["'][^"'\n]*["'])?\)`;
const link = new RegExp(String.raw`${label}(?:${target}|:[ \t]+<?(\S+?)>?[ \t]*$)`, "gm");

/** Links that stand outside of code spans. */
export function inlineLinks(
  text: string,
  spans: readonly InlineCode[] = inlineCode(text),
): InlineLink[] {
  if (!text.includes("](") && !text.includes("]:")) return [];
  const found: InlineLink[] = [];
  let span = 0;
  for (const match of text.matchAll(link)) {
    const start = match.index;
    while (span < spans.length && spans[span]!.end <= start) span++;
    if (span < spans.length && spans[span]!.start < start) continue;
    const written = match[2] ?? match[3] ?? "";
    const end = start + match[0].length;
    const from = written === "" ? end : text.indexOf(written, start + match[1]!.length + 2);
    found.push({ start, end, label: match[1]!, from, target: written });
  }
  return found;
}
