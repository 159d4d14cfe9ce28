// What a run did to the tests that prove its result: deleted, skipped, narrowed to one, emptied, their
// snapshots or thresholds changed. Tests that were renamed, moved, merged or made a table are none of it.
import type { RepositoryReader } from "../../../source/reader.ts";
import { isTest } from "../tree/uses.ts";
import { bentSettings } from "./settings/bent-settings.ts";
import { bentBody } from "./bent-body.ts";
import { changedExpectations, rewrittenSnapshots } from "./changed-expectations.ts";
import { goneCode, type IsOfGone } from "./gone-code.ts";
import { greenAnyway } from "./green-anyway.ts";
import {
  runningTests,
  isRewritten,
  lostSayings,
  lostValue,
  type RunningTest,
} from "./said/lost-sayings.ts";
import { rewrittenTests, type IsRewrite } from "./said/rewritten-tests.ts";
import { narrowedRuns } from "./narrowed-runs.ts";
import type { Trees } from "./settings/narrowed-reach.ts";
import { standIns } from "./stand-ins.ts";
import { helpersOf, type BentPlace, type TestCase } from "./cases/test-cases.ts";
import { inputsOf } from "./reading/operands.ts";
import { mayHoldTests, testCasesOf } from "./cases/test-cases-of.ts";
import { whatChanged, type Change, type Files } from "./what-changed.ts";

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
  const isOfGone = goneCode(old, now);
  const beside = paths === undefined ? [] : helperFiles(after, now);
  const [cases, later] = [old, now].map((files) =>
    testCasesOf(files, new Map([...beside, ...files])),
  ) as [TestCase[], TestCase[]];
  const pairs = paired(cases, later);
  const change = whatChanged({ old, now });
  const files = { old, now };
  const holders = runningTests(later, pairs, now);
  const found = compareTests({
    old: cases,
    now: later,
    isOfGone,
    isRewrite: rewrittenTests({ old: cases, now: later, pairs, files }),
    holders,
    pairs,
    files,
    change,
  });
  return [
    ...found,
    ...(found.length > 0 ? [] : changedExpectations(pairs, change)),
    ...rewrittenSnapshots({ old, now }, change),
    ...standIns({ old, now }),
    ...greenAnyway({ old, now }),
    ...bentSettings(listed, treesOf(before, after, paths)),
  ];
}

/** More are not read for one answer. */
const maxHelperFiles = 40;

/** Files of the tests that did not change and that a changed one names, or that hold helpers by their name. */
function helperFiles(after: RepositoryReader, now: Files): (readonly [string, string])[] {
  const texts = [...now]
    .flatMap(([path, text]) => (mayHoldTests(path, text) ? [text] : []))
    .join("\n");
  if (texts === "") return [];
  const stem = (path: string): string =>
    path
      .split("/")
      .at(-1)!
      .replace(/\.\w+$/, "");
  return after
    .list()
    .paths.filter(
      (path) =>
        isTest(path) &&
        !now.has(path) &&
        (/helper|support|conftest|util/i.test(path) || texts.includes(stem(path))),
    )
    .slice(0, maxHelperFiles)
    .flatMap((path) => {
      const found = after.read(path);
      return found.ok ? [[path, found.text] as const] : [];
    });
}

/** What was not compared was as it is. */
function treesOf(
  before: RepositoryReader,
  after: RepositoryReader,
  paths: readonly string[] | undefined,
): Trees {
  const had = new Set(before.list().paths);
  const compared = paths && new Set(paths);
  const isKept = (path: string): boolean => compared !== undefined && !compared.has(path);
  const textIn = (reader: RepositoryReader, path: string): string | undefined => {
    const found = reader.read(path);
    return found.ok ? found.text : undefined;
  };
  const there = after.list().paths.filter(isTest);
  return {
    paths: [...new Set([...after.list().paths, ...had])],
    tests: there.filter((path) => had.has(path) || isKept(path)),
    known: [...new Set([...there, ...[...had].filter(isTest)])],
    was: (path) => textIn(isKept(path) ? after : before, path),
    is: (path) => textIn(after, path),
  };
}

type Compared = {
  old: readonly TestCase[];
  now: readonly TestCase[];
  isOfGone: IsOfGone;
  isRewrite: IsRewrite;
  holders: readonly RunningTest[];
  files: { old: Files; now: Files };
  change: Change;
  pairs: ReadonlyMap<TestCase, TestCase>;
};

function compareTests(compared: Compared): BentPlace[] {
  const { old, now, pairs } = compared;
  const found = old.flatMap((one) => {
    const later = pairs.get(one);
    if (one.isSkipped) return [];
    return later ? changedTest(one, later, compared) : goneTest(one, compared);
  });
  const before = new Set(old.filter(({ isOnly }) => isOnly).map(({ name }) => name));
  const only = now
    .filter(({ isOnly, name }) => isOnly && !before.has(name))
    .map(({ path, line, name }) => ({ path, line, what: `only "${name}" runs` }));
  return [...found, ...only];
}

/** By place and name, then by name, then by what the body says. */
function paired(old: readonly TestCase[], now: readonly TestCase[]): Map<TestCase, TestCase> {
  const pairs = new Map<TestCase, TestCase>();
  const free = new Set(now);
  const likeness: ((a: TestCase, b: TestCase) => boolean)[] = [
    (a, b) => a.path === b.path && a.name === b.name,
    (a, b) => a.name === b.name,
    (a, b) => a.path === b.path && plainName(a.name) === plainName(b.name),
    (a, b) => plainName(a.name) === plainName(b.name),
    (a, b) => likeBodies(a.body, b.body) > 0.6,
    (a, b) =>
      a.path === b.path &&
      inputsOf(a.body).length > 0 &&
      inputsOf(a.body).join() === inputsOf(b.body).join(),
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

/** `swapsRows`, `test_swaps_rows` and "swaps rows" are one name in three forms. */
const plainName = (name: string): string =>
  name
    .replace(/^test_?/, "")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

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

/** Names by which runners pick files. */
const picked = new RegExp(
  "(?:^|/)test_[^/]*\\.(?:py|rb)$|_test\\.(?:py|rb|go|exs|php|dart)$|_spec\\.rb$|[.-](?:test|spec)\\.[cm]?[jt]sx?$|" +
    "Tests?\\.(?:java|php)$|__tests__/",
);
const endingOf = (path: string): string => path.slice(path.lastIndexOf("."));
const isUnpicked = (one: TestCase, later: TestCase): boolean =>
  picked.test(one.path) && !picked.test(later.path) && endingOf(one.path) === endingOf(later.path);

function goneTest(one: TestCase, compared: Compared): BentPlace[] {
  const { isOfGone, isRewrite, holders, change, files } = compared;
  const [lost] = isOfGone(one.body)
    ? []
    : lostSayings(one, undefined, { tests: holders, isTold: true });
  const idle = idleCopy(one, files.now.get(one.path) ?? "");
  if (idle !== undefined) {
    const what = `the test "${one.name}" is gone: its code stands in "${idle}", which nothing runs`;
    return [{ path: one.path, line: one.line, what }];
  }
  if (!lost || (change.isDocumented && isRewritten(one, holders)) || isRewrite(one)) return [];
  const what = `the test "${one.name}" is gone: ${lostValue(lost, holders)}`;
  return [{ path: one.path, line: one.line, what }];
}

/** A function that no runner picks and nothing calls, with the test's code. */
function idleCopy({ path, body }: TestCase, text: string): string | undefined {
  const code = body.slice(body.indexOf("\n") + 1).trim();
  return helpersOf(path, text).find(
    (one) => code !== "" && one.body.includes(code) && text.split(one.name).length === 2,
  )?.name;
}

function changedTest(one: TestCase, later: TestCase, compared: Compared): BentPlace[] {
  const { holders, isOfGone, isRewrite } = compared;
  const { isDocumented, sources } = compared.change;
  const place = { path: later.path, line: later.line };
  if (later.isSkipped) return [{ ...place, what: `"${later.name}" is skipped now` }];
  if (isUnpicked(one, later))
    return [{ ...place, what: `"${later.name}" moved to a file that runners do not pick` }];
  const bent = bentBody(one, later) ?? narrowedRuns(one, later);
  if (bent !== undefined) return [{ ...place, what: `"${later.name}" ${bent}` }];
  const [lost] = lostSayings(one, later, {
    tests: holders,
    isTold: isDocumented || sources.length === 0,
  }).filter(({ text }) => !isOfGone(text));
  if (lost && !isRewrite(one))
    return [
      {
        ...place,
        what: `"${later.name}" no longer asserts all that it did: ${lostValue(lost, holders)}`,
      },
    ];
  return [];
}
