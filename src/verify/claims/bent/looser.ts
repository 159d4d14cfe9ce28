// The same assertions with more room: a wider tolerance, or a failure that is less described.
import type { TestAssertion } from "./reading/assertions.ts";
import { livesOn, sum, type Kept } from "./kept-proofs.ts";
import type { TestCase } from "./cases/test-cases.ts";

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
