// What the stance of a clause is read from: its words and pairs of words, the headings it stands under,
// and what the lists of words say of it. Fitting and reading share this one list.
import { claimSubjects } from "../words/delivery-words.ts";
import { findResultClaims } from "../words/find-result-claims.ts";
import { goodWords, tellsTrouble } from "../words/good-words.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, noTrouble, standsAhead, tellsFailure } from "../words/says-done.ts";
import type { Clause, Statement } from "../words/statements.ts";

const maxTokens = 60;
const maxHeadings = 4;
const maxPieces = 400;

/** Of one clause in its statement, each feature once. */
export function stanceFeatures(report: string, statement: Statement, clause: Clause): string[] {
  const tokens = ["^", ...tokensOf(clause.words, clause.code), "$"];
  const own = tokens.flatMap((one, index) => {
    const [second, third] = tokens.slice(index + 1, index + 3);
    return [
      one,
      ...(second === undefined ? [] : [`${one} ${second}`]),
      ...(third === undefined ? [] : [`${one} _ ${third}`]),
    ];
  });
  const under = statement.under.slice(0, maxHeadings).flatMap((heading) => tokensOf(heading, []));
  const size = tokens.length < 6 ? "few" : tokens.length < 11 ? "some" : "many";
  return [
    ...new Set([
      ...own,
      ...under.map((one) => `h:${one}`),
      `kind:${statement.kind}`,
      `box:${statement.box ?? "none"}`,
      `size:${size}`,
      ...listFeatures(report, statement, clause),
    ]),
  ];
}

const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const token = new RegExp(
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]+|\\p{L}[\\p{L}'’-]*|\\d[\\d.,]*|" +
    '[§¤?!:|/→✅✓✔☑❌✗✘⚠()"“”„«»]',
  "gu",
);

/** Words in small letters, numbers by size, code by its first words, marks; two signs where no blanks are. */
function tokensOf(words: string, code: readonly string[]): string[] {
  let at = 0;
  const pieces = words.toLowerCase().normalize("NFKC").match(token) ?? [];
  const found = pieces.slice(0, maxPieces).flatMap((piece) => {
    if (piece === "§") return codeTokens(code[at++] ?? "");
    if (/^\d/.test(piece)) return [numberToken(piece)];
    return cjk.test(piece) ? pairsOf(piece) : [piece];
  });
  return found.slice(0, maxTokens);
}

const pairsOf = (piece: string): string[] =>
  piece.length < 2
    ? [piece]
    : Array.from({ length: piece.length - 1 }, (_, at) => piece.slice(at, at + 2));

const numberToken = (piece: string): string =>
  /^[01]$/.test(piece) ? piece : /[.,]\d/.test(piece) ? "#.#" : "#";

/** A command is known by its program and first words; a name of something else is just code. */
function codeTokens(code: string): string[] {
  const words = code.slice(0, 200).toLowerCase().split(/\s+/).slice(0, 3);
  if (words.length > 1) return ["§cmd", ...words.map((one) => `§${one.replace(/\d+/g, "#")}`)];
  return [/[/.]/.test(code) ? "§file" : "§name"];
}

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];

/** What the lists of words say, alone and two by two. */
function listFeatures(report: string, statement: Statement, clause: Clause): string[] {
  const { words } = clause;
  const named = claimSubjects.filter(({ noun }) => noun !== null && has(noun, words));
  const phrased = claimSubjects.filter(({ idioms }) => has(idioms, words));
  const isGood = has(goodWords, words) || has(noTrouble, words);
  const marks = Object.entries({
    good: isGood,
    trouble: tellsTrouble(words),
    failure: tellsFailure(words),
    ahead: isAhead(words),
    aside: isAside(statement),
    underAhead: standsAhead(statement.under),
    asserted: isAsserted(statement, clause, [0, words.length]),
    named: named.length > 0,
    phrased: phrased.length > 0,
    failureBeside: statement.clauses.some((one) => tellsFailure(one.words)),
    aheadBeside: statement.clauses.some((one) => isAhead(one.words)),
    claimed: findResultClaims(report).some(({ span }) => overlaps(span, clause.span)),
  }).flatMap(([mark, holds]) => (holds ? [mark] : []));
  return [
    ...marks.map((one) => `L:${one}`),
    ...marks.flatMap((one, index) => marks.slice(index + 1).map((two) => `L:${one}+${two}`)),
    ...named.map(({ subject }) => `L:noun:${subject}`),
    ...(isGood ? named.map(({ subject }) => `L:good:${subject}`) : []),
    ...phrased.map(({ subject }) => `L:phrase:${subject}`),
  ];
}
