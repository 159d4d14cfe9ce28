// An expected value that changed while what it is asserted of stayed: together with the code where nothing
// that people read says so, or alone. Where a document, a comment, the test's name or a new word of the code
// tells the new value, it was meant.
import { operandsOf, literalsIn, namesBeside } from "./reading/operands.ts";
import { cellsOf, type TestRow } from "./cases/test-rows.ts";
import { withoutComments, grammars } from "./reading/block-end.ts";
import { languageOf, type BentPlace, type TestCase } from "./cases/test-cases.ts";
import { isTest } from "../tree/uses.ts";
import { isSnapshot, piecesOf, type Change, type Files } from "./what-changed.ts";

/** `before` and `tests`: all tests, as they were and as they are. */
type Setting = {
  old: Files;
  now: Files;
  change: Change;
  before: readonly TestCase[];
  tests: readonly TestCase[];
};

export function changedExpectations(
  pairs: ReadonlyMap<TestCase, TestCase>,
  setting: Setting,
): BentPlace[] {
  const { change } = setting;
  if (change.isDocumented) return [];
  return [...pairs].flatMap(([one, later]): BentPlace[] => {
    if (later.isSkipped) return [];
    const found = expectationOf(one, later, setting);
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

export type Changed = { old: string; now: string };

function expectationOf(one: TestCase, later: TestCase, setting: Setting): Changed | undefined {
  const { change } = setting;
  const isCode = change.sources.length > 0;
  const isAlone = change.paths.every((path) => path === later.path);
  if (!isCode && !isAlone) return undefined;
  const { old, now, before, tests } = setting;
  if (around(one, old, before) !== around(later, now, tests)) return undefined;
  const isMeant = (found: Changed): boolean => isCode && change.isNamed(found.old, found.now);
  const row = changedRow(one.rows, later.rows, isCode);
  if (row) return isMeant(row) ? undefined : row;
  return (
    changedAsserts(one, later).find((found) => !isMeant(found)) ??
    (isCode ? (lessExact(one, later) ?? otherInput(one, later, setting)) : undefined)
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

/** One value that is tried became another, and no test tries the old one any more. */
function otherInput(
  one: TestCase,
  later: TestCase,
  { tests, change }: Setting,
): Changed | undefined {
  const [had, has] = [literalsIn(one.body), literalsIn(later.body)];
  const at = had.flatMap((value, index) => (value === has[index] ? [] : [index]));
  const [only] = at;
  if (had.length !== has.length || at.length !== 1 || only === undefined) return undefined;
  const found = { old: had[only]!, now: has[only]! };
  if (namesBeside(one.body).join() !== namesBeside(later.body).join()) return undefined;
  const isTried = tests.some(({ context }) => literalsIn(context).includes(found.old));
  return isTried || change.isNamed(found.old, found.now) ? undefined : found;
}

/** Expected values that are not the same while all other words of the test are. */
export function changedAsserts(one: TestCase, later: TestCase): Changed[] {
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

/** What stands around the tests of a file: fixtures and helpers, not imports, and no rows. */
function around({ path }: TestCase, files: Files, tests: readonly TestCase[]): string {
  const language = languageOf(path);
  const text = files.get(path) ?? "";
  if (!language) return "";
  const own = tests.filter((test) => test.path === path);
  const rows = own.flatMap((test) => test.rows.map((row) => row.text));
  const marked = rows.flatMap((row) => [`(${row})`, ...(/^[[({"]|.{7}/.test(row) ? [row] : [])]);
  const cut = [...own.map(({ body }) => body), ...marked];
  const code = withoutComments(text, grammars[language.grammar]);
  const rest = cut.reduce((left, one) => left.replace(one, ""), code);
  const inside = rest.includes("#[cfg(test)]") ? rest.slice(rest.indexOf("#[cfg(test)]")) : rest;
  return squeezed(inside.replace(imports, ""));
}

const imports = /^\s*(?:import|from|use|using|require|package)\b[^\n]*$/gm;

/** The same is asserted of another value. */
export function changedValue(before: string, after: string): Changed | undefined {
  if (before === after) return undefined;
  const [had, has] = [operandsOf(before), operandsOf(after)];
  if (flat(before) === flat(after) && polarity(before) !== polarity(after))
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

const negations =
  /\b(?:not|Not|False|false|refute|isFalse|not_to|to_not)\b|!(?!=)|\bno_|\s>=?\s|[gG]reater|After\b/g;
const flat = (text: string): string =>
  text
    .replace(/assertFalse|assert_false|refute\b/g, "assertTrue")
    .replace(/\.(?:False|isFalse|IsFalse)\b/g, ".True")
    .replace(/\s[<>]=?\s/g, " < ")
    .replace(/[gG]reater|[lL]ess/g, "less")
    .replace(/After\b/g, "Before")
    .replace(/assert_true|assert\b(?=[ (])/g, "assertTrue")
    .replace(/\b(?:false|False)\b/g, "true")
    .replace(/\bTrue\b/g, "true")
    .replace(/\.not\b|\bnot |!(?!=)|\b(?:not_to|to_not)\b/g, (found) =>
      found.startsWith(".") || found === "not " || found === "!" ? "" : "to",
    );
const polarity = (text: string): number =>
  (text.replace(/assertFalse|assert_false/g, "not ").match(negations) ?? []).length % 2;

/** Other values, or another name where there are none. */
const isOther = (one: string, other: string): boolean =>
  literalsIn(one).join("\0") !== literalsIn(other).join("\0") ||
  (one !== other && /^[\w.:]+$/.test(one) && /^[\w.:]+$/.test(other));

/** Without what only names the row. */
const valuesOf = (row: string): string => {
  const cells = cellsOf(row).map((cell) => cell.replace(/^\w+:\s*/, ""));
  return cells.filter((cell, at) => at > 0 || !/^["'`]/.test(cell) || cells.length < 3).join("\0");
};

/** A row with the same beginning and another end; with the code, also one that is tried no more. */
function changedRow(
  had: readonly TestRow[],
  has: readonly TestRow[],
  isCode: boolean,
): Changed | undefined {
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
    const isRenamed = fresh.some((row) => valuesOf(row) === valuesOf(text));
    if (isCode && !isRenamed && has.length === had.length && fresh.length === 1)
      return { old: squeezed(text), now: squeezed(fresh[0]!) };
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
    return lost || recordedIn(was).length > recordedIn(is).length
      ? [{ path, line: 1, what: "snapshots were rewritten" }]
      : [];
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
