// The claims of a message: which sentence says which result, with its numbers. One pass over the table
// of words; what is planned, doubted, denied or quoted is left out.
import { badWords, goodWords, ownTests, someWords, wholeWords } from "./good-words.ts";
import { subjectWords } from "./subject-words.ts";
import type { ResultSubject } from "./subject-words.ts";
import { isAside, isAsserted } from "./is-asserted.ts";
import { readTestOutput } from "../runs/read-test-output.ts";
import { statementsOf, type Clause, type Statement } from "./statements.ts";

export type TestNumbers = { passed: number | null; failed: number | null; total: number | null };

/** `whole`: it speaks of everything there is. `partly`: its number is that of some tests. */
export type ResultClaim = {
  kind: "result";
  subject: ResultSubject;
  span: [number, number];
  words: string;
  code: string[];
  numbers: TestNumbers | null;
  whole: boolean;
  partly: boolean;
};

const maxClaims = 200;

export function findResultClaims(text: string): ResultClaim[] {
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
  const numbers = { passed, failed, total };
  const words = "";
  return [
    {
      kind: "result",
      subject: "tests",
      span,
      words,
      code: [],
      numbers,
      whole: false,
      partly: false,
    },
  ];
}

function claimsOf(statement: Statement): ResultClaim[] {
  const found = statement.clauses.flatMap((clause) => clauseClaims(statement, clause));
  // "Tests, lint and types: all green" names a subject twice; it is said once.
  const known = new Set<string>();
  return found.filter(({ subject, span, numbers }) => {
    const key = `${subject} ${span[0]} ${numbers?.passed ?? ""}`;
    return !known.has(key) && known.add(key);
  });
}

/** `at`: from where the words before could take it back, to where the words behind could. */
type Place = { subject: ResultSubject; at: [number, number] };

function clauseClaims(statement: Statement, clause: Clause): ResultClaim[] {
  const { words } = clause;
  if (fresh(someWords).test(words)) return [];
  const places = [...idiomPlaces(words), ...nounPlaces(statement, words)];
  return places
    .filter(({ at }) => isAsserted(statement, clause, at))
    .filter(({ subject }, index) => places.findIndex((one) => one.subject === subject) === index)
    .map(({ subject }) => ({
      kind: "result",
      subject,
      span: clause.span,
      words,
      code: clause.code,
      numbers: subject === "tests" ? numbersIn(words) : null,
      whole: fresh(wholeWords).test(words),
      partly: fresh(ownTests).test(words),
    }));
}

/** Expressions of these tables are global: each use begins at the start. */
function fresh(pattern: RegExp): RegExp {
  pattern.lastIndex = 0;
  return pattern;
}

function idiomPlaces(words: string): Place[] {
  return subjectWords.flatMap(({ subject, idioms }): Place[] => {
    const match = [...words.matchAll(idioms)].find(({ 0: found }) => found.trim() !== "");
    return match ? [{ subject, at: [match.index, match.index + match[0].length] }] : [];
  });
}

/** A noun with a good word behind it or close before it. A tick alone is enough in a short item. */
function nounPlaces(statement: Statement, words: string): Place[] {
  const good = [...words.matchAll(goodWords)];
  const isShort = words.split(/\s+/).length <= 8;
  const isTicked = statement.box === "ticked" && isShort;
  if ((good.length === 0 && !isTicked) || fresh(badWords).test(words)) return [];
  return subjectWords.flatMap(({ subject, noun }): Place[] => {
    if (noun === null) return [];
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

const share = /(\d{1,6}) ?(?:\/|of|out of) ?(?:the )?(\d{1,6})/iu;
const counted = new RegExp(
  "\\b(\\d{1,6})(?: [\\w-]+){0,3} (?:tests?|specs?|examples?)\\b(?! (?:files?|suites?|class|" +
    "modules?|packages?))|\\btests?:? \\(?(\\d{1,6})\\b|\\b(\\d{1,6}) pass(?:ed|ing)?\\b",
  "iu",
);

/** The number of tests that a clause tells. Suites and files are another count. */
export function numbersIn(words: string): TestNumbers | null {
  const plain = words.replace(/(?<=\d),(?=\d{3}\b)/g, "");
  const failed = /\b(\d{1,6}) (?:tests? )?fail(?:ed|ing|ures?)\b/iu.exec(plain)?.[1];
  const rest = failed === undefined ? null : Number(failed);
  const part = share.exec(plain);
  if (part) return { passed: Number(part[1]), failed: rest, total: Number(part[2]) };
  const found = counted.exec(plain);
  const number = found?.[1] ?? found?.[2] ?? found?.[3];
  return number === undefined ? null : { passed: Number(number), failed: rest, total: null };
}
