// Statements about the tree that can be counted or searched: nothing calls it, the only place, 300 lines,
// 12 usages, all files read. One table of phrases; what they name stands in code spans.
import { treeWords as lists } from "./tree-words.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Clause } from "../words/statements.ts";

export type TreeSubject =
  | "unused"
  | "untested"
  | "absent"
  | "nowhere"
  | "undefined"
  | "only"
  | "every"
  | "marks"
  | "usages"
  | "length"
  | "members"
  | "files"
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
    "untested",
    [
      "{no} (?:unit |existing |dedicated )?tests? (?:exist )?(?:for|cover(?:s|ing)?|exercis\\w+|" +
        "of|touch\\w*)[^§]{0,30}§",
      "§(?: {kind})? (?:has|have) (?:{no}|no (?:unit )?) ?tests?(?: coverage)?",
      "§(?: {kind})? (?:is|are) (?:completely |entirely |currently )?(?:untested|not (?:tested|" +
        "covered by (?:any )?tests?))",
      "nothing tests §",
    ],
  ],
  [
    "absent",
    [
      "(?:nothing|nobody|no (?:\\w+ ){1,2})(?:in|under|inside|within) §[^§]{0,24}" +
        "(?:{uses}|requires|refers to|mentions)" +
        "[^§]{0,20}§",
      "§(?: package| module| folder| file| class)? never " +
        "(?:{uses}|requires|refers to|mentions|call|use|import)s?[^§]{0,16}§",
      "no (?:\\w+ ){0,3}(?:in|under) §[^§]{0,24}(?:{uses}|requires|refers to|mentions)[^§]{0,20}§",
      "no(?:thing|body)? (?:\\w+ ){0,2}(?:in|under) §(?:,? (?:or |and )?§)+,? (?:{uses}|requires|mentions) §",
      "{no} § (?:\\w+ )?(?:under|in|inside) §",
      "not a single (?:\\w+ ){0,3}§ (?:under|in|inside) §",
    ],
  ],
  [
    "nowhere",
    [
      "{no} §(?:,? (?:or|and) §)*(?: (?:calls?|reads?|statements?|blocks?|comments?|macros?|directives?|keywords?))?" +
        "(?: (?:are|is))? (?:left|remain\\w*|exists?|found|anywhere|in the (?:code ?base|repo\\w*|project|sources?))",
    ],
  ],
  [
    "only",
    [
      "§(?: {kind})? (?:is|are) only {used} (?:in|by|from|at|inside|within)[^§]{0,20}§",
      "§(?: {kind})? (?:is|are) {used} only (?:in|by|from|at|inside|within)[^§]{0,20}§",
      "only § {uses} §",
      "§ is the only (?:place|file|module|caller|consumer|user|one)[^§]{0,40}{uses} §",
      "the only (?:{use}|place|file)[^§]{0,30}§[^§]{0,20} (?:is|are|lives?)(?: in| at)? §",
    ],
  ],
  [
    "unused",
    [
      "{no} (?:{more} )*{use}(?: (?:of|for|to|from))?(?: the)?(?: {kind})? §",
      "§(?: {kind})? (?:has|have) (?:{no}|no longer any) (?:{more} )*{use}",
      "§(?: {kind})? (?:is|are|was) (?:never|not|no longer)(?: \\w+)? {used}(?: {where})?",
      "§(?: {kind})? (?:isn't|aren't) {used}(?: {where})?",
      "§(?: {kind})? (?:is |are )?(?:[\\w ]{0,30} and )?{used} nowhere",
      "§(?:,? (?:and )?§)* (?:is|are) (?:[\\w-]+ ){1,5}but (?:is |are )?(?:never|not) {used}",
      "§(?: {kind})? (?:is|are|appears|seems)(?: now| completely| entirely)* (?:unused|dead(?: " +
        "code)?|unreferenced|orphaned|unreachable)",
      "(?:nothing|nobody|no one|no (?:file|module|code)) (?:else )?(?:in the \\w+ )?(?:{uses}) §",
      "§[^§]{0,30} can (?:safely )?be (?:removed|deleted)[^§]{0,20}(?:unused|no {use})",
    ],
  ],
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
    "every",
    [
      "(?:all|every|each) (?:of the )?(?:\\w+ )?files? (?:in|under|of|below) §[^§]{0,30} (?:{uses}|" +
        "use|import|call|contains?|has|have|includes?|starts? with) §",
    ],
  ],
  ["marks", ["{no} (?:\\w+ )?(?:TODO|FIXME|HACK|XXX)s?(?: \\w+)?"]],
  [
    "usages",
    [
      "\\d{1,5} (?:{more} )*{use}(?: (?:of|to|for))?(?: the)?(?: {kind})? §",
      "§(?: {kind})? (?:is|are) {used} (?:in|by|from|at)?(?: exactly| just| only)? ?\\d{1,5} " +
        "(?:\\w+ )?(?:files?|places?|times?|modules?|locations?|call ?sites?|lines?)",
      "§(?: {kind})? has (?:exactly |just |only )?\\d{1,5} (?:{more} )*{use}",
    ],
  ],
  [
    "length",
    [
      "§(?: file)? (?:has|is|contains|spans|runs to)(?: exactly| now| only| just)? \\d[\\d,]{0,8} (?:lines|loc)",
      "§ \\(\\d[\\d,]{0,8} (?:lines|loc)\\)(?:)",
      "\\d[\\d,]{0,8} lines (?:of code )?in §",
    ],
  ],
  [
    "members",
    [
      "§(?: file| module)? (?:defines|exports|has|contains|declares)(?: exactls?| only| just)? \\d{1,4} {member}",
      "\\d{1,4} {member} (?:are |is )?(?:defined |declared )?in §",
    ],
  ],
  [
    "files",
    [
      "§(?: folder| directory)? (?:has|contains|holds)(?: exactly| only| just)? \\d{1,5} (?:\\w+ )?files",
      "\\d{1,5} (?:\\w+ )?files (?:in|under|below) §",
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
    if (statement.kind === "fence" || isAside(statement)) continue;
    // Names stand on both sides of a comma: here the sentence counts, and its halves where that finds nothing.
    const spoken = withDigits(statement.words);
    const named = statement.clauses.flatMap((clause) => clause.code);
    const { words, code } = withName(spoken, named);
    const whole: Clause = { words, code: [], span: statement.span };
    const own = claimsIn({ ...whole, code });
    found.push(...own);
    if (found.length >= maxClaims) break;
  }
  return found.slice(0, maxClaims);
}

/** "`dayjs` is declared, yet no file under `src` imports it": it is what the sentence names first. */
function withName(words: string, code: string[]): { words: string; code: string[] } {
  const at = words.search(/(?<=\b(?:calls|imports|uses|requires|references|mentions) )it\b/);
  const before = (words.slice(0, Math.max(0, at)).match(/[§¤]/g) ?? []).length;
  if (at < 0 || before === 0 || !/^[\w$@./-]+$/.test(code[0]!)) return { words, code };
  return {
    words: `${words.slice(0, at)}§${words.slice(at + 2)}`,
    code: [...code.slice(0, before), code[0]!, ...code.slice(before)],
  };
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
      if (isTaken || words.slice(0, index).search(unsaid) >= 0) return [];
      taken.push([index, end]);
      const before = (words.slice(0, index).match(/[§¤]/g) ?? []).length;
      const count = (match.match(/[§¤]/g) ?? []).length;
      const own = code.slice(before, before + count);
      const rest = subject === "changing" || subject === "reading" ? code.slice(before) : own;
      return [{ kind: "tree", subject, span, words, code: rest, match }];
    }),
  );
}
