// One name or quotation tried against one file, and what both kinds of trial look at.
import { isComment } from "../../source/definitions.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import type { SourceFile } from "../../source/source-file.ts";

export type Lines = [number, number];

/** `half`: only the owner of the name stands there, which neither proves nor accuses. */
export type Trial = {
  evidence: Evidence;
  holds: boolean;
  half: boolean;
  /** Where it stands: the line that holds, or the best other one of this file. */
  line: number | undefined;
  /** The name is defined at `line`. */
  isDefined: boolean;
  /** How much of the quotation stands at the place. */
  likeness: number;
  /** It was compared as code, not as a name. */
  isQuote: boolean;
  /** The quotation stands at no other line of the file. */
  isOnly: boolean;
  /** A name on the line of which this one is a slip. */
  slip: string | undefined;
};

/** Nothing of it was found yet. */
export const newTrial = (evidence: Evidence, isQuote: boolean): Trial => ({
  evidence,
  holds: false,
  half: false,
  line: undefined,
  isDefined: isQuote,
  likeness: 0,
  isQuote,
  isOnly: false,
  slip: undefined,
});

/** No other line of the file has it. */
export function isUnique({ evidence, isQuote, isOnly }: Trial, file: SourceFile): boolean {
  if (isQuote) return isOnly;
  const word = lastPart(evidence.name);
  return (file.definitionsOf(word).length || file.linesWith(word).length) === 1;
}

/** The names on some lines, without their case and underscores. */
export function spelledAt(file: SourceFile, [first, last]: Lines): Map<string, string> {
  const there = new Map<string, string>();
  for (let line = Math.max(1, first); line <= Math.min(last, first + 40); line++)
    for (const word of file
      .line(line)
      .slice(0, 2_000)
      .match(/[\w$\u0080-\uffff]{3,80}/g) ?? [])
      there.set(unspelled(word), word);
  return there;
}

export const unspelled = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** From the line down to the definition there are only comments, attributes and a type before the name. */
export function isHead(file: SourceFile, from: number, definition: number): boolean {
  let inBlock = false;
  for (let line = from; line < definition; line++) {
    const text = file.line(line).trim();
    inBlock ||= text.startsWith("/**") || text.startsWith("/*");
    // A call of a macro may wrap the definition.
    const isAttribute = /^(?:@[\w.:]+|#!?\[|\[\w[^\]]*\]$|template\s*<|[\w:]+!\s*[({]$)/.test(text);
    const isType =
      line === definition - 1 &&
      /^[A-Za-z_][\w\s*&<>:,[\]]*$/.test(text) &&
      !/^(?:else|do|try|return|break|continue|pass|end|fi|done|default|public|private|protected)\b/.test(
        text,
      );
    const isBlank = text === "" && line > from;
    if (
      !inBlock &&
      !isBlank &&
      !isAttribute &&
      !isType &&
      !(isComment(file.line(line)) || /^(?:\/\/\/|#)/.test(text))
    )
      return false;
    if (text.endsWith("*/")) inBlock = false;
  }
  return true;
}

/** The head of a definition is at most so long. */
export const headLines = 24;

export const closest = (lines: readonly number[], at: number): number | undefined =>
  lines.length === 0
    ? undefined
    : lines.reduce((best, line) => (Math.abs(line - at) < Math.abs(best - at) ? line : best));
