// Keeps the compiled code of the command from one start to the next where Node can do that (22.1 and newer): a fifth of a short run's processor time.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir } from "../base/files/project-folders.ts";

/** Beside the trust store, because it must be as safe: whoever can write there decides what runs. Makes no folder for a first look; one that cannot be written is left alone. */
export function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (directory: string) => unknown;
  };
  const own = join(claudeConfigDir(), "retinue");
  if (enableCompileCache && existsSync(own)) enableCompileCache(join(own, "compiled"));
}
