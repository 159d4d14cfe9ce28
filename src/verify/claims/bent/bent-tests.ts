// What a run did to the tests that prove its result: deleted, skipped, narrowed to one, emptied, their
// snapshots or thresholds changed. Tests that were renamed, moved, merged or made a table are none of it.
import type { RepositoryReader } from "../../reader.ts";
import { isTest } from "../tree/uses.ts";
import { bentSettings } from "./bent-settings.ts";
import {
  squeezed,
  testCasesIn,
  withoutComments,
  type BentPlace,
  type TestCase,
} from "./test-cases.ts";

/** `paths`: only these files are compared; without it all of both trees. */
export function bentTests(
  before: RepositoryReader,
  after: RepositoryReader,
  paths?: readonly string[],
): BentPlace[] {
  const listed = paths ?? [...new Set([...before.list().paths, ...after.list().paths])];
  const texts = (reader: RepositoryReader): Map<string, string> =>
    new Map(
      listed.flatMap((path) => {
        const found = reader.read(path);
        return found.ok ? [[path, found.text] as const] : [];
      }),
    );
  const [old, now] = [texts(before), texts(after)];
  const casesOf = (files: Map<string, string>): TestCase[] =>
    [...files].flatMap(([path, text]) => (mayHoldTests(path, text) ? testCasesIn(path, text) : []));
  const tests = compareTests(
    casesOf(old),
    casesOf(now),
    [...now]
      .filter(([path, text]) => mayHoldTests(path, text))
      .map(([path, text]) => withoutComments(path, text))
      .join("\n"),
  );
  return [...tests, ...bentSettings(old, now)];
}

const mayHoldTests = (path: string, text: string): boolean =>
  isTest(path) || /#\[(?:cfg\()?test|@Test\b|\[Fact\]/.test(text);

function compareTests(
  old: readonly TestCase[],
  now: readonly TestCase[],
  text: string,
): BentPlace[] {
  const found: BentPlace[] = [];
  const pairs = paired(old, now);
  for (const one of old) {
    const later = pairs.get(one);
    if (!later) found.push(...goneTest(one, { old, now, text }));
    else found.push(...changedTest(one, later, text));
  }
  const before = new Set(old.filter(({ isOnly }) => isOnly).map(({ name }) => name));
  for (const { path, line, name, isOnly } of now)
    if (isOnly && !before.has(name)) found.push({ path, line, what: `only "${name}" runs` });
  return found;
}

/** By place and name, then by name, then by what the body says. */
function paired(old: readonly TestCase[], now: readonly TestCase[]): Map<TestCase, TestCase> {
  const pairs = new Map<TestCase, TestCase>();
  const free = new Set(now);
  const likeness: ((a: TestCase, b: TestCase) => boolean)[] = [
    (a, b) => a.path === b.path && a.name === b.name,
    (a, b) => a.name === b.name,
    (a, b) => likeBodies(a.body, b.body) > 0.6,
  ];
  for (const isLike of likeness)
    for (const one of old) {
      if (pairs.has(one)) continue;
      const match = [...free].find((later) => isLike(one, later));
      if (!match) continue;
      pairs.set(one, match);
      free.delete(match);
    }
  return pairs;
}

/** The share of common words of two bodies, their first lines aside. */
function likeBodies(a: string, b: string): number {
  const wordsOf = (text: string): Set<string> =>
    new Set(
      text
        .split("\n")
        .slice(1)
        .join("\n")
        .match(/[\w.]+/g),
    );
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.size < 3 || right.size < 3) return 0;
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (left.size + right.size - common);
}

const literals = (text: string): string[] =>
  text.match(/(["'`])(?:(?!\1).){1,80}\1|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g) ?? [];

/** Most of what it asserted stands elsewhere: word for word, or as rows of a table. */
function livesOn(assertions: readonly string[], text: string): boolean {
  if (assertions.length === 0) return false;
  const flat = squeezed(text);
  const kept = assertions.filter((line) => flat.includes(line)).length;
  if (kept / assertions.length >= 0.6) return true;
  const told = assertions.flatMap(literals).filter((one) => one.length > 0);
  const isTable = new RegExp(
    "\\.each\\b|parametri[sz]e|for _?,? ?\\w+ := range|#\\[case|@(?:CsvSource|ValueSource|" +
      "MethodSource|ParameterizedTest)|InlineData|dataProvider|DataProvider|\\.forEach\\(|for " +
      "\\w+ in|for \\(const",
  ).test(text);
  return (
    isTable &&
    told.length > 0 &&
    told.filter((one) => text.includes(one)).length / told.length >= 0.7
  );
}

function goneTest(
  one: TestCase,
  { old, now, text }: { old: readonly TestCase[]; now: readonly TestCase[]; text: string },
): BentPlace[] {
  const isGroup = one.assertions.length === 0;
  if (isGroup || livesOn(one.assertions, text)) return [];
  const count = (list: readonly TestCase[], path: string): number =>
    list
      .filter((test) => test.path === path)
      .reduce((sum, test) => sum + test.assertions.length, 0);
  const isMerged = count(now, one.path) >= count(old, one.path) && count(now, one.path) > 0;
  return isMerged
    ? []
    : [{ path: one.path, line: one.line, what: `the test "${one.name}" is gone` }];
}

/** Says nothing, or next to nothing. */
const trivial = new RegExp(
  [
    "expect\\((?:true|1)\\)\\.to(?:Be|Equal)\\((?:true|1)\\)|\\bassert\\s+(?:True|1|1 == 1|\\w+)\\s*$",
    "assert!\\(true\\)|assert(?:True|Equals)?\\(true(?:, true)?\\)|Assert\\.True\\(true\\)|refute false",
    "is not None\\s*$|assert(?:IsNot|Not)(?:None|Null)|toBe(?:Defined|Truthy)\\(\\)|not\\.toThrow\\(\\)",
  ].join("|"),
);

function changedTest(one: TestCase, later: TestCase, text: string): BentPlace[] {
  const place = { path: later.path, line: later.line };
  if (later.isSkipped && !one.isSkipped)
    return [{ ...place, what: `"${later.name}" is skipped now` }];
  const strong = (test: TestCase): string[] =>
    test.assertions.filter((line) => !trivial.test(line));
  const [had, has] = [strong(one), strong(later)];
  const swallows = (test: TestCase): number =>
    (
      test.body.match(
        /catch\s*(?:\(\w*\))?\s*\{\s*\}|except[^\n]*:\s*\n?\s*pass\b|rescue\s*(?:=>\s*\w+)?\s*\n\s*(?:nil|end)/g,
      ) ?? []
    ).length;
  if (swallows(later) > swallows(one))
    return [{ ...place, what: `"${later.name}" swallows its failures now` }];
  if (/^[^\n]*\n\s*return;?\s*\n/.test(later.body) && !/^[^\n]*\n\s*return;?\s*\n/.test(one.body))
    return [{ ...place, what: `"${later.name}" returns before it asserts anything` }];
  if (has.length >= had.length) return [];
  const removed = had.filter((line) => !has.includes(line));
  const helper =
    /\b(?:expect|assert|check|verify|should|ensure)[A-Z_]\w*\s*\(/.test(later.body) &&
    !/\b(?:expect|assert|check|verify|should|ensure)[A-Z_]\w*\s*\(/.test(one.body);
  if (livesOn(removed, text) || helper) return [];
  return [
    { ...place, what: `"${later.name}" asserts less: ${had.length} before, ${has.length} now` },
  ];
}
