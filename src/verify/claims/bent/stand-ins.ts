// What is tested, replaced by something that gives the answer: the whole module that a test file is named
// after, or a function that the test calls and asserts on.
import { isTest } from "../tree/uses.ts";
import type { BentPlace, TestCase } from "./test-cases.ts";

/** A test file that replaces the module that it is named after. */
export function standIns(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): BentPlace[] {
  return [...now].flatMap(([path, text]) => {
    const before = old.get(path);
    if (!isTest(path) || before === undefined) return [];
    const own = path
      .split("/")
      .at(-1)!
      .replace(/^test_/, "")
      .replace(/[._-](?:test|spec)\b.*$|\.\w+$/, "");
    const added = [
      ...text.matchAll(
        /\b(?:jest|vi)\.(?:do)?[mM]ock\(\s*["']([^"']+)["']|\bpatch\(\s*["']([\w.]+)\.\w+["']/g,
      ),
    ].find((match) => {
      const name = (match[1]?.replace(/\.[cm]?[jt]sx?$/, "") ?? match[2])!.split(/[/.]/).at(-1);
      return name === own && !before.includes(match[0]);
    });
    return added
      ? [
          {
            path,
            line: text.slice(0, added.index).split("\n").length,
            what: "what is tested is replaced by a stand-in",
          },
        ]
      : [];
  });
}

const patches: readonly RegExp[] = [
  /\b(?:setattr|patch\.object|spyOn|mock\.method|stub)\([^,()]+,\s*["'](\w+)["']/g,
  /\b(?:setattr|patch)\(\s*["'](?:[\w]+\.)+(\w+)["']/g,
  /\b(?:allow|expect|stub)\w*\([^()]*(?:\([^()]*\))?\)\.to receive\(:(\w+)/g,
  /\.(\w+)\s*=\s*(?:async )?(?:lambda\b|function\b|\([^)]*\)\s*=>|\w+\s*=>|(?:Magic)?Mock\(|(?:jest|vi)\.fn\()/g,
  /\b(\w+)\)?\.mock(?:Return|Resolved|Rejected|Implementation)\w*\(/g,
  /\bwhen\(\s*\w+\.(\w+)\([^()]*\)\s*\)\.then|\bdoReturn\([^)]*\)\.when\(\w+\)\.(\w+)\(|\bdef \w+\.(\w+)/g,
];
/** Time and chance are held still by honest tests too. */
const isClock =
  /^(?:now|time|monotonic|sleep|random|uuid\w*|today|utcnow|perf_counter|setTimeout)$/;

const patchedIn = (body: string): { name: string; at: number; length: number }[] =>
  patches.flatMap((pattern) =>
    [...body.matchAll(pattern)].map((match) => ({
      name: match.slice(1).find((group) => group !== undefined)!,
      at: match.index,
      length: match[0].length,
    })),
  );

/** A function that the test called before, calls still, and now puts there itself. */
export function standsIn(one: TestCase, later: TestCase): boolean {
  const before = new Set(patchedIn(one.body).map(({ name }) => name));
  const found = patchedIn(later.body).filter(
    ({ name }) => !before.has(name) && !isClock.test(name),
  );
  const rest = found.reduce(
    (text, { at, length }) => text.slice(0, at) + " ".repeat(length) + text.slice(at + length),
    later.body,
  );
  return found.some(({ name }) => {
    const call = new RegExp(`(?<!\\w)${name}\\b[(\\s]`);
    return call.test(one.body) && call.test(rest);
  });
}
