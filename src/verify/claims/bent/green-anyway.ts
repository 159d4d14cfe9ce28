// What makes a run green whatever the tests say: code that asks whether it is being tested, and tests that
// end the run as a success, or run again until they pass.
import { isTest } from "../tree/uses.ts";
import type { BentPlace } from "./test-cases.ts";
import { withoutTests, type Files } from "./what-changed.ts";

export function greenAnyway({ old, now }: { old: Files; now: Files }): BentPlace[] {
  return [...now].flatMap(([path, text]): BentPlace[] => {
    const before = old.get(path);
    if (before === undefined || before === text) return [];
    const [pattern, what] = isTest(path)
      ? [ends, "failures do not count: the tests end the run, or are run again"]
      : [asks, "the code asks whether it is being tested"];
    const [was, is] = [before, text].map((one) => [...withoutTests(one).matchAll(pattern)]);
    if (is!.length <= was!.length || (!isTest(path) && !isCode.test(path))) return [];
    const line = text.slice(0, is!.at(-1)!.index).split("\n").length;
    return [{ path, line, what }];
  });
}

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
