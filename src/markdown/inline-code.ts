// The code spans of one block's text. Offsets count from the start of the text.

/** `start`, `end`: with the marks; `from`: where the inner text begins. */
export type InlineCode = { start: number; end: number; from: number; text: string };
const backtick = 96;

/** Runs of backticks close only at a run of their own length; what never closes is text. */
export function inlineCode(text: string): InlineCode[] {
  if (!text.includes("`")) return [];
  const runs: [number, number][] = [];
  for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at)) {
    const start = at;
    while (text.charCodeAt(at) === backtick) at++;
    runs.push([start, at - start]);
  }
  // For each run the next one of the same length, found from behind: linear however many there are.
  const next: number[] = runs.map(() => -1);
  const last = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const width = runs[index]![1];
    next[index] = last.get(width) ?? -1;
    last.set(width, index);
  }
  const spans: InlineCode[] = [];
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
