// How this program calls git for its own purposes: nothing that a repository's configuration names
// is run, and nothing is fetched. A folder may have come with a `.git` of somebody's making, and
// looking at it must not be a yes to what stands in it.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

type Variables = Record<string, string>;

/** Variables of the caller that lead git to another repository. */
const redirecting =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|COMMON_DIR)$/;

/**
 * No hooks, no file-system monitor; a missing object is missing, never asked of a remote, whose
 * address and helper are the repository's too.
 */
const quiet: readonly [string, string][] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
];
const noTransport: Variables = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
};

/**
 * The environment for a git of ours in `root`. Filters that the person's own configuration sets
 * stay; the repository's do not run.
 */
export function ownGitEnvironment(
  root: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Variables {
  const kept = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !redirecting.test(entry[0]),
    ),
  );
  const base = { ...kept, ...noTransport };
  const drivers = repositoryFilters(root, withConfig(base, quiet));
  // What cannot be known cannot be switched off: git is led to no repository, and says so to
  // whoever called it.
  if (drivers === undefined) return { ...base, GIT_DIR: "/dev/null" };
  return withConfig(base, [...quiet, ...drivers.flatMap(withoutProgram)]);
}

const withoutProgram = (driver: string): [string, string][] => [
  [`${driver}.clean`, ""],
  [`${driver}.smudge`, ""],
  [`${driver}.process`, ""],
  [`${driver}.required`, "false"],
];

/**
 * As variables, not as `-c`: a driver's name may hold any sign, `=` included. What the caller set
 * that way stays before ours.
 */
function withConfig(env: Variables, entries: readonly (readonly [string, string])[]): Variables {
  const given = Number(env["GIT_CONFIG_COUNT"]);
  const first = Number.isSafeInteger(given) && given > 0 ? given : 0;
  const numbered = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return {
    ...env,
    ...(Object.fromEntries(numbered) as Variables),
    GIT_CONFIG_COUNT: String(first + entries.length),
  };
}

/**
 * The filter drivers (`filter.NAME`) that the repository itself configures; undefined when git
 * cannot tell.
 */
function repositoryFilters(root: string, env: Variables): string[] | undefined {
  const isPlain = plainConfiguration(join(root, ".git"));
  if (isPlain !== undefined) return isPlain ? [] : undefined;
  const { status, stdout } = spawnSync(
    "git",
    ["-C", root, "config", "--null", "--show-scope", "--name-only", "--get-regexp", "^filter\\."],
    {
      encoding: "utf8",
      env,
      timeout: 10_000,
      maxBuffer: 16 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  if (status !== 0 && status !== 1) return undefined;
  const words = stdout.split("\0");
  const names = words.filter(
    (_, at) => at % 2 === 1 && (words[at - 1] === "local" || words[at - 1] === "worktree"),
  );
  return [...new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))))];
}

/**
 * True for the usual repository, which says nothing of filters and includes no other file; false
 * where a pipe stands, on which git would wait; undefined: git has to be asked.
 */
function plainConfiguration(gitFolder: string): boolean | undefined {
  try {
    const files = ["HEAD", "config", "config.worktree", "commondir"]
      .map((name) => ({
        name,
        path: join(gitFolder, name),
        facts: statSync(join(gitFolder, name), { throwIfNoEntry: false }),
      }))
      .filter(({ facts }) => facts !== undefined);
    if (files.some(({ facts }) => !facts!.isFile())) return false;
    const settings = files.filter(({ name }) => name.startsWith("config"));
    return settings.length > 0 &&
      files.every(({ name }) => name !== "commondir") &&
      settings.every(({ path }) => !/filter|include/i.test(readFileSync(path, "utf8")))
      ? true
      : undefined;
  } catch {
    return undefined;
  }
}
