// The tree that a command checks against: the working tree, or a commit of it. The reports that are
// checked are no part of it.
import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { commitReader } from "../../source/commit-reader.ts";
import type { RepositoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { treeReader } from "../../source/tree-reader.ts";

/**
 * Throws when there is no such folder or commit. `reports` are files that prove nothing: whatever
 * one says would stand there.
 */
export function openRepository(
  root: string,
  { commit, reports = [] }: { commit?: string | undefined; reports?: readonly string[] } = {},
): Repository {
  const reader = commit === undefined ? treeReader(root) : commitReader(root, commit);
  return new Repository(reports.length === 0 ? reader : without(reader, root, reports));
}

function without(
  reader: RepositoryReader,
  root: string,
  reports: readonly string[],
): RepositoryReader {
  const hidden = new Set(
    reports
      .flatMap((path) => [path, `${path}.orig`])
      .map((path) => relative(realOf(root), realOf(path)).split(sep).join("/")),
  );
  let listed: ReturnType<RepositoryReader["list"]> | undefined;
  const list = (): ReturnType<RepositoryReader["list"]> => {
    const { paths, ...rest } = reader.list();
    return (listed ??= { ...rest, paths: paths.filter((path) => !hidden.has(path)) });
  };
  return { ...reader, list };
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
