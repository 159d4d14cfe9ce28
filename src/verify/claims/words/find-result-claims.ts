// The claims of a message: which sentence says which result, with its numbers. One pass over the table
// of words; what is planned, doubted, denied or quoted is left out.
import {
  everywhereWords,
  goodWords,
  ownTests,
  someWords,
  tellsTrouble,
  wholeWords,
} from "./good-words.ts";
import { lastFew } from "../../../markdown/last-few.ts";
import { claimSubjects as subjectWords } from "./delivery-words.ts";
import type { ResultSubject } from "./subject-words.ts";
import { isAside, isAsserted } from "./is-asserted.ts";
import { anyPhrase } from "./phrase.ts";
import { isTestName } from "../runs/scope/is-test-name.ts";
import { readTestOutput } from "../runs/read-test-output.ts";
import { statementsOf, type Clause, type Statement } from "./statements.ts";

export type TestNumbers = { passed: number | null; failed: number | null; total: number | null };

/** `whole`: it speaks of everything there is. `partly`: its number is that of some tests. */
export type ResultClaim = {
  kind: "result";
  subject: ResultSubject;
  span: [number, number];
  words: string;
  /** The sentence that the words stand in. */
  sentence: string;
  code: string[];
  /** All code of the sentence. */
  sentenceCode: string[];
  /** Code and quotations of the sentence: tests, packages, files may be among them. */
  names: string[];
  numbers: TestNumbers | null;
  whole: boolean;
  /** It speaks of the whole project or of every package. */
  everywhere: boolean;
  partly: boolean;
  /** It says no more than that it was run. */
  isRun: boolean;
};

/** A claim with nothing but its subject and words. */
export const bareClaim = (
  subject: ResultSubject,
  { words, span }: Pick<ResultClaim, "words" | "span">,
): ResultClaim => ({
  kind: "result",
  subject,
  span,
  words,
  sentence: words,
  code: [],
  sentenceCode: [],
  names: [],
  numbers: null,
  whole: false,
  everywhere: false,
  partly: false,
  isRun: false,
});

const maxClaims = 200;

/** One message is asked about more than once. */
export const findResultClaims: (text: string) => readonly ResultClaim[] = lastFew(readClaims);

function readClaims(text: string): ResultClaim[] {
  const found: ResultClaim[] = [];
  for (const statement of statementsOf(text)) {
    if (found.length >= maxClaims) break;
    if (statement.kind === "fence") found.push(...printedClaims(statement));
    else if (!isAside(statement)) found.push(...claimsOf(statement));
  }
  return found.slice(0, maxClaims);
}

/** A fence that shows a runner's summary claims it, unless it shows what to expect. */
function printedClaims({ parts, span, under }: Statement): ResultClaim[] {
  if (under.some((heading) => /expect|usage|example|how to|before/i.test(heading))) return [];
  const counts = readTestOutput(parts.join("\n"));
  if (!counts) return [];
  const { passed, failed, total } = counts;
  return [{ ...bareClaim("tests", { words: "", span }), numbers: { passed, failed, total } }];
}

/** What somebody is quoted with is not said; its length stays. */
const unquoted = (words: string): string =>
  words.replace(/["“„«]([^"”“»]{2,160})["”»]/g, (quotation) => "¶".repeat(quotation.length));

function claimsOf(statement: Statement): ResultClaim[] {
  const found: ResultClaim[] = [];
  let named: ResultSubject[] = [];
  for (const clause of statement.clauses) {
    const plain = { ...clause, words: unquoted(clause.words) };
    const claims = clauseClaims(statement, plain, named);
    found.push(...claims);
    const own = subjectsIn(plain.words);
    if (own.length > 0) named = plain.words.search(wasRun) >= 0 ? own : [];
  }
  // "Tests, lint and types: all green" names a subject twice; it is said once.
  const known = new Set<string>();
  return found.filter(({ subject, span, numbers }) => {
    const key = `${subject} ${span[0]} ${numbers?.passed ?? ""}`;
    return !known.has(key) && known.add(key);
  });
}

const subjectsIn = (words: string): ResultSubject[] =>
  subjectWords.flatMap(({ subject, noun }) =>
    noun !== null && words.search(noun) >= 0 ? [subject] : [],
  );

/** `at`: from where the words before could take it back, to where the words behind could. */
type Place = { subject: ResultSubject; at: [number, number]; isRun?: true };

function clauseClaims(
  statement: Statement,
  clause: Clause,
  named: readonly ResultSubject[],
): ResultClaim[] {
  const { words } = clause;
  if (words.search(someWords) >= 0 || isRest(words, statement.words)) return [];
  const places = [
    ...idiomPlaces(words),
    ...nounPlaces(statement, clause),
    ...namedTestPlaces(clause),
    ...runPlaces(words),
    ...carriedPlaces(words, named),
  ];
  return places
    .filter(({ at }) => isAsserted(statement, clause, at))
    .filter(({ subject }, index) => places.findIndex((one) => one.subject === subject) === index)
    .map(({ subject, isRun = false }) => ({ ...claimIn(statement, clause, subject), isRun }));
}

/** "It breaks one test; the remaining 8 pass": the failure is told beside it. */
export const isRest = (words: string, sentence: string): boolean =>
  /\b(?:remaining|others?|rest)\b/i.test(words) && tellsOne.test(sentence);

const tellsOne = new RegExp(
  "\\b(?:breaks?|broke|fail(?:s|ed|ing|ures?)?) (?:one|two|three|\\d+|an?|the)\\b|" +
    "\\b(?:one|two|three|\\d+|an?) [\\w ]{0,20}(?:breaks?|fails?)\\b",
  "i",
);

/** What the words of a clause say about a subject. */
export function claimIn(statement: Statement, clause: Clause, subject: ResultSubject): ResultClaim {
  const { words } = clause;
  return {
    ...bareClaim(subject, { words, span: clause.span }),
    sentence: statement.words,
    code: clause.code,
    sentenceCode: statement.clauses.flatMap(({ code }) => code),
    names: namesOf(clause, statement),
    numbers: subject === "tests" ? numbersIn(words) : null,
    whole: isWhole(subject, words, statement.words),
    everywhere: isEverywhere(words, statement.words),
    partly: words.search(ownTests) >= 0,
  };
}

/** A short piece of a sentence speaks of what the whole sentence speaks of. */
const isEverywhere = (words: string, sentence: string): boolean =>
  (words.split(/\s+/).length < 8 ? sentence : words).search(everywhereWords) >= 0;

const isWhole = (subject: ResultSubject, words: string, sentence: string): boolean =>
  isEverywhere(words, sentence) || (subject === "tests" && words.search(wholeWords) >= 0);

const namesOf = ({ code }: Clause, { words }: Statement): string[] => [
  ...code,
  ...[...words.matchAll(/["“„«]([^"”“»]{2,80})["”»]/g)].map((match) => match[1]!),
];

function idiomPlaces(words: string): Place[] {
  return subjectWords.flatMap(({ subject, idioms }): Place[] => {
    if (words.search(idioms) < 0) return [];
    const match = [...words.matchAll(idioms)].find(({ 0: found }) => found.trim() !== "");
    return match ? [{ subject, at: [match.index, match.index + match[0].length] }] : [];
  });
}

/** A noun with a good word behind it or close before it. A tick alone is enough in a short item. */
function nounPlaces(statement: Statement, { words }: Clause): Place[] {
  const good = words.search(goodWords) < 0 ? [] : [...words.matchAll(goodWords)];
  const isShort = words.split(/\s+/).length <= 8;
  const isTicked = statement.box === "ticked" && isShort;
  if ((good.length === 0 && !isTicked) || tellsTrouble(words)) return [];
  return subjectWords.flatMap(({ subject, noun }): Place[] => {
    if (noun === null || words.search(noun) < 0) return [];
    const named = [...words.matchAll(noun)];
    for (const { index, 0: name } of named) {
      const stop = index + name.length;
      if (isTicked) return [{ subject, at: [index, stop] }];
      const behind = good.find(({ index: at }) => at >= stop - 1 && at - stop < 80);
      if (behind) return [{ subject, at: [behind.index, behind.index + behind[0].length] }];
      const before = good.find(
        ({ index: at, 0: word }) => at + word.length <= index && index - at - word.length < 24,
      );
      const gap = before ? index - before.index - before[0].length : 0;
      if (before && isGoodBefore(before[0], { isShort, gap }))
        return [{ subject, at: [before.index, stop] }];
    }
    return [];
  });
}

/** "Green tests", "passes lint", "no errors from lint", "✅ Tests"; not "successfully added tests". */
const isGoodBefore = (word: string, { isShort, gap }: { isShort: boolean; gap: number }): boolean =>
  (/^(?:green|clean|pass\w*)$/iu.test(word) && gap < 16) ||
  /^(?:no|zero|0|without)/iu.test(word) ||
  (isShort && /[✅✓✔🟢☑]/u.test(word));

/** "`test_retry` passes", "`AuthTest::login` and `AuthTest::logout` pass". */
function namedTestPlaces({ words, code }: Clause): Place[] {
  let at = -1;
  for (const one of code) {
    at = words.indexOf("§", at + 1);
    const behind = at < 0 ? null : passesBehind.exec(words.slice(at));
    if (behind && isTestName(one)) return [{ subject: "tests", at: [at, at + behind[0].length] }];
  }
  return [];
}

const passesBehind = new RegExp(
  "^§(?:,? (?:and )?§)*,? (?:(?:test|spec|case|all|now|both|again|also|still|which|is|are|runs?|too) ?)*" +
    "(?:pass(?:es|ed|ing)?|green|succeeds?)" +
    "(?=$|[.,;:!)]| (?:now|again|too|as well|with|after|on|and)\\b)",
  "iu",
);

const wasRun = anyPhrase([
  "(?:^|(?:I|we|have|I've|we've|also|then|and|again|already) ?)(?:re-?)?(?:ran|executed)" +
    "(?: (?:the|all|both|our|my|it|again|whole|full|complete|entire|existing|project's|\\w+))*",
  "(?:been|was|were) (?:re-?)?(?:run|executed)",
  "(?:ausgeführt|laufen lassen|j'ai (?:re)?lancé|ejecuté|executei|rodei|ho eseguito|запустил[аи]?)",
]);

/** matchAll makes a copy of the pattern; most clauses hold nothing of it. */
const firstIn = (words: string, pattern: RegExp): RegExpExecArray | undefined =>
  words.search(pattern) < 0 ? undefined : [...words.matchAll(pattern)][0];

/** "Ran the linter": that it was run, and no more. */
function runPlaces(words: string): Place[] {
  const ran = firstIn(words, wasRun);
  const isDenied = /\b(?:ran|run|executed) (?:neither|no|none|nothing)\b/i.test(words);
  if (!ran || isDenied || tellsTrouble(words)) return [];
  const end = ran.index + ran[0].length;
  return subjectWords.flatMap(({ subject, noun }): Place[] => {
    const named = noun === null ? undefined : firstIn(words, noun);
    const isNear = named !== undefined && named.index - end < 24 && named.index >= ran.index;
    return isNear ? [{ subject, at: [ran.index, end], isRun: true }] : [];
  });
}

/** "Ran the lint task for all packages, and there were no complaints": the noun stands before. */
function carriedPlaces(words: string, named: readonly ResultSubject[]): Place[] {
  if (named.length === 0 || subjectsIn(words).length > 0 || tellsTrouble(words)) return [];
  const good = firstIn(words, goodWords);
  if (!good || words.slice(0, good.index).trim().split(/\s+/).length > 4) return [];
  const at: [number, number] = [good.index, good.index + good[0].length];
  return named.filter((subject) => checked.has(subject)).map((subject) => ({ subject, at }));
}

const checked: ReadonlySet<ResultSubject> = new Set(["tests", "build", "types", "lint", "format"]);

const share = /(\d{1,6}) ?(?:\/|of|von|de|sur|out of) ?(?:the )?(\d{1,6})/iu;
const counted = new RegExp(
  "\\b(\\d{1,6})(?: [\\w-]+){0,3} (?:tests?|specs?|examples?|cases|testes|pruebas)\\b(?! (?:files?|suites?|class|" +
    "modules?|packages?))|\\btests?:? \\(?(\\d{1,6})\\b|\\b(\\d{1,6}) pass(?:ed|ing)?\\b",
  "iu",
);

const figures = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const figureOf = (word: string): string => String(3 + figures.indexOf(word.toLowerCase()));

/** The number of tests that a clause tells. Suites and files are another count. */
export function numbersIn(words: string): TestNumbers | null {
  // Of "from 1 failed, 12 passed to 13 passed" the end counts.
  const plain = words
    .replace(/(?<=\ball )(?:three|four|five|six|seven|eight|nine|ten)\b/gi, figureOf)
    .replace(/(?<=\d),(?=\d{3}\b)/g, "")
    .replace(/\bfrom\b.*\d.*?\b(?:to|into)\b/i, " ")
    .replace(/^.*\d[^→]*→(?=.*\d)/, " ");
  const failed = /\b(\d{1,6}) (?:tests? )?fail(?:ed|ing|ures?)\b/iu.exec(plain)?.[1];
  const rest = failed === undefined ? null : Number(failed);
  const part = share.exec(plain);
  if (part) return { passed: Number(part[1]), failed: rest, total: Number(part[2]) };
  const found = counted.exec(plain);
  const number = found?.[1] ?? found?.[2] ?? found?.[3];
  return number === undefined ? null : { passed: Number(number), failed: rest, total: null };
}
