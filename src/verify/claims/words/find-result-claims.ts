// The claims of results in a message: which clause says, in its own voice, that which result came out well,
// as the learned reader reads it; with the numbers, names and scope that its words give.
import { everywhereWords, ownTests, someWords, wholeWords } from "./good-words.ts";
import { lastFew } from "../../../markdown/last-few.ts";
import type { ResultSubject } from "../result-subject.ts";
import { stancesOf, type LabelledSubject, type Stance } from "../stance/stances-of.ts";
import { mayClaim } from "../../trust/says-something.ts";
import { anyPhrase } from "./phrase.ts";
import { describesTask, saysGood, standsAhead } from "./says-done.ts";
import { readTestOutput } from "../runs/read-test-output.ts";
import { wordsOfNow } from "./words-of-now.ts";
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
  /** What it may speak of instead. */
  others: readonly ResultSubject[];
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
  others: [],
});

const maxClaims = 200;

/** One message is asked about more than once. */
export const findResultClaims: (text: string) => readonly ResultClaim[] = lastFew(readClaims);

function readClaims(text: string): ResultClaim[] {
  const { of } = stancesOf(text);
  const found: ResultClaim[] = [];
  const before: Stance[] = [];
  for (const statement of statementsOf(text)) {
    if (found.length >= maxClaims) break;
    if (statement.kind === "fence") found.push(...printedClaims(statement));
    else
      for (const clause of statement.clauses.filter(({ span }) => mayClaim(text.slice(...span)))) {
        const own = of(statement, clause);
        const known = takenUp(clause, before);
        const stance = known ? { ...own, subjects: known, others: [] } : own;
        found.push(...clauseClaims(statement, clause, stance));
        before.push(own);
      }
  }
  return found.slice(0, maxClaims);
}

const tests: readonly LabelledSubject[] = ["tests"];

/** What a clause speaks of that does not say it itself: the last that was spoken of plainly. */
function takenUp(
  { words }: Clause,
  before: readonly Stance[],
): readonly LabelledSubject[] | undefined {
  if (regressions.test(words)) return tests;
  const last = pronoun.test(words) ? before.findLast(({ others }) => others.length === 0) : null;
  return last?.subjects.length ? last.subjects : undefined;
}

/** Only tests show that. */
const regressions =
  /\b(?:no|zero|0|without) (?:\w+ )?(?:regressions?|test failures|failing tests)\b/i;
/** "Ran `npm run build`; it passes": what stood before is meant. */
const pronoun = new RegExp(
  "^(?:and |so |now )?(?:it|they|both|these|those|all(?: of them)?) (?:(?:is|are|all|now|still) )*" +
    "(?:pass|green|clean|succeed|fine|went|came)",
  "i",
);

/** In logits: below it a clause is not taken to say that something ended well. */
const leastPlain = -0.25;
/** What may speak of more than this speaks of nothing: "✅". */
const mostOthers = 3;
/** The contract's words for outcome and decision are judged as such. */
const axisWord = /^\W*(?:success|partial|blocked|failed|invalid|proceed|stop|clarify)\W*$/i;
/** What it says of behaviour is said in more ways: it has to be plainer. */
const plainRun = 0.5;

/** "If it passed, it passed": what a condition of the same sentence leads to. */
const isConditional = ({ words, clauses }: Statement, clause: Clause): boolean => {
  const start = words.indexOf(clause.words);
  const condition = words.slice(0, Math.max(0, start)).search(conditions);
  return condition >= 0 && clauses.some((one) => one !== clause && words.indexOf(one.words) < start)
    ? /,\s*$/.test(words.slice(0, start)) && !/[.;:]\s/.test(words.slice(condition, start))
    : false;
};
const conditions =
  /(?<![\p{L}])(?:if|once|unless|as soon as|whenever|falls|wenn|sobald|si|cuando)(?![\p{L}])/iu;

function clauseClaims(statement: Statement, clause: Clause, stance: Stance): ResultClaim[] {
  const { ok } = stance;
  if (ok < leastPlain || statement.box === "open") return [];
  const { subjects, others } = stance;
  if (others.length > mostOthers) return [];
  if (standsAhead(statement.under) || isConditional(statement, clause)) return [];
  const { words } = clause;
  if (axisWord.test(words) || words.search(someWords) >= 0 || isRest(words, statement.words))
    return [];
  if (describesTask(statement, words)) return [];
  // "I ran `mix test`: 58 tests" tells a number, too.
  const isRun = has(wasRun, words) && !saysGood(words) && numbersIn(words) === null;
  // That a command was run is read off the command itself.
  if (isRun && clause.code.some((one) => one.includes(" "))) return [];
  const as = (list: readonly LabelledSubject[]): ResultSubject[] => [
    ...new Set(list.flatMap((one) => judgedAs(one, statement, words))),
  ];
  return as(subjects)
    .filter((subject) => subject !== "behaviour" || ok >= plainRun)
    .map((subject) => ({ ...claimIn(statement, clause, subject), isRun, others: as(others) }));
}

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** What was learned by the wider name is judged by the narrower one that the words give. */
function judgedAs(
  subject: LabelledSubject,
  { words: sentence }: Statement,
  words: string,
): ResultSubject[] {
  if (elsewhere.test(words) && isCheck.has(subject)) return ["checks"];
  switch (subject) {
    case "install":
      return [];
    case "push":
      return [request.test(words) ? "merge" : "push"];
    case "run":
      return [measured.test(words) ? "measured" : "behaviour"];
    case "coverage":
      return coverageIn(sentence, words);
    default:
      if (subject === "build" && makes.test(words)) return [];
      return everyCheck.test(words) && ownName[subject]?.test(sentence) === false
        ? ["checks"]
        : [subject];
  }
}

const coverageIn = (sentence: string, words: string): ResultSubject[] => {
  if (!covered.test(sentence)) return ["measured"];
  return /\d ?(?:%|percent)/i.test(words) ? ["coverage"] : [];
};

/** "It builds a query": what code does. */
const makes = /\b(?:builds?|compiles?) (?:an?|one|its) /i;
const elsewhere = /\b(?:CI|pipelines?|workflow runs?)\b/;
const isCheck: ReadonlySet<LabelledSubject> = new Set(["tests", "build", "lint", "types", "run"]);
const covered = /cover|abdeck|couv|cobert|copert|覆盖|カバ|покрыт/i;
const request = /\b(?:PR|MR|(?:pull|merge) requests?)\b/i;
const measured = new RegExp(
  "\\d ?(?:ns|µs|ms|s|MB|KB|GB|req/s|ops/s|[x×]|times|%) ?(?:/op|faster|slower|less|smaller|instead|down)|" +
    "\\b(?:no|zero|0|without)(?: \\w+)? (?:leaks?|races?)\\b",
  "i",
);
const everyCheck =
  /\b(?:CI|pipelines?|everything|all (?:green|good)|(?:all|the|quality|status|local) checks|gates?|pre-?commit)\b/i;
const ownName: Partial<{ [subject in LabelledSubject]: RegExp }> = {
  tests: /\btests?\b|\bspecs?\b|\bsuites?\b|\d/i,
  build: /buil[dt]|compil|bundl/i,
  types: /\btyp/i,
  lint: /lint|style/i,
  format: /format/i,
};

/** A fence that shows a runner's summary claims it, unless it shows what to expect. */
function printedClaims({ parts, span, under }: Statement): ResultClaim[] {
  if (under.some((heading) => /expect|usage|example|how to|before/i.test(heading))) return [];
  const counts = readTestOutput(parts.join("\n"));
  if (!counts) return [];
  const { passed, failed, total } = counts;
  return [{ ...bareClaim("tests", { words: "", span }), numbers: { passed, failed, total } }];
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
  const words = statement.kind === "row" ? wordsOfNow(statement) : clause.words;
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
  isEverywhere(words, sentence) ||
  (subject === "tests" && words.replace(notWhole, " ").search(wholeWords) >= 0);
/** "I ran one file and not the full suite" */
const notWhole =
  /\b(?:not|rather than|instead of|without) (?:the )?(?:full|whole|entire|complete)\b.*$/i;

const namesOf = ({ code }: Clause, { words }: Statement): string[] => [
  ...code,
  ...[...words.matchAll(/["“„«]([^"”“»]{2,80})["”»]/g)].map((match) => match[1]!),
];

const wasRun = anyPhrase([
  "(?:^|(?:I|we|have|I've|we've|also|then|and|again|already) ?)(?:re-?)?(?:ran|executed)" +
    "(?: (?:the|all|both|our|my|it|again|whole|full|complete|entire|existing|project's|\\w+))*",
  "(?:been|was|were) (?:re-?)?(?:run|executed)",
  "(?:ausgeführt|laufen lassen|j'ai (?:re)?lancé|ejecuté|executei|rodei|ho eseguito|запустил[аи]?)",
]);

const share = /(\d{1,6}) ?(?:\/|of|von|de|sur|out of) ?(?:the )?(\d{1,6})/iu;
const counted = new RegExp(
  "\\b(\\d{1,6})(?: \\w[\\w-]*){0,3} (?:tests?|specs?|examples?|cases|testes|pruebas)\\b(?! (?:files?|suites?|class|" +
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
