// What an assertion sets side by side: the parts of a call, the sides of a comparison, a subject and what
// its matcher holds. `head` is what stands around them.

type Operands = { head: string; parts: string[] };

export function operandsOf(text: string): Operands {
  const plain = text.replace(/^(?:await|return)\s+/, "");
  return subjectFirst(plain) ?? compared(plain) ?? putAside(plain) ?? called(plain);
}

/** `want := 3`. */
function putAside(text: string): Operands | undefined {
  const found = /^(\w+)(?:: ?[\w<>[\]]+)? :?= (.*)$/.exec(text);
  return found ? { head: "=", parts: [found[1]!, found[2]!] } : undefined;
}

/** `expect(x).toBe(3)`, `expect { x }.to raise_error(E)`, `assertThat(x).isEqualTo(3)`. */
function subjectFirst(text: string): Operands | undefined {
  const opened = /^(?:is_)?(?:expect(?:ed)?|assertThat)(?:\.\w+)?\s*[({]/.exec(text);
  if (!opened) return undefined;
  const { parts, end } = bracketAt(text, opened[0].length - 1);
  const behind = text.slice(end);
  if (behind.trim() === "") return { head: opened[0], parts };
  const matcher =
    /^(?:(?:->|[. ])+(?:to|not|not_to|to_not|be|an?|have|resolves|rejects)\b)*(?:->|[. ])+\w+/.exec(
      behind,
    )?.[0];
  if (matcher === undefined) return { head: behind, parts };
  const rest = behind.slice(matcher.length);
  const held = /^\s*[({]/.test(rest) ? bracketAt(rest, rest.search(/[({]/)).parts.join(", ") : rest;
  return { head: matcher, parts: [parts.join(", "), held.trim()] };
}

const comparators = /\s(?:===?|!==?|<=|>=|<|>|shouldBe|is not|is|not in|in)\s/g;

/** `assert x == 3`, `assert!(x == 3)`, `if got := f(); got != 3 {`. */
function compared(text: string): Operands | undefined {
  const opened = /^(?:assert\s+(?:\(?(?=not\b))?|(?:\} else )?if |assert!\()/.exec(text);
  if (!opened) return undefined;
  const inner = text.slice(opened[0].length).replace(/\s*(?:\{|\);?)$/, "");
  const cover = coverOf(inner);
  const at = [...cover.matchAll(comparators)].findLast(({ index }) => depthAt(cover, index) <= 0);
  if (!at) return { head: opened[0], parts: [inner] };
  return {
    head: opened[0] + at[0],
    parts: [inner.slice(0, at.index).trim(), inner.slice(at.index + at[0].length).trim()],
  };
}

/** `assertEquals(3, x)`; the handle of the test is none of its parts. */
function called(text: string): Operands {
  const from = coverOf(text).indexOf("(");
  const open = /^(?:assert|refute)\w* /.exec(text);
  if (open && (from < 0 || from > open[0].length)) {
    const parts = bracketAt(`(${text.slice(open[0].length)})`, 0).parts;
    return { head: open[0], parts };
  }
  if (from < 0) return { head: text, parts: [] };
  const { parts, end } = bracketAt(text, from);
  return {
    head: text.slice(0, from) + text.slice(end),
    parts: parts[0] === "t" ? parts.slice(1) : parts,
  };
}

/** Strings emptied, lengths kept. */
export const coverOf = (text: string): string =>
  text.replace(
    /(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g,
    (_, quote: string, inner: string) => quote + "_".repeat(inner.length) + quote,
  );

const depthAt = (cover: string, at: number): number => {
  const before = cover.slice(0, at);
  return (before.match(/[([{]/g) ?? []).length - (before.match(/[)\]}]/g) ?? []).length;
};

/** The parts of the bracket that opens at `from`, cut at its own commas, and where it ends. */
export function bracketAt(text: string, from: number): { parts: string[]; end: number } {
  const cover = coverOf(text);
  const parts: string[] = [];
  let depth = 0;
  let begin = from + 1;
  let at = from;
  for (; at < text.length; at++) {
    if ("([{".includes(cover[at]!)) depth++;
    else if (")]}".includes(cover[at]!)) depth--;
    if ((depth === 1 && cover[at] === ",") || depth === 0) {
      const part = text.slice(begin, at).trim();
      if (part !== "") parts.push(part);
      begin = at + 1;
    }
    if (depth === 0) break;
  }
  return { parts, end: at + 1 };
}

const literals = new RegExp(
  "([\"'`])(?:(?!\\1)[^\\\\]|\\\\.)*\\1|(?<![\\w.])-?\\d[\\w.]*|" +
    "\\b(?:true|false|True|False|nil|null|None|undefined)\\b",
  "g",
);

/** What is no value is changed. */
export function outsideLiterals(text: string, change: (plain: string) => string): string {
  const found = text.match(literals) ?? [];
  return text
    .split(literals)
    .filter((_, index) => index % 2 === 0)
    .map((plain, index) => change(plain) + (found[index] ?? ""))
    .join("");
}

/** Values as they stand, in their order. */
export const literalsIn = (text: string): string[] =>
  (withWords(text).match(literals) ?? []).map((one) =>
    one.replace(/^["'`]|["'`]$/g, (quote) => (quote === one ? one : '"')).replaceAll("\\", ""),
  );

const constants = /^(?:true|false|nil|null|none|undefined)$/i;

/** Values as any language writes them: without quotes, signs between digits and marks of a type. */
export const valuesIn = (text: string): string[] =>
  literalsIn(text).map((one) => {
    if (constants.test(one)) return one.toLowerCase().replace(/^(?:nil|none|undefined)$/, "null");
    const plain = one
      .replace(/\s+/g, " ")
      .replace(/^"|"$/g, "")
      .replace(/^(-?[\d_.]+)(?:[uif]\d+|[LlFfDdMmn])?$/, "$1");
    return /^-?\d[\d_]*(?:\.\d*)?$/.test(plain) ? String(Number(plain.replaceAll("_", ""))) : plain;
  });

/** Values that are given to calls; lists that are written as a call, and what asserts, are none. */
export function inputsOf(text: string): string[] {
  const cover = coverOf(text);
  return [...cover.matchAll(/([\w.:]*\w)!?(?:<[^<>()]*>)?\((?!\))/g)].flatMap(
    ({ 0: found, 1: name, index }) => {
      if (noInput.test(name!)) return [];
      const { parts } = bracketAt(text, index + found.length - 1);
      return parts
        .filter((part) => !/=>|->|\blambda\b|\bfunc\b|\bfunction\b/.test(part))
        .flatMap(valuesIn);
    },
  );
}

const noInput = new RegExp(
  "(?:^|[.:_])(?:assert\\w*|expect\\w*|should\\w*|(?:[bB]e|[tT]o|[iI]s|[hH]ave|[nN]ot|[eE]q(?:uals?)?)" +
    "(?:[A-Z_]\\w*)?|of|listOf|mapOf|setOf|arrayOf|asList|pair|" +
    "fail\\w*|it|test|describe|context|Run|Error\\w*|Fatal\\w*|Log\\w*|Skip\\w*|print\\w*|raises|match|" +
    "[tT]hrows?\\w*|raise_error|each|mock\\w*|returns?\\w*|and_return|[sS]leep\\w*|setTimeout|format)$",
);

/** Names that are no values. */
export const namesBeside = (text: string): string[] =>
  withWords(text)
    .replace(literals, " ")
    .match(/[A-Za-z_$][\w$]*/g) ?? [];

/** Ruby's lists of words, written out. */
export const withWords = (text: string): string =>
  text.replace(
    /%[wi]\[([^\]]*)\]/g,
    (_, words: string) =>
      `[${words
        .trim()
        .split(/\s+/)
        .map((word) => `"${word}"`)
        .join(", ")}]`,
  );
