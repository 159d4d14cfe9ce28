// A script, a pipeline or a configuration that reaches fewer of the test files that are there than it did.
import type { BentPlace } from "../cases/test-cases.ts";
import { reachOf, type Reach } from "./reach-of.ts";
import { commandReach, commandsIn, isCommands } from "./command-reach.ts";

/**
 * `paths`: all files of both trees; `tests`: test files that were there and still are; `known`: all test files
 * of both trees; `was`, `is`: texts of files.
 */
export type Trees = {
  paths: readonly string[];
  tests: readonly string[];
  known: readonly string[];
  was: (path: string) => string | undefined;
  is: (path: string) => string | undefined;
};

export function narrowedReach(
  changed: readonly (readonly [string, string, string])[],
  { tests, known, was: before, is: after }: Trees,
): BentPlace[] {
  const read = changed.map(([path, old, now]) => ({
    path,
    now,
    was: reachIn(path, old, { tests: known, read: before }),
    is: reachIn(path, now, { tests: known, read: after }),
    settled: settingsReach(path, old, known),
  }));
  // Settings that were in another file left it out before.
  const wasLeftOut = (test: string): boolean =>
    read.some(({ settled }) => settled?.(test) === false);
  return read.flatMap(({ path, was, is, now }): BentPlace[] => {
    if (!is || (!was && now !== "" && isCommands(path))) return [];
    const lost = tests.filter(
      (test) =>
        (was?.(test) ?? true) &&
        !is(test) &&
        !wasLeftOut(test) &&
        // What another file took over at the same time is still run.
        !read.some(
          (other) =>
            other.path !== path &&
            isCommands(other.path) &&
            !(other.was?.(test) ?? false) &&
            other.is?.(test),
        ),
    );
    return lost.every((test) => /(?:^|\/)(?:conftest|__init__|fixtures?|helpers?)\b/.test(test))
      ? []
      : [{ path, line: 1, what: `${lost[0]} is no longer run` }];
  });
}

/** Undefined where the text says nothing of what is run. */
function reachIn(
  path: string,
  text: string,
  { tests }: { tests: readonly string[]; read: Trees["was"] },
): Reach | undefined {
  const told = isCommands(path) ? commandReach(commandsIn(path, text), tests) : undefined;
  const settled = settingsReach(path, text, tests);
  if (!told || !settled) return told ?? settled;
  return (test) => told(test) && settled(test);
}

/** What stands behind a key, in whatever form of file. */
const settingValue =
  "\\s*[:=]\\s*(?:[\\w.]+\\s*\\?\\s*)?(\\[[^\\]]*\\](?:\\s*:\\s*\\[[^\\]]*\\])?|" +
  "[^\\n]*(?:\\n[ \\t]+[\\w./*-]+[ \\t]*(?=\\n|$))*)";
const includes = new RegExp(
  `["']?(?<![\\w-])(?:include|testMatch|spec|testpaths|roots|dir|testDir|specPattern|` +
    `testRegex|pattern|test_files)["']?(?![\\w-])${settingValue}`,
  "g",
);
const excludes = new RegExp(
  `["']?(?<![\\w.-])(?:exclude|testPathIgnorePatterns|testIgnore|norecursedirs|collect_ignore(?:_glob)?|` +
    `modulePathIgnorePatterns|excludeSpecPattern|ignore)["']?(?![\\w-])${settingValue}`,
  "g",
);
const config = new RegExp(
  "(?:^|/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\\.[\\w.]*\\w+|\\.mocharc\\.\\w+|" +
    "pytest\\.ini|tox\\.ini|setup\\.cfg|pyproject\\.toml|conftest\\.py|Rakefile|package\\.json)$",
);

function settingsReach(path: string, text: string, tests: readonly string[]): Reach | undefined {
  const named = /\.xml(?:\.dist)?$/.test(path)
    ? inXml(text)
    : path.endsWith(".rspec")
      ? {
          picked: [],
          left: [],
          files: /\.rb$/,
        }
      : config.test(path)
        ? inKeys(path, withoutCoverage(text))
        : undefined;
  if (!named) return undefined;
  const folder =
    path.includes("/") && !path.endsWith("conftest.py") ? path.slice(0, path.lastIndexOf("/")) : "";
  const own = tests.filter((test) => named.files.test(test));
  const of = (words: readonly string[]): Reach[] =>
    words.flatMap((word) => reachOf(word, own, folder) ?? reachOf(word, own) ?? []);
  const [picked, left] = [of(named.picked), of(named.left)];
  return (test) =>
    !named.files.test(test) ||
    ((picked.length === 0 || picked.some((reach) => reach(test))) &&
      !left.some((reach) => reach(test)));
}

type Named = { picked: string[]; left: string[]; files: RegExp };

const wordsIn = (found: string): string[] =>
  /["'`]/.test(found)
    ? [...found.matchAll(/["'`]([^"'`]+)["'`]/g)].map(([, word]) => word!)
    : found.split(/[\s,[\]]+/).filter((word) => word !== "");

function inKeys(path: string, text: string): Named {
  const of = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].flatMap(([, found]) => wordsIn(found!));
  const files = /\.(?:ini|cfg|toml|py)$/.test(path)
    ? /\.py$/
    : path.endsWith("Rakefile")
      ? /\.rb$/
      : /\.[cm]?[jt]sx?$/;
  const isRuns =
    !path.endsWith("package.json") || /"(?:jest|vitest|mocha|ava)"\s*:\s*\{/.test(text);
  return isRuns
    ? { picked: of(includes), left: of(excludes), files }
    : { picked: [], left: [], files };
}

function inXml(text: string): Named {
  const plain = text.replace(
    /<(coverage|source|filter|whitelist|dependencies)\b[\s\S]*?<\/\1>/g,
    "",
  );
  const isMaven = /<project\b/.test(text);
  const of = (pattern: RegExp): string[] =>
    [...plain.matchAll(pattern)].map(([, one]) => one!.trim());
  return {
    picked: isMaven ? [] : of(/<directory[^>]*>([^<]+)</g),
    left: of(/<exclude>([^<]+)</g),
    files: isMaven ? /\.(?:java|kt|groovy|scala)$/ : /\.php$/,
  };
}

/** What counts for coverage is run all the same. */
const withoutCoverage = (text: string): string =>
  text
    .replace(/\bcoverage\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, "")
    // Sections of other tools.
    .replace(/^\[(?!pytest|tool:pytest|tool\.pytest|testenv)[^\n]*\n(?:(?!\[)[^\n]*\n?)*/gm, "");
