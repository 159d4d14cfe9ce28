// Reads a working tree: what git lists (or a bounded walk), real paths fenced to the root, nothing
// outside it ever opened.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { basename, join } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { isInRepository } from "../process/git/git-folder.ts";
import { ownGitEnvironment } from "../process/git/own-git.ts";
import { commitAt } from "./commit-reader.ts";
import { entriesOf, entriesOnce } from "./files/entries-of.ts";
import { fenced, readFenced } from "./files/read-fenced.ts";
import { pastVersions } from "./files/past-versions.ts";
import type { RepositoryReader } from "./reader.ts";
import { wholeWord } from "./word-index.ts";

const skippedFolders = new Set([".git", "node_modules", ".hg", ".svn"]);

/** A reader of the folder `root`. Throws when it is no folder. */
export function treeReader(root: string): RepositoryReader {
  const real = realRoot(root);
  let listed: ListedFiles | undefined;
  const list = (): ListedFiles => (listed ??= gitFiles(real) ?? walk(real));
  return {
    root: real,
    names: namesOf(real, root),
    list,
    read: (path) => readFenced(real, path),
    stat: (path) => statFenced(real, path),
    search: (words, any) => searchFiles(real, { words, any }, list()),
    at: (commit) => (isInRepository(real) ? commitAt(real, commit) : undefined),
    past: (asked) => (isInRepository(real) ? pastVersions(real, undefined, asked) : new Map()),
  };
}

function realRoot(root: string): string {
  try {
    // Only a folder has a place in it.
    return realpathSync.native(root === "" ? root : `${root}/.`);
  } catch {
    const fault = existsSync(root) ? "is not a folder" : "does not exist";
    throw new RetinueError(
      "usage",
      `the root "${root}" ${fault}; give the folder that the report's paths are relative to`,
    );
  }
}

/** `untracked`: those of the paths that git does not track; undefined where git listed none. */
type ListedFiles = { paths: string[]; complete: boolean; untracked?: string[] };

/** Tracked and untracked files that git does not ignore; undefined where the folder is in no repository. */
function gitFiles(root: string): ListedFiles | undefined {
  if (!isInRepository(root)) return undefined;
  const args = [
    "-C",
    root,
    "-c",
    "core.quotepath=off",
    "ls-files",
    "-z",
    "-t",
    "--cached",
    "--others",
    "--exclude-standard",
  ];
  const result = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    env: ownGitEnvironment(root),
    timeout: 60_000,
  });
  if (result.status !== 0) return undefined;
  // Each with a letter for its state before it; an unmerged file is there more than once.
  const lines = result.stdout.split("\0").filter((line) => line !== "");
  const paths = [...new Set(lines.map((line) => line.slice(2)))];
  if (paths.length === 0) return undefined;
  const { files } = limits.verify;
  return {
    paths: paths.slice(0, files),
    complete: paths.length <= files,
    untracked: lines.flatMap((line) => (line.startsWith("?") ? [line.slice(2)] : [])),
  };
}

/** Untracked files up to this number are read here: git would go through every folder for them. */
const fewUntracked = 200;

type Sought = { words: readonly string[]; any: "any" | undefined };

/** Names of the files with the words, by git's own search: no index is made for a single question. */
function searchFiles(
  root: string,
  sought: Sought,
  { untracked }: ListedFiles,
): string[] | undefined {
  if (!untracked) return grepFiles(root, ["--no-index"], sought);
  if (untracked.length > fewUntracked)
    return grepFiles(root, ["--untracked"], sought) ?? grepFiles(root, ["--no-index"], sought);
  const tracked = grepFiles(root, [], sought);
  if (!tracked) return undefined;
  const tests = sought.words.map(wholeWord);
  const holds = (text: string): boolean =>
    sought.any ? tests.some((test) => test.test(text)) : tests.every((test) => test.test(text));
  const others = untracked.filter((path) => {
    const result = readFenced(root, path);
    return result.ok && holds(result.text);
  });
  return others.length === 0 ? tracked : [...tracked, ...others].sort();
}

function grepFiles(root: string, mode: string[], { words, any }: Sought): string[] | undefined {
  const patterns = words.flatMap((word) => ["-e", word]);
  const options = ["-l", "-z", "-I", "-F", "-w", ...(any ? [] : ["--all-match"])];
  const depth = ["--max-depth", "-1"];
  const args = ["-C", root, "grep", ...mode, ...options, ...depth, ...patterns, "--", "."];
  const result = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: ownGitEnvironment(root),
    timeout: 30_000,
  });
  if (result.status === 0) return result.stdout.split("\0").filter((path) => path !== "");
  return result.status === 1 && result.stderr === "" ? [] : undefined;
}

const walked = new Set<string>();

/** Most processes go through a tree once: what its folders hold is kept from the second walk on. */
function entriesFor(root: string): typeof entriesOf {
  if (walked.has(root)) return entriesOf;
  if (walked.size >= 100) walked.clear();
  walked.add(root);
  return entriesOnce;
}

/** Breadth first, links not followed, stops at the file limit. */
function walk(root: string): ListedFiles {
  const entriesIn = entriesFor(root);
  const paths: string[] = [];
  const folders = [""];
  for (let index = 0; index < folders.length; index++) {
    for (const entry of entriesIn(join(root, folders[index]!))) {
      const path = folders[index] === "" ? entry.name : `${folders[index]}/${entry.name}`;
      if (paths.length >= limits.verify.files || folders.length >= limits.verify.files)
        return { paths, complete: false };
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) folders.push(path);
      } else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
    }
  }
  return { paths, complete: true };
}

function statFenced(root: string, path: string): "file" | "directory" | "outside" | "none" {
  const entry = entryAt(join(root, path));
  if (entry === undefined) return "none";
  const at = fenced(root, path, realpathSync.native);
  // A link that leads nowhere may lead out tomorrow.
  if ("why" in at) return at.why === "none" && entry.isSymbolicLink() ? "outside" : at.why;
  try {
    return statSync(at.real).isDirectory() ? "directory" : "file";
  } catch {
    return "none";
  }
}

/** Asked first and without an exception: most paths that are asked about are not there. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What the project is called, by its folder: a version or a branch behind the name is none of it. */
function namesOf(...roots: string[]): string[] {
  const names = roots.map((root) => basename(root));
  const bare = names.map((name) => name.replace(/-(?:v?\d[\w.+~-]*|main|master)$/, ""));
  return [...new Set([...names, ...bare])];
}
