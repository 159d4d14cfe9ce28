// Reads the contents of git's objects, many in one go.
import { spawnSync } from "node:child_process";
import { ownGitEnvironment } from "../../process/git/own-git.ts";

/** So much is asked of one process. */
export const batchBytes = 128 * 1024 * 1024;

/** The bytes by id, as far as there are such; whoever asks knows that they are not too many. */
export function readBlobs(root: string, ids: readonly string[]): Map<string, Buffer> {
  const known = new Map<string, Buffer>();
  const stdout = ask(root, "--batch", ids);
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(10, at);
    const header = /^([0-9a-f]+) (blob|missing) ?(\d*)$/.exec(stdout.toString("latin1", at, end));
    if (!header) break;
    at = end + 1;
    if (header[2] === "missing") continue;
    const size = Number(header[3]);
    known.set(header[1]!, stdout.subarray(at, at + size));
    at += size + 1;
  }
  return known;
}

/** How long each is; what is no blob or is not here is left out. */
export function blobSizes(root: string, ids: readonly string[]): Map<string, number> {
  const rows = ask(root, "--batch-check", ids)
    .toString("latin1")
    .matchAll(/^(\w+) blob (\d+)$/gm);
  return new Map(Array.from(rows, (row) => [row[1]!, Number(row[2])]));
}

function ask(root: string, how: "--batch" | "--batch-check", ids: readonly string[]): Buffer {
  if (ids.length === 0) return Buffer.alloc(0);
  const answer = spawnSync("git", ["-C", root, "cat-file", how], {
    input: `${ids.join("\n")}\n`,
    maxBuffer: 2 * batchBytes,
    timeout: 120_000,
    env: ownGitEnvironment(root),
  });
  return answer.stdout ?? Buffer.alloc(0);
}
