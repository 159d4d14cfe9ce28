// The same assertions with more room: a wider tolerance, a failure of a wider class, a part of the value.
import { valuesIn, type TestAssertion } from "./reading/assertions.ts";
import { failureOf } from "./reading/strength.ts";
import { namesBeside, operandsOf } from "./reading/operands.ts";
import { livesOn, sum, type Kept } from "./kept-proofs.ts";
import type { TestCase } from "./test-cases.ts";

type Setting = { kept: Kept; parents: ReadonlyMap<string, string>; now: readonly TestCase[] };

export function isLooser(
  one: TestCase,
  later: TestCase,
  { kept, parents, now: tests }: Setting,
): boolean {
  const isSame = one.assertions.length === later.assertions.length;
  const isLess = isSame && sum(later.assertions) < sum(one.assertions);
  return one.assertions.some((assertion, index) => {
    const now = later.assertions[index];
    if (!now) return false;
    if (isMore(assertion.tolerance, now.tolerance)) return true;
    if (isSame && isMore(now.failure, assertion.failure)) return true;
    if (isSame && isWiderFailure(assertion.text, now.text, parents)) return true;
    if (isSame && assertion.strength === 3 && isPart(assertion, now, tests)) return true;
    return isLess && now.strength < assertion.strength && !livesOn(assertion, kept);
  });
}

const isMore = (had: number | null, has: number | null): boolean =>
  had !== null && has !== null && has > had;

/** Names of classes, each with the one that it stands under. */
export const parentsIn = (texts: readonly string[]): Map<string, string> =>
  new Map(
    texts.flatMap((text) =>
      [
        ...text.matchAll(
          /\bclass (\w+)\((\w+)\):|\bclass (\w+)(?:<[^>]*>)?(?:\([^)]*\))? ?(?:extends|<|:)\s*\\?(\w+)/g,
        ),
      ].map((match) => [match[1] ?? match[3]!, match[2] ?? match[4]!] as const),
    ),
  );

/** Under these stands nearly everything that fails. */
const general = /^(?:Base)?(?:Exception|Throwable|RuntimeException|Error|StandardError)$/;

/** A failure of one class was expected, and now of one that it stands under. */
function isWiderFailure(
  before: string,
  after: string,
  parents: ReadonlyMap<string, string>,
): boolean {
  if (failureOf(before) === null || failureOf(after) === null) return false;
  const [had, has] = [namesBeside(before), namesBeside(after)];
  const gone = had.filter((name) => !has.includes(name) && /^[A-Z]/.test(name));
  const fresh = has.filter((name) => !had.includes(name));
  return gone.some((name) => {
    for (let up = parents.get(name), steps = 0; up !== undefined && steps < 9; steps++) {
      if (fresh.includes(up)) return true;
      up = parents.get(up);
    }
    return !general.test(name) && fresh.some((one) => general.test(one));
  });
}

/** Something was added to the subject, and some of the values are asserted by no test any more. */
function isPart({ text }: TestAssertion, now: TestAssertion, tests: readonly TestCase[]): boolean {
  const [subject, later] = [operandsOf(text).parts[0], operandsOf(now.text).parts[0]];
  if (subject === undefined || later === undefined || subject.length < 3) return false;
  if (later === subject || !later.includes(subject)) return false;
  const [had, has] = [[...valuesIn(text)], valuesIn(now.text)];
  const lost = had.filter((value) => !has.has(value));
  const asserted = new Set(
    tests.flatMap(({ assertions, rows }) =>
      [...assertions, ...rows].flatMap((one) => [...valuesIn(one.text)]),
    ),
  );
  return lost.some((value) => !asserted.has(value));
}
