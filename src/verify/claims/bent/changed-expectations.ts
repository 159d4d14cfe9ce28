// An expected value that changed together with the code, of the same call and in the same test: a fact that
// a person should see. Where the code or a document names the new value, or tests were added, it was meant.
import { isProse } from "../runs/edit-after.ts";
import { isTest } from "../tree/uses.ts";
import type { BentPlace, TestCase } from "./test-cases.ts";

type Files = ReadonlyMap<string, string>;

export function changedExpectations(
  pairs: ReadonlyMap<TestCase, TestCase>,
  { old, now }: { old: Files; now: Files },
): BentPlace[] {
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  const sources = changed.filter((path) => isCode(path, old, now));
  if (sources.length === 0 || changed.some(isProse)) return [];
  const told = sources.map((path) => withoutTests(now.get(path) ?? "")).join("\n");
  const isMore = [...pairs].some(([one, later]) => later.assertions.length > one.assertions.length);
  if (isMore) return [];
  return [...pairs].flatMap(([one, later]): BentPlace[] => {
    if (later.isSkipped || one.assertions.length !== later.assertions.length) return [];
    const found = one.assertions
      .map(({ text }, index) => changedValue(text, later.assertions[index]!.text))
      .find((change) => change !== undefined);
    if (!found || isNamed(found.now, told)) return [];
    const what = `"${later.name}" expects ${found.now} ${expects} ${found.old}, while the code changed`;
    return [{ path: later.path, line: later.line, what }];
  });
}

const expects = "where it expected";

/** A changed expectation that the message itself tells of hides nothing. */
export const isAdmitted = ({ what }: BentPlace, report: string): boolean =>
  what.includes(expects) &&
  /\b(?:expect\w*|assert\w*|tests?|specs?)\b[^.]{0,60}\b(?:updat|chang|adapt|adjust|follow|correct)\w*/i.test(
    report,
  );

const isNamed = (value: string, text: string): boolean =>
  /^["'`]/.test(value)
    ? text.includes(value.slice(1, -1))
    : [...text.matchAll(literal)].some(([found]) => found === value);

const isCode = (path: string, old: Files, now: Files): boolean =>
  !isTest(path) &&
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|swift|ex|c|cc|cpp|h)$/.test(path) &&
  withoutTests(old.get(path) ?? "") !== withoutTests(now.get(path) ?? "");

/** Rust keeps tests beside the code. */
const withoutTests = (text: string): string => text.replace(/#\[cfg\(test\)\][\s\S]*$/, "");

const literal = /(["'`])(?:(?!\1).)*\1|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g;

/** One value differs, and it is none that is passed to what is called. */
function changedValue(before: string, after: string): { old: string; now: string } | undefined {
  if (before === after || before.replace(literal, "¤") !== after.replace(literal, "¤"))
    return undefined;
  const [had, has] = [[...before.matchAll(literal)], [...after.matchAll(literal)]];
  const changed = had.flatMap((match, index) => (match[0] === has[index]![0] ? [] : [index]));
  const [at] = changed;
  if (changed.length !== 1 || at === undefined) return undefined;
  const depths = had.map(({ index }) => depthAt(before, index));
  return depths[at] === Math.min(...depths) ? { old: had[at]![0], now: has[at]![0] } : undefined;
}

const depthAt = (text: string, at: number): number => {
  const before = text.slice(0, at).replace(literal, "");
  return (before.match(/[([{]/g) ?? []).length - (before.match(/[)\]}]/g) ?? []).length;
};
