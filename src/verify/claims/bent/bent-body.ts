// Ways of making a test pass that leave its assertions standing: it returns before them, swallows their
// failure, does not wait for them, or puts a stand-in for what it tests.
import { type TestAssertion } from "./reading/assertions.ts";
import type { Obstacle } from "./reading/obstacles-of.ts";
import { operandsOf } from "./reading/operands.ts";
import { standsIn } from "./stand-ins.ts";
import type { TestCase } from "./cases/test-cases.ts";

type Way = { what: string; count: (test: TestCase) => number };

const countOf =
  (pattern: RegExp) =>
  (body: string): number =>
    [...body.matchAll(pattern)].length;
const inBody =
  (pattern: RegExp) =>
  ({ body }: TestCase): number =>
    countOf(pattern)(body);

/** A failure that is caught and not told. */
function swallows(body: string): number {
  const braces = [
    ...body.matchAll(
      /\bcatch\s*(?:\([^)]*\))?\s*\{([^{}]*)\}|\.catch\(\s*(?:\w+|\([^)]*\))\s*=>\s*([^)]*)\)/g,
    ),
  ];
  const indents = [...body.matchAll(/^[ \t]*(?:except\b[^\n]*:|rescue\b[^\n]*)\n([^\n]*)/gm)];
  const caught = [...braces, ...indents].map((match) => match[1] ?? match[2] ?? "");
  // A failure that is given back is looked at later.
  const isTold =
    /throw|raise|fail|expect|assert|reject|panic|^\s*e(?:rr(?:or)?)?\s*$|\w+ = e(?:rr(?:or)?)?\b/i;
  return (
    caught.filter((text) => !isTold.test(text)).length +
    countOf(/\brecover\(\)|catch_unwind|\bsuppress\(|rescue (?:nil|true)$/gm)(body)
  );
}

const ways: readonly Way[] = [
  { what: "swallows its failures now", count: ({ body }) => swallows(body) },
  {
    what: "throws itself what it expects",
    count: inBody(
      new RegExp(
        "[rR]aises\\w*\\([^\\n]*:\\s*\\n\\s*raise\\b|[tT]hrows\\w*\\([^;]*[-=]> \\{?\\s*throw\\b|" +
          "expect(?:\\(\\(\\) => \\{\\s*throw| \\{ raise)\\b",
        "g",
      ),
    ),
  },
  { what: "compares a value with itself", count: comparesItself },
  {
    what: "passes with any panic",
    count: ({ context }) =>
      2 * countOf(/#\[should_panic\]/g)(context) + countOf(/#\[should_panic\(/g)(context),
  },
];

const barred: readonly (readonly [Obstacle, string])[] = [
  ["condition", "asserts only under a condition now"],
  ["handler", "swallows its failures now"],
];

/** What was sure to be asserted is not any more: the same assertion, or every one that is left. */
function barredNow(one: TestCase, later: TestCase): string | undefined {
  return barred.find(([kind]) => {
    const free = (test: TestCase): TestAssertion[] =>
      test.assertions.filter(
        ({ strength, obstacles }) => strength > 0 && !obstacles.includes(kind),
      );
    const behind = later.assertions.filter(
      ({ strength, obstacles }) => strength > 0 && obstacles.includes(kind),
    );
    const [had, has] = [free(one), free(later)];
    if (had.length === 0 || behind.length === 0) return false;
    if (has.length === 0) return had.length === one.assertions.length;
    return behind.some(
      (each) =>
        had.some(({ text }) => text === each.text) && !has.some(({ text }) => text === each.text),
    );
  })?.[1];
}

/** A value that was taken from an expression is compared with that expression. */
function comparesItself({ body, assertions }: TestCase): number {
  const taken = [...body.matchAll(/(?:^|[\s(])(\$?\w+) :?= *([^=;\n][^;\n]{4,}?);?$/gm)];
  const squeeze = (text: string): string => text.replace(/\s+/g, "");
  return assertions.filter(({ text }) =>
    taken.some(([, name, value]) => {
      const parts = operandsOf(text).parts.map(squeeze);
      return parts.includes(name!) && parts.includes(squeeze(value!));
    }),
  ).length;
}

const unawaited = ({ body }: TestCase): number =>
  countOf(/\.(?:rejects|resolves)\b/g)(body) -
  countOf(/(?:await|return|=)\s+(?:expect|assert)[\s\S]{0,80}?\.(?:rejects|resolves)\b/g)(body);

/** What was done to the body, in words; undefined where nothing was. */
export function bentBody(one: TestCase, later: TestCase): string | undefined {
  const way = ways.find(({ count }) => count(later) > count(one));
  if (way) return way.what;
  if (standsIn(one, later)) return "replaces what it tests by a stand-in";
  const bar = barredNow(one, later);
  if (bar !== undefined) return bar;
  return unawaited(later) > unawaited(one) ? "does not wait for its assertions" : undefined;
}
