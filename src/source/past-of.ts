// What git keeps of a tree's past: which commit wrote a line, and files as they were. Nothing is fetched, no
// program of the repository's configuration runs, and a question that takes long has no answer.
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { limits } from "../base/limits.ts";
import { ownGitEnvironment } from "../process/git/own-git.ts";
import {
  isSecretPath,
  readLimit,
  textResult,
  type Past,
  type ReadResult,
  type RepositoryReader,
} from "./reader.ts";

/** `revision`: the commit that the tree is, or stands on. */
export function pastOf(root: string, revision: string): Past {
  const trees = new Map<string, RepositoryReader>();
  return {
    revision,
    writersOf: (path) => writersOf(path, { root, revision }),
    versionsOf: (path, until) => versionsOf(path, { root, revision: until }),
    treeOf(of) {
      const known = trees.get(of);
      if (known) return known;
      if (trees.size >= mostTrees) trees.clear();
      const tree = treeOf(root, of);
      trees.set(of, tree);
      return tree;
    },
  };
}

const mostTrees = 64;

function git(root: string, args: string[], maxBuffer: number): Buffer | undefined {
  const { status, stdout } = spawnSync("git", ["-C", root, "--literal-pathspecs", ...args], {
    maxBuffer,
    timeout: limits.past.gitMs,
    env: ownGitEnvironment(root),
  });
  return status === 0 ? stdout : undefined;
}

type At = { root: string; revision: string };

/** Without the filters that a repository may set for showing texts. */
function writersOf(path: string, { root, revision }: At): ReadonlyMap<string, string> | undefined {
  const args = ["blame", "--no-textconv", "-s", "--porcelain", revision, "--", path];
  const text = git(root, args, 4 * readLimit)?.toString("utf8");
  if (text === undefined) return undefined;
  const writers = new Map<string, string>();
  let commit = "";
  for (const line of text.split("\n"))
    if (line.startsWith("\t")) writers.set(line.slice(1).trimEnd(), commit);
    else commit = /^([\da-f]{40,64}) \d/.exec(line)?.[1] ?? commit;
  return writers;
}

/** No signature is looked at: the program for that is the repository's to choose. */
function versionsOf(path: string, { root, revision }: At): readonly string[] {
  const most = `-n${limits.past.versions}`;
  const format = ["--no-show-signature", "--no-renames", "--format=%H"];
  const text = git(root, ["log", most, ...format, "--end-of-options", revision, "--", path], 4096);
  return text?.toString("utf8").split("\n").filter(Boolean) ?? [];
}

function treeOf(root: string, commit: string): RepositoryReader {
  let listed: ReturnType<RepositoryReader["list"]> | undefined;
  return {
    root,
    names: [basename(root)],
    list: () => (listed ??= listFiles(root, commit)),
    read: (path) => readFile(path, { root, commit }),
    stat: () => "none",
  };
}

function listFiles(root: string, commit: string): ReturnType<RepositoryReader["list"]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", commit];
  const listing = git(root, args, 64 * readLimit)?.toString("utf8") ?? "";
  const paths = listing.split("\0", limits.verify.files).filter((path) => path !== "");
  return { paths, complete: paths.length > 0 && paths.length < limits.verify.files };
}

function readFile(path: string, { root, commit }: { root: string; commit: string }): ReadResult {
  if (isSecretPath(path)) return { ok: false, why: "secret" };
  if (path.includes("\0")) return { ok: false, why: "gone" };
  const bytes = git(root, ["cat-file", "blob", `${commit}:./${path}`], readLimit + 1);
  return bytes ? textResult(path, bytes) : { ok: false, why: "gone" };
}
