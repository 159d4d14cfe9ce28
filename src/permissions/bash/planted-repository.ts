// git follows the configuration of a bare repository that it finds on its way up, and the files of
// one are ordinary files that anything
// may have written. So git is asked about where such files lie, and where nobody knows in which
// folder it runs.
import type { Judge } from "../judge.ts";
import { isWithin, normalise, parentOf } from "../paths/written-path.ts";
import type { PathAccess, SimpleCommand } from "../shell/analysis.ts";

/** Why git should not run there, or undefined. `written`: what the same text writes. */
export function plantedRepository(
  { name, argv, cwds }: SimpleCommand,
  { facts, roots }: Judge,
  written: readonly PathAccess[],
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
    const planted = [...new Set([normalise(start), facts(start).real])]
      .map((folder) => plantedAbove(folder, { facts, roots, written }))
      .find((folder) => folder !== undefined);
    if (planted !== undefined)
      return `${planted} looks like a repository that anything may have written, and git follows its settings`;
  }
  return undefined;
}

/** The first folder on the way up that git would take for a repository and that is no `.git`. */
function plantedAbove(
  start: string,
  { facts, roots, written }: Pick<Judge, "facts" | "roots"> & { written: readonly PathAccess[] },
): string | undefined {
  const places = writtenPlaces(written);
  const isThere = (path: string): boolean =>
    facts(path).kind !== "absent" ||
    places.files.has(path) ||
    places.files.has(`${parentOf(path)}/*`);
  let folder = start;
  while (roots.real.some((root) => isWithin(folder, root))) {
    const led = repositoryAt(folder, facts);
    if (led === "own")
      return roots.real.includes(folder) ? undefined : startsOthers(folder, { facts, roots });
    if (led !== undefined) return led;
    if (places.folders.has(folder) || places.files.has(`${folder}/.git`)) return folder;
    const hasObjects = isThere(`${folder}/objects`) || isThere(`${folder}/commondir`);
    if (isThere(`${folder}/HEAD`) && hasObjects) return folder;
    if (folder === "/") return undefined;
    folder = parentOf(folder);
  }
  return undefined;
}

/**
 * "own": the folder's `.git` is a repository, or leads into another's `.git` as work trees and
 * submodules do. Else the place to which it leads; undefined where git would look further up.
 */
function repositoryAt(folder: string, facts: Judge["facts"]): string | undefined {
  const at = `${folder}/.git`;
  const { kind, real, gitdir, exists } = facts(at);
  if (!exists || (kind === "directory" && facts(`${at}/HEAD`).kind === "absent")) return undefined;
  const place = gitdir ?? real;
  return place.split("/").includes(".git") ? "own" : place;
}

/**
 * A repository further down may have come with an archive: its folder where its settings or hooks
 * start programs, or where its settings lie elsewhere.
 */
function startsOthers(
  folder: string,
  { facts, roots }: Pick<Judge, "facts" | "roots">,
): string | undefined {
  const place = settingsOf(folder, facts);
  if (roots.real.some((root) => settingsOf(root, facts) === place)) return undefined;
  const hooks = facts(`${place}/hooks`).findBelow?.({
    isWanted: (path) => !path.endsWith(".sample"),
  });
  const isSet = ["config", "config.worktree"].some((name) => facts(`${place}/${name}`).programs);
  const isLed = facts(`${place}/commondir`).kind !== "absent";
  return isSet || isLed || hooks !== undefined ? folder : undefined;
}

/** The `.git` whose settings count in the folder: that of a work tree or submodule lies around its own. */
function settingsOf(folder: string, facts: Judge["facts"]): string {
  const { real, gitdir } = facts(`${folder}/.git`);
  return (gitdir ?? real).replace(/(?<=\/\.git)\/.*$/s, "");
}

/** They make an empty folder or file, or a repository that git has made itself. */
const harmlessMakers = new Set(["mkdir", "touch", "git"]);

/**
 * What the text writes: files by name, with `*` where a wildcard fills a folder, and folders that may
 * arrive as a whole (`cp -r t h`, `ln -s t h`).
 */
function writtenPlaces(written: readonly PathAccess[]): {
  files: Set<string>;
  folders: Set<string>;
} {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { path, kind, glob, via } of written) {
    if (path === null || kind !== "write" || via === "git") continue;
    const place = normalise(path);
    files.add(glob ? `${parentOf(place)}/*` : place);
    if (!harmlessMakers.has(via)) folders.add(place);
  }
  return { files, folders };
}
