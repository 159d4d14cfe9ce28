// A text that names more files than anybody would look up is judged by their names alone, and a
// person is asked about it whatever the names say.
import type { Judge } from "../judge.ts";
import { normalise } from "../paths/written-path.ts";
import type { PathAccess } from "../shell/analysis.ts";

/** Different paths in one text, and different ones with wildcards: each is looked up on disk. */
const maxPaths = 400;
const maxWildcards = 32;

/** Few enough files for a look at each. */
export function canBeLookedUp(accesses: readonly PathAccess[]): boolean {
  if (accesses.length <= maxWildcards) return true;
  const paths = new Set(accesses.map((item) => item.path));
  const wild = new Set(accesses.filter((item) => item.glob).map((item) => item.path));
  return paths.size <= maxPaths && wild.size <= maxWildcards;
}

/** Rules and protected paths see the names as they are written. */
export const withoutDisk = (judge: Judge): Judge => ({
  policy: judge.policy,
  rules: judge.rules,
  roots: judge.roots,
  links: [],
  paths: (list) => judge.paths(list),
  commands: (list) => judge.commands(list),
  facts: (path) => ({ real: normalise(path), exists: false, kind: "absent" }),
});
