// Reads the files of one git commit out of the object store; the working tree is not touched.
import { spawnSync } from "node:child_process";
import { basename, posix } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { ownGitEnvironment } from "../process/git/own-git.ts";
import { batchBytes, readBlobs } from "./files/read-blobs.ts";
import { pastVersions } from "./files/past-versions.ts";
import { isSecretPath, readLimit, textResult } from "./reader.ts";
import type { ReadResult, RepositoryReader } from "./reader.ts";

type Blob = { id: string; size: number; link: boolean };

/** A reader of `revision` in the repository at `root`. Throws when either does not exist. */
export function commitReader(root: string, revision: string): RepositoryReader {
  const commit = resolveCommit(root, revision);
  const blobs = listBlobs(root, commit);
  const paths = [...blobs.keys()];
  const contents = blobContents(root, [...blobs.values()]);
  return {
    root,
    names: [basename(root)],
    list: () => ({ paths, complete: paths.length < limits.verify.files, untracked: [] }),
    read: (path) => readBlob(path, blobs.get(path), contents),
    stat: () => "none",
    at: (other) => commitAt(root, other),
    past: (asked) => pastVersions(root, commit, asked),
  };
}

/** As the folder was at a commit; undefined where there is no such commit. */
export function commitAt(root: string, commit: string): RepositoryReader | undefined {
  try {
    return commitReader(root, commit);
  } catch {
    return undefined;
  }
}

function git(root: string, args: string[], maxBuffer: number): Buffer | undefined {
  const result = spawnSync("git", ["-C", root, "--literal-pathspecs", ...args], {
    maxBuffer,
    timeout: 60_000,
    env: ownGitEnvironment(root),
  });
  return result.status === 0 ? result.stdout : undefined;
}

function resolveCommit(root: string, revision: string): string {
  const hash = git(
    root,
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
    4096,
  )
    ?.toString("utf8")
    .trim();
  if (hash && /^[0-9a-f]{40,64}$/.test(hash)) return hash;
  throw new RetinueError(
    "usage",
    `"${revision}" is not a commit of the git repository at "${root}"; ` +
      "give a hash, branch or tag that `git rev-parse` knows",
  );
}

function listBlobs(root: string, commit: string): Map<string, Blob> {
  const blobs = new Map<string, Blob>();
  const listing = git(root, ["ls-tree", "-r", "-z", "-l", commit], 256 * 1024 * 1024);
  for (const row of listing?.toString("utf8").split("\0") ?? []) {
    const match = /^(\d+) blob ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(row);
    if (match)
      blobs.set(match[4]!, { id: match[2]!, size: Number(match[3]), link: match[1] === "120000" });
    if (blobs.size >= limits.verify.files) break;
  }
  return blobs;
}

const readSingly = 8;
const leastBatch = 1024 * 1024;
/** So many files that were known already may lie between two that are asked for one after the other. */
const gap = 256;

/**
 * The bytes of a blob: the first few one by one, then each with those that follow it in the list, and the more
 * of them the longer they are asked for in order.
 */
function blobContents(root: string, blobs: Blob[]): (blob: Blob) => Buffer | undefined {
  const places = new Map(blobs.map(({ id }, index) => [id, index]));
  let known: ReadonlyMap<string, Buffer> = new Map();
  let asked = 0;
  let next = 0;
  let size = leastBatch;
  const readOn = ({ id }: Blob): Buffer | undefined => {
    const at = places.get(id)!;
    size = at >= next && at < next + gap ? Math.min(2 * size, batchBytes) : leastBatch;
    const wanted = affordable(blobs.slice(at), size);
    known = readBlobs(
      root,
      wanted.map((blob) => blob.id),
    );
    next = at + wanted.length;
    return known.get(id);
  };
  return (blob) => {
    const read = known.get(blob.id);
    if (read || ++asked >= readSingly) return read ?? readOn(blob);
    return git(root, ["cat-file", "blob", blob.id], readLimit + 1);
  };
}

function affordable(blobs: readonly Blob[], most: number): Blob[] {
  let bytes = 0;
  const end = blobs.findIndex(({ size }) => (bytes += Math.min(size, readLimit)) > most);
  const fitting = end < 0 ? blobs : blobs.slice(0, Math.max(1, end));
  return fitting.filter(({ size }) => size <= readLimit);
}

function readBlob(
  path: string,
  blob: Blob | undefined,
  contents: (blob: Blob) => Buffer | undefined,
): ReadResult {
  if (!blob) return { ok: false, why: "gone" };
  if (isSecretPath(path)) return { ok: false, why: "secret" };
  if (blob.size > readLimit) return { ok: false, why: "too_large" };
  const bytes = contents(blob);
  if (!bytes) return { ok: false, why: "gone" };
  if (!blob.link) return textResult(path, bytes);
  const target = posix.normalize(posix.join(posix.dirname(path), bytes.toString("utf8")));
  return {
    ok: false,
    why: target.startsWith("..") || target.startsWith("/") ? "outside" : "special",
  };
}
