// A test that asserts the same of fewer values: rows of its table gone, or a loop over a smaller range.
import type { TestCase } from "./test-cases.ts";

/** What was narrowed, in words; undefined where nothing was. */
export function narrowedRuns(
  one: TestCase,
  later: TestCase,
  now: readonly TestCase[],
): string | undefined {
  const lost = lostRow(one, later, now);
  if (lost !== undefined) return `no longer tries ${lost}`;
  const [had, has] = [rangesIn(one.body), rangesIn(later.body)];
  if (had.length !== has.length) return undefined;
  const at = had.findIndex((size, index) => has[index]! < size);
  return at >= 0 && shapeOf(one.body) === shapeOf(later.body)
    ? `runs over ${has[at]} values instead of ${had[at]}`
    : undefined;
}

const valuesOf = (text: string): string =>
  (
    text.match(
      /(["'`])(?:(?!\1).)*\1|-?\d+(?:\.\d+)?|\b(?:true|false|nil|null|None|True|False)\b/g,
    ) ?? []
  )
    .join(" ")
    .replace(/["'`]|(?<=\d),(?= )/g, "");

/** A row whose values stand nowhere any more in this order, while the table has fewer rows. */
function lostRow(one: TestCase, later: TestCase, now: readonly TestCase[]): string | undefined {
  if (later.rows.length === 0 || later.rows.length >= one.rows.length) return undefined;
  const left = now.flatMap(({ body, rows }) =>
    [body, ...rows.map(({ text }) => text)].map((text) => ` ${valuesOf(text)} `),
  );
  const lost = one.rows.find(({ text }) => {
    const values = valuesOf(text);
    return values !== "" && !left.some((all) => all.includes(` ${values} `));
  });
  return lost?.text.replace(/\s+/g, " ").slice(0, 60);
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
    if (groups["top"] !== undefined) return number("top") - number("times");
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
