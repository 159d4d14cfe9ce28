// What a clause is read from: its words, pairs of words and beginnings of words, what kind of word each
// is, the headings it stands under and the clauses beside it. Fitting and reading share this one list.
import { goodWords } from "../words/good-words.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, noTrouble, standsAhead, tellsFailure } from "../words/says-done.ts";
import type { Clause, Statement } from "../words/statements.ts";
import { toolSubjects } from "./tool-subjects.ts";
import { kindOfWord } from "./word-kinds.ts";

const maxTokens = 60;
const maxHeadings = 4;
const maxPieces = 400;

/** Of the clause at a place in its statement, each feature once. */
export function stanceFeatures(statement: Statement, at: number): string[] {
  const { clauses, under, head, kind, box } = statement;
  const clause = clauses[at]!;
  const own = tokensOf(clause.words, clause.code);
  const found = new Set<string>();
  addSequence(found, own);
  for (const token of own) addParts(found, token);
  addKinds(found, own);
  for (const heading of under.slice(0, maxHeadings)) addHeading(found, tokensOf(heading, []));
  for (const token of clause.aside === undefined ? [] : ["(", ...tokensOf(clause.aside, [])])
    found.add(`in:${token}`);
  addBeside(found, "pv", tokensOf(statement.before, []));
  addBeside(found, "nx", tokensOf(statement.after, []));
  for (const cell of head) for (const token of tokensOf(cell, [])) found.add(`th:${token}`);
  found.add(`kind:${kind}`).add(`box:${box ?? "none"}`);
  found.add(`size:${own.length < 4 ? "few" : own.length < 9 ? "some" : "many"}`);
  addNeighbours(found, clauses, at);
  addPhrases(found, statement, clause);
  return [...found];
}

/** What the tables of phrases say of it: they know words that no label has. */
function addPhrases(found: Set<string>, statement: Statement, clause: Clause): void {
  const { words } = clause;
  const good = words.search(goodWords);
  const said: [string, boolean][] = [
    ["good", good >= 0],
    ["no trouble", words.search(noTrouble) >= 0],
    ["fails", tellsFailure(words)],
    ["ahead", isAhead(words)],
    ["under", standsAhead(statement.under)],
    ["aside", isAside(statement)],
    ["taken back", !isAsserted(statement, clause, [good < 0 ? words.length : good, words.length])],
  ];
  const names = said.filter(([, is]) => is).map(([name]) => name);
  for (const [at, one] of names.entries()) {
    found.add(`!${one}`);
    for (const other of names.slice(at + 1)) found.add(`!${one}+${other}`);
  }
  found.add(`!=${names.join("+")}`);
}

function addSequence(found: Set<string>, own: readonly string[]): void {
  const tokens = ["^", ...own, "$"];
  for (const [at, one] of tokens.entries()) {
    found.add(one);
    if (at + 1 < tokens.length) found.add(`${one} ${tokens[at + 1]}`);
    if (at + 2 < tokens.length) found.add(`${one} _ ${tokens[at + 2]}`);
  }
}

function addHeading(found: Set<string>, tokens: readonly string[]): void {
  for (const [at, token] of tokens.entries()) {
    found.add(`h:${token}`);
    const kind = kindOfWord(token);
    if (kind !== undefined) found.add(`h:${kind}`);
    if (at > 0) found.add(`h:${tokens[at - 1]} ${token}`);
  }
}

/** Of a statement beside it: how it begins, and what kinds of words it has. */
function addBeside(found: Set<string>, side: string, tokens: readonly string[]): void {
  if (tokens.length > 0) found.add(`${side}:${tokens[0]}`);
  for (const token of tokens) {
    const kind = kindOfWord(token);
    if (kind !== undefined) found.add(`${side}:${kind}`);
  }
}

function addParts(found: Set<string>, token: string): void {
  if (token.length < 5 || !/^\p{L}/u.test(token)) return;
  found.add(`s:${token.slice(0, 4)}`).add(`e:${token.slice(-3)}`);
  if (token.length > 5) found.add(`s:${token.slice(0, 5)}`);
}

/** The same words by their kinds: what holds of "tests pass" holds of "the build succeeds". */
function addKinds(found: Set<string>, own: readonly string[]): void {
  const kinds = own.map((token) => kindOfWord(token));
  const tokens = ["^", ...own.map((token, at) => kinds[at] ?? token), "$"];
  const isKind = [false, ...kinds.map((kind) => kind !== undefined), false];
  for (let at = 0; at < tokens.length; at++) {
    if (isKind[at]) found.add(tokens[at]!);
    if (at + 1 < tokens.length && (isKind[at] || isKind[at + 1]))
      found.add(`${tokens[at]} ${tokens[at + 1]}`);
    if (at + 2 < tokens.length && (isKind[at] || isKind[at + 2]))
      found.add(`${tokens[at]} _ ${tokens[at + 2]}`);
  }
  const all = [...new Set(kinds.filter((kind) => kind !== undefined))].sort();
  for (const [at, one] of all.entries())
    for (const other of all.slice(at + 1)) found.add(`&${one}${other}`);
}

function addNeighbours(found: Set<string>, clauses: readonly Clause[], at: number): void {
  const tokens = clauses.map(({ words, code }) => tokensOf(words, code));
  for (const token of tokens[at - 1]?.slice(-8) ?? ["^"]) found.add(`p:${token}`);
  for (const token of tokens[at + 1]?.slice(0, 6) ?? ["$"]) found.add(`n:${token}`);
  if (at > 0) {
    const [first, second] = tokens[0]!;
    found.add(`lead:${first}`).add(`lead:${first} ${second}`);
  }
  for (const [place, others] of tokens.entries())
    for (const token of place === at ? [] : others) {
      const kind = kindOfWord(token);
      if (kind !== undefined) found.add(`b:${kind}`);
    }
}

const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const token = new RegExp(
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]+|\\p{L}[\\p{L}'’-]*|\\d[\\d.,]*|" +
    '[§¤?!:;|/→✅✓✔☑🟢❌✗✘⚠()"“”„«»%]',
  "gu",
);

const kept = new Map<string, string[]>();
const maxKept = 500;

/** Words in small letters, numbers by size, code by its first words, marks; two signs where no blanks are. */
function tokensOf(words: string, code: readonly string[]): string[] {
  const key = code.length === 0 ? words : `${words}\n${code.join("\n")}`;
  const seen = kept.get(key);
  if (seen) return seen;
  if (kept.size >= maxKept) kept.clear();
  let at = 0;
  const pieces = words.toLowerCase().normalize("NFKC").match(token) ?? [];
  const found = pieces
    .slice(0, maxPieces)
    .flatMap((piece) => {
      if (piece === "§" || piece === "¤") at++;
      if (piece === "§") return codeTokens(code[at - 1] ?? "");
      if (/^\d/.test(piece)) return [numberToken(piece)];
      return cjk.test(piece) ? pairsOf(piece) : wordTokens(piece);
    })
    .slice(0, maxTokens);
  kept.set(key, found);
  return found;
}

const wordTokens = (word: string): string[] => [
  word,
  ...toolSubjects(word).map((subject) => `§=${subject}`),
];

const pairsOf = (piece: string): string[] =>
  piece.length < 2
    ? [piece]
    : Array.from({ length: piece.length - 1 }, (_, at) => piece.slice(at, at + 2));

const numberToken = (piece: string): string =>
  /^[01]$/.test(piece) ? piece : /[.,]\d/.test(piece) ? "#.#" : "#";

/** A command is known by its program, its first words and what it shows; another name is just code. */
function codeTokens(code: string): string[] {
  const words = code.slice(0, 200).toLowerCase().split(/\s+/).slice(0, 3);
  const shown = toolSubjects(code).map((subject) => `§=${subject}`);
  if (words.length > 1)
    return ["§cmd", ...words.map((one) => `§${one.replace(/\d+/g, "#")}`), ...shown];
  return [
    ...(shown.length > 0 ? [`§${words[0]}`] : []),
    ...shown,
    /[/.]/.test(code) ? "§file" : "§name",
  ];
}
