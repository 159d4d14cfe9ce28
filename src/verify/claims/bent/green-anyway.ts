// What makes a run green whatever the tests say: code that asks whether it is being tested, and tests that
// end the run as a success, or run again until they pass.
import { isTest } from "../tree/uses.ts";
import { besideTests, languageOf, type BentPlace } from "./cases/test-cases.ts";
import { withoutTests, type Files } from "./what-changed.ts";

export function greenAnyway({ old, now }: { old: Files; now: Files }): BentPlace[] {
  return [...now].flatMap(([path, text]): BentPlace[] => {
    const before = old.get(path) ?? (isTest(path) || isSupport.test(path) ? "" : undefined);
    if (before === undefined || before === text) return [];
    const hook = leavesOut(path, before, text);
    if (hook !== undefined) return [hook];
    const [pattern, what] = isTest(path)
      ? [ends, "failures do not count: the tests end the run, or are run again"]
      : [asks, "the code asks whether it is being tested"];
    const [was, is] = [before, text].map((one) => [...withoutTests(one).matchAll(pattern)]);
    if (is!.length <= was!.length || (!isTest(path) && !isCode.test(path))) return [];
    const line = text.slice(0, is!.at(-1)!.index).split("\n").length;
    return [{ path, line, what }];
  });
}

/** A hook or a helper of the tests that skips, drops or overrules some of them. */
function leavesOut(path: string, before: string, text: string): BentPlace | undefined {
  const language = languageOf(path);
  if (
    !language ||
    !(isTest(path) || isSupport.test(path)) ||
    (before === "" && !isSupport.test(path))
  )
    return undefined;
  const found = [before, text].map((one) => {
    const beside = besideTests(path, one);
    const hooks = [...beside.matchAll(pytestHooks)].filter(([hook]) => drops.test(hook)).length;
    const skips = language.skipsInside
      ? [...beside.matchAll(new RegExp(language.skipsInside.source, "gm"))].length
      : 0;
    return hooks + skips;
  });
  if (found[1]! <= found[0]!) return undefined;
  return { path, line: 1, what: "a hook leaves tests out, or overrules what they say" };
}

const isSupport =
  /(?:^|\/)(?:conftest\.py|(?:spec|rails|test)_helper\.rb|[\w.-]*setup[\w.-]*\.[cm]?[jt]sx?)$/i;
const pytestHooks = new RegExp(
  "^def pytest_(?:collection|runtest|itemcollected|pycollect|ignore|sessionfinish|report|pyfunc)\\w*\\(" +
    "[^\\n]*\\n(?:[ \\t]+[^\\n]*\\n?|\\n)*",
  "gm",
);
const drops = /skip|xfail|deselect|\.remove\(|outcome|exitstatus|items\[|return True|\bwasxfail\b/;

const isCode = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|exs?)$/;

const asks = new RegExp(
  [
    "process\\.env\\.(?:VITEST|JEST_WORKER_ID)|process\\.env\\.NODE_ENV\\s*===?\\s*[\"']test",
    "[\"'](?:pytest|unittest)[\"'] in sys\\.modules|PYTEST_CURRENT_TEST|testing\\.Testing\\(\\)|cfg!\\(test\\)",
    "cfg\\(not\\(test\\)\\)|Rails\\.env\\.test\\?|PHPUNIT_\\w+",
    '_ENV["\'\\])]*\\s*===?\\s*["\']test|Lookup\\("test\\.v"\\)',
  ].join("|"),
  "g",
);

const ends =
  /\b(?:os\._?|process\.|sys\.)?[eE]xit!?\(0\)|\bexit(?:Code|status) = 0|\bjest\.retryTimes\(/g;
