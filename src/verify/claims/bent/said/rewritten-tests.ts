// A test that stands in another form: all that it held stands in lines that are new, and no fewer
// assertions say as much. Words are compared and no forms, so that a rewrite is
// known in any framework.
import { definitionStrength } from "../../../../source/definitions.ts";
import { withoutComments, grammars } from "../reading/block-end.ts";
import { languageOf, type TestCase } from "../cases/test-cases.ts";
import { valuesIn } from "../reading/operands.ts";
import { isSource, withoutTests, type Files } from "../what-changed.ts";
import { identifiersIn, sayingsOf, type Saying } from "./sayings-of.ts";

/** Whether all that a test said is said in another form. */
export type IsRewrite = (one: TestCase) => boolean;

type Compared = {
  old: readonly TestCase[];
  now: readonly TestCase[];
  pairs: ReadonlyMap<TestCase, TestCase>;
  files: { old: Files; now: Files };
};

export function rewrittenTests({ old, now, pairs, files }: Compared): IsRewrite {
  const lines = linesBeside(files.now, files.old);
  const all = wordsIn(lines);
  const named = new Set(lines.flatMap(identifiersIn));
  const isUnderTest = definedIn(files.now);
  const [before, after] = [old, now].map((tests) =>
    tests.filter(({ isSkipped }) => !isSkipped).flatMap(sayingsOf),
  ) as [Saying[], Saying[]];
  const assertions = before.filter(({ isRow }) => !isRow);
  // What a loop over a table said may stand there one by one, and the other way round.
  const isLess = [1, 2, 3].some(
    (least) =>
      more(countsOf(after, least), countsOf(before, least)) <
      more(countsOf(assertions, least), countsOf(after, least)),
  );
  const [had, has] = [countsOf(before), countsOf(after)];
  const isSaid = ({ text, isRow }: Saying, fresh: ReadonlySet<string>): boolean => {
    if ((has.get(text) ?? 0) >= had.get(text)!) return true;
    const words = [...wordsIn([text])];
    const names = isRow ? [] : identifiersIn(text).filter(isUnderTest);
    return (
      (isRow || words.length + names.length > 0) &&
      words.every((word) => fresh.has(word)) &&
      names.every((name) => named.has(name))
    );
  };
  return (one) => {
    const later = pairs.get(one);
    // What the test itself kept does not stand for what it gave up.
    const fresh =
      later && isShortened(one, later)
        ? wordsIn(lines.filter((line) => !later.context.includes(line)))
        : all;
    return !isLess && sayingsOf(one).every((saying) => isSaid(saying, fresh));
  };
}

/** Something was taken away, and nothing came in its place. */
function isShortened(one: TestCase, later: TestCase): boolean {
  const texts = new Set(sayingsOf(one).map(({ text }) => text));
  return sayingsOf(later).every(({ text }) => texts.has(text));
}

/** Names that the code defines. */
function definedIn(files: Files): (name: string) => boolean {
  const lines = [...files].flatMap(([path, text]) =>
    isSource(path) ? withoutTests(text).split("\n") : [],
  );
  const known = new Map<string, boolean>();
  return (name) => {
    const found =
      known.get(name) ??
      lines.some((line) => line.includes(name) && definitionStrength(line, name) >= 2);
    known.set(name, found);
    return found;
  };
}

type Counts = ReadonlyMap<string, number>;

function countsOf(sayings: readonly Saying[], least = 0): Counts {
  const counts = new Map<string, number>();
  for (const { text, strength } of sayings)
    if (strength >= least) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** How many there are that the others do not have. */
const more = (counts: Counts, others: Counts): number =>
  [...counts].reduce((all, [text, count]) => all + Math.max(0, count - (others.get(text) ?? 0)), 0);

/** Lines of tests and data that stand in the other tree less often. */
function linesBeside(files: Files, others: Files): string[] {
  const linesOf = (all: Files): string[] =>
    [...all].flatMap(([path, text]) =>
      isSource(path)
        ? []
        : withoutComments(text, grammars[languageOf(path)?.grammar ?? "braces"])
            .split("\n")
            .map((line) => line.trim()),
    );
  const left = new Map<string, number>();
  for (const line of linesOf(others)) left.set(line, (left.get(line) ?? 0) + 1);
  return linesOf(files).filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Numbers, and the words and signs of texts. */
const wordsIn = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(
    lines
      .flatMap((line) => [...valuesIn(line), ...(line.match(constants) ?? [])])
      // A text without words keeps its marks.
      .flatMap(
        (value) => value.toLowerCase().match(/\d+(?:\.\d+)?|\p{L}+|[^\s\p{L}\p{N}]/gu) ?? ['""'],
      )
      .map((word) => (/^\d/.test(word) ? String(Number(word)) : word)),
  );

/** `toBeNull`, `isTrue`. */
const constants = /(?<=[a-z_])(?:[nN]ull|[tT]rue|[fF]alse)\b/g;
