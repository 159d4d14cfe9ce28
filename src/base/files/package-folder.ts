// Where this package lies: the nearest folder with a package.json above the code.
// The same in the sources, in dist and in the bundle.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package; what is shipped beside the code (assets, vendor) is found from it.
 */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}
