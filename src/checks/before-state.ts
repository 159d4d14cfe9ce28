// The project as it was before a flow began, for comparison: which files have changed since, what
// stood in them, and a folder with all of them in which a check can be run. Needs git; the
// repository itself is not written to.
import { execFile, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import { ownGitEnvironment } from "../process/git/own-git.ts";
import { removeTree } from "../process/remove-tree.ts";
import { makeScratchFolder } from "../process/sandbox/scratch-folder.ts";

export type BeforeState = {
  /** Files that are new or changed since, from the project's folder; undefined where git cannot say. */
  changedFiles: () => string[] | undefined;
  /** A file as it was; undefined where it was not there. */
  textOf: (path: string) => string | undefined;
  /** The project's folder as it was, made once; undefined where it cannot be made. */
  folder: () => Promise<string | undefined>;
  /** Removes the folder. */
  close: () => void;
};

const gitTimeoutMs = 60_000;
const maxBuffer = 256 * 1024 * 1024;
/** What is installed and not committed: a check of the old files needs it as much as one of the new. */
const dependencies = new Set([
  "node_modules",
  ".venv",
  "venv",
  ".yarn",
  ".pnp.cjs",
  "vendor",
  "Pods",
]);

/**
 * Keeps the state of now in `store`; where an earlier life of the flow kept one there, that is it.
 * Undefined without git.
 */
export function openBeforeState(root: string, store: string): BeforeState | undefined {
  const git = gitOver(root, store);
  const tree = git && keptTree(git, store);
  if (!git || tree === undefined) return undefined;
  let made: Promise<string | undefined> | undefined;
  let scratch: string | undefined;
  return {
    changedFiles: () => changedSince(git, tree),
    textOf: (path) => git.run(["cat-file", "blob", `${tree}:${git.prefix}${path}`]),
    folder: () =>
      (made ??= restored(git, tree, (scratch = makeScratchFolder("before"))).catch(
        () => undefined,
      )),
    close() {
      if (scratch !== undefined) removeTree(scratch);
    },
  };
}

type Git = {
  root: string;
  /** From the repository's top to the project's folder: empty, or with a slash at its end. */
  prefix: string;
  index: string;
  /** Undefined where git fails. */
  run: (args: readonly string[], indexFile?: string) => string | undefined;
  env: (indexFile: string) => NodeJS.ProcessEnv;
};

/** New objects go to the store, old ones are read where they are. */
function gitOver(root: string, store: string): Git | undefined {
  const own = ownGitEnvironment(root);
  const call = (args: readonly string[], env: NodeJS.ProcessEnv): string | undefined => {
    const { status, stdout } = spawnSync("git", ["-C", root, ...quiet, ...args], {
      encoding: "utf8",
      maxBuffer,
      timeout: gitTimeoutMs,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return status === 0 ? stdout : undefined;
  };
  const places = ["--path-format=absolute", "--git-path", "index", "--git-path", "objects"];
  const [index, objects, prefix = ""] =
    call(["rev-parse", ...places, "--show-prefix"], own)?.split("\n") ?? [];
  if (!index || !objects) return undefined;
  makePrivateDir(store);
  mkdirSync(join(store, "objects"), { recursive: true, mode: 0o700 });
  const env = (indexFile: string): NodeJS.ProcessEnv => ({
    ...own,
    GIT_INDEX_FILE: indexFile,
    GIT_OBJECT_DIRECTORY: join(store, "objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(root, objects),
  });
  const usual = join(store, "index");
  return { root, prefix, index, env, run: (args, file = usual) => call(args, env(file)) };
}

const quiet = ["-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false"];

function keptTree(git: Git, store: string): string | undefined {
  const note = join(store, "tree");
  if (existsSync(note)) return readFileSync(note, "utf8").trim() || undefined;
  const tree = treeOfNow(git, join(store, "index"));
  if (tree !== undefined) writeFileSync(note, `${tree}\n`, { mode: 0o600 });
  return tree;
}

function treeOfNow(git: Git, indexFile: string): string | undefined {
  if (existsSync(git.index)) copyFileSync(git.index, indexFile);
  // Unreadable files are left out instead of spoiling the whole.
  git.run(["add", "--all", "--ignore-errors", "--", ":/"], indexFile);
  return git.run(["write-tree"], indexFile)?.trim();
}

function changedSince(git: Git, tree: string): string[] | undefined {
  const scratch = makeScratchFolder("now");
  try {
    const now = treeOfNow(git, join(scratch, "index"));
    const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--relative"];
    const listing =
      now === undefined ? undefined : git.run([...args, "--diff-filter=d", tree, now]);
    return listing?.split("\0").filter((path) => path !== "");
  } finally {
    removeTree(scratch);
  }
}

async function restored(git: Git, tree: string, scratch: string): Promise<string | undefined> {
  const indexFile = join(scratch, "index");
  const top = join(scratch, "tree");
  mkdirSync(top);
  if (git.run(["read-tree", tree], indexFile) === undefined) return undefined;
  const checkout = ["checkout-index", "--all", "--force", "--quiet", `--prefix=${top}/`];
  const isThere = await new Promise<boolean>((done) => {
    execFile(
      "git",
      [
        "-C",
        resolve(git.root, "../".repeat(git.prefix.split("/").length - 1)),
        ...quiet,
        ...checkout,
      ],
      { env: git.env(indexFile), timeout: gitTimeoutMs, maxBuffer },
      (error) => done(error === null),
    );
  });
  const folder = join(top, git.prefix);
  if (!isThere || !existsSync(folder)) return undefined;
  linkDependencies(git, folder);
  return folder;
}

function linkDependencies(git: Git, folder: string): void {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const ignored = (git.run(args, git.index) ?? "").split("\0");
  for (const path of ignored.map((one) => one.replace(/\/$/, "")).slice(0, 10_000)) {
    const [from, to] = [join(git.root, path), join(folder, path)];
    if (!dependencies.has(basename(path)) || existsSync(to) || !existsSync(dirname(to))) continue;
    symlinkSync(from, to);
  }
}
