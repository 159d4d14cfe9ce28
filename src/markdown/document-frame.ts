// What stands around the text of a document: metadata before it, a fence around the whole of it.

export type DocumentFrame = { textStart: number; fenceLines: [number, number] };

/** Where the text begins, and the starts of the two lines of a fence around all of it (-1: none). */
export function documentFrame(source: string): DocumentFrame {
  return { textStart: frontmatterEnd(source), fenceLines: outerFence(source) };
}

/** The lines of ```markdown and ``` around a whole report, as offsets of their starts. */
function outerFence(source: string): [number, number] {
  const open =
    source.includes("```") || source.includes("~~~")
      ? /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*$/im.exec(source)
      : null;
  if (!open) return [-1, -1];
  const body = source.slice(open.index + open[0].length, open.index + open[0].length + 2000);
  if (!body.split("\n", 7).some((line) => /^#{1,3}\s/.test(line))) return [-1, -1];
  let close = source.length;
  for (let end = source.length; end > open.index;) {
    const start = source.lastIndexOf("\n", end - 1) + 1;
    if (start <= open.index) break;
    if (end - start < 80 && /^[ \t]{0,3}(?:`{3,}|~{3,})\s*$/.test(source.slice(start, end))) {
      close = start;
      break;
    }
    end = start - 1;
  }
  return [open.index, close < source.length ? close : -1];
}

/** Where the text begins behind a byte order mark and a block of metadata. */
function frontmatterEnd(source: string): number {
  const start = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!source.startsWith("---\n", start) && !source.startsWith("---\r\n", start)) return start;
  const close = source.slice(start, start + 20_000).search(/\n---[ \t]*\r?(?:\n|$)/);
  const body = close < 0 ? "" : source.slice(start + 4, start + close);
  return /^[ \t]*[\w-]+[ \t]*:/.test(body) ? start + close + 4 : start;
}
