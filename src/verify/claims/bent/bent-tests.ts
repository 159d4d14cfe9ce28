// What a run did to the tests that prove its result: deleted, skipped, narrowed to one, emptied, their
// snapshots or thresholds changed. Tests that were renamed, moved, merged or made a table are none of it.
import type { RepositoryReader } from "../../../source/reader.ts";
import { isTest } from "../tree/uses.ts";
import { bentSettings } from "./bent-settings.ts";
import { bentBody } from "./bent-body.ts";
import { valuesIn } from "./reading/assertions.ts";
import { changedExpectations } from "./changed-expectations.ts";
import { narrowedRuns } from "./narrowed-runs.ts";
import { rewrittenSnapshots } from "./snapshots.ts";
import { standIns } from "./stand-ins.ts";
import { testCasesIn, type BentPlace, type TestCase } from "./test-cases.ts";
import { whatChanged } from "./what-changed.ts";

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
  const gone = goneNames(old, now);
  const [cases, later] = [casesOf(old), casesOf(now)];
  const pairs = paired(cases, later);
  const change = whatChanged({ old, now });
  const found = compareTests({ old: cases, now: later, gone, kept: keptIn(later), pairs });
  return [
    ...found,
    ...(found.length > 0 ? [] : changedExpectations(pairs, { old, now, change, before: cases, tests: later })),
    ...rewrittenSnapshots({ old, now }, change),
    ...standIns({ old, now }, later),
    ...bentSettings(old, now),
  ];
}

const mayHoldTests = (path: string, text: string): boolean =>
  isTest(path) || /#\[(?:cfg\()?test|@Test\b|\[Fact\]/.test(text);

/** Names that the code itself no longer defines: their tests may go with them. */
function goneNames(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const defined = (files: ReadonlyMap<string, string>): Set<string> =>
    new Set(
      [...files]
        .filter(([path]) => !isTest(path))
        .flatMap(([, text]) => [...text.matchAll(defines)].map(([, name]) => name!)),
    );
  const left = defined(now);
  return new Set([...defined(old)].filter((name) => !left.has(name)));
}

const defines = new RegExp(
  "(?:\\b(?:function\\*?|def|func|fn|fun|class|struct|interface|type|const|let|var|val|" +
    "void)\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?|\\bexports\\.|" +
    "\\b(?:public|protected|private|internal|static) (?:[\\w<>[\\],?]+ )+(?=\\w+\\())([A-Za-z_]\\w*)",
  "g",
);

type Compared = {
  old: readonly TestCase[];
  now: readonly TestCase[];
  gone: ReadonlySet<string>;
  kept: Kept;
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

/** What is asserted afterwards by tests that run: content with how much is said about it. */
type Kept = { content: ReadonlySet<string>; strength: number }[];

function keptIn(now: readonly TestCase[]): Kept {
  return now
    .filter(({ isSkipped }) => !isSkipped)
    .flatMap(({ assertions, rows, body }) => {
      const strength = Math.max(0, ...assertions.map((one) => one.strength));
      const words = new Set(assertions.flatMap(({ content }) => [...content]));
      return [
        ...assertions,
        // A row says with the test's assertions what a test of its own said.
        ...rows.map((row) => ({
          content: new Set([...row.content, ...words, ...namesIn(body)]),
          strength,
        })),
      ];
    });
}

const namesIn = (body: string): string[] => body.match(/[A-Za-z_]\w*(?=\()/g) ?? [];

/** Somewhere the same names and values are asserted, as strictly. */
const livesOn = (
  { content, strength }: { content: ReadonlySet<string>; strength: number },
  kept: Kept,
): boolean =>
  content.size > 0 &&
  kept.some((one) => {
    if (one.strength < strength) return false;
    const values = [...content].filter((word) => !isName.test(word));
    const names = [...content].filter((word) => isName.test(word));
    const share = (words: readonly string[]): number =>
      words.length === 0 ? 1 : words.filter((word) => one.content.has(word)).length / words.length;
    // A sentence is known again by itself, whatever is called to get it.
    const isTold = values.some((value) => /^"\S+ \S+ /.test(value));
    return share(values) >= 0.8 && (isTold || share(names) >= 0.5);
  });

const isName = /^[A-Za-z_$][\w$]*$/;

/** What a test proves, one by one: its assertions, or one for each of its rows. */
function proofsOf({
  assertions,
  rows,
}: TestCase): { content: ReadonlySet<string>; strength: number }[] {
  const strong = assertions.filter(({ strength }) => strength > 0);
  if (rows.length === 0 || strong.length === 0) return strong;
  const strength = Math.max(...strong.map((one) => one.strength));
  return rows.map(({ content }) => ({ content, strength }));
}

const sum = (list: readonly { strength: number }[]): number =>
  list.reduce((all, { strength }) => all + strength, 0);

/** A test that is new or changed holds its values: it was merged, moved or made a row of a table. */
function isTakenUp(one: TestCase, { old, now }: Compared): boolean {
  const values = [...valuesIn(one.body.split("\n").slice(1).join("\n"))];
  if (values.length === 0) return false;
  const strength = Math.max(0, ...one.assertions.map((each) => each.strength));
  const before = new Set(old.map(({ body }) => body));
  return now.some((test) => {
    if (test.isSkipped || before.has(test.body)) return false;
    if (Math.max(0, ...test.assertions.map((each) => each.strength)) < strength) return false;
    const own = valuesIn(test.context);
    return values.filter((value) => own.has(value)).length / values.length >= 0.7;
  });
}

/** It calls what is gone, or names it as a command line does. */
const isOfGone = (body: string, gone: ReadonlySet<string>): boolean =>
  namesIn(body).some((name) => gone.has(name)) ||
  [...body.matchAll(/(["'`])([A-Za-z]\w{3,})\1/g)].some(([, , word]) => gone.has(word!));

/** Names by which runners pick files. */
const picked = new RegExp(
  "(?:^|/)test_[^/]*\\.(?:py|rb)$|_test\\.(?:py|rb|go|exs|php|dart)$|_spec\\.rb$|[.-](?:test|spec)\\.[cm]?[jt]sx?$|" +
    "Tests?\\.(?:java|kt|php|cs)$|__tests__/",
);
const endingOf = (path: string): string => path.slice(path.lastIndexOf("."));
const isUnpicked = (one: TestCase, later: TestCase): boolean =>
  picked.test(one.path) && !picked.test(later.path) && endingOf(one.path) === endingOf(later.path);

function goneTest(one: TestCase, compared: Compared): BentPlace[] {
  const { kept, gone, old, now } = compared;
  const proofs = proofsOf(one);
  const lost = proofs.filter((proof) => !livesOn(proof, kept));
  if (proofs.length === 0 || lost.length / proofs.length <= 0.4) return [];
  if (isOfGone(one.body, gone) || isTakenUp(one, compared)) return [];
  // Rewritten as a whole: as much is asserted by tests that were not there before.
  const names = new Set(old.map(({ name }) => name));
  const fresh = now.filter(
    ({ name, isSkipped, path }) => !names.has(name) && !isSkipped && path === one.path,
  );
  const goneHere = old.filter(
    ({ path, name }) => path === one.path && !now.some((test) => test.name === name),
  );
  if (fresh.length > 0 && sum(fresh.flatMap(proofsOf)) >= sum(goneHere.flatMap(proofsOf)))
    return [];
  return [{ path: one.path, line: one.line, what: `the test "${one.name}" is gone` }];
}

function changedTest(one: TestCase, later: TestCase, { kept, now }: Compared): BentPlace[] {
  const place = { path: later.path, line: later.line };
  if (later.isSkipped) return [{ ...place, what: `"${later.name}" is skipped now` }];
  if (isUnpicked(one, later))
    return [{ ...place, what: `"${later.name}" moved to a file that runners do not pick` }];
  const bent = bentBody(one, later) ?? narrowedRuns(one, later, now);
  if (bent !== undefined) return [{ ...place, what: `"${later.name}" ${bent}` }];
  const [had, has] = [proofsOf(one), proofsOf(later)];
  const lost = had.filter((proof) => !livesOn(proof, kept));
  if (lost.length === 0) return looserOf(one, later, { kept, place });
  if (sum(has) >= sum(had)) return looserOf(one, later, { kept, place });
  return [
    { ...place, what: `"${later.name}" asserts less: ${had.length} before, ${has.length} now` },
  ];
}

/** The same assertion with more room. */
function looserOf(
  one: TestCase,
  later: TestCase,
  { kept, place }: { kept: Kept; place: { path: string; line: number } },
): BentPlace[] {
  const isSame = one.assertions.length === later.assertions.length;
  const isLess = isSame && sum(later.assertions) < sum(one.assertions);
  const looser = one.assertions.some((assertion, index) => {
    const now = later.assertions[index];
    if (!now) return false;
    const more = (had: number | null, has: number | null): boolean =>
      had !== null && has !== null && has > had;
    if (more(assertion.tolerance, now.tolerance)) return true;
    if (isSame && more(now.failure, assertion.failure)) return true;
    return isLess && now.strength < assertion.strength && !livesOn(assertion, kept);
  });
  return looser ? [{ ...place, what: `"${later.name}" lets more through than before` }] : [];
}
