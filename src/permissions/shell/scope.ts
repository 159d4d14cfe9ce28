// What is in force at one point of the text: directories, variables with known values, functions.
// And what the walk gathers on its way.
import { limits } from "../../base/limits.ts";
import { ask, type Concern, type PathAccess, type SimpleCommand } from "./analysis.ts";

export type Scope = {
  /** Directories that may be in force; `null`: unknown. */
  cwds: string[] | null;
  /**
   * Variables whose every possible value is known here; with `glob` they are file names that match
   * these patterns, from `cwds`.
   */
  values: Map<string, { texts: string[]; glob: boolean; cwds?: string[] | null }>;
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
  judged: JudgedBefore;
};

/**
 * Commands whose words are known, by these words: the same words again add nothing, and a second
 * reader of the text takes over what the first has found.
 */
export type JudgedBefore = Map<
  string,
  { by: Findings; added: Pick<Findings, "commands" | "accesses" | "concerns"> }
>;

export const noFindings = (home: string, judged: JudgedBefore = new Map()): Findings => ({
  commands: [],
  accesses: [],
  concerns: [],
  complete: true,
  home,
  judged,
});

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

/** Of the branches one runs, or none: any of their folders may be in force behind them. */
export function walkBranches(scope: Scope, branches: ((scope: Scope) => void)[]): void {
  let cwds = scope.cwds;
  for (const branch of branches) {
    const inner = fork(scope);
    branch(inner);
    cwds = unionCwds(cwds, inner.cwds);
  }
  scope.cwds = cwds;
}

/** A body that moves to another directory starts its second round there: that is not followed. */
export function walkLoop(scope: Scope, findings: Findings, body: (inner: Scope) => void): void {
  const inner = fork(scope);
  body(inner);
  if (inner.cwds === scope.cwds || JSON.stringify(inner.cwds) === JSON.stringify(scope.cwds))
    return;
  scope.cwds = null;
  addConcern(findings.concerns, ask("directory", "A loop changes the directory as it goes round."));
}

/** So many commands are for a person to look at. */
export function complainMany({ commands, concerns }: Findings): void {
  const { length } = commands;
  if (length > limits.shell.commands)
    addConcern(
      concerns,
      ask("too-many", `The text holds ${length} commands, more than ${limits.shell.commands}.`),
    );
}

/**
 * Wildcards in the list of a loop show what a folder holds. `bare`: the variable of the loop stands
 * without quotes, and the shell splits the names that they matched.
 */
export function noteMatched(
  { accesses }: Findings,
  { values, bare }: { values: readonly string[]; bare?: true },
  scope: Scope,
): void {
  for (const path of values.flatMap((value) => resolvePath(value, scope)))
    accesses.push({
      path,
      kind: "list",
      glob: true,
      recursive: false,
      ...(bare ? { bare } : {}),
      from: "operand",
      via: "for",
    });
}

/** A value that a program is given by a variable may be the name of a file. */
export function noteValue({ accesses }: Findings, value: string | null, scope: Scope): void {
  if (value === null || !/[./]/.test(value)) return;
  for (const path of resolvePath(value, scope))
    if (path !== null)
      accesses.push({
        path,
        kind: "unknown",
        glob: false,
        recursive: false,
        from: "operand",
        via: "a variable",
      });
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
