// The name of the definition that a line stands in, by indentation: what tells two findings in
// neighbouring functions apart.
import { definitionStrength } from "./definitions.ts";
import type { SourceFile } from "./source-file.ts";

const maxLines = 2_000;
const control = new Set([
  ..."if else for while do switch case catch try finally with match when unless".split(" "),
  ..."until loop return describe it test suite context".split(" "),
]);

/** Null at the top level, and where it cannot be told. */
export function enclosingSymbol(file: SourceFile, line: number): string | null {
  const own = file.line(line);
  if (own.trim() === "") return null;
  const below = file.line(line + 1);
  if (below.trim() !== "" && indentOf(below) > indentOf(own)) {
    const name = definedName(own);
    if (name !== null) return name;
  }
  let depth = indentOf(own);
  for (let at = line - 1; at >= 1 && depth > 0 && line - at <= maxLines; at--) {
    const text = file.line(at);
    // A brace of its own belongs to the line above it.
    if (!/\w/.test(text) || indentOf(text) >= depth) continue;
    const name = definedName(text);
    if (name !== null) return name;
    depth = indentOf(text);
  }
  return null;
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** The first word that the line defines as something with a body. */
function definedName(line: string): string | null {
  const text = line.slice(0, 400);
  for (const [place, { 0: word, index }] of [
    ...text.matchAll(/[A-Za-z_$][\w$]{0,79}/g),
  ].entries()) {
    if (place === 0 && control.has(word)) return null;
    const strength = definitionStrength(text, word);
    // A call that is given a text or a function looks like a method and is none.
    const isCall =
      strength === 2 && /^\s*\(.*(?:["'`]|=>|\bfunction\b)/.test(text.slice(index + word.length));
    if (strength >= 2 && !isCall) return word;
  }
  return null;
}
