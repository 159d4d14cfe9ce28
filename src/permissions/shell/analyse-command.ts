// Reads a Bash command without running it: every simple command in it, every file it names, and whatever makes it undecidable.
import { limits } from "../../base/limits.ts";
import { ask, type ShellAnalysis } from "./analysis.ts";

/** Never throws. `cwd` and `home` are absolute. */
export function analyseCommand(command: string, context: { cwd: string; home: string }): ShellAnalysis {
  void context;
  const concern = command.length > limits.shell.characters ? ask("too-long", "The command is too long.") : ask("syntax", "The command cannot be analysed yet.");
  return { commands: [], accesses: [], concerns: [concern], complete: false };
}
