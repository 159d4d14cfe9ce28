// A report taken apart into lines with their place in the original text: line ends, byte order mark
// and an outer fence are gone, offsets stay.

export type Line = { text: string; start: number; end: number };

/** Linear in the length of the text. */
export function reportLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start <= text.length) {
    const next = text.indexOf("\n", start);
    const stop = next < 0 ? text.length : next;
    const end = stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
    lines.push({ text: text.slice(start, end), start, end });
    start = stop + 1;
  }
  return withoutOuterFence(lines);
}

/**
 * A whole report inside ```markdown … ``` is the report. Text around the fence stays; inner fences
 * are left to the reader of sections.
 */
function withoutOuterFence(lines: Line[]): Line[] {
  const open = lines.findIndex((line) =>
    /^\s{0,3}(`{3,}|~{3,})\s*(?:markdown|md)\s*$/i.test(line.text),
  );
  if (open < 0 || !lines.slice(open + 1, open + 6).some((line) => /^#{1,3}\s/.test(line.text)))
    return lines;
  const close = lines.findLastIndex(
    (line, index) => index > open && /^\s{0,3}(`{3,}|~{3,})\s*$/.test(line.text),
  );
  return lines.filter((_, index) => index !== open && index !== close);
}
