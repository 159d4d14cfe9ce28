// git follows the configuration of a bare repository that it finds on its way up, and the files of
// one are ordinary files that anything
// may have written. So git is asked about where such files lie, and where nobody knows in which
// folder it runs.
import type { Judge } from "../judge.ts";
import { isWithin, normalise, parentOf } from "../paths/path-text.ts";
import type { SimpleCommand } from "../shell/analysis.ts";

/** Why git should not run there, or undefined. */
export function plantedRepository(
  { name, argv, cwds }: SimpleCommand,
  { facts, roots }: Judge,
): string | undefined {
  if (name !== "git") return undefined;
  const at = argv.indexOf("-C");
  const moved = at > 0 ? argv[at + 1] : undefined;
  if (moved === null || (cwds === null && !moved?.startsWith("/")))
    return "git runs in a folder that is only known when it runs, and follows the configuration it finds there";
  const starts = (cwds ?? ["/"]).map((cwd) =>
    moved ? normalise(moved.startsWith("/") ? moved : `${cwd}/${moved}`) : cwd,
  );
  for (const start of starts) {
    const planted = bareAbove(facts(start).real, { facts, roots });
    if (planted !== undefined)
      return `${planted} looks like a bare repository, whose configuration git would follow`;
  }
  return undefined;
}

/** The first folder on the way up that git would take for a repository without being one with a `.git`. */
function bareAbove(
  start: string,
  { facts, roots }: Pick<Judge, "facts" | "roots">,
): string | undefined {
  const isThere = (path: string): boolean => facts(path).kind !== "absent";
  let folder = start;
  while (roots.real.some((root) => isWithin(folder, root)) && !facts(`${folder}/.git`).exists) {
    const hasObjects = isThere(`${folder}/objects`) || isThere(`${folder}/commondir`);
    if (isThere(`${folder}/HEAD`) && hasObjects) return folder;
    if (folder === "/") return undefined;
    folder = parentOf(folder);
  }
  return undefined;
}
