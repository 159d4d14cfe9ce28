// Finds out in one cheap pass which secret rules can match a text at all; for most texts none can.
// A rule that is left out could not have matched: every condition here follows from the rules'
// patterns.
import { secretName, tokenRules } from "./secret-rules.ts";
import type { SecretRule } from "./secret-rules.ts";

/**
 * What can stand before a secret: a name with `:` or `=`, an option, the word bearer, a URL, the
 * head of a private key.
 */
export type SecretContext = "name" | "option" | "bearer" | "address" | "pem";

export type SecretCandidates = {
  tokens: ReadonlySet<SecretRule>;
  contexts: ReadonlySet<SecretContext>;
};

/** All rules, for a search that leaves nothing out. */
export const everyCandidate: SecretCandidates = {
  tokens: new Set(tokenRules),
  contexts: new Set(["name", "option", "bearer", "address", "pem"]),
};

type Found = { tokens: Set<SecretRule> | undefined; contexts: Set<SecretContext> | undefined };

/** No rules, for a text in which nothing can be found. */
export const noCandidates: SecretCandidates = { tokens: new Set(), contexts: new Set() };
const [
  tab,
  blank,
  doubleQuote,
  quote,
  hyphen,
  dot,
  slash,
  colon,
  equals,
  backslash,
  bracket,
  backtick,
] = [0x09, 0x20, 0x22, 0x27, 0x2d, 0x2e, 0x2f, 0x3a, 0x3d, 0x5c, 0x5d, 0x60];
/**
 * Every token, and every value after `bearer`, has a run of token characters of at least this
 * length.
 */
const shortestRun = 14;
/** The shortest URL with a password of one character. */
const shortestText = 6;
const longestName = 24;
const longestOption = 64;
/** The last letters of secrets' names; the pattern itself checks its lookbehind. */
const nameAtEnd = new RegExp(`(?:${secretName.replace(/\(\?<!.*?\)/, "")}|authorization)$`, "i");
const nameEnds = [
  "ass",
  "ord",
  "swd",
  "pwd",
  "ase",
  "ret",
  "ken",
  "key",
  "ial",
  "als",
  "ing",
  "ion",
].map((end) => threeLetters(end, 3));
const isNameEnd = marked(32 ** 3, nameEnds);
const isTokenCharacter = marked(128, codesOf(/[\w.~+/=%-]/));
const isOptionCharacter = marked(128, codesOf(/[\w.-]/));

/** The hints of token rules by their last two characters. */
const hintsByEnd = new Map<number, { hint: string; rule: SecretRule }[]>();
for (const rule of tokenRules) {
  for (const hint of rule.hints) {
    const end = pair(hint.charCodeAt(hint.length - 2), hint.charCodeAt(hint.length - 1));
    hintsByEnd.set(end, [...(hintsByEnd.get(end) ?? []), { hint, rule }]);
  }
}
const endsHint = marked(128 * 128, hintsByEnd.keys());
const rulesByShape = tokenRules.filter((rule) => rule.shape);

export function candidatesIn(text: string): SecretCandidates {
  if (text.length < shortestText || (text.length < shortestRun && !hasMark(text)))
    return noCandidates;
  const found: Found = { tokens: undefined, contexts: undefined };
  lookAtSeparators(text, ":", found);
  lookAtSeparators(text, "=", found);
  lookAtHyphens(text, found);
  lookAtRuns(text, found);
  return found.tokens || found.contexts
    ? {
        tokens: found.tokens ?? noCandidates.tokens,
        contexts: found.contexts ?? noCandidates.contexts,
      }
    : noCandidates;
}

/** Whether the text has one of the three marks at which the passes below begin. */
function hasMark(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === hyphen || code === colon || code === equals) return true;
  }
  return false;
}

function lookAtSeparators(text: string, separator: ":" | "=", found: Found): void {
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (followsName(text, at)) addContext(found, "name");
    if (separator === ":" && text.charCodeAt(at + 1) === slash && text.charCodeAt(at + 2) === slash)
      addContext(found, "address");
  }
}

function followsName(text: string, at: number): boolean {
  let end = at;
  for (let count = 0; count < 8 && isBlank(text.charCodeAt(end - 1)); count++) end -= 1;
  for (let count = 0; count < 4 && isQuote(text.charCodeAt(end - 1)); count++) end -= 1;
  return endsInName(text, end);
}

function endsInName(text: string, end: number): boolean {
  return (
    isNameEnd[threeLetters(text, end)] === 1 &&
    nameAtEnd.test(text.slice(Math.max(0, end - longestName), end))
  );
}

/**
 * An option begins with a hyphen that follows no word; the head of a key stands between five
 * hyphens.
 */
function lookAtHyphens(text: string, found: Found): void {
  for (let at = text.indexOf("-"); at >= 0; at = text.indexOf("-", at + 1)) {
    const first = at;
    while (text.charCodeAt(at + 1) === hyphen) at += 1;
    if (at - first >= 4 && text.startsWith("BEGIN ", at + 1)) addContext(found, "pem");
    const before = text.charCodeAt(first - 1);
    if (isIn(isOptionCharacter, before) && before !== dot) continue;
    let end = at + 1;
    while (end - at < longestOption && isIn(isOptionCharacter, text.charCodeAt(end))) end += 1;
    if (isBlank(text.charCodeAt(end)) && endsInName(text, end)) addContext(found, "option");
  }
}

/**
 * Reads every window from its end, so that most characters are skipped where no run is possible.
 */
function lookAtRuns(text: string, found: Found): void {
  let start = 0;
  while (start + shortestRun <= text.length) {
    let at = start + shortestRun - 1;
    while (at >= start && isIn(isTokenCharacter, text.charCodeAt(at))) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + shortestRun;
    while (isIn(isTokenCharacter, text.charCodeAt(end))) end += 1;
    lookAtRun(text, { start, end }, found);
    start = end + 1;
  }
}

function lookAtRun(
  text: string,
  { start, end }: { start: number; end: number },
  found: Found,
): void {
  let previous = text.charCodeAt(start);
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    const both = pair(previous, code);
    previous = code;
    if (endsHint[both] === 0) continue;
    for (const { hint, rule } of hintsByEnd.get(both)!)
      if (text.startsWith(hint, at + 1 - hint.length)) (found.tokens ??= new Set()).add(rule);
  }
  for (const rule of rulesByShape)
    if (rule.shape!.test(text.slice(start, end))) (found.tokens ??= new Set()).add(rule);
  if (
    isBlank(text.charCodeAt(start - 1)) &&
    /bearer[ \t]+$/i.test(text.slice(Math.max(0, start - 10), start))
  )
    addContext(found, "bearer");
}

function addContext(found: Found, context: SecretContext): void {
  (found.contexts ??= new Set()).add(context);
}

function pair(first: number, second: number): number {
  return (first << 7) | second;
}

/** The three characters before `end` as one number; five bits tell letters apart in any case. */
function threeLetters(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

/** A table with one byte for each number below `length`: 1 for the marked ones. */
function marked(length: number, indexes: Iterable<number>): Uint8Array {
  const table = new Uint8Array(length);
  for (const index of indexes) table[index] = 1;
  return table;
}

function codesOf(characters: RegExp): number[] {
  return Array.from({ length: 128 }, (_, code) => code).filter((code) =>
    characters.test(String.fromCharCode(code)),
  );
}

const isIn = (set: Uint8Array, code: number): boolean => code < 128 && set[code] === 1;
const isBlank = (code: number): boolean => code === blank || code === tab;
const isQuote = (code: number): boolean =>
  code === doubleQuote ||
  code === quote ||
  code === backslash ||
  code === bracket ||
  code === backtick;
