// What files held before, by git's history: a document that was right when it was written is outdated, not wrong.
import { spawnSync } from "node:child_process";
import { limits } from "../../base/limits.ts";
import { ownGitEnvironment } from "../../process/git/own-git.ts";
import { textResult, type PastQuestion, type PastVersion, type PastVersions } from "../reader.ts";
import { blobSizes, readBlobs } from "./read-blobs.ts";

const mostPaths = 200;
/** Documents are written near the change that outdates them; further back things stand anywhere. */
const mostVersions = 4;
const mostBytes = 64 * 1024 * 1024;
const patienceMs = 5_000;

/**
 * Earlier versions of these files in the history of a commit, or of the working tree; what takes too long to find
 * is left out.
 */
export function pastVersions(
  root: string,
  revision: string | undefined,
  asked: PastQuestion,
): PastVersions {
  const log = logOf(root, revision ?? "HEAD", asked);
  const changes = readChanges(log, revision === undefined);
  const ids = [...changes.values()].flatMap((list) => list.map(({ blob }) => blob));
  const texts = textsOf(root, [...new Set(ids)]);
  const versions = new Map<string, PastVersion[]>();
  for (const [path, list] of changes) {
    const known = list.flatMap(({ blob, commit, date, removed }) => {
      const bytes = texts.get(blob);
      const result = bytes && textResult(path, bytes);
      return result?.ok ? [{ text: result.text, commit, date, removed }] : [];
    });
    if (known.length > 0) versions.set(path, known);
  }
  return versions;
}

type Change = { blob: string; commit: string; date: string; removed: boolean };

/** Nothing that the repository's configuration names is run for a log: no signature is looked at, no text is shown. */
function logOf(root: string, revision: string, { paths, deleted }: PastQuestion): string {
  const wanted = [
    ...paths.slice(0, mostPaths).map((path) => `:(literal)${path}`),
    ...deleted
      .slice(0, mostPaths)
      .map((name) => `:(glob)**/${name.replace(/[\\*?[\]]/g, String.raw`\$&`)}`),
  ];
  if (wanted.length === 0) return "";
  const shown = ["--raw", "-z", "--no-abbrev", "--format=%x01%h %cs", "--relative"];
  const plain = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature"];
  const args = ["-C", root, "log", ...shown, ...plain, revision, "--", ...wanted];
  const result = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
    timeout: patienceMs,
    env: ownGitEnvironment(root),
  });
  // The newest come first: what was read when the time was over is whole but for its end.
  return result.stdout ?? "";
}

const header = /^\n?\u0001([\da-f]{4,64}) (\d{4}-\d\d-\d\d)$/;
const changed = /^\n?:\d+ \d+ ([\da-f]{40,64}) ([\da-f]{40,64}) ([A-Z])$/;

/**
 * What was committed last is an earlier version of a working tree, too. A path is taken whole where one is due:
 * a file may be called like a record.
 */
function readChanges(log: string, isTree: boolean): Map<string, Change[]> {
  const changes = new Map<string, Change[]>();
  let [commit, date] = ["", ""];
  const parts = log.split("\0");
  for (let at = 0; at < parts.length - 1; at++) {
    const head = header.exec(parts[at]!);
    if (head) [commit, date] = [head[1]!, head[2]!];
    const change = changed.exec(parts[at]!);
    if (!change) continue;
    const [, before, after, how] = change as unknown as [string, string, string, string];
    const path = parts[++at]!;
    const known = changes.get(path) ?? [];
    if (isTree && known.length === 0 && how !== "D")
      known.push({ blob: after, commit: "", date: "", removed: false });
    if (how !== "A" && known.length < mostVersions && !known.some(({ blob }) => blob === before))
      known.push({ blob: before, commit, date, removed: how === "D" });
    if (known.length > 0) changes.set(path, known);
  }
  return changes;
}

function textsOf(root: string, ids: readonly string[]): Map<string, Buffer> {
  const sizes = blobSizes(root, ids);
  let bytes = 0;
  const affordable = ids.filter((id) => {
    const size = sizes.get(id) ?? Infinity;
    if (size > limits.verify.fileBytes || bytes + size > mostBytes) return false;
    bytes += size;
    return true;
  });
  return readBlobs(root, affordable);
}
