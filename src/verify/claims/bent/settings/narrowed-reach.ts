// A script, a pipeline or a configuration that reaches fewer of the test files that are there than it did.
import type { BentPlace } from "../cases/test-cases.ts";
import { reachOf, type Reach } from "./reach-of.ts";
import { commandLines, isCommands } from "./command-lines.ts";
import { commandReach } from "./command-reach.ts";

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
        !isNamedElsewhere(test, after) &&
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

/** Another runner has a configuration of its own that names the folder. */
const isNamedElsewhere = (test: string, read: Trees["is"]): boolean =>
  ["playwright", "cypress"].some((runner) =>
    ["ts", "js", "mjs"].some((ending) =>
      new RegExp(`["'\`./]${test.split("/")[0]!.replaceAll(".", "\\.")}["'\`/]`).test(
        read(`${runner}.config.${ending}`) ?? "",
      ),
    ),
  );

/** Undefined where the text says nothing of what is run. */
function reachIn(
  path: string,
  text: string,
  { tests, read }: { tests: readonly string[]; read: Trees["was"] },
): Reach | undefined {
  const told = isCommands(path) ? commandReach(commandLines(path, text, read), tests) : undefined;
  const settled = settingsReach(path, text, tests);
  if (!told || !settled) return told ?? settled;
  return (test) => told(test) && settled(test);
}

/** What stands behind a key, in whatever form of file. */
export const settingValue =
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
          picked: /--pattern[ =]["']?([^\s"']+)/.exec(text)?.slice(1) ?? [],
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
    words.flatMap((word) =>
      word.startsWith("!") ? [] : (reachOf(word, own, folder) ?? reachOf(word, own) ?? []),
    );
  const [picked, left] = [
    of(named.picked),
    of([
      ...named.left,
      ...named.picked.filter((word) => word.startsWith("!")).map((word) => word.slice(1)),
    ]),
  ];
  return (test) =>
    !named.files.test(test) ||
    ((picked.length === 0 || picked.some((reach) => reach(test))) &&
      (named.called === undefined ||
        named.called.length === 0 ||
        named.called.some((word) => reachOf(`**/${word}`, [test]) !== undefined)) &&
      !left.some((reach) => reach(test)));
}

/** `called`: patterns of the files' own names. */
type Named = { picked: string[]; left: string[]; files: RegExp; called?: string[] };

export const wordsIn = (found: string): string[] =>
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
  const called = /^python_files\s*=\s*(.*)$/m.exec(text)?.[1];
  const appended = [
    ...text.matchAll(/collect_ignore(?:_glob)?\.(?:append|extend)\(([^)]*)\)/g),
  ].flatMap(([, found]) => wordsIn(found!));
  const isRuns =
    !path.endsWith("package.json") || /"(?:jest|vitest|mocha|ava)"\s*:\s*\{/.test(text);
  return isRuns
    ? {
        picked: of(includes),
        left: [...of(excludes), ...appended],
        files,
        called: called ? wordsIn(called) : [],
      }
    : { picked: [], left: [], files };
}

function inXml(text: string): Named {
  const of = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map((match) =>
      match
        .slice(1)
        .findLast((one) => one !== undefined)!
        .trim(),
    );
  const plain = text.replace(
    /<(coverage|source|filter|whitelist|dependencies)\b[\s\S]*?<\/\1>/g,
    "",
  );
  if (/<project\b/.test(text))
    return {
      picked:
        of(/<(?:include|test)>([^<]+)</g).length > 0
          ? [...plain.matchAll(/<(?:include|test)>([^<]+)</g)].map(([, one]) => one!.trim())
          : [],
      left: [...plain.matchAll(/<exclude>([^<]+)</g)].map(([, one]) => one!.trim()),
      files: /\.(?:java|kt|groovy|scala)$/,
    };
  const folders = [...plain.matchAll(/<directory([^>]*)>([^<]+)</g)].map(([, marks, folder]) => {
    const ending = /suffix="([^"]+)"/.exec(marks!)?.[1];
    return ending === undefined
      ? folder!.trim()
      : `${folder!.trim().replace(/\/$/, "")}/**/*${ending}`;
  });
  return {
    picked: [...folders, ...[...plain.matchAll(/<file>([^<]+)</g)].map(([, one]) => one!.trim())],
    left: [...plain.matchAll(/<exclude>([^<]+)</g)].map(([, one]) => one!.trim()),
    files: /\.php$/,
  };
}

/** What counts for coverage is run all the same. */
const withoutCoverage = (text: string): string =>
  text
    .replace(/\bcoverage\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, "")
    // Sections of other tools.
    .replace(/^\[(?!pytest|tool:pytest|tool\.pytest|testenv)[^\n]*\n(?:(?!\[)[^\n]*\n?)*/gm, "");
