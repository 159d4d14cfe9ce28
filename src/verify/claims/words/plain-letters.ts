// Letters that only look different, "ＡＬＬ ＴＥＳＴＳ", "𝗽𝗮𝘀𝘀", "ﬁxed": read as the letters they stand for,
// with a way back to where they stood.

export type PlainLetters = {
  text: string;
  /** From an offset of `text` to one of the text as it was written. */
  original: (offset: number) => number;
};

/** Full-width forms, letters of mathematics, circled letters, ligatures; powers and fractions are figures. */
const other =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\ufb00-\ufb06\u24b6-\u24e9]|[\u{1d400}-\u{1d7ff}]/u;
const others = new RegExp(other.source, "gu");

export function plainLetters(written: string): PlainLetters {
  if (!other.test(written)) return { text: written, original: (offset) => offset };
  /** Where a piece begins in the plain text and in the written one. */
  const pieces: { plain: number; own: number }[] = [{ plain: 0, own: 0 }];
  let text = "";
  let last = 0;
  for (const { index, 0: letter } of written.matchAll(others)) {
    text += written.slice(last, index) + letter.normalize("NFKC");
    last = index + letter.length;
    pieces.push({ plain: text.length, own: last });
  }
  text += written.slice(last);
  const original = (offset: number): number => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pieces[middle]!.plain <= offset) low = middle;
      else high = middle - 1;
    }
    const next = pieces[low + 1]?.own ?? written.length;
    return Math.min(next, pieces[low]!.own + offset - pieces[low]!.plain);
  };
  return { text, original };
}
