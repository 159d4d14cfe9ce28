// One normal form for code: spacing aside, two pieces of code are equal exactly when their normal forms are.

const spacing = /[^\S\n]+|[\u200b\ufeff]+/g;
const looseSpace = / (?![\w$\u0080-\uffff])|(?<![\w$\u0080-\uffff]) /g;

/** Spacing survives only between two words, as one blank; line breaks stay. */
export function normaliseCode(text: string): string {
  if (isAscii(text)) return normaliseAscii(text);
  return text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(spacing, " ")
    .replace(looseSpace, "");
}

/** The same in one pass: most lines of code are ASCII, and most have few blanks to take out. */
function normaliseAscii(text: string): string {
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > blank || code === newline) continue;
    if (code === carriageReturn) {
      out += text.slice(from, at);
      if (text.charCodeAt(at + 1) !== newline) out += "\n";
      from = at + 1;
    } else if (isBlank(code)) {
      const end = blanksEnd(text, at);
      const kept = parts(text, at, end);
      if (!kept || end !== at + 1 || code !== blank) {
        out += kept ? `${text.slice(from, at)} ` : text.slice(from, at);
        from = end;
      }
      at = end - 1;
    }
  }
  return from === 0 ? text : out + text.slice(from);
}

export type NormalForm = { text: string; starts: number[]; lines: number[] };

/** A text in normal form without its blank lines; `lines` maps its rows to line numbers. */
export function normalForm(given: string): NormalForm {
  const rows: string[] = [];
  const starts: number[] = [];
  const lines: number[] = [];
  let length = 0;
  normaliseCode(given)
    .split("\n")
    .forEach((row, index) => {
      if (row === "") return;
      rows.push(row);
      starts.push(length);
      lines.push(index + 1);
      length += row.length + 1;
    });
  return { text: rows.join("\n"), starts, lines };
}

function blanksEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Whether the blanks text[at, end) stand between two words. */
const parts = (text: string, at: number, end: number): boolean =>
  at > 0 &&
  isWordCode(text.charCodeAt(at - 1)) &&
  end < text.length &&
  isWordCode(text.charCodeAt(end));

const newline = 10;
const carriageReturn = 13;
const blank = 32;

function isBlank(code: number): boolean {
  return code === blank || code === 9 || code === 11 || code === 12;
}

const beyondAscii = /[^\0-\x7f]/;
const isAscii = (text: string): boolean => !beyondAscii.test(text);

/** Letters, digits, `_`, `$` and everything beyond ASCII. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}

/** Whether text[start, end) does not cut a word in two at either end. */
export function atWordBounds(text: string, start: number, end: number): boolean {
  const opens =
    start === 0 || !isWordCode(text.charCodeAt(start)) || !isWordCode(text.charCodeAt(start - 1));
  return (
    opens &&
    (end === text.length ||
      !isWordCode(text.charCodeAt(end - 1)) ||
      !isWordCode(text.charCodeAt(end)))
  );
}

/** The words of a piece of code, for likeness only. */
export function wordsOf(text: string): string[] {
  return text.match(/[\w$\u0080-\uffff]+|[^\s\w$\u0080-\uffff]/g) ?? [];
}

/** Share of words in common with `a`, 0 to 1. Likeness finds, it never verifies. */
export function likenessTo(a: string): (b: string) => number {
  const alike = likenessOfWords(wordsOf(a));
  return (b) => alike(wordsOf(b));
}

/** The same for who compares many texts with each other, and splits each of them once. */
export function likenessOfWords(left: readonly string[]): (right: readonly string[]) => number {
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (right) => {
    if (left.length === 0 || right.length === 0) return 0;
    const used = new Map<string, number>();
    let common = 0;
    for (const word of right) {
      const count = counts.get(word);
      if (count === undefined) continue;
      const taken = used.get(word) ?? 0;
      if (taken < count) common++;
      used.set(word, taken + 1);
    }
    return (2 * common) / (left.length + right.length);
  };
}

const lookAlikes: Record<string, string> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  х: "x",
  у: "y",
  і: "l",
  ј: "j",
  ѕ: "s",
  к: "k",
  м: "m",
  т: "t",
  в: "b",
  н: "h",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  һ: "h",
  ɡ: "g",
  α: "a",
  ο: "o",
  ρ: "p",
  ν: "v",
  ι: "l",
  κ: "k",
  τ: "t",
  υ: "u",
  ϲ: "c",
  ε: "e",
  "0": "o",
  "1": "l",
  i: "l",
  "|": "l",
};

/** The same for names that look the same: case, look-alike letters, accents and dashes aside. */
export function skeleton(name: string): string {
  if (isAscii(name))
    return joinedLetters(
      name
        .toLowerCase()
        .replace(/[01i|]/g, (letter) => lookAlikes[letter]!)
        .replaceAll("_", "-"),
    );
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return joinedLetters(
    Array.from(plain, (letter) => lookAlikes[letter] ?? letter)
      .join("")
      .replace(/[‐‑‒–—−_]/g, "-"),
  );
}

function joinedLetters(name: string): string {
  return name.replaceAll("rn", "m").replaceAll("vv", "w");
}
