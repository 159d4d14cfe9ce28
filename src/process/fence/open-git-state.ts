// Git's settings and the state of a rebase, left open for a command whose own work is to write them.
// Afterwards a change that could make git run a program is put back, and named.
import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { steeringChanges } from "../git/plain-config.ts";
import { runsNothing } from "../git/runs-nothing.ts";
import { setAside } from "./set-aside.ts";

/** Each path that is open, and a configuration's text before the command. */
export type OpenGitState = ReadonlyMap<string, string | undefined>;

export const noGitState: OpenGitState = new Map();

export function rememberGitState(paths: readonly string[]): OpenGitState {
  const state = new Map<string, string | undefined>();
  for (const path of paths) {
    const kind = lstatSync(path, { throwIfNoEntry: false });
    if (basename(path) === "config" && kind?.isFile()) state.set(path, readFileSync(path, "utf8"));
    if (basename(path) === "rebase-merge" && kind?.isDirectory()) state.set(path, undefined);
  }
  return state;
}

/** What was put back, in words. */
export function putBackGitState(state: OpenGitState): string[] {
  return [...state].flatMap(([path, text]) => {
    const note = text === undefined ? leftRebase(path) : putBackConfig(path, text);
    return note === undefined ? [] : [note];
  });
}

const leftRebase = (path: string): string | undefined =>
  lstatSync(path, { throwIfNoEntry: false }) && !runsNothing(path) ? setAside(path) : undefined;

function putBackConfig(path: string, before: string): string | undefined {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const after = isFile ? readFileSync(path, "utf8") : undefined;
  if (after === before) return undefined;
  const changes = after === undefined ? ["the file itself"] : steeringChanges(before, after);
  if (changes.length === 0) return undefined;
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, before, { flag: "wx" });
  return `${path} is protected: its former text was put back, because this changed: ${changes
    .slice(0, 5)
    .join(", ")}`;
}
