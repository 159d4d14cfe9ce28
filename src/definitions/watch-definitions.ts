// Tells when definitions on disk change: new, edited and removed files, folders that appear later
// included. Bursts become one call.
import { existsSync } from "node:fs";
import { dirname, sep } from "node:path";
import { definitionFolders, loadDefinitions } from "./load-definitions.ts";
import type { LoadedDefinitions, LoadOptions } from "./load-definitions.ts";

export type DefinitionWatcher = { ready: Promise<void>; close(): Promise<void> };

const quietMs = 150;

/**
 * `onChange` gets everything loaded anew, after the disk has been quiet for a moment. Errors of the
 * watcher are swallowed: `reload` still works.
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

/**
 * `.claude/agents` may come into being later: its nearest ancestor that exists is watched instead.
 */
function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : nearestExisting(dirname(folder));
}
