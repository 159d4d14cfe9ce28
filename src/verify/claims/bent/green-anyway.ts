// Hooks and helpers beside the tests that leave some of them out, whatever the tests say.
import { isTest } from "../tree/uses.ts";
import { besideTests, languageOf, type BentPlace } from "./cases/test-cases.ts";
import type { Files } from "./what-changed.ts";

export function greenAnyway({ old, now }: { old: Files; now: Files }): BentPlace[] {
  return [...now].flatMap(([path, text]): BentPlace[] => {
    const before = old.get(path) ?? (isTest(path) || isSupport.test(path) ? "" : undefined);
    if (before === undefined || before === text) return [];
    return leavesOut(path, before, text);
  });
}

/** A hook or a helper of the tests that skips, drops or overrules some of them. */
function leavesOut(path: string, before: string, text: string): BentPlace[] {
  const language = languageOf(path);
  if (
    !language ||
    !(isTest(path) || isSupport.test(path)) ||
    (before === "" && !isSupport.test(path))
  )
    return [];
  const found = [before, text].map((one) => {
    const beside = besideTests(path, one);
    const hooks = [...beside.matchAll(pytestHooks)].filter(([hook]) => drops.test(hook)).length;
    const skips = language.skipsInside
      ? [...beside.matchAll(new RegExp(language.skipsInside.source, "gm"))].length
      : 0;
    return hooks + skips;
  });
  if (found[1]! <= found[0]!) return [];
  return [{ path, line: 1, what: "a hook leaves tests out, or overrules what they say" }];
}

const isSupport =
  /(?:^|\/)(?:conftest\.py|(?:spec|rails|test)_helper\.rb|[\w.-]*setup[\w.-]*\.[cm]?[jt]sx?)$/i;
const pytestHooks = new RegExp(
  "^def pytest_(?:collection|runtest|itemcollected|pycollect|ignore|sessionfinish|report|pyfunc)\\w*\\(" +
    "[^\\n]*\\n(?:[ \\t]+[^\\n]*\\n?|\\n)*",
  "gm",
);
const drops = /skip|xfail|deselect|\.remove\(|outcome|exitstatus|items\[|return True|\bwasxfail\b/;
