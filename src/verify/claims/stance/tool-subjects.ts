// What the name of a tool or the words of a command say that it shows, by the tables of known programs
// alone: no project is read, and nothing is run.
import { knownTools } from "../runs/tables/known-tools.ts";
import { scriptNames } from "../runs/tables/script-names.ts";
import type { ResultSubject } from "../result-subject.ts";

type Call = { rest: readonly string[]; subject: ResultSubject };

let known: Map<string, Call[]> | undefined;

function callsByProgram(): Map<string, Call[]> {
  const found = new Map<string, Call[]>();
  for (const { subjects, calls } of knownTools)
    for (const call of calls) {
      const [program, ...rest] = call.toLowerCase().split(" ");
      const one = { rest, subject: subjects[0]! };
      found.set(program!, [...(found.get(program!) ?? []), one]);
    }
  return found;
}

const isWord = (wanted: string, word: string): boolean =>
  wanted.includes("*")
    ? word.startsWith(wanted.split("*")[0]!) && word.endsWith(wanted.split("*")[1]!)
    : wanted === word;

const kept = new Map<string, readonly ResultSubject[]>();
const maxKept = 2_000;

/** A single word counts where it is the name of a tool and of nothing else. */
export function toolSubjects(text: string): readonly ResultSubject[] {
  const seen = kept.get(text);
  if (seen) return seen;
  if (kept.size >= maxKept) kept.clear();
  const found = readSubjects(text);
  kept.set(text, found);
  return found;
}

function readSubjects(text: string): ResultSubject[] {
  known ??= callsByProgram();
  const words = text
    .slice(0, 200)
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf("/") + 1));
  const found = new Set<ResultSubject>();
  for (const [at, word] of words.entries())
    for (const { rest, subject } of known.get(word) ?? []) {
      const later = words.slice(at + 1);
      const isIt =
        rest.length === 0
          ? words.length > 1 || word.length > 3
          : rest.every((wanted) => later.some((one) => isWord(wanted, one)));
      if (isIt) found.add(subject);
    }
  if (found.size === 0 && words.length > 1)
    for (const word of words.slice(1, 4))
      for (const [pattern, subject] of scriptNames) if (pattern.test(word)) found.add(subject);
  return [...found];
}
