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
  text: string;
  own: Words;
  around: Words;
  strength: number;
  kind: "assertion" | "row" | "line";
};

type Compared = {
  old: readonly TestCase[];
  pairs: ReadonlyMap<TestCase, TestCase>;
  holders: readonly RunningTest[];
  files: { old: Files; now: Files };
};

export function rewrittenTests({ old, pairs, holders, files }: Compared): IsRewrite {
  const fresh = freshLines(files);
  const added = wordsOf([...fresh].join("\n"));
  const isUnderTest = definedIn(files.now);
  const running = old.filter(({ isSkipped }) => !isSkipped);
  const order = [
    ...running.filter((one) => pairs.has(one)),
    ...running.filter((one) => !pairs.has(one)),
  ];
  const places = new Set(placesOf(holders, files.now, fresh));
  const left = new Map<TestCase, Saying[]>();
  // What stands as it stood says the same as before, and nothing besides.
  for (const one of order)
    left.set(
      one,
      sayingsOf(one).filter(({ text }) => !take(places, (place) => place.text === text)),
    );
  const known = new Map<TestCase, boolean>();
  return (one) => {
    const setup = [...wordsOf(one.body.replace(one.name, "")).keys()].filter(isLong);
    const isKept = (): boolean =>
      setup.every((word) => added.has(word)) &&
      (left.get(one) ?? []).every(
        (saying) =>
          (saying.isRow && valuesOf(saying.text).size === 0) ||
          take(places, (place) => holds(place, saying, isUnderTest)),
      );
    const found = known.get(one) ?? isKept();
    known.set(one, found);
    return found;
  };
}

function take(places: Set<Place>, isWanted: (place: Place) => boolean): boolean {
  for (const place of places)
    if (isWanted(place)) {
      places.delete(place);
      return true;
    }
  return false;
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
  const withTests = new Set(holders.map(({ test }) => test.path));
  const support = [...files].flatMap(([path, text]) =>
    isTest(path) && !withTests.has(path) ? [text] : [],
  );
  return holders.flatMap(({ test, sayings }) => {
    const { path, body, context, rows, assertions } = test;
    const beside = [besideTests(path, files.get(path) ?? ""), ...support].join("\n");
    const withoutRows = cut(
      context,
      rows.map(({ text }) => text),
    );
    const alone = cut(
      withoutRows,
      assertions.map(({ said }) => said),
    );
    const outside = wordsOf(`${withoutRows}\n${beside}`);
    const common = wordsOf(`${alone}\n${beside}`);
    const strength = Math.max(0, ...sayings.map((one) => one.strength));
    const lines = body.split("\n").filter((line) => fresh.has(line.trim()));
    return [
      ...sayings.map((one) => ({
        text: one.text,
        own: wordsOf(one.text === "" ? one.values.join(" ") : one.reach),
        around: one.isRow ? outside : common,
        strength: one.strength,
        kind: one.isRow ? ("row" as const) : ("assertion" as const),
      })),
      ...(strength > 0 ? lines : []).map((line) => ({
        text: "",
        own: wordsOf(line),
        around: outside,
        strength,
        kind: "line" as const,
      })),
    ];
  });
}

const cut = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, one) => rest.replace(one, " "), text);

function holds(
  { own, around, strength, kind }: Place,
  saying: Saying,
  isUnderTest: (name: string) => boolean,
): boolean {
  // A line may give what a row gave; only an assertion or a row takes up an assertion.
  if (strength < saying.least || kind === (saying.isRow ? "assertion" : "line")) return false;
  const words = valuesOf(saying.text);
  const expected = saying.isRow ? words : expectedIn(saying.text);
  const telling = [...expected.keys()].filter(isLong);
  const isOwn =
    words.size === 0
      ? [...contentOf(saying.text)].some((name) => own.has(`:${name}`))
      : telling.length > 0
        ? telling.some((word) => own.has(word))
        : [...expected].every(([word, count]) => (own.get(word) ?? 0) >= count);
  return (
    isOwn &&
    [...words.keys()].every((word) => own.has(word) || around.has(word)) &&
    [...contentOf(saying.text)].every(
      (name) => own.has(`:${name}`) || around.has(`:${name}`) || !isUnderTest(name),
    )
  );
}

/** What it compares with; all of it where that is not to be told. */
function expectedIn(text: string): Words {
  const plain = operandsOf(text).parts.filter((part) => namesBeside(part).length === 0);
  return valuesOf(plain.length > 0 ? plain.join(" , ") : text);
}

const isLong = (word: string): boolean => !word.startsWith(":") && isTelling(word);

/** Its values, and its names behind a colon. */
function wordsOf(text: string): Words {
  const found = new Map(valuesOf(text));
  for (const name of identifiersIn(text)) found.set(`:${name}`, 1);
  return found;
}

/** Numbers, constants and the words of texts, what is put into a text aside. */
function valuesOf(text: string): Words {
  const found = new Map<string, number>();
  const values = [...valuesIn(text).flatMap(piecesOf), ...constantsIn(text)];
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** `toBeNull`, `isTrue`. */
const constantsIn = (text: string): string[] =>
  (text.match(/(?<=[a-z_])(?:[nN]ull|[tT]rue|[fF]alse)\b/g) ?? []).map((one) => one.toLowerCase());

function piecesOf(value: string): string[] {
  if (/^-?\d[\d.]*$/.test(value)) return [value];
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
