// What tests said before and no test that runs says any more. It may be said in any form (an assertion, a
// row, a helper) and anywhere; how many assertions there are says nothing.
import { besideTests, helpersOf, type TestCase } from "../cases/test-cases.ts";
import { statementEnd } from "../reading/block-end.ts";
import { coverOf, inputsOf, valuesIn } from "../reading/operands.ts";
import type { Files } from "../what-changed.ts";
import {
  sayingsOf,
  defines,
  isTelling,
  namesLookedAt,
  saidIn,
  identifiersIn,
  type Saying,
} from "./sayings-of.ts";

/** A test that runs now. `common`: values in it and around it that stand in none of its sayings. */
export type RunningTest = {
  test: TestCase;
  sayings: readonly Saying[];
  common: ReadonlySet<string>;
  /** Values in it that stand in no row. */
  outside: ReadonlySet<string>;
  names: ReadonlySet<string>;
  /** What it said before already. */
  had: ReadonlySet<string>;
  /** It is not as it was before. */
  isChanged: boolean;
};

/** `pairs`: tests before, and what became of them. */
export function runningTests(
  now: readonly TestCase[],
  pairs: ReadonlyMap<TestCase, TestCase>,
  files: Files,
): RunningTest[] {
  const before = new Map([...pairs].map(([one, later]) => [later, one]));
  const around = new Map<string, Around>();
  return now
    .filter(({ isSkipped }) => !isSkipped)
    .map((test) => {
      const { path, context, body } = test;
      if (!around.has(path)) around.set(path, aroundTests(path, files.get(path) ?? ""));
      const { text, helpers } = around.get(path)!;
      const was = before.get(test);
      const sayings = sayingsOf(test);
      const names = namesLookedAt(body);
      const given = new Map([...helpers, ...definitionsIn(text), ...definitionsIn(context)]);
      return {
        test,
        sayings: sayings.map((one) => (one.isRow ? one : withDefinitions(one, given))),
        common: new Set(saidIn(`${withoutSayings(test)}\n${text}`)),
        outside: new Set(saidIn(`${withoutRows(test)}\n${text}`)),
        names,
        had: textsOf(was ? sayingsOf(was) : []),
        isChanged: was?.context !== context,
      };
    });
}

type Around = {
  text: string;
  /** Functions by their names. */
  helpers: ReadonlyMap<string, string>;
};

/** What stands beside the tests of a file. */
const aroundTests = (path: string, text: string): Around => ({
  text: besideTests(path, text),
  helpers: new Map(helpersOf(path, text).map(({ name, body }) => [name, body])),
});

const without = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, one) => rest.replace(one, " "), text);
const withoutRows = ({ context, rows }: TestCase): string =>
  without(
    context,
    rows.map(({ text }) => text),
  );
const withoutSayings = (test: TestCase): string =>
  without(
    withoutRows(test),
    test.assertions.map(({ said }) => said),
  );

/** What names stand for. */
function definitionsIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const mask = coverOf(text);
  for (const { 0: whole, 1: names, 2: lazy, 3: own, index } of mask.matchAll(defines)) {
    const from = index + whole.length;
    const value = text.slice(from, statementEnd(mask, from));
    for (const name of (names ?? lazy ?? own ?? "is_expected").split(/, ?/))
      found.set(name, `${found.get(name) ?? ""}\n${value}`);
  }
  return found;
}

function withDefinitions(one: Saying, given: ReadonlyMap<string, string>): Saying {
  const words = new Set(identifiersIn(one.text));
  const reach = [one.text, ...[...words].map((name) => given.get(name) ?? "")].join("\n");
  return {
    ...one,
    values: [...one.values, ...saidIn(reach)],
    names: namesLookedAt(reach),
  };
}

/**
 * Of what a test said, what nothing says any more. `later`: what became of the test; `isTold`: other inputs
 * are explained by what changed beside the tests.
 */
export function lostSayings(
  one: TestCase,
  later: TestCase | undefined,
  { tests, isTold }: { tests: readonly RunningTest[]; isTold: boolean },
): Saying[] {
  const [had, has] = [sayingsOf(one), later ? sayingsOf(later) : []];
  const [before, now] = [textsOf(had), textsOf(has)];
  const [inside, around] = later
    ? [[], []]
    : [setupIn(one, one.body).filter(isTelling), setupIn(one, one.context)];
  const lost = had.filter(
    (saying) =>
      !now.has(saying.text) &&
      !tests.some((by) =>
        by.sayings.some((other) =>
          takesUp(saying, other, {
            by,
            setup: by.isChanged ? inside : around,
            isGone: !later,
          }),
        ),
      ),
  );
  // Each new saying may stand for one of the same names: what is expected of them is another question.
  const fresh = has.filter(({ text }) => !before.has(text));
  const own = tests.find(({ test }) => test === later);
  return lost.filter((saying) => {
    const inputs = inputsOf(saying.text).filter(isTelling);
    const tried = own && [...own.outside].map(withoutSpace);
    const isTried =
      isTold || inputs.length === 0 || inputs.some((value) => tried?.includes(withoutSpace(value)));
    const at = fresh.findIndex(
      (other) =>
        other.strength >= saying.least &&
        other.isRow === saying.isRow &&
        (other.strength > Math.max(saying.least, 2) ||
          (isTried && (saying.names.size === 0 ? other.names.size === 0 : isAbout(saying, other)))),
    );
    return at < 0 || fresh.splice(at, 1).length === 0;
  });
}

const withoutSpace = (value: string): string => value.replace(/\s/g, "");

type Taking = { by: RunningTest; setup: readonly string[]; isGone: boolean };

/** What was said before already takes nothing up, unless it is the same. */
function takesUp(saying: Saying, other: Saying, { by, setup, isGone }: Taking): boolean {
  if (saying.isWhole && saying.text === other.text) return true;
  const { isChanged, outside } = by;
  if (!isChanged || (!isGone && by.had.has(other.text))) return false;
  const held = setup.filter((value) => outside.has(value) || isIn(value, other.values));
  const isOfInput = isChanged && setup.length > 0 && other.strength === 3;
  return (
    held.length >= setup.length * (isChanged ? 0.7 : 1) &&
    isSaidBy(saying, other, { by, isOfInput })
  );
}

const textsOf = (sayings: readonly Saying[]): ReadonlySet<string> =>
  new Set(sayings.map(({ text }) => text));

/** Values beside what it says; its name stands on the first line. */
const setupIn = (test: TestCase, context: string): string[] =>
  valuesIn(
    withoutSayings({ ...test, context: context.replace(test.name, "") }).replace(reports, ""),
  );

/** What is said of a failure. */
const reports = /\b[bt]\.(?:Error|Fatal|Log|Skip)\w*\([^\n]*/g;

function isSaidBy(
  saying: Saying,
  other: Saying,
  { by, isOfInput }: { by: RunningTest; isOfInput: boolean },
): boolean {
  if (other.strength < saying.least) return false;
  const { values } = saying;
  const telling = values.filter(isTelling);
  // An assertion without a value has it from what stands around it.
  const stands = (value: string): boolean =>
    other.values.length === 0 ? by.common.has(value) : isIn(value, other.values);
  // A row says it together with the assertion that it is given to.
  const isJoined = other.isRow && !saying.isRow;
  const around = isJoined ? by.outside : by.common;
  return (
    (values.length === 0 || values.some(stands)) &&
    values.every((value) => stands(value) || around.has(value)) &&
    (telling.length > 0 || saying.isRow || isOfInput || isAbout(saying, other, by))
  );
}

/** It looks at one of the same names, and the test names the others; at none is at any. */
function isAbout({ names }: Saying, other: Saying, by?: RunningTest): boolean {
  if (names.size === 0) return true;
  const all = [...names];
  return (
    all.some((name) => other.names.has(name)) &&
    all.filter((name) => other.names.has(name) || by?.names.has(name)).length >= names.size / 2
  );
}

/** The value itself, or a part of a text. */
const isIn = (value: string, values: readonly string[]): boolean =>
  values.includes(value) ||
  (isTelling(value) &&
    values.some((other) => other.length > value.length && other.includes(value)));

/** A new test of the same file says another thing of all that it was about. */
export const isRewritten = (one: TestCase, tests: readonly RunningTest[]): boolean =>
  tests.some(
    ({ test, sayings, had }) =>
      had.size === 0 &&
      test.path === one.path &&
      sayingsOf(one).every((saying) => sayings.some((other) => isAbout(saying, other))),
  );

/** A value of it that is checked nowhere, for people to read. */
export function lostValue({ values, text }: Saying, tests: readonly RunningTest[]): string {
  const isLeft = (value: string): boolean =>
    tests.some(({ sayings }) => sayings.some((one) => isIn(value, one.values)));
  const lost = values.find((value) => isTelling(value) && !isLeft(value));
  return lost === undefined
    ? `\`${text.slice(0, 60)}\` is said nowhere as exactly`
    : `\`${lost.slice(0, 60)}\` is checked nowhere`;
}
