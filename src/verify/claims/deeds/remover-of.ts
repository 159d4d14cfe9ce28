// Which command of a run moved or deleted a file: who tells of that file speaks of one that was here.
import { posix } from "node:path";
import { programsOf } from "../runs/programs-of.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { Ledger } from "../../evidence/ledger.ts";

const removers: ReadonlySet<string> = new Set([
  "rm",
  "mv",
  "unlink",
  "rmdir",
  "trash",
  "git rm",
  "git mv",
]);

/** The last one that went well and names the file, or a folder above it. */
export function removerOf(path: string, { commands, root }: Ledger): CommandRun | undefined {
  const full = posix.resolve(root, path);
  return commands.findLast(
    ({ command, exitCode }) =>
      exitCode === 0 &&
      /\b(?:rm|mv|unlink|rmdir|trash)\b/.test(command) &&
      programsOf(command, root).some(({ argv, cwd, isDisguised }) => {
        const words = argv.map((word) => word ?? "");
        const isGit = words[0] === "git";
        if (isDisguised || !removers.has(isGit ? `git ${words[1]}` : words[0]!)) return false;
        return words
          .slice(isGit ? 2 : 1)
          .filter((word) => word !== "" && !word.startsWith("-"))
          .map((word) => posix.resolve(cwd ?? root, word))
          .some((one) => one === full || (one !== root && full.startsWith(`${one}/`)));
      }),
  );
}
