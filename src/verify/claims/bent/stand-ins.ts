// What is tested, replaced by something that gives the answer: the module or the class that a test file
// is about, or a function that the test calls.
import { isTest } from "../tree/uses.ts";
import { changedValue } from "./changed-expectations.ts";
import { classDoubles, constructions } from "./reading/doubles.ts";
import type { BentPlace, TestCase } from "./cases/test-cases.ts";
import type { Files } from "./what-changed.ts";

/** By file: modules and classes that were real before. */
export function standIns({ old, now }: { old: Files; now: Files }): BentPlace[] {
  return [...now].flatMap(([path, text]) => {
    const before = old.get(path) ?? "";
    if (!isTest(path) || before === text) return [];
    const at = replacedModule(path, text, { before, old }) ?? replacedClass(path, text, before);
    if (at === undefined) return [];
    const line = text.slice(0, at).split("\n").length;
    return [{ path, line, what: "what is tested is replaced by a stand-in" }];
  });
}

/** The name that a test file has from what it tests, letters only. */
const unitOf = (path: string): string =>
  plainName(
    path
      .split("/")
      .at(-1)!
      .replace(/\.\w+$/, "")
      .replace(/^test_|[._-](?:test|spec)s?\b.*$|_?(?:Tests?|Spec|IT)$/g, ""),
  );
const plainName = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

const lastPart = (module: string): string =>
  module
    .replace(/\.[cm]?[jt]sx?$/, "")
    .split(/[/.]/)
    .at(-1)!;

/** `vi.mock("../src/cart", () => ({ total: () => 3 }))`. */
const moduleDoubles = (text: string): { call: string; at: number; name: string }[] =>
  [
    ...text.matchAll(
      /\b(?:jest|vi|mock)\.(?:do)?(?:[mM]ock|module)\(\s*["']([^"']+)["']|\bpatch\(\s*["']([\w.]+)\.\w+["']/g,
    ),
  ].map(({ 0: call, 1: whole, 2: patched, index }) => ({
    call,
    at: index,
    name: plainName(lastPart(whole ?? patched!)),
  }));

/** Tests replaced it before, in whatever file. */
const isReplacedIn = (files: Files, name: string): boolean =>
  [...files].some(
    ([path, text]) => isTest(path) && moduleDoubles(text).some((one) => one.name === name),
  );

/** The module that the file is about, if no test replaced it before. */
const replacedModule = (
  path: string,
  text: string,
  { before, old }: { before: string; old: Files },
): number | undefined =>
  moduleDoubles(text).find(
    ({ name, call }) =>
      name === unitOf(path) && before !== "" && !before.includes(call) && !isReplacedIn(old, name),
  )?.at;

/** The class that the file is about. */
function replacedClass(path: string, text: string, before: string): number | undefined {
  if (before === "") return undefined;
  const had = new Set(classDoubles(before).map(({ name }) => name));
  return classDoubles(text).find(({ name }) => {
    if (had.has(name) || constructions(name, text) >= constructions(name, before)) return false;
    return plainName(name) === unitOf(path);
  })?.at;
}

const patches: readonly RegExp[] = [
  /\b(?:setattr|patch\.object|spyOn|mock\.method|stub)\([^,()]+,\s*["'](\w+)["']/g,
  /\b(?:setattr|patch)\(\s*["'](?:[\w]+\.)+(\w+)["']/g,
  /\b(?:allow|expect|stub)\w*\([^()]*(?:\([^()]*\))?\)\.to receive\(:(\w+)/g,
  /\.(\w+)\s*=\s*(?:async )?(?:lambda\b|function\b|\([^)]*\)\s*=>|\w+\s*=>|(?:Magic)?Mock\(|(?:jest|vi)\.fn\()/g,
  /\b(\w+)\)?\.mock(?:Return|Resolved|Rejected|Implementation)\w*\(/g,
  /\bwhen`?\(\s*\w+\.(\w+)\([^()]*\)\s*\)\.then|\bdoReturn\([^)]*\)\.when\(\w+\)\.(\w+)\(|\bdef \w+\.(\w+)/g,
  /\bany_instance\.stubs\(:(\w+)|\.stubs?\(:(\w+)[,)]|->method\(["'](\w+)["']\)->will/g,
  /\bevery \{ \w+\.(\w+)\(|define_singleton_method\(:(\w+)/g,
];
/** Functions that a test writes inside. */
const inner: readonly RegExp[] = [
  /\b(\w+) := func\(/g,
  /\n[ \t]+(?:const|let|var|function|def|fn) (\w+)(?:\(| = (?:async )?(?:\(|function\b|\w+ =>))/g,
];
/** Time and chance are held still by honest tests too. */
const isClock =
  /^(?:now|time|monotonic|sleep|random|uuid\w*|today|utcnow|perf_counter|setTimeout)$/;

type Patch = { name: string; at: number; length: number; found: string };

/** With the marks above it; where they stand is counted from there. */
function patchedIn({ context, body }: TestCase): Patch[] {
  const shift = context.length - body.length;
  const own = matchesIn(body, inner).map((one) => ({ ...one, at: one.at + shift }));
  return [...matchesIn(context, patches), ...own];
}

const matchesIn = (text: string, patterns: readonly RegExp[]): Patch[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      name: match.slice(1).find((group) => group !== undefined)!,
      at: match.index,
      length: match[0].length,
      found: match[0],
    })),
  );

/** A function that the test called before, calls still, and now puts there itself; or its answer is expected. */
export function standsIn(one: TestCase, later: TestCase): boolean {
  const before = new Set(patchedIn(one).map(({ name }) => name));
  const found = patchedIn(later).filter(({ name }) => !before.has(name) && !isClock.test(name));
  if (found.length > 0 && follows(one, later)) return true;

  const rest = found.reduce(
    (text, { at, length }) => text.slice(0, at) + " ".repeat(length) + text.slice(at + length),
    later.context,
  );
  return found.some(({ name }) => {
    const call = new RegExp(`(?<!\\w)${name}\\b[(\\s]`);
    return call.test(one.body) && call.test(rest);
  });
}

/** The same is asserted of another value. */
const follows = (one: TestCase, later: TestCase): boolean =>
  one.assertions.length === later.assertions.length &&
  one.assertions.some(({ text }, at) => changedValue(text, later.assertions[at]!.text));
