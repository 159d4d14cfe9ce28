// The scope of a search: the real root and the files below it that pass the filters and the read
// policy. Other files are neither opened nor named.
import { accessSync, constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { builtInEngine } from "./built-in-engine.ts";
import { isInside, locate, maySee, workspaceRoots } from "../files/locate.ts";
import { nearName } from "../near-names.ts";
import { notAFile } from "../files/open-regular.ts";
import { findRipgrep, ripgrepEngine } from "./ripgrep-engine.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { JudgedPath } from "../../tool/tool.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

export type SearchScope =
  | { ok: true; root: string; /** Set if the path names one file. */ only?: string }
  | { ok: false; problem: string };

export function searchScope(
  environment: ToolEnvironment,
  path: string,
  judgedPath: JudgedPath,
): SearchScope {
  const located = locate(environment, path, judgedPath);
  if (!located.ok) return located;
  const { real, kind, exists } = located.facts;
  if (!exists) {
    const near = nearName(environment, real);
    return {
      ok: false,
      problem: `${path} does not exist${near === undefined ? "." : `; did you mean "${near}" in the same folder?`}`,
    };
  }
  if (kind === "directory")
    return canEnter(real)
      ? { ok: true, root: real }
      : { ok: false, problem: `${path} cannot be searched: permission denied.` };
  if (kind !== "file") return { ok: false, problem: notAFile(kind, path) };
  if (!maySee(environment, real, "file"))
    return { ok: false, problem: `${path} may not be read in this run.` };
  return { ok: true, root: dirname(real), only: basename(real) };
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function searchEngine(environment: ToolEnvironment): SearchEngine {
  const binary =
    environment.ripgrep ?? findRipgrep([environment.cwd, ...workspaceRoots(environment)]);
  return binary === undefined || binary === false ? builtInEngine : ripgrepEngine(binary);
}

export type FilesWanted = {
  environment: ToolEnvironment;
  engine: SearchEngine;
  scope: Extract<SearchScope, { ok: true }>;
  matches: (path: string) => boolean;
  signal: AbortSignal;
};

/** The files in path order, found one by one: the walk stops when nobody asks for more. */
export async function* filesInScope({
  environment,
  engine,
  scope,
  matches,
  signal,
}: FilesWanted): AsyncGenerator<string> {
  if (scope.only !== undefined) {
    yield scope.only;
    return;
  }
  // A folder outside the workspace is searched only if the gate allowed it; inside, each file is
  // checked.
  const approved = workspaceRoots(environment).some((folder) => isInside(folder, scope.root))
    ? undefined
    : "root";
  for await (const path of engine.list(scope.root, signal)) {
    if (matches(path) && maySee(environment, join(scope.root, path), approved)) yield path;
  }
}
