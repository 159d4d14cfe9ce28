// The folder of this repository, also from a bundle of a bench that lies somewhere below it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

function rootFrom(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : rootFrom(dirname(folder));
}

export const repositoryRoot = rootFrom(import.meta.dirname);
