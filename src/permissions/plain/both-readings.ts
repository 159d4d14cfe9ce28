// Both readings of a command text. They depend on the text and its folder alone and on no file, so
// those of the last texts are kept: agents run the same few commands again and again.
import { limits } from "../../base/limits.ts";
import { readAlike, type ShellAnalysis } from "../shell/analysis.ts";
import { analyseCommand } from "../shell/reading/analyse-command.ts";
import { analysePlain } from "./analyse-plain.ts";

type Readings = {
  /** Of the whole of Bash: what may be suspected. */
  suspected: ShellAnalysis;
  /** Of plain shell: what may be allowed, or why nothing may. */
  plain: ShellAnalysis | { problem: string };
  /** Both find the same commands, as far as both have read. */
  agree: boolean;
};

/** So many characters of texts: what a reading holds grows with its text. */
const maxKept = 100_000;
const kept = new Map<string, Readings>();
let keptCharacters = 0;

/** Nobody changes what comes back: it is shared with the next decision about the same text. */
export function bothReadings(command: string, place: { cwd: string; home: string }): Readings {
  if (command.length > limits.shell.characters) return readBoth(command, place);
  const key = `${place.cwd}\0${place.home}\0${command}`;
  const known = kept.get(key);
  const readings = known ?? readBoth(command, place);
  // What was asked about last is forgotten last.
  if (known) kept.delete(key);
  else keptCharacters += key.length;
  kept.set(key, readings);
  for (const oldest of kept.keys()) {
    if (keptCharacters <= maxKept) break;
    kept.delete(oldest);
    keptCharacters -= oldest.length;
  }
  return readings;
}

function readBoth(command: string, { cwd, home }: { cwd: string; home: string }): Readings {
  const place = { cwd, home, judged: new Map() };
  const suspected = analyseCommand(command, place);
  const plain = analysePlain(command, place);
  return { suspected, plain, agree: "problem" in plain || readAlike(plain, suspected) };
}
