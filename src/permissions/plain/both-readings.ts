// Both readings of a command text. They depend on the text and its folder alone and on no file, so
// those of short texts are kept: agents run the same few commands again and again.
import type { ShellAnalysis } from "../shell/analysis.ts";
import { analyseCommand } from "../shell/reading/analyse-command.ts";
import { analysePlain } from "./analyse-plain.ts";

type Readings = {
  /** Of the whole of Bash: what may be suspected. */
  suspected: ShellAnalysis;
  /** Of plain shell: what may be allowed, or why nothing may. */
  plain: ShellAnalysis | { problem: string };
};

/** So many texts, none of them longer than this. */
const maxKept = 500;
const maxLength = 500;
const kept = new Map<string, Readings>();

/** Nobody changes what comes back: it is shared with the next decision about the same text. */
export function bothReadings(command: string, place: { cwd: string; home: string }): Readings {
  if (command.length > maxLength) return readBoth(command, place);
  const key = `${place.cwd}\0${place.home}\0${command}`;
  const known = kept.get(key) ?? readBoth(command, place);
  // What was asked about last is forgotten last.
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return known;
}

function readBoth(command: string, { cwd, home }: { cwd: string; home: string }): Readings {
  const place = { cwd, home, judged: new Map() };
  return { suspected: analyseCommand(command, place), plain: analysePlain(command, place) };
}
