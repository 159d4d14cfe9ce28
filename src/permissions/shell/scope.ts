// What is in force at one point of the text: directories, variables with known values, functions.
// And what the walk gathers on its way.
import type { Concern, PathAccess, SimpleCommand } from "./analysis.ts";

export type Scope = {
  /** Directories that may be in force; `null`: unknown. */
  cwds: string[] | null;
  /**
   * Variables whose every possible value is known here; with `glob` they are file names that match
   * these patterns.
   */
  values: Map<string, { texts: string[]; glob: boolean }>;
  /** Functions that are certainly defined here. */
  functions: Set<string>;
};

/** What the walk of one text (and of the texts inside it) gathers. */
export type Findings = {
  commands: SimpleCommand[];
  accesses: PathAccess[];
  concerns: Concern[];
  complete: boolean;
  home: string;
};

const maxCwds = 4;

export function fork(scope: Scope): Scope {
  return { cwds: scope.cwds, values: new Map(scope.values), functions: new Set(scope.functions) };
}

export function unionCwds(a: string[] | null, b: string[] | null): string[] | null {
  if (a === b) return a;
  if (!a || !b) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > maxCwds ? null : all;
}

/** Adds a concern once; a text with a thousand equal problems has one. */
export function addConcern(list: Concern[], concern: Concern): void {
  if (!list.some((item) => item.code === concern.code && item.sentence === concern.sentence))
    list.push(concern);
}

/**
 * The absolute forms of a path as written, one for each directory in force; `null` where the place
 * is unknown.
 */
export function resolvePath(path: string, scope: Scope): (string | null)[] {
  if (path.startsWith("/")) return [path];
  if (!scope.cwds) return [null];
  return scope.cwds.map((cwd) =>
    path === "" || path === "."
      ? cwd
      : `${cwd === "/" ? "" : cwd}/${path.replace(/^(?:\.\/+)+/, "")}`,
  );
}
