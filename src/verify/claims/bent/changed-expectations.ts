// An expected value that changed while what it is asserted of stayed: together with the code where nothing
// that people read says so, or alone. Where a document, a comment, the test's name or a new word of the code
// tells the new value, it was meant.
import { operandsOf, literalsIn, namesBeside } from "./reading/operands.ts";
import { cellsOf, type TestRow } from "./cases/test-rows.ts";
import { type BentPlace, type TestCase } from "./cases/test-cases.ts";
import { isTest } from "../tree/uses.ts";
import { isSnapshot, piecesOf, type Change, type Files } from "./what-changed.ts";

export function changedExpectations(
  pairs: ReadonlyMap<TestCase, TestCase>,
  change: Change,
): BentPlace[] {
  if (change.isDocumented) return [];
  return [...pairs].flatMap(([one, later]): BentPlace[] => {
    if (later.isSkipped) return [];
    const found = expectationOf(one, later, change);
    if (!found || isToldBy(later.name, one.name, found)) return [];
    const why =
      change.sources.length > 0
        ? "the code changed with it, and nothing documents it"
        : "nothing else changed";
    const what = `"${later.name}" expects ${short(found.now)} ${expects} ${short(found.old)}: ${why}`;
    return [{ path: later.path, line: later.line, what }];
  });
}

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase());

/** A new name tells of a change with the new value, or with as many new words as it gave up. */
function isToldBy(name: string, before: string, found: Changed): boolean {
  const [had, has] = [wordsOf(before), wordsOf(name)];
  const fresh = has.filter((word) => !had.includes(word));
  const lost = had.filter((word) => !has.includes(word));
  const value = wordsOf(found.now);
  return fresh.some((word) => value.includes(word) || fresh.length >= lost.length);
}

const expects = "where it expected";
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A changed expectation that the message itself tells of hides nothing. */
export const isAdmitted = ({ what }: BentPlace, report: string): boolean =>
  what.includes(expects) &&
  /\b(?:expect\w*|assert\w*|tests?|specs?)\b[^.]{0,60}\b(?:updat|chang|adapt|adjust|follow|correct)\w*/i.test(
    report,
  );

type Changed = { old: string; now: string };

function expectationOf(one: TestCase, later: TestCase, change: Change): Changed | undefined {
  const isCode = change.sources.length > 0;
  const isAlone = change.paths.every((path) => path === later.path);
  if (!isCode && !isAlone) return undefined;
  const isMeant = (found: Changed): boolean => isCode && change.isNamed(found.old, found.now);
  const row = changedRow(one.rows, later.rows);
  if (row) return isMeant(row) ? undefined : row;
  return (
    changedAsserts(one, later).find((found) => !isMeant(found)) ??
    (isCode ? lessExact(one, later) : undefined)
  );
}

/** The order, the case or the space of a value does not count any more. */
const evens = new RegExp(
  "\\bsort(?:ed|_by|By)?\\b|\\b[sS]et\\(|match_array|contain_exactly|InAnyOrder|SameMembers|assertCountEqual|" +
    "ElementsMatch|EquivalentTo|Canonicalizing|\\.members\\b|[tT]oLower|\\.lower\\(|[dD]owncase|" +
    "\\.trim\\(|\\.strip\\b|Ignor(?:e|ing)Case",
);

function lessExact(one: TestCase, later: TestCase): Changed | undefined {
  const at = later.assertions.findIndex(
    ({ text }, index) => evens.test(text) && !evens.test(one.assertions[index]?.text ?? text),
  );
  return at < 0 ? undefined : { old: one.assertions[at]!.text, now: later.assertions[at]!.text };
}

/** Expected values that are not the same while all other words of the test are. */
function changedAsserts(one: TestCase, later: TestCase): Changed[] {
  const [had, has] = [expectedIn(one), expectedIn(later)];
  if (had.length !== has.length || restOf(one, had) !== restOf(later, has)) return [];
  return had.flatMap((text, index) => changedValue(text, has[index]!) ?? []);
}

/** Assertions, and what is put aside to be compared with. */
const expectedIn = ({ body, assertions }: TestCase): string[] => [
  ...assertions.map(({ text }) => text),
  ...[...squeezed(body).matchAll(putAside)].map(([text]) => text),
];

const putAside = new RegExp(
  "\\b(?:want|expected|expectation|exp)\\w*(?:: ?[\\w<>[\\]]+)? :?= " +
    '(?:[^;{}]*\\{[^{}]*\\}|[^;\\s]*(?:\\([^()]*\\)|\\[[^[\\]]*\\]|"[^"]*")|\\S+)',
  "g",
);

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

const restOf = ({ body, name, assertions }: TestCase, expected: readonly string[]): string => {
  const said = assertions.map((one) => one.said);
  return squeezed(
    [...said, ...expected, name].reduce((text, one) => text.replace(one, "¤"), squeezed(body)),
  );
};

/** The same is asserted of another value. */
export function changedValue(before: string, after: string): Changed | undefined {
  if (before === after) return undefined;
  const [had, has] = [operandsOf(before), operandsOf(after)];
  if (flat(before) === flat(after) && turnsIn(before) !== turnsIn(after))
    return { old: before, now: after };
  if (had.parts.length !== has.parts.length) return undefined;
  const at = had.parts.flatMap((part, index) => (part === has.parts[index] ? [] : [index]));
  const [only] = at;
  if (at.length !== 1 || only === undefined) return undefined;
  const subject = had.parts.some((part, index) => index !== only && namesBeside(part).length > 0);
  const [old, now] = [had.parts[only]!, has.parts[only]!];
  // What one of the two forms does not write out is no other value.
  if (old === "" || now === "") return undefined;
  const isValue =
    literalsIn(old).join("\0") !== literalsIn(now).join("\0") &&
    namesBeside(now).every((name) => namesBeside(old).includes(name)) &&
    callsIn(old).join() === callsIn(now).join();
  return subject && isValue ? { old, now } : undefined;
}

const callsIn = (text: string): string[] => text.match(/\b[A-Za-z_]\w*(?=\()/g) ?? [];

/** Without what turns an assertion into its opposite. */
const flat = (text: string): string =>
  text
    .replace(/\bassert(?:_?[tT]rue|_?[fF]alse)?\b|\brefute\b/g, "assert")
    .replace(
      /\.?\b(?:is)?(?:[tT]rue|[fF]alse)\b|\.not\b|\bnot |!(?!=)|\b(?:not_to|to_not|to)\b/gi,
      "",
    )
    .replace(/\s[<>]=?\s/g, " < ");

/** Whether an assertion is turned into its opposite an odd number of times. */
const turnsIn = (text: string): number =>
  (text.match(/\b(?:not|not_to|to_not|\w*false|refute)\b|!(?!=)|\s>=?\s/gi) ?? []).length % 2;

/** Other values, or another name where there are none. */
const isOther = (one: string, other: string): boolean =>
  literalsIn(one).join("\0") !== literalsIn(other).join("\0") ||
  (one !== other && /^[\w.:]+$/.test(one) && /^[\w.:]+$/.test(other));

/** A row with the same beginning and another end. */
function changedRow(had: readonly TestRow[], has: readonly TestRow[]): Changed | undefined {
  const texts = new Set(has.map(({ text }) => squeezed(text)));
  const before = new Set(had.map(({ text }) => squeezed(text)));
  const fresh = has.filter(({ text }) => !before.has(squeezed(text))).map(({ text }) => text);
  for (const { text } of had) {
    if (texts.has(squeezed(text))) continue;
    const cells = cellsOf(text);
    if (cells.length < 2) continue;
    const match = fresh.find((row) => {
      const other = cellsOf(row);
      return (
        other.length === cells.length &&
        isOther(other.at(-1)!, cells.at(-1)!) &&
        other.slice(0, -1).join("\0") === cells.slice(0, -1).join("\0")
      );
    });
    if (match) return { old: cells.at(-1)!, now: cellsOf(match).at(-1)! };
  }
  return undefined;
}

/** Recorded output that was recorded anew counts like an expectation. */
export function rewrittenSnapshots(
  { old, now }: { old: Files; now: Files },
  change: Change,
): BentPlace[] {
  const tests = [...now].filter(([path]) => isTest(path) && !isSnapshot(path));
  const given = new Set(tests.flatMap(([, text]) => piecesOf(text)));
  // Whoever meant it touched the tests, too: words of the code alone name what it gives by mistake.
  const isMeant = (was: string, is: string): boolean =>
    tests.some(([path, text]) => old.get(path) !== text) && change.isNamed(was, is, given);
  return [...old].flatMap(([path, was]): BentPlace[] => {
    const is = now.get(path);
    if (!isSnapshot(path) || is === undefined || is === was) return [];
    if (change.isDocumented || isMeant(was, is) || onlyGains(was, is)) return [];
    const kept = new Set(recordedIn(is));
    const lost = recordedIn(was).some((value) => !kept.has(value));
    return lost ? [{ path, line: 1, what: "snapshots were rewritten" }] : [];
  });
}

/** All that was recorded stands there still, in its order. */
function onlyGains(was: string, is: string): boolean {
  const signs = (text: string): string[] => text.match(/\w+|\S/g) ?? [];
  const left = signs(was);
  let at = 0;
  for (const piece of signs(is)) if (piece === left[at]) at++;
  return at === left.length;
}

/** Keys and headers change when tests are renamed; what was expected under them must stay. */
function recordedIn(text: string): string[] {
  const keyed = [...text.matchAll(/= `([\s\S]*?)`;/g)].map((match) => match[1]!.trim());
  return keyed.length > 0 ? keyed : [text.replace(/^---\n[\s\S]*?\n---\n/, "").trim()];
}
