// The tests of a tree: helpers are found wherever they stand, and tests that several places share (shared
// examples, a base class or trait, a function that holds tests) stand once for each place that runs them.
import { isTest } from "../../tree/uses.ts";
import {
  blockEnd,
  covered,
  grammars,
  statementEnd,
  withoutComments,
  type Grammar,
} from "../reading/block-end.ts";
import { helpersOf, languageOf, testCasesIn, type TestCase } from "./test-cases.ts";
import type { Helper } from "./with-helpers.ts";
import type { Files } from "../what-changed.ts";

/** `support`: files that hold helpers, those that did not change among them. */
export function testCasesOf(files: Files, support: Files = files): TestCase[] {
  const helpers = new Map<string, Map<string, Helper>>();
  for (const [path, text] of support) {
    const language = languageOf(path);
    if (!language || !maySupport(path, text)) continue;
    const kind = language.files.source;
    const known = helpers.get(kind) ?? new Map<string, Helper>();
    for (const helper of helpersOf(path, text)) known.set(helper.name, helper);
    helpers.set(kind, known);
  }
  const tests = [...files].filter(([path, text]) => mayHoldTests(path, text));
  const cases = tests.flatMap(([path, text]) =>
    testCasesIn(path, text, helpers.get(languageOf(path)?.files.source ?? "")),
  );
  return sharedOut(
    cases,
    [...support].filter(([path, text]) => mayHoldTests(path, text)),
  );
}

export const mayHoldTests = (path: string, text: string): boolean =>
  isTest(path) ||
  /#\[(?:cfg\()?(?:\w+::)*test|@Test\b|\[(?:Fact|Theory|Test|TestMethod)\b/.test(text);

const maySupport = (path: string, text: string): boolean =>
  mayHoldTests(path, text) ||
  /test|spec|support|helper|assert/i.test(path) ||
  usesFramework.test(text);

const usesFramework =
  /\btesting\.(?:T|TB)\b|["'](?:vitest|@jest|chai|@playwright|node:test)|\b(?:import pytest|junit|Xunit|PHPUnit)\b/;

/** A place that runs tests which stand elsewhere. `text`: what it gives to them. */
type Run = { path: string; line: number; text: string };

function sharedOut(
  cases: readonly TestCase[],
  files: readonly (readonly [string, string])[],
): TestCase[] {
  const names = new Set(cases.flatMap(({ groups }) => groups.map(({ name }) => name)));
  if (names.size === 0) return [...cases];
  const runs = new Map<string, Run[]>();
  for (const file of files)
    for (const { name, ...run } of runsIn(file, names, cases))
      runs.set(name, [...(runs.get(name) ?? []), run]);
  return cases.flatMap((one) => {
    const group = one.groups.find(({ name }) => runs.has(name));
    if (!group) return [one];
    const copies = runs.get(group.name)!.map((run) => copyOf(one, run));
    return group.isOwnRun ? [one, ...copies] : copies;
  });
}

function copyOf(one: TestCase, { path, line, text }: Run): TestCase {
  return {
    ...one,
    path,
    line,
    context: `${one.context}\n${text}`,
  };
}

const includes = new RegExp(
  "\\b(?:it_behaves_like|it_should_behave_like|include_examples|include_context)\\b\\s*\\(?\\s*[\"':]([^\"'\\n,)]+)|" +
    "\\bclass\\s+\\w+\\(([^)\\n]+)\\):|" +
    "\\bclass\\s+\\w+(?:<[^>\\n]*>)?(?:\\([^)\\n]*\\))?\\s*(?:extends|implements|<|:|with)\\s*([^\\n{]+)|" +
    "^[ \\t]*(?:use|include)\\s+([\\w\\\\:, ]+)|" +
    "(?<![.\\w]|function |func |def |fun |fn )(\\w+)\\(",
  "gm",
);

function runsIn(
  [path, text]: readonly [string, string],
  names: ReadonlySet<string>,
  cases: readonly TestCase[],
): (Run & { name: string })[] {
  const language = languageOf(path);
  if (!language) return [];
  const grammar: Grammar = grammars[language.grammar];
  const code = withoutComments(text, grammar);
  const mask = covered(text, grammar);
  const own = cases
    .filter((one) => one.path === path && one.assertions.length > 0)
    .map(({ body }) => body);
  return [...code.matchAll(includes)].flatMap((match) => {
    const found = match.slice(1).find((group) => group !== undefined)!;
    const named = names.has(found)
      ? [found]
      : (found.match(/\w+/g) ?? []).filter((word) => names.has(word));
    const at = match.index + /^\s*/.exec(match[0])![0].length;
    if (named.length === 0 || mask[at] === " ") return [];
    const around = blockAround({ code, mask, grammar }, at);
    const given = own.reduce((rest, body) => rest.replace(body, ""), around);
    const line = code.slice(0, match.index).split("\n").length;
    const call = code.slice(at, statementEnd(mask, at));
    return named.map((name) => ({ name, path, line, text: `${call}\n${given}`.slice(0, 4000) }));
  });
}

/** The block that a place stands in, by its indent. */
function blockAround(
  { code, mask, grammar }: { code: string; mask: string; grammar: Grammar },
  at: number,
): string {
  const indentAt = (from: number): number => /^[ \t]*/.exec(mask.slice(from))![0].length;
  let start = mask.lastIndexOf("\n", at - 1) + 1;
  const own = indentAt(start);

  while (start > 0) {
    start = mask.lastIndexOf("\n", start - 2) + 1;
    if (mask.slice(start).split("\n")[0]!.trim() !== "" && indentAt(start) < own)
      return code.slice(start, blockEnd(mask, start + indentAt(start), grammar));
  }
  return code.slice(at, statementEnd(mask, at));
}
