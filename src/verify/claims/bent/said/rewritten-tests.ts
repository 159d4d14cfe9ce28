// A test that stands in another form: all that it says is in places that are new, each assertion and each
// row in a place of its own, with the names under test. Words are compared and no forms, so that a rewrite
// is known in any framework.
import { definitionStrength } from "../../../../source/definitions.ts";
import { isTest } from "../../tree/uses.ts";
import { besideTests, type TestCase } from "../cases/test-cases.ts";
import { contentOf } from "../reading/assertions.ts";
import { namesBeside, operandsOf, valuesIn } from "../reading/operands.ts";
import { isSource, withoutTests, type Files } from "../what-changed.ts";
import type { RunningTest } from "./lost-sayings.ts";
import { identifiersIn, isTelling, sayingsOf, type Saying } from "./sayings-of.ts";

/** Whether all that a test said is said in another form. */
export type IsRewrite = (one: TestCase) => boolean;

type Words = ReadonlyMap<string, number>;

/** Something that is said now. `around`: what the test has beside it. */
type Place = {
  test: TestCase;
  text: string;
  own: Words;
  around: Words;
  strength: number;
  kind: "assertion" | "row" | "line";
};

/** What was said. `expected`: what it compares with; all of it where that is not to be told. */
type Said = {
  text: string;
  words: Words;
  expected: Words;
  names: readonly string[];
  least: number;
  isRow: boolean;
};

type Compared = {
  old: readonly TestCase[];
  pairs: ReadonlyMap<TestCase, TestCase>;
  holders: readonly RunningTest[];
  files: { old: Files; now: Files };
};

/** Nothing is compared before it is asked for. */
export function rewrittenTests(compared: Compared): IsRewrite {
  let found: ReadonlySet<TestCase> | undefined;
  return (one) => (found ??= rewritesIn(compared)).has(one);
}

function rewritesIn({ old, pairs, holders, files }: Compared): ReadonlySet<TestCase> {
  const fresh = freshLines(files);
  const added = wordsOf([...fresh].join("\n"));
  const isUnderTest = definedIn(files.now);
  const places = new Set(placesOf(holders, files.now, fresh));
  const running = old.filter(({ isSkipped }) => !isSkipped);
  const [kept, gone] = [true, false].map((has) =>
    running.filter((one) => pairs.has(one) === has),
  ) as [TestCase[], TestCase[]];
  // What stands as it stood says the same as before, and nothing besides.
  const left = [...kept, ...gone].map((one) => ({
    one,
    sayings: sayingsOf(one).filter(({ text }) => {
      const same = [...places].filter((place) => place.text === text);
      return !takeBest(places, same, (place) => Number(place.test === pairs.get(one)));
    }),
  }));
  const missed = left.filter(({ one, sayings }) => {
    const later = pairs.get(one);
    const without = sayings.map(saidBy).filter((said) => {
      const fitting = [...places].filter((place) => holds(place, said, isUnderTest));
      const shared = (place: Place): number =>
        [...said.words.keys(), ...said.names.map((name) => `:${name}`)].filter((word) =>
          place.own.has(word),
        ).length + (place.test === later ? 0.5 : 0);
      return !takeBest(places, fitting, shared) && said.words.size + said.names.length > 0;
    });
    return without.length > 0;
  });
  const lacking = new Set(missed.map(({ one }) => one));
  // Where a test that is gone has no place, another one may have taken it.
  const unsure = new Set(gone.filter((one) => lacking.has(one)).map(({ path }) => path));
  const isNew = (one: TestCase): boolean => {
    const later = pairs.get(one);
    const setup = [...wordsOf(one.body.replace(one.name, "")).keys()].filter(isLong);
    return setup.every((word) => added.has(word)) && !(later && isShortened(one, later));
  };
  return new Set(running.filter((one) => !lacking.has(one) && !unsure.has(one.path) && isNew(one)));
}

/** Something was taken away, and nothing came in its place. */
function isShortened(one: TestCase, later: TestCase): boolean {
  const had = new Set(one.body.split("\n").map((line) => line.trim()));
  return later.body.split("\n").every((line) => had.has(line.trim()));
}

/** The first of those that fit best is taken; whether there was one. */
function takeBest(
  places: Set<Place>,
  fitting: readonly Place[],
  rank: (place: Place) => number,
): boolean {
  const ranks = fitting.map(rank);
  const best = fitting[ranks.indexOf(Math.max(...ranks))];
  return best !== undefined && places.delete(best);
}

function saidBy({ text, least, isRow }: Saying): Said {
  // Letters and digits alone stand anywhere: whole values are compared then.
  const isShort = ![...valuesOf(text, piecesOf).keys()].some(isLong);
  const wordsIn = (part: string): Words => valuesOf(part, isShort ? wholeOf : piecesOf);
  const words = wordsIn(text);
  const plain = operandsOf(text).parts.filter((part) => namesBeside(part).length === 0);
  const expected = isRow || plain.length === 0 ? words : wordsIn(plain.join(" , "));
  return { text, words, expected, names: isRow ? [] : [...contentOf(text)], least, isRow };
}

/** Lines of test and data files that did not stand there before. */
function freshLines({ old, now }: Compared["files"]): ReadonlySet<string> {
  const had = new Map<string, number>();
  const linesOf = (files: Files): string[] =>
    [...files].flatMap(([path, text]) => (isSource(path) ? [] : text.split("\n")));
  for (const line of linesOf(old)) had.set(line.trim(), (had.get(line.trim()) ?? 0) + 1);
  return new Set(
    linesOf(now)
      .map((line) => line.trim())
      .filter((line) => {
        const count = had.get(line) ?? 0;
        had.set(line, count - 1);
        return count <= 0;
      }),
  );
}

function placesOf(
  holders: readonly RunningTest[],
  files: Files,
  fresh: ReadonlySet<string>,
): Place[] {
  const tests = holders.map(({ test }) => test);
  const withTests = new Set(tests.map(({ path }) => path));
  const support = [...files].flatMap(([path, text]) =>
    isTest(path) && !withTests.has(path) ? [text] : [],
  );
  const beside = new Map<string, string>();
  for (const path of withTests) {
    const rows = tests.flatMap((test) => (test.path === path ? test.rows : []));
    const text = besideTests(path, files.get(path) ?? "");
    beside.set(path, [cut(text, rows), ...support].join("\n"));
  }
  return holders.flatMap(({ test, sayings }) => {
    const withoutRows = cut(test.context, test.rows);
    const alone = cut(
      withoutRows,
      test.assertions.map(({ said }) => ({ text: said })),
    );
    const [outside, common] = [withoutRows, alone].map((text) =>
      wordsOf(`${text}\n${beside.get(test.path)!}`),
    ) as [Words, Words];
    const strength = Math.max(0, ...sayings.map((one) => one.strength));
    const lines = test.body.split("\n").filter((line) => fresh.has(line.trim()));
    return [
      ...sayings.map(({ text, values, strength, isRow }): Place => ({
        test,
        text,
        own: wordsOf(text === "" ? values.join(" ") : text),
        around: isRow ? outside : common,
        strength,
        kind: isRow ? "row" : "assertion",
      })),
      ...(strength > 0 ? lines : []).map((line): Place => ({
        test,
        text: "",
        own: wordsOf(line),
        around: outside,
        strength,
        kind: "line",
      })),
    ];
  });
}

/** It puts values into texts. */
const isFilled = ({ assertions }: TestCase): boolean =>
  assertions.some(({ text }) => filled.test(text));
const filled = /[$#]\{|["'`][^"'`]*(?:\{\w*\}|%[sdv])/;

/** A mark may stand there twice; what is short is a part of other words. */
const cut = (text: string, parts: readonly { text: string }[]): string =>
  parts.reduce(
    (rest, one) =>
      one.text.length > 3 ? rest.replaceAll(one.text, " ") : rest.replace(one.text, " "),
    text,
  );

function holds(
  { test, own, around, strength, kind }: Place,
  { words, expected, names, least, isRow }: Said,
  isUnderTest: (name: string) => boolean,
): boolean {
  // A line may give what a row gave; only an assertion or a row takes up an assertion.
  if (strength < least || kind === (isRow ? "assertion" : "line")) return false;
  const isIn = (word: string): boolean => own.has(word) || around.has(word);
  // Where a value is put into a text, one of it stands for several.
  const isThere = ([word, count]: readonly [string, number]): boolean =>
    isIn(word) &&
    (kind !== "row" || isFilled(test) || (own.get(word) ?? 0) + (around.get(word) ?? 0) >= count);
  const isOwn = ([word, count]: readonly [string, number]): boolean =>
    (own.get(word) ?? 0) >= count;
  const telling = [...expected].filter(([word]) => isLong(word));
  return (
    (words.size > 0 || names.some((name) => own.has(`:${name}`))) &&
    [...expected].every((one) => isOwn(one) || (telling.some(isOwn) && !own.has(one[0]))) &&
    [...words].every(isThere) &&
    names.every((name) => isIn(`:${name}`) || !isUnderTest(name))
  );
}

const isLong = (word: string): boolean => /^-?[\p{L}\p{N}.]+$/u.test(word) && isTelling(word);

/** Its values, whole and in pieces, and its names behind a colon. */
function wordsOf(text: string): Words {
  const found = new Map(
    valuesOf(text, (value) => [...new Set([...wholeOf(value), ...piecesOf(value)])]),
  );
  for (const name of identifiersIn(text)) found.set(`:${name}`, 1);
  return found;
}

/** How often each part of its values is there; constants are in names, too. */
function valuesOf(text: string, partsOf: (value: string) => readonly string[]): Words {
  const found = new Map<string, number>();
  for (const value of [...valuesIn(text).flatMap(partsOf), ...constantsIn(text)])
    found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** `toBeNull`, `isTrue`. */
const constantsIn = (text: string): string[] =>
  (text.match(/(?<=[a-z_])(?:[nN]ull|[tT]rue|[fF]alse)\b/g) ?? []).map((one) => one.toLowerCase());

/** A text keeps a mark, so that it is none of its words. */
const wholeOf = (value: string): string[] => [isNumber.test(value) ? value : `"${value}`];

const isNumber = /^-?\d[\d.]*$/;

/** Numbers and the words of texts, what is put into a text aside. */
function piecesOf(value: string): string[] {
  if (isNumber.test(value)) return [value];
  const plain = value.replace(/[$#]?\{[^{}]*\}/g, " ");
  const pieces = plain.match(/\d+|\p{L}+|[^\s\p{L}\p{N}]/gu) ?? [];
  // Signs between numbers are those of one form of a date or a version.
  const isNumbers = !/\p{L}/u.test(plain) && /\d/.test(plain);
  return pieces
    .filter((piece) => !isNumbers || /\d/.test(piece))
    .map((piece) => (/^\d+$/.test(piece) ? String(Number(piece)) : piece));
}

/** Names that the code defines. */
function definedIn(files: Files): (name: string) => boolean {
  const lines = [...files]
    .filter(([path]) => isSource(path))
    .flatMap(([, text]) => withoutTests(text).split("\n"))
    .map((text) => ({ text, names: new Set(identifiersIn(text)) }));
  const known = new Map<string, boolean>();
  return (name) => {
    const found =
      known.get(name) ??
      lines.some(({ text, names }) => names.has(name) && definitionStrength(text, name) >= 2);
    known.set(name, found);
    return found;
  };
}
