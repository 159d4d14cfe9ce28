// Judges numbers, totals and absence of things that can be listed: the list is made from the tree in every
// way that a person may mean, and what is said of it is tried on each of its items.
import type { Repository } from "../../../source/repository.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { countered, counteredBy, held } from "../tree/countered.ts";
import { isTest } from "../tree/uses.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import { isMade, nounOf, nounWords } from "./counting/noun-of.ts";
import type { CountedItem } from "./counting/file-lists.ts";
import { isTypeHere, scopeOf } from "./counting/scope-of.ts";
import { clauseAhead, isAccounted } from "../words/is-accounted.ts";
import { predicateOf } from "./predicates.ts";
import { leavesAside, isOfOthers, readQuantified, withNoun } from "./read-quantified.ts";
import { withoutNumbers, type Quantified } from "./read-quantified.ts";
import { isSentence, readReferents, type SentenceReading, type Referent } from "./referents.ts";

export type FactClaim = { span: [number, number]; judged: ClaimJudgement };

const maxStatements = 400;
const maxFiles = 600;

export function quantifiedClaims(report: string, repo: Repository): FactClaim[] {
  const spoken = statementsOf(report).filter(isSentence).slice(0, maxStatements);
  return spoken.flatMap((statement, index): FactClaim[] => {
    if (!countsSomething.test(statement.words)) return [];
    const reading = withNoun(readReferents(statement, repo), spoken[index - 1]);
    const found = isAside(statement)
      ? []
      : readQuantified(reading, placesIn(spoken[index - 1], repo));
    const judged = worst(found.map((one) => judge(one, reading, repo)));
    return judged ? [{ span: statement.span, judged }] : [];
  });
}

/** Only a sentence with such a noun speaks of how many there are. */
const countsSomething = new RegExp(`(?<![\\w-])(?:examples|of them|${nounWords})(?![\\w-])`, "i");

/** What "it" may mean in the next sentence. */
const placesIn = (statement: Statement | undefined, repo: Repository): readonly Referent[] => {
  const all = referentsIn(statement, repo).filter(({ isWhole }) => !isWhole);
  const files = all.filter(({ paths }) => paths !== null);
  // A type is spoken of where no file is.
  return files.length > 0 ? files : all.filter(({ text }) => isTypeHere(text, repo));
};
const referentsIn = (statement: Statement | undefined, repo: Repository): readonly Referent[] =>
  statement ? readReferents(statement, repo).referents : [];

const worst = (all: readonly (ClaimJudgement | undefined)[]): ClaimJudgement | undefined =>
  all.find((one) => one?.verdict === "countered") ?? all.find((one) => one !== undefined);

function judge(
  one: Quantified,
  reading: SentenceReading,
  repo: Repository,
): ClaimJudgement | undefined {
  const noun = nounOf(one.noun);
  const scope = noun && scopeOf(one, noun, repo);
  if (!scope || scope.paths.length === 0 || scope.paths.length > maxFiles) return undefined;
  const fits = modified(one.modifiers);
  if (!fits) return undefined;
  const lists = noun
    .list(scope, repo)
    .map((items) => items.filter((item) => fits(item) && !isLeftAside(item, reading)));
  if (typeof one.quantity === "number") return judgeNumber(one, reading, lists);
  if (one.quantity === "only") return undefined;
  return judgeEach(one, { reading, lists, repo });
}

/** "Besides `start` and the constructor". */
const isLeftAside = (item: CountedItem, { words, referents }: SentenceReading): boolean =>
  leavesAside.test(words) &&
  (referents.some(({ text }) => text === item.name) ||
    (/\bconstructor/.test(words) && isMade(item)));

const languages: Record<string, RegExp> = {
  typescript: /\.[cm]?tsx?$/,
  javascript: /\.[cm]?jsx?$/,
  python: /\.py$/,
  java: /\.java$/,
  go: /\.go$/,
  rust: /\.rs$/,
  php: /\.php$/,
  ruby: /\.rb$/,
};

/** What the words before the noun ask of an item; undefined where they are not understood. */
function modified(words: readonly string[]): ((item: CountedItem) => boolean) | undefined {
  const tests = words.map((word): ((item: CountedItem) => boolean) | undefined => {
    const small = word.toLowerCase();
    if (/^(?:existing|current|individual|separate|other)$/.test(small)) return () => true;
    if (/^(?:public|exported)$/.test(small)) return ({ isShown }) => isShown;
    if (small === "private") return ({ isShown }) => !isShown;
    if (small === "relative") return ({ name }) => name.startsWith(".");
    if (/^(?:async|static|abstract)$/.test(small))
      return ({ head }) => new RegExp(`\\b${small}\\b`).test(head);
    if (/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(word)) return (item) => methodOf(item) === word;
    const files = languages[small];
    return files ? ({ path }) => files.test(path) : undefined;
  });
  if (tests.includes(undefined)) return undefined;
  return (item) => tests.every((test) => test!(item));
}

const methodOf = ({ head }: CountedItem): string =>
  (/[.@\s](get|post|put|patch|delete)(?:Mapping)?\b/i.exec(head)?.[1] ?? "").toUpperCase();

/** Behind the number: something narrows what is counted, or speaks of a run. */
const narrowed = new RegExp(
  "^ ?(?:\\(?(?:that|which|whose|where|with|without|for|about|covering|named|called|returning|" +
    "except|other than|besides|to|around|per|more|each|of|on|using)\\b)|\\b(?:pass\\w*|fail\\w*|ran|" +
    "run|green|red|skipped|collected|executed)\\b",
  "i",
);

function judgeNumber(
  { quantity, tail, whole, noun, isBound, modifiers, lead }: Quantified,
  { words }: SentenceReading,
  lists: readonly CountedItem[][],
): ClaimJudgement | undefined {
  if (!isAccounted(clauseAhead(withoutNumbers(tail))) || !isAccounted(lead)) return undefined;
  const isRun =
    /^(?:test|spec|example)/i.test(noun) &&
    /\b(?:pass\w*|fail\w*|ran(?! through)|green)\b/i.test(words);
  if (narrowed.test(tail) || isRun || (quantity === 1 && !isBound)) return undefined;
  const counts = [...new Set(lists.map(({ length }) => length))].filter((count) => count > 0);
  if (counts.length === 0 || modifiers.includes("single")) return undefined;
  return counts.includes(quantity as number)
    ? held(`counted: ${plain(whole)}`)
    : counteredBy(`"${plain(whole)}", but there are ${counts.slice(0, 4).join(" or ")}`);
}

const plain = (text: string): string => text.replace(/[§¶]/g, "…");

type Listed = { reading: SentenceReading; lists: readonly CountedItem[][]; repo: Repository };

function judgeEach(one: Quantified, { reading, lists, repo }: Listed): ClaimJudgement | undefined {
  const items = ofKind(one.noun, primary(lists));
  if (saysNone(one)) return judgeEmpty(one, lists);
  const predicate = predicateOf(one, reading, repo);
  if (!predicate || items.length === 0 || isOfOthers(one, items.length)) return undefined;
  const isNone = (one.quantity === "none") !== predicate.isDenied;
  const isPart = typeof one.quantity === "object";
  if (isPart) return undefined;
  const with_ = items.filter(predicate.holds);
  const without = items.filter((item) => !predicate.holds(item));
  const wrong = isNone ? with_ : without;
  const words = `${plain(one.whole)}${one.tail.replace(/[§¶]/g, () => reading.referents[one.first]?.text ?? "…")}`;
  if (wrong.length === 0) return held(`all ${items.length} looked at: ${words.slice(0, 60)}`);
  // What none of them has may be done for all of them elsewhere.
  if (!isNone && with_.length === 0 && !predicate.isDefinite) return undefined;
  return countered(words, wrong);
}

/** "No tests in `a`", and nothing is said of them. */
const saysNone = ({ quantity, isBound, tail }: Quantified): boolean =>
  quantity === "none" &&
  isBound &&
  /^(?:$|[,.;]| (?:yet|so far|at all|either|and|anywhere)\b)/.test(tail);

/** A class is no interface where the language tells them apart. */
function ofKind(noun: string, items: readonly CountedItem[]): readonly CountedItem[] {
  const classes = items.filter(({ head }) => /\b(?:class|record)\b/.test(head));
  return /^class/i.test(noun) && classes.length > 0 ? classes : items;
}

/** Without tests where it lists both. */
function primary(lists: readonly CountedItem[][]): readonly CountedItem[] {
  const all = lists[0] ?? [];
  const own = all.filter(({ path }) => !isTest(path));
  return own.length > 0 ? own : all;
}

function judgeEmpty(
  { whole }: Quantified,
  lists: readonly CountedItem[][],
): ClaimJudgement | undefined {
  if (lists.length === 0) return undefined;
  const smallest = [...lists].sort((a, b) => a.length - b.length)[0]!;
  return smallest.length > 0 ? countered(plain(whole), smallest) : held(`none: ${plain(whole)}`);
}
