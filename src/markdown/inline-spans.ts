// Code spans and links of one block's text. Offsets count from the start of the text.

/** `start`, `end`: with the marks; `from`: where the inner text begins. */
export type CodeSpan = { start: number; end: number; from: number; text: string };
/** `[label](target)`, `[label]: target`, `<https://…>`. */
export type Link = { start: number; end: number; label: string; from: number; target: string };

const backtick = 96;

/** Runs of backticks close only at a run of their own length; what never closes is text. */
export function codeSpans(text: string): CodeSpan[] {
  if (!text.includes("`")) return [];
  const runs: [number, number][] = [];
  for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at)) {
    const start = at;
    while (text.charCodeAt(at) === backtick) at++;
    runs.push([start, at - start]);
  }
  // For each run the next one of the same length, found from behind: linear however many there are.
  const next = new Array<number>(runs.length);
  const last = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const width = runs[index]![1];
    next[index] = last.get(width) ?? -1;
    last.set(width, index);
  }
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index++) {
    const close = next[index]!;
    if (close < 0) continue;
    const [start, width] = runs[index]!;
    const end = runs[close]![0];
    spans.push({
      start,
      end: end + width,
      from: start + width,
      text: text.slice(start + width, end),
    });
    index = close;
  }
  return spans;
}

const link =
  /(?<!\\)\[((?:[^[\]\n]|\[[^[\]\n]*\]){0,400})\](?:\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+["'][^"'\n]*["'])?\)|:[ \t]+<?(\S+?)>?[ \t]*$)/gm;

/** Links that stand outside of code spans. */
export function links(text: string, spans: readonly CodeSpan[] = codeSpans(text)): Link[] {
  if (!text.includes("](") && !text.includes("]:")) return [];
  const found: Link[] = [];
  let span = 0;
  for (const match of text.matchAll(link)) {
    const start = match.index;
    while (span < spans.length && spans[span]!.end <= start) span++;
    if (span < spans.length && spans[span]!.start < start) continue;
    const target = match[2] ?? match[3] ?? "";
    const end = start + match[0].length;
    const from = target === "" ? end : text.indexOf(target, start + match[1]!.length + 2);
    found.push({ start, end, label: match[1]!, from, target });
  }
  return found;
}
