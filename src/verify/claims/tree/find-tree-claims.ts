// Statements about the tree and what was done in it: 300 lines, 12 usages, all files read, changed, undone. One table
// of phrases; what they name stands in code spans.
import { treeWords as lists } from "./tree-words.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Clause } from "../words/statements.ts";

export type TreeSubject =
  | "undefined"
  | "usages"
  | "length"
  | "reading"
  | "searching"
  | "changing"
  | "undoing";

/** `words`: the half sentence with its code spans as `§`; `match`: what the table found in it. */
export type TreeClaim = {
  kind: "tree";
  subject: TreeSubject;
  span: [number, number];
  words: string;
  code: string[];
  match: string;
};

const rows: readonly [TreeSubject, readonly string[]][] = [
  [
    "undefined",
    [
      "§ (?:is|are) (?:not|never) (?:defined|implemented|declared|exported)(?: {where})?",
      "(?:there (?:is|are) )?no (?:{kind}|definition|implementation) (?:named|called|of|for) §",
      "§ (?:does not|doesn't) exist(?: {where})?",
      "nothing (?:defines|implements|exports|handles) §",
    ],
  ],
  [
    "usages",
    [
      "\\d{1,5} (?:{more} )*{use}(?: (?:of|to|for))?(?: the)?(?: {kind})? §",
      "§(?: {kind})? (?:is|are) {used} (?:in|by|from|at)?(?: exactly| just| only)? ?\\d{1,5} " +
        "(?:\\w+ )?(?:files?|places?|times?|modules?|locations?|call ?sites?|lines?)",
      "\\d{1,3} (?:\\w+ )?(?:files?|components?|modules?|classes|views|pages|packages) " +
        "(?:imports?|uses?|calls?|references?|requires?) §",
      "§(?: {kind})? has (?:exactly |just |only )?\\d{1,5} (?:{more} )*{use}",
    ],
  ],
  [
    "length",
    [
      "§(?: file)? (?:has|is|contains|spans|counts|runs to)(?: exactly| now| only| just)? \\d[\\d,]{0,8} (?:lines|loc)",
      "§ \\(\\d[\\d,]{0,8} (?:lines|loc)\\)(?:)",
      "\\d[\\d,]{0,8} lines (?:of code )?(?:are )?in §",
      "(?:under|in) § (?:come|add up|amount|sum up|run) to \\d[\\d,]{0,8} lines",
      "at (?:exactly )?\\d[\\d,]{0,8} lines,? §",
      "(?:length|size|number of lines) of § is \\d[\\d,]{0,8}(?: lines)?",
    ],
  ],
  [
    "reading",
    [
      "{looked} (?:all|every|each)(?: of the)?(?: \\d+)? (?:\\w+ )?files?[^§]{0,30}§",
      "(?:all|every|each)(?: \\d+)? (?:\\w+ )?files? (?:in|under|of) §[^§]{0,20}(?:were|was|have been) {looked}",
      "{looked} (?:the )?{whole}[^§]{0,30}§",
      "{looked} §[^§]{0,30} (?:in full|completely|entirely|line by line|end to end)",
      "^(?:I (?:have )?)?read §",
      "§ (?:vollständig|komplett) gelesen",
    ],
  ],
  [
    "searching",
    [
      "(?:searched|grepped)[^§]{0,40}§",
      "(?:checked|reviewed|examined|looked at) (?:all|every|each) (?:of the )?{use}[^§]{0,20}§",
    ],
  ],
  ["undoing", ["(?:reverted|undid|undone|rolled back|restored)[^§]{0,60}§"]],
  [
    "changing",
    [
      "(?:^|i|we|i've|we've|(?:i|we) have)(?: (?:then|also))? ?(?:{done})[^§]{0,80}§",
      "§ (?:(?:was|were|has been|have been|is now) )?(?:updated|changed|adapted|modified|fixed)",
      "§ (?:\\p{L}+ ){0,3}(?:geändert|angepasst|gelöscht|entfernt|erstellt|angelegt|ersetzt|umbenannt)",
    ],
  ],
];

const table: readonly [TreeSubject, RegExp][] = rows.map(([subject, phrases]) => [
  subject,
  anyPhrase(phrases, lists),
]);

const maxClaims = 200;
/** What is only supposed, wished for or asked claims nothing. */
const unsaid = anyPhrase([
  "should",
  "must",
  "would",
  "could",
  "will",
  "might",
  "may",
  "if",
  "unless",
  "whether",
  "todo",
  "recommend\\w*",
  "suggest\\w*",
  "probably",
  "likely",
  "before",
  "previously",
  "until",
]);

export function findTreeClaims(text: string): TreeClaim[] {
  const found: TreeClaim[] = [];
  for (const statement of statementsOf(text)) {
    // Every phrase of the table names something in code.
    const isNamed = statement.kind !== "fence" && statement.words.includes("§");
    if (!isNamed || isAside(statement)) continue;
    // Names stand on both sides of a comma: here the sentence counts, and its halves where that finds nothing.
    const spoken = withDigits(statement.words);
    const named = statement.clauses.flatMap((clause) => clause.code);
    found.push(...claimsIn({ words: spoken, code: named, span: statement.span }));
    if (found.length >= maxClaims) break;
  }
  return found.slice(0, maxClaims);
}

const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);

/** "Five functions" is a number too; "one" and "no" are often none. */
const withDigits = (words: string): string =>
  words.replace(/\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi, (word) =>
    String(numberWords.indexOf(word.toLowerCase())),
  );

function claimsIn({ words, code, span }: Clause): TreeClaim[] {
  const taken: [number, number][] = [];
  // matchAll makes a copy of the pattern; most clauses hold none of them.
  const held = table.filter(([, pattern]) => words.search(pattern) >= 0);
  return held.flatMap(([subject, pattern]) =>
    [...words.matchAll(pattern)].flatMap(({ index, 0: match }): TreeClaim[] => {
      const end = index + match.length;
      const isTaken = taken.some(([from, to]) => from < end && index < to);
      const ahead = words.slice(0, index).split(/[:;] /).at(-1)!;
      if (isTaken || ahead.search(unsaid) >= 0) return [];
      taken.push([index, end]);
      const before = (words.slice(0, index).match(/[§¤]/g) ?? []).length;
      const count = (match.match(/[§¤]/g) ?? []).length;
      const own = code.slice(before, before + count);
      const rest = subject === "changing" || subject === "reading" ? code.slice(before) : own;
      return [{ kind: "tree", subject, span, words, code: rest, match }];
    }),
  );
}
