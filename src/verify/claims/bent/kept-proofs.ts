// What tests prove, one by one, and whether it is still asserted somewhere by tests that run.
import { contentOf } from "./reading/assertions.ts";
import type { TestCase } from "./test-cases.ts";

/** What is asserted afterwards by tests that run: content with how much is said about it. */
export type Kept = { content: ReadonlySet<string>; strength: number }[];

export function keptProofs(now: readonly TestCase[]): Kept {
  return now
    .filter(({ isSkipped }) => !isSkipped)
    .flatMap(({ assertions, rows, body }) => {
      const strength = Math.max(0, ...assertions.map((one) => one.strength));
      const words = new Set(assertions.flatMap(({ content }) => [...content]));
      // What is put aside to be compared with is asserted as well.
      const aside = /\b(?:want|expected)\w*(?:: ?[\w<>[\]]+)? :?= /.test(body)
        ? [{ content: contentOf(body), strength }]
        : [];
      return [
        ...aside,
        ...assertions,
        // A row says with the test's assertions what a test of its own said.
        ...rows.map((row) => ({
          content: new Set([...row.content, ...words, ...calledNames(body)]),
          strength,
        })),
      ];
    });
}

export const calledNames = (body: string): string[] => body.match(/[A-Za-z_]\w*(?=\()/g) ?? [];

/** Somewhere the same names and values are asserted, as strictly. */
export const livesOn = (
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
export function proofsOf({
  assertions,
  rows,
}: TestCase): { content: ReadonlySet<string>; strength: number }[] {
  const strong = assertions.filter(({ strength }) => strength > 0);
  if (rows.length === 0 || strong.length === 0) return strong;
  const strength = Math.max(...strong.map((one) => one.strength));
  return rows.map(({ content }) => ({ content, strength }));
}

export const sum = (list: readonly { strength: number }[]): number =>
  list.reduce((all, { strength }) => all + strength, 0);
