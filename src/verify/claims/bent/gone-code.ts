// Code that is gone: what only tested it may go with it.
import { definitionStrength } from "../../../source/definitions.ts";
import { isSource, withoutTests, type Files } from "./what-changed.ts";

/** Whether a text of a test uses what the code defined before and defines no more. */
export type IsOfGone = (text: string) => boolean;

export function goneCode(old: Files, now: Files): IsOfGone {
  const [was, is] = [linesByWord(old, now), linesByWord(now, old)];
  const strength = (lines: Map<string, string[]>, name: string): number =>
    Math.max(0, ...(lines.get(name) ?? []).map((line) => definitionStrength(line, name)));
  const known = new Map<string, boolean>();
  const isGone = (name: string, least: number): boolean => {
    const key = `${name} ${least}`;
    const found = known.get(key) ?? (strength(was, name) >= least && strength(is, name) < 2);
    known.set(key, found);
    return found;
  };
  return (text) =>
    [...text.matchAll(used)].some(({ groups = {} }) => {
      const { member, call, quoted } = groups;
      return (
        (member !== undefined && isGone(member, surely)) ||
        (call !== undefined && isGone(call, 2)) ||
        (quoted !== undefined && isGone(quoted, 2))
      );
    });
}

/** A keyword says that the line defines the name. */
const surely = 3;

/** `total(`, `Money`, `LIMIT`; `.to_dollars`, `:total`; `"export"`, as a command line has it. */
const used = new RegExp(
  "(?<call>(?<![\\w$])(?:[A-Za-z_$][\\w$]*(?=\\s?[(<])|[A-Z]\\w+))|" +
    "(?:[.:]|->|&)(?<member>[a-z_]\\w+[?!]?)|([\"'`])(?<quoted>[A-Za-z]\\w{3,})\\3",
  "g",
);

/** Lines of sources that are not the same in the other tree, by their words. */
function linesByWord(files: Files, others: Files): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [path, text] of files) {
    if (!isSource(path) || others.get(path) === text) continue;
    for (const line of withoutTests(text).split("\n"))
      for (const word of new Set(line.match(/[A-Za-z_$][\w$]*[?!]?/g)))
        found.set(word, [...(found.get(word) ?? []), line]);
  }
  return found;
}
