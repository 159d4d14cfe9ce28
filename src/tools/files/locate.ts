// Finds the one real path that a tool will open for a path in its input, or the reason why it must
// not.
import { relative, resolve, sep } from "node:path";
import { absolutePath, pathFacts, type PathFacts } from "../../base/files/path-facts.ts";
import { noJudgedPath, type JudgedPath } from "../../tool/tool.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

export type Located =
  | { ok: true; facts: PathFacts; shown: string }
  | { ok: false; problem: string };

const kernelFolders = ["/proc", "/sys", "/dev"];

/** Refuses a path that now leads elsewhere than when the gate judged it. */
export function locate(
  environment: ToolEnvironment,
  path: string,
  judgedPath: JudgedPath,
): Located {
  if (path === "" || path.includes("\0"))
    return {
      ok: false,
      problem: "file_path is empty or holds a NUL character; give the path of a file.",
    };
  const facts = pathFacts(path, environment.cwd, environment.home);
  const lexical = resolve(absolutePath(path, environment.cwd, environment.home));
  const kernel = kernelFolders.find(
    (folder) => isInside(folder, facts.real) || isInside(folder, lexical),
  );
  if (kernel)
    return {
      ok: false,
      problem: `${path} lies in ${kernel}, which is never read or written by tools.`,
    };
  if (judgedPath !== noJudgedPath && judgedPath !== facts.real)
    return {
      ok: false,
      problem: `${path} leads to another place than when it was allowed: ${facts.real}. Nothing was done; try again.`,
    };
  return { ok: true, facts, shown: path };
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path as results show it: relative inside the working directory, absolute elsewhere. */
export function displayPath(environment: ToolEnvironment, realCwd: string, real: string): string {
  const base = isInside(realCwd, real) ? realCwd : environment.cwd;
  return isInside(base, real) ? relative(base, real) || "." : real;
}

/** Whether the run may see this real path. */
export function maySee(
  environment: ToolEnvironment,
  real: string,
  approved?: "file" | "root",
): boolean {
  return (
    !kernelFolders.some((folder) => isInside(folder, real)) && environment.mayRead(real, approved)
  );
}

/** The real paths of the workspace: the working directory and the added folders. */
export function workspaceRoots(environment: ToolEnvironment): string[] {
  return [environment.cwd, ...(environment.additionalDirectories ?? [])].map(
    (folder) => pathFacts(folder, environment.cwd, environment.home).real,
  );
}
