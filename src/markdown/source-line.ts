// One line of a Markdown text: where its content begins behind blanks and the marks of quotes.

export type SourceLine = {
  start: number;
  end: number;
  at: number;
  indent: number;
  quoted: boolean;
};

/** Puts the places of the marks of quotes into `marks`. */
export function sourceLine(
  source: string,
  [start, end]: [number, number],
  marks: number[],
): SourceLine {
  let at = start;
  let from = start;
  let quoted = false;
  for (; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === quoteMark) {
      marks.push(at);
      quoted = true;
      from = at + 2;
    } else if (code !== 32 && code !== 9) break;
  }
  return { start, end, at, indent: Math.max(0, at - from), quoted };
}

const quoteMark = 62;

/** The text with a blank at each of the places. */
export function blanked(source: string, places: readonly number[]): string {
  if (places.length === 0) return source;
  const parts: string[] = [];
  let from = 0;
  for (const at of places) {
    parts.push(source.slice(from, at));
    from = at + 1;
  }
  return [...parts, source.slice(from)].join(" ");
}
