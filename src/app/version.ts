// The version of package.json. The build puts it in as text; otherwise it is read once, when this
// file is loaded.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../base/files/package-folder.ts";

declare const RETINUE_VERSION: string;

export const version: string =
  typeof RETINUE_VERSION === "string" ? RETINUE_VERSION : versionOf(packageFolder());

function versionOf(folder: string): string {
  const { version: found } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  return found;
}
