// What is tested, replaced by something that gives the answer: the module that the tests import and call,
// the class that a test file is about, a function that the test asserts on, or one that it writes itself.
import { isTest } from "../tree/uses.ts";
import { changedValue } from "./changed-expectations.ts";
import { classDoubles, constructions, importedNames, moduleDoubles } from "./reading/doubles.ts";
import { besideTests, type BentPlace, type TestCase } from "./cases/test-cases.ts";
import type { Files } from "./what-changed.ts";

/** By file: modules, classes and functions that were real before. */
export function standIns(
  { old, now }: { old: Files; now: Files },
  tests: readonly TestCase[],
): BentPlace[] {
  return [...now].flatMap(([path, text]) => {
    const before = old.get(path) ?? "";
    if (!isTest(path) || before === text) return [];
    const at =
      replacedModule(path, text, { before, old, tests }) ??
      replacedClass(path, text, { before, tests }) ??
      writtenItself(text, before) ??
      patchedForAll(path, text, { before, old, tests });
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

/** Its name is the file's, or tests call what they import from it. */
function replacedModule(
  path: string,
  text: string,
  { before, old, tests }: { before: string; old: Files; tests: readonly TestCase[] },
): number | undefined {
  return moduleDoubles(text).find(({ found, module, keys }) => {
    const name = lastPart(module);
    if (before.includes(found) || isReplacedIn(old, name)) return false;
    if (plainName(name) === unitOf(path) && before !== "") return true;
    return tests.some((test) => {
      const imported = importedNames(old.get(test.path) ?? "").filter(
        (one) => lastPart(one.module) === name && (keys === null || keys.includes(one.name)),
      );
      return imported.some((one) => isCalled(one.name, test.body));
    });
  })?.at;
}

/** Tests replaced it before, in whatever file. */
const isReplacedIn = (files: Files, name: string): boolean =>
  [...files].some(
    ([path, text]) =>
      isTest(path) && moduleDoubles(text).some(({ module }) => lastPart(module) === name),
  );

const isCalled = (name: string, body: string): boolean =>
  new RegExp(`(?<![\\w.])(?:${name}\\(|new ${name}\\b|<${name}\\b)`).test(body);

/** The class that the file is about, or one whose answers are asserted and that nothing else is given. */
function replacedClass(
  path: string,
  text: string,
  { before, tests }: { before: string; tests: readonly TestCase[] },
): number | undefined {
  if (before === "") return undefined;
  const had = new Set(classDoubles(before).map(({ name }) => name));
  return classDoubles(text).find(({ name, at }) => {
    if (had.has(name) || constructions(name, text) >= constructions(name, before)) return false;
    return plainName(name) === unitOf(path) || isAsserted(text, at, { path, tests });
  })?.at;
}

/** The variable that holds the double is asserted on, and is an argument of nothing. */
function isAsserted(
  text: string,
  at: number,
  { path, tests }: { path: string; tests: readonly TestCase[] },
): boolean {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  const holder = /(\$?\w+)\s*(?::=|=)\s*[^=]*$/.exec(line)?.[1];
  // What is made inside of something else's brackets is given to it.
  const isInside = (line.match(/\(/g) ?? []).length > (line.match(/\)/g) ?? []).length;
  if (holder === undefined || isInside) return false;
  const taken = new RegExp(`(\\w+) = ${holder.replace("$", "\\$")}\\.[oO]bject\\b`).exec(text)?.[1];
  const word = `(?<![\\w$])(?:${[holder, taken ?? holder].map((one) => one.replace("$", "\\$")).join("|")})`;
  const isGiven = new RegExp(
    `(?<!\\b(?:expect|assertThat|when|verify|allow|spy|doReturn))[(,]\\s*${word}(?:\\.[oO]bject)?\\s*[,)]`,
  );
  const asserted = new RegExp(`${word}(?:\\.|->)\\w+`);
  return (
    !isGiven.test(text) &&
    tests.some(
      (test) =>
        test.path === path &&
        test.assertions.some(
          (one) => asserted.test(one.text) && !/^verify|\.Verify/.test(one.text),
        ),
    )
  );
}

/** A name that was imported and is defined in the test file now. */
function writtenItself(text: string, before: string): number | undefined {
  const left = new Set(importedNames(text).map(({ name }) => name));
  const gone = importedNames(before).filter(({ name }) => !left.has(name));
  const at = gone.map(({ name }) =>
    text.search(
      new RegExp(`^[ \\t]*(?:async )?(?:function|class|def|fn|const|let|var) ${name}\\b`, "m"),
    ),
  );
  return at.find((place) => place >= 0);
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

/** Beside the tests, for all of them: a function that they called before, and call still. */
function patchedForAll(
  path: string,
  text: string,
  { before, old, tests }: { before: string; old: Files; tests: readonly TestCase[] },
): number | undefined {
  const had = new Set(matchesIn(besideTests(path, before), patches).map(({ name }) => name));
  const found = matchesIn(besideTests(path, text), patches).find((patch) => {
    if (had.has(patch.name) || isClock.test(patch.name)) return false;
    const call = callOf(patch);
    return tests.some(
      ({ path: place, body, assertions }) =>
        (place === path || !tests.some((test) => test.path === path)) &&
        assertions.length > 0 &&
        call.test(body) &&
        call.test(old.get(place) ?? ""),
    );
  });
  return found && text.indexOf(found.found);
}

/** `allow(cart).to receive(:total)` is about `cart.total`; of a class it is about every one of its objects. */
function callOf({ name, found }: Patch): RegExp {
  const on = /[({] *(\$?\w+)(?=[,).]|->)|^\.?(\w+)\b(?=\.\w+ =)/.exec(
    found.replace(/^.*\bwhen(?=\()/, ""),
  );
  const receiver = (on?.[1] ?? on?.[2] ?? "").replace("$", "\\$");
  const isObject = /^(?:\\\$)?[a-z_]/.test(receiver) && !/any_instance/.test(found);
  const end = found.includes("receive") || found.includes("stub") ? "\\b(?! *=)" : "\\(";
  return new RegExp(`${isObject ? `(?<![\\w.])@?${receiver}` : ""}(?:\\.|->)${name}${end}`);
}

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
  if (found.some(({ name }) => name === "__eq__" || name === "equals")) return true;
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
