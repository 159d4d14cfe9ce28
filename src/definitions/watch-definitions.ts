// Watches definitions on disk: new, edited and removed files, also in folders that appear later.
// Several changes at once give one call.
import { existsSync } from "node:fs";
import { dirname, sep } from "node:path";
import { definitionFolders, loadDefinitions } from "./load-definitions.ts";
import type { LoadedDefinitions, LoadOptions } from "./load-definitions.ts";

export type DefinitionWatcher = { ready: Promise<void>; close(): Promise<void> };

const quietMs = 150;

/**
 * `onChange` gets all definitions, loaded again after the disk has been quiet for a moment. Errors
 * of the watcher are ignored: `reload` still works.
 */
export function watchDefinitions(
  options: LoadOptions,
  onChange: (loaded: LoadedDefinitions) => void,
): DefinitionWatcher {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const folders = definitionFolders(options).map((folder) => folder.path);
  const matters = (path: string): boolean =>
    folders.some(
      (folder) =>
        `${path}${sep}`.startsWith(`${folder}${sep}`) ||
        `${folder}${sep}`.startsWith(`${path}${sep}`),
    );
  const changed = (path: string): void => {
    if (closed || !matters(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => !closed && onChange(loadDefinitions(options)), quietMs);
  };
  const started = import("chokidar").then(({ watch }) => {
    const watched = [...new Set(folders.map(nearestExisting))];
    const watcher = watch(watched, {
      ignoreInitial: true,
      persistent: false,
      depth: 12,
      followSymlinks: false,
      ignored: (path) => !matters(path),
    });
    watcher.on("error", () => undefined);
    watcher.on("all", (_event, path) => changed(path));
    return new Promise<typeof watcher>((resolve) => watcher.once("ready", () => resolve(watcher)));
  });
  return {
    ready: started.then(() => undefined),
    async close() {
      closed = true;
      clearTimeout(timer);
      await (await started).close();
    },
  };
}

/** If `.claude/agents` does not exist yet, its nearest existing parent is watched. */
function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}
