// The text that an agent was shown, file by file: bounded, so that what does not fit any more counts as not seen.
import { limits } from "../../base/limits.ts";
import { memoryReader, type RepositoryReader } from "../reader.ts";

export type SeenFiles = {
  add(path: string, line: number | null, text: string): void;
  /** Shown at this number. */
  has(path: string, line: number): boolean;
  /** A line of this file with this text was shown, at whatever number. */
  showed(path: string, text: string): boolean;
  paths(): string[];
  /** The files as they were shown; lines that were not are blank. */
  reader(): RepositoryReader;
};

/** Tools cut long lines; what comes before the cut is compared. */
const comparedCharacters = 900;
const lineOverhead = 120;

export function seenFiles(maxBytes: number = limits.verify.ledgerBytes): SeenFiles {
  const files = new Map<string, { lines: Map<number, string>; texts: Set<string> }>();
  let bytes = 0;
  const keyOf = (text: string): string => text.trim().slice(0, comparedCharacters);
  return {
    add(path, line, text) {
      if (bytes > maxBytes) return;
      const file = files.get(path) ?? { lines: new Map<number, string>(), texts: new Set<string>() };
      files.set(path, file);
      const own = detached(text);
      if (line !== null && file.lines.get(line) !== own) {
        file.lines.set(line, own);
        bytes += own.length * 2 + lineOverhead;
      }
      const key = detached(keyOf(own));
      if (file.texts.has(key)) return;
      file.texts.add(key);
      bytes += key.length * 2 + lineOverhead;
    },
    has: (path, line) => files.get(path)?.lines.has(line) ?? false,
    showed: (path, text) => files.get(path)?.texts.has(keyOf(text)) ?? false,
    paths: () => [...files.keys()],
    reader: () => memoryReader(new Map([...files].map(([path, { lines }]) => [path, textOf(lines)]))),
  };
}

function textOf(lines: ReadonlyMap<number, string>): string {
  const last = Math.min(Math.max(0, ...lines.keys()), 1_000_000);
  return Array.from({ length: last }, (_, index) => lines.get(index + 1) ?? "").join("\n");
}

/** A piece of a string keeps the whole string in memory; a copy does not. */
const detached = (text: string): string => (text.length < 13 ? text : Buffer.from(text, "utf16le").toString("utf16le"));
