// A claim: one written reference, one place, and the evidence that the report itself gives for it.
import type { Polarity } from "./polarity.ts";
import type { Range } from "./path-token.ts";

/**
 * How far failing evidence speaks against a claim: `always`; `outside` only where the line is not even inside the named definition, or where the code is known from another place;
 * `typo` only where the name is a slip of one that stands there; `never`.
 */
export type Accusation = "always" | "outside" | "typo" | "never";

export type SymbolEvidence = {
  name: string;
  /** Written without backticks: it counts only where the repository defines it. */
  plain: boolean;
  accuses: Accusation;
  /** "in `name`": the line need only be inside. */
  encloses: boolean;
  /** Written with arguments, which may be a paraphrase. */
  call?: boolean;
  /** Only the holder of what stands there: it proves nothing about the line. */
  owner?: boolean;
  /** A frame of a stack trace: it speaks of functions only. */
  frame?: boolean;
};

export type QuoteEvidence = {
  lines: string[];
  accuses: Accusation;
  /** Tight beside its place, but nothing says that it was read there: it may be an example, a value, an alternative. */
  beside?: true;
  /** Beside its place, and nothing else is written there: "x.ts:45: `code`". */
  alone?: true;
  /** Line numbers that were printed beside the code. */
  gutter?: number[];
  /** A diff: its new side may stand there instead, at the line that the hunk gives for it (0: at the claimed one). */
  other?: { lines: string[]; line: number };
};

export type Claim = {
  start: number;
  end: number;
  path: string;
  range: Range | null;
  symbols: SymbolEvidence[];
  quotes: QuoteEvidence[];
  polarity: Polarity;
  external: boolean;
  /** "around line 45". */
  vague: boolean;
  /** A number stands beside the path that was not understood as a line: what fits the file may not fit the place. */
  unsure: boolean;
  /** The line is a bare number behind the path: past the end it may count something else. */
  loose: boolean;
  /** The words say that the symbol is defined there. */
  defines: boolean;
};

/** A plain claim about a place. All claims have one shape, whoever makes them: engines read such objects several times faster. */
export function claimAt(
  { start, end, path, range }: Pick<Claim, "start" | "end" | "path" | "range">,
  { symbols = [], quotes = [] }: { symbols?: SymbolEvidence[]; quotes?: QuoteEvidence[] } = {},
): Claim {
  return {
    start,
    end,
    path,
    range,
    symbols,
    quotes,
    polarity: "present",
    external: false,
    vague: false,
    unsure: false,
    loose: false,
    defines: false,
  };
}

/** The evidence of code that stands tight beside its place: a quotation if the words say so (`told`), else perhaps one. */
export function tightQuote(code: string, told: boolean): QuoteEvidence {
  return told
    ? { lines: [code], accuses: "always" }
    : { lines: [code], accuses: "outside", beside: true };
}

/** Whether what a quotation says is about its place, be it right or wrong. */
export function speaksOfPlace({ accuses, beside }: QuoteEvidence): boolean {
  return accuses === "always" || beside === true;
}

/** Keywords, types and literals: in backticks they seldom name one thing, so they count only where the file defines them. */
const everydayWords = new Set(
  "true false null undefined none nil this self super void int string number boolean bool any object array const let var function class def return if else for while do async await import export from public private protected static new try catch throw yield case switch default break continue in of is not and or struct fn func end then begin with as yes no ok".split(
    " ",
  ),
);

/** The name in a code span that names one thing (`a.b`, `A::b()`, `foo(x)`), or undefined for anything else. What is made of a type (`Map<K>`) is everyday: it need not be declared here. */
export function symbolName(
  text: string,
): { name: string; call: boolean; everyday: boolean } | undefined {
  const match =
    /^(?:\(\*?(?=[\w$]+\)\.)|new\s|async\s|await\s|function\s|class\s|def\s|fn\s|func\s|struct\s|interface\s|enum\s|type\s|sub\s|&|\*|\$|@|#|\.|--)?((?:[\w$\u0080-\uffff]+(?:-[\w$]+)*\)?(?:\.|::|->|#|\?\.))*[~]?[\w$\u0080-\uffff]+(?:-[\w$]+)*[!?]?)(?<of><[^<>\s]{0,80}>)?(\([\w$,\s:*&]{0,200}\)|\(\.\.\.\)|\(…\)|\[\])?$/.exec(
      text.trim(),
    );
  if (
    !match ||
    match[1]!.length < 2 ||
    match[1]!.length > 160 ||
    /^L?[\d.]+(?:-L?\d+)?$/.test(match[1]!) ||
    /^(?=.*\d)[\da-f]{7,40}$/.test(match[1]!)
  )
    return undefined;
  const name = match[1]!.replace(/\)/g, "");
  const last = lastName(name);
  return {
    name,
    call: match[3] !== undefined && /\w/.test(match[3]),
    everyday:
      match.groups!.of !== undefined ||
      (everydayWords.has(last) && last === name && match[3] === undefined),
  };
}

/** `foo:45` in a code span: a name with its line. */
export function numberedName(
  text: string,
): { name: string; line: number; last: number } | undefined {
  const match =
    /^([A-Za-z_$][\w$]*(?:(?:\.|::|#|-)[\w$]+)*(?:\(\))?):L?(\d{1,7})(?:[-–](\d{1,7}))?$/.exec(
      text.trim(),
    );
  return match
    ? { name: match[1]!, line: Number(match[2]), last: Number(match[3] ?? match[2]) }
    : undefined;
}

/** The last part of a qualified name. */
export function lastName(name: string): string {
  if (!/[.:>#?!~]/.test(name)) return name;
  return (
    name
      .split(/\.|::|->|#|\?\./)
      .at(-1)!
      .replace(/[!?~]/g, "") || name
  );
}

/** Whether a code span holds code to compare: more than one word, or an operator. */
export function isCode(text: string): boolean {
  const code = text.trim();
  if (code.length < 3 || !/[\w\u0080-\uffff]/.test(code) || /^[:#L\d.,%\s–-]+$/.test(code))
    return false;
  if (
    /^(?:npm|npx|yarn|pnpm|git|pip3?|python3?|node|cargo|go|make|cd|curl|docker|kubectl|brew|apt(?:-get)?|sudo|bash|sh|rg|grep|pytest|vitest|jest)\s/.test(
      code,
    )
  )
    return false;
  if (/^[\w.@-]+(?:\/[\w.@-]+)*\/$/.test(code)) return false;
  if (/^[A-Z][A-Z\d_]+=[^\s;()]*$/.test(code)) return false;
  return (
    !/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+\//.test(code) &&
    !/^--?[a-z][\w-]*(?:[= ]\S+)?$/.test(code)
  );
}

/** A word that is code by its looks: camelCase, snake_case, digits inside, a call. */
export function isCodeShaped(word: string): boolean {
  return /[a-z][A-Z]|\w_\w|[A-Z]{2,}[a-z]|\(\)$|^[A-Z_]{3,}_[A-Z_]+$/.test(word);
}

/** Code that nobody writes as a mere name or phrase. */
export function strongCode(text: string): boolean {
  return /[;{}=]|[\w>\]]\(|=>|->|::/.test(text) && text.trim().length >= 8;
}

/** Code by its marks where code is expected; words in a row are prose. */
export function codeLike(text: string): boolean {
  return (
    strongCode(text) ||
    (/[\w$]['".:<>[\](),|-]|['"<[(]\w/.test(text) &&
      !/(?:^|[\s.,])[A-Za-z]?[a-z]+ [a-z]+ [a-z]+(?![\w(])/.test(text) &&
      symbolName(text) === undefined &&
      isCode(text))
  );
}
