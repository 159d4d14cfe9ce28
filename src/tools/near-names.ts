// For a missing file: a name beside it that may have been meant. Files that the run may not read
// are not suggested.
import { readdirSync } from "node:fs";
import { basename, dirname, join, parse } from "node:path";
import { suggest } from "../base/text/suggest.ts";
import { maySee } from "./files/locate.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

export function nearName(environment: ToolEnvironment, real: string): string | undefined {
  const folder = dirname(real);
  const name = basename(real);
  try {
    const names = readdirSync(folder)
      .slice(0, 5_000)
      .filter((candidate) => maySee(environment, join(folder, candidate)));
    return (
      suggest(name, names) ?? names.find((candidate) => parse(candidate).name === parse(name).name)
    );
  } catch {
    return undefined;
  }
}
