// A test that asserts the same of fewer values: a loop over a smaller range, or fewer values drawn.
import type { TestCase } from "./cases/test-cases.ts";

/** What was narrowed, in words; undefined where nothing was. */
export function narrowedRuns(one: TestCase, later: TestCase): string | undefined {
  const drawn = narrowedDraws(one.context, later.context);
  if (drawn !== undefined) return drawn;
  const [had, has] = [rangesIn(one.body), rangesIn(later.body)];
  if (had.length !== has.length) return undefined;
  const at = had.findIndex((size, index) => has[index]! < size);
  return at >= 0 && shapeOf(one.body) === shapeOf(later.body)
    ? `runs over ${has[at]} values instead of ${had[at]}`
    : undefined;
}

const ranges = new RegExp(
  "(?<from>\\d+)\\.\\.[.=<]?=?(?<to>\\d+)|\\brange\\((?:(?<start>\\d+), *)?(?<stop>\\d+)\\)|" +
    "= *(?<first>\\d+); *\\w+ *<=? *(?<last>\\d+)|\\b(?:numRuns|max_examples|cases|tries)\\b\\W{1,3}(?<runs>\\d+)|" +
    "\\b(?<times>\\d+)\\.(?:times|upto\\((?<top>\\d+)\\))",
  "g",
);

/** How many values each loop over numbers of a body takes, about. */
const rangesIn = (body: string): number[] =>
  [...body.matchAll(ranges)].map(({ groups = {} }) => {
    const number = (name: string): number => Number(groups[name] ?? 0);

    return (
      number("to") +
      number("stop") +
      number("last") +
      number("runs") +
      number("times") -
      (number("from") + number("start") + number("first"))
    );
  });

const shapeOf = (body: string): string =>
  body.replace(ranges, "").replace(/\d+/g, "0").replace(/\s+/g, " ");

/** Values are drawn by a library that looks for counter-examples. */
const draws = new RegExp(
  "\\b(?:fc|st|strategies|Gen|gen|Arb|Arbitraries|rapid|StreamData|testcheck|jsc)\\.\\w+|" +
    "\\bproptest!|\\bprop::|\\bany::<|" +
    "@ForAll|@Property|\\bforAll\\b|\\bcheckAll\\b|\\bquick\\.Check|quickcheck",
);
const runs = new RegExp(
  "\\b(?:num_?[rR]uns|max_?[eE]xamples|with_cases|cases|tries|iterations|repetitions|minSuccessful\\w*|" +
    "MaxCount|checks)\\b\\W{1,3}(\\d+)",
  "g",
);
/** So few are tried by nobody who looks for counter-examples. */
const fewRuns = 20;
const least = /\bmin_?[A-Za-z]*\b\W{1,3}(-?\d+)/g;
const most = /\bmax_?(?!examples|Examples|_examples)[A-Za-z]*\b\W{1,3}(-?\d+)/g;
const given = /\b(?:fc|st|strategies|Gen|gen|Arb|rapid)\.\w+\(((?:[^()]|\([^()]*\))*)\)/g;

/** A test of drawn values tries fewer of them, or draws them from less. */
function narrowedDraws(before: string, after: string): string | undefined {
  if (!draws.test(before) || !draws.test(after)) return undefined;
  const [had, has] = [before, after].map((text) => ({
    runs: numbersOf(text, runs),
    least: numbersOf(text, least),
    most: numbersOf(text, most),
    dropped: [].length,
    given: [...text.matchAll(given)].flatMap(([, inside]) => inside!.match(/\b\d[\d.]*\b/g) ?? []),
  })) as [Drawn, Drawn];
  const fewer = has.runs.some((count, at) => count < (had.runs[at] ?? fewRuns));
  if (fewer)
    return `tries ${has.runs.join(", ")} values instead of ${had.runs.join(", ") || "many"}`;
  return undefined;
}

type Drawn = { runs: number[]; least: number[]; most: number[]; dropped: number; given: string[] };

const numbersOf = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(([, number]) => Number(number));
