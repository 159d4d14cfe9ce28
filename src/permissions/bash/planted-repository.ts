// git follows the configuration of a bare repository that it finds on its way up, and the files of one are ordinary files that anything may have written.
import type { Judge } from "../judge.ts";
import { isWithin, normalise, parentOf } from "../paths/path-text.ts";
import type { SimpleCommand } from "../shell/analysis.ts";

/** The folder inside the workspace that git would take for a bare repository, if there is one between the command's folder and a real repository. */
export function plantedRepository(
  { name, argv, cwds }: SimpleCommand,
  { facts, roots }: Judge,
): string | undefined {
  if (name !== "git" || cwds === null) return undefined;
  const at = argv.indexOf("-C");
  const moved = at > 0 ? argv[at + 1] : undefined;
  for (const cwd of cwds) {
    const start = moved ? normalise(moved.startsWith("/") ? moved : `${cwd}/${moved}`) : cwd;
    for (
      let folder = start;
      roots.real.some((root) => isWithin(folder, root));
      folder = parentOf(folder)
    ) {
      if (facts(`${folder}/.git`).exists) break;
      if (facts(`${folder}/HEAD`).exists && facts(`${folder}/objects`).exists) return folder;
      if (folder === "/") break;
    }
  }
  return undefined;
}
