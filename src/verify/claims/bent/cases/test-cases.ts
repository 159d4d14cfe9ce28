// The tests of a file by its structure: name, body, what it asserts with the helpers that it calls, the
// rows of its table, whether it is left out or runs alone. Brackets and indents, no parser.
import {
  blockEnd,
  covered,
  grammars,
  lineAt,
  statementEnd,
  withoutComments,
  type Grammar,
} from "../reading/block-end.ts";
import { assertionsIn, type TestAssertion } from "../reading/assertions.ts";
import { rowsIn, type TestRow } from "./test-rows.ts";
import { testSyntax, type Language } from "./test-syntax.ts";
import { helpersIn, withHelpers, type Helper, type Helpers } from "./with-helpers.ts";

/** What was done to a test, and where. */
export type BentPlace = { path: string; line: number; what: string };

export type TestCase = {
  path: string;
  name: string;
  line: number;
  /** Without comments. */
  body: string;
  /** The body with its marks and what stands between it and the test before: its table may be there. */
  context: string;
  /** Its own and those of the helpers that it calls. */
  assertions: TestAssertion[];
  /** What each row of its table holds. */
  rows: TestRow[];
  /** What it stands in that other places may run, the innermost first. */
  groups: SharedGroup[];
  isSkipped: boolean;
  isOnly: boolean;
};

/** `isOwnRun`: runs where it stands, too. */
type SharedGroup = { name: string; isOwnRun: boolean };

export const languageOf = (path: string): Language | undefined =>
  testSyntax.find(({ files }) => files.test(path));

type Opening = {
  at: number;
  end: number;
  head: string;
  marks: string;
  name: string;
  isSentence: boolean;
};

/** A file with its tests' beginnings; undefined where no language is known. */
function opened(path: string, text: string): Opened | undefined {
  const language = languageOf(path);
  if (!language) return undefined;
  const grammar: Grammar = grammars[language.grammar];
  const code = withoutComments(text, grammar);
  const mask = covered(text, grammar);
  const openings = [...code.matchAll(language.opens)]
    .filter((match) => mask[match.index + /^\s*/.exec(match[0])![0].length] !== " ")
    .map((match) => openingOf(match, { code, mask, grammar }))
    .filter(
      // A test that is named by a sentence needs no mark.
      ({ marks, isSentence }) =>
        language.marked === null || language.marked.test(marks) || isSentence,
    );
  return { language, grammar, code, mask, openings };
}

type Opened = {
  language: Language;
  grammar: Grammar;
  code: string;
  mask: string;
  openings: Opening[];
};

/** `helpers`: those of other files. */
export function testCasesIn(path: string, text: string, helpers?: Helpers): TestCase[] {
  const file = opened(path, text);
  if (!file) return [];
  const { language, code, openings } = file;
  const own = ownHelpers(file);
  const known = new Map([...(helpers ?? []), ...own.map((one) => [one.name, one] as const)]);
  const shared = [...sharedBlocks(file), ...own];
  const isOff = language.fileSkips?.test(text) ?? false;
  const leaves = openings.filter(
    (one) => !openings.some((other) => other !== one && other.at > one.at && other.end <= one.end),
  );
  const after = (at: number): number =>
    Math.max(0, ...leaves.map(({ end }) => end).filter((end) => end <= at));
  return leaves.map((one) => {
    const isAround = ({ at, end }: { at: number; end: number }): boolean =>
      at < one.at && end >= one.end;
    return {
      ...caseOf(one, openings.filter(isAround), {
        path,
        code,
        language,
        helpers: known,
        isOff,
        after,
      }),
      groups: shared
        .filter(isAround)
        .toReversed()
        .map((group) => ({
          name: group.name,
          isOwnRun: "isOwnRun" in group && group.isOwnRun,
        })),
    };
  });
}

type SharedBlock = SharedGroup & { at: number; end: number };

/** Shared examples, classes, traits and interfaces that hold tests. */
function sharedBlocks({ code, mask, grammar }: Opened): SharedBlock[] {
  return [...code.matchAll(sharing)]
    .filter(({ index }) => mask[index] !== " ")
    .map((match) => ({
      name: match[1] ?? match[3]!,
      isOwnRun: match[2] === "class",
      at: match.index,
      end: blockEnd(mask, match.index, grammar),
    }));
}

const sharing = new RegExp(
  "^[ \\t]*(?:RSpec\\.)?shared_(?:examples|examples_for|context)\\b\\s*\\(?\\s*" +
    "[\"':]([^\"'\\n,) ]+(?: [^\"'\\n,)]+)*)|" +
    "^[ \\t]*(?:(?:export|public|internal|abstract|open|final|sealed|partial|data) )*" +
    "(class|trait|interface|module)\\s+(\\w+)",
  "gm",
);

/** Functions of a file that are no tests. */
export function helpersOf(path: string, text: string): Helper[] {
  const file = opened(path, text);
  return file ? ownHelpers(file) : [];
}

/** Rust keeps tests beside the code: what the code itself asserts is none of them. */
function ownHelpers({ code, mask, language, openings }: Opened): Helper[] {
  const inner = mask.search(/#\[cfg\(test\)\]\s*(?:pub )?mod\b/);
  const lineOf = (at: number): number => code.lastIndexOf("\n", at);
  const begun = new Set(openings.map(({ at }) => lineOf(at)));
  const from = openings.some(({ at }) => at < inner) ? 0 : inner;
  const isTest = (at: number): boolean => at < from || begun.has(lineOf(at));
  return helpersIn(code, mask, { language, isTest });
}

/** What a file does for all tests: its hooks and helpers, tests themselves cut out. */
export function besideTests(path: string, text: string): string {
  const language = languageOf(path);
  if (!language) return "";
  const code = withoutComments(text, grammars[language.grammar]);
  return testCasesIn(path, text).reduce((rest, { body }) => rest.replace(body, ""), code);
}

function openingOf(
  match: RegExpExecArray,
  { code, mask, grammar }: { code: string; mask: string; grammar: Grammar },
): Opening {
  const at = match.index + /^\s*/.exec(match[0])![0].length;
  const lineStart = code.lastIndexOf("\n", at) + 1;
  const nextLine = code.indexOf("\n", at);
  return {
    at,
    end: chainEnd(mask, blockEnd(mask, at, grammar)),
    head: code.slice(lineStart, nextLine),
    marks: marksAbove(code, lineStart),
    isSentence: match[0].includes('"'),
    name: match.slice(1).findLast((group) => group !== undefined && group.length > 1) ?? "",
  };
}

/** `it(…)->throws(…)`: what is chained to a test belongs to it. */
const chainEnd = (mask: string, end: number): number =>
  /^\s*->\w/.test(mask.slice(end, end + 80)) ? statementEnd(mask, end) : end;

/** Decorators, attributes and annotations right above a line, brackets and all. */
function marksAbove(code: string, lineStart: number): string {
  const lines = code.slice(0, lineStart).split("\n").slice(0, -1);
  const found: string[] = [];
  let open = 0;
  for (let index = lines.length - 1; index >= 0 && found.length < 60; index--) {
    const line = lines[index]!;
    open += (line.match(/[)\]}]/g) ?? []).length - (line.match(/[([{]/g) ?? []).length;
    if (open <= 0 && !/^\s*(?:@|#\[|\[|$)/.test(line)) {
      if (!/^\s*[)\]}]/.test(line) || open < 0) break;
    }
    const isFirst = found.every((one) => one.trim() === "");
    if (open > 0 && isFirst && !/[)\]]\s*$/.test(line)) break;
    found.unshift(line);
  }
  return found.join("\n");
}

type Setting = {
  path: string;
  code: string;
  language: Language;
  helpers: Helpers;
  isOff: boolean;
  /** Where the test before this place ends. */
  after: (at: number) => number;
};

function caseOf(
  one: Opening,
  groups: readonly Opening[],
  setting: Setting,
): Omit<TestCase, "groups"> {
  const { path, code, language, helpers, isOff } = setting;
  const grammar: Grammar = grammars[language.grammar];
  const body = code.slice(one.at, one.end);
  const heads = [one, ...groups].map(({ head, marks }) => `${marks}\n${head}`).join("\n");
  const own = assertionsIn(body, language.asserts, grammar);
  return {
    path,
    name: one.name,
    line: lineAt(code, one.at),
    body,
    context: `${one.marks}\n${code.slice(setting.after(one.at), one.end)}`,
    assertions: withHelpers(body, own, { helpers, language }),
    rows: rowsIn(
      `${one.marks}\n${body}`,
      groups
        .map((group) => code.slice(Math.max(group.at, setting.after(one.at)), one.at))
        .join("\n"),
      { code, grammar },
    ),
    isSkipped: isOff || language.skips.test(heads) || (language.skipsInside?.test(body) ?? false),
    isOnly: language.only?.test(heads) ?? false,
  };
}
