// What tests prove, one by one, and whether it is still asserted somewhere by tests that run.
import { contentOf, valuesIn, type TestAssertion } from "./reading/assertions.ts";
import { namesBeside, operandsOf } from "./reading/operands.ts";
import type { TestCase } from "./cases/test-cases.ts";

/** `setup`: values beside the assertion that make its words say what they say. */
export type TestProof = {
  text?: string;
  content: ReadonlySet<string>;
  strength: number;
  setup?: ReadonlySet<string>;
};

/** What is asserted afterwards by tests that run: content with how much is said about it. */
export type Kept = TestProof[];

/** `old`: a test that stood among these took nothing up; it proves what its own setup leads to. */
export function keptProofs(now: readonly TestCase[], old: readonly TestCase[] = []): Kept {
  const before = new Set(old.map(({ body }) => body));
  return now
    .filter(({ isSkipped }) => !isSkipped)
    .flatMap(({ assertions, rows, body, context }) => {
      const strength = Math.max(0, ...assertions.map((one) => one.strength));
      const words = new Set(assertions.flatMap(({ content }) => [...content]));
      const kept: Kept = [
        ...assertions,
        // A row says with the test's assertions what a test of its own said.
        ...rows.map((row) => ({
          content: new Set([...row.content, ...words, ...calledNames(body)]),
          strength,
        })),
      ];
      const setup = valuesIn(context);
      return before.has(body) ? kept.map((one) => ({ ...one, setup })) : kept;
    });
}

export const calledNames = (body: string): string[] => body.match(/[A-Za-z_]\w*(?=\()/g) ?? [];

/** Somewhere the same names and values are asserted, as strictly. */
export const livesOn = ({ content, strength, setup }: TestProof, kept: Kept): boolean =>
  content.size > 0 &&
  kept.some((one) => {
    if (one.strength < strength) return false;
    if (setup && one.setup && ![...setup].every((value) => one.setup!.has(value))) return false;
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
export function proofsOf(test: TestCase): TestProof[] {
  const { assertions, rows } = test;
  const strong = assertions.filter(({ strength }) => strength > 0);
  if (rows.length === 0 || strong.length === 0) return withSetup(test, strong);
  const strength = Math.max(...strong.map((one) => one.strength));
  return rows.map(({ content }) => ({ content, strength }));
}

/** `b.Allow(1)` says another thing after every `b := New(2)`, `Total(1, 2)` says the same anywhere. */
function withSetup({ body, assertions }: TestCase, strong: readonly TestAssertion[]): TestProof[] {
  const lines = body.split("\n").slice(1);
  const rest = lines
    .filter((line) => !assertions.some(({ said }) => said.includes(line.trim())))
    .join("\n");
  const [names, setup] = [contentOf(rest), valuesIn(rest)];
  return strong.map((one) => {
    const called = calledNames(one.text);
    const held = [...one.content].filter((word) => isName.test(word) && !called.includes(word));
    return held.some((name) => names.has(name)) ? { ...one, setup } : one;
  });
}

const sum = (list: readonly { strength: number }[]): number =>
  list.reduce((all, { strength }) => all + strength, 0);

/** Of each strength, or more, there is no less: two halves do not make up for a whole. */
export const saysAsMuch = (has: readonly TestProof[], had: readonly TestProof[]): boolean =>
  [1, 2, 3].every((least) => {
    const of = (list: readonly TestProof[]): number =>
      list.filter(({ strength }) => strength >= least).length;
    return of(has) >= of(had);
  });

/** What was asserted of one thing, piece by piece, is asserted as a whole now. */
export function isSharper(lost: readonly TestProof[], one: TestCase, later: TestCase): boolean {
  const had = new Set(one.assertions.map(({ text }) => text));
  const isNew = later.assertions.some(({ text, strength }) => strength === 3 && !had.has(text));
  const roots = new Set(
    lost.map(({ text = "" }) => namesBeside(operandsOf(text).parts[0] ?? "")[0]),
  );
  return isNew && roots.size === 1 && lost.every(({ strength }) => strength < 3);
}

/** All values of what is lost stand in the test still, and something else is asserted of them. */
export function isMerged(lost: readonly TestProof[], one: TestCase, later: TestCase): boolean {
  const had = new Set(one.assertions.map(({ text }) => text));
  const isNew = later.assertions.some(({ text, strength }) => strength === 3 && !had.has(text));
  const left = valuesIn(later.body);
  const strong = lost.filter(({ strength }) => strength === 3);
  const values = (strong.length > 0 ? strong : lost)
    // Where something stands in a list is said by the whole list.
    .flatMap(({ text = "" }) => [...valuesIn(text.replace(/\[\d+\]/g, ""))]);
  return isNew && values.length > 0 && values.every((value) => left.has(value));
}

/** The same assertions with more room: a wider tolerance, or a failure that is less described. */
export function isLooser(one: TestCase, later: TestCase, kept: Kept): boolean {
  // What is asserted as it was says nothing of the others, wherever it stands now.
  const [had, has] = [beside(one, later), beside(later, one)];
  const isSame = had.length === has.length;
  const isLess = isSame && sum(has) < sum(had);
  return had.some((assertion, index) => {
    const now = has[index];
    if (!now) return false;
    if (isMore(assertion.tolerance, now.tolerance)) return true;
    if (isSame && isMore(now.failure, assertion.failure)) return true;
    return isLess && now.strength < assertion.strength && !livesOn(assertion, kept);
  });
}

const beside = ({ assertions }: TestCase, other: TestCase): TestAssertion[] =>
  assertions.filter(({ text }) => other.assertions.every((one) => one.text !== text));

const isMore = (had: number | null, has: number | null): boolean =>
  had !== null && has !== null && has > had;
