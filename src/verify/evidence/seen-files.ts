// The text that an agent was shown, file by file: bounded, so that what does not fit any more counts as not seen.
import { limits } from "../../base/limits.ts";
import type { ReadResult, RepositoryReader } from "../../source/reader.ts";
import { readPath, shownLength, shownLines } from "./shown-lines.ts";
import type { ToolCall } from "./tool-calls.ts";

export type SeenFiles = {
  add(path: string, line: number | null, text: string): void;
  /** Shown at this number. */
  has(path: string, line: number): boolean;
  /** A line of this file with this text was shown, at whatever number. */
  showed(path: string, text: string): boolean;
  /** Any line that was shown of any file. */
  some(test: (line: string, path: string) => boolean): boolean;
  paths(): string[];
  /** The files as they were shown; lines that were not are blank. */
  reader(): RepositoryReader;
};

/** Paths relative to the root. */
type PlaceOf = (path: string, cwd: string | null) => string;

/**
 * What calls showed. `isKept`: the calls stay in memory anyway, so that they can wait until somebody
 * asks for a file: of most files that a run has read nobody does.
 */
export function shownFiles(
  placeOf: PlaceOf,
  { isKept, maxBytes = limits.verify.ledgerBytes }: { isKept: boolean; maxBytes?: number },
): Omit<SeenFiles, "add"> & { take(call: ToolCall): void } {
  const seen = seenFiles(maxBytes, isKept);
  let waiting: ToolCall[] = [];
  /** Those that wait by the file that they read, where all of them are calls of Read. */
  let byPath: Map<string, ToolCall[]> | undefined;
  let mostBytes = 0;
  const read = (call: ToolCall): void => {
    let last = "";
    let own = "";
    for (const { path, line, text } of shownLines(call)) {
      // A call shows many lines of one file.
      if (path !== last) own = placeOf((last = path), call.cwd);
      seen.add(own, line, text);
    }
  };
  const settle = (): SeenFiles => {
    for (const call of waiting) read(call);
    if (byPath) for (const calls of byPath.values()) calls.forEach(read);
    waiting = [];
    byPath = undefined;
    return seen;
  };
  /** What other tools showed is of files that only their output names. */
  const settleFor = (asked: string): SeenFiles => {
    if (waiting.some(({ tool }) => tool !== "Read")) return settle();
    byPath ??= new Map();
    for (const call of waiting) {
      const path = readPath(call);
      if (path === null) continue;
      const own = placeOf(path, call.cwd);
      const same = byPath.get(own);
      if (same) same.push(call);
      else byPath.set(own, [call]);
    }
    waiting = [];
    byPath.get(asked)?.forEach(read);
    byPath.delete(asked);
    return seen;
  };
  return {
    take(call) {
      if (call.isError || !showing.has(call.tool)) return;
      // As long as all of it fits, the order in which files are read is no matter.
      mostBytes += fileOverhead + shownLength(call);
      if (!isKept || mostBytes * mostPerCharacter > maxBytes) {
        settle();
        read(call);
      } else waiting.push(call);
    },
    has: (path, line) => settleFor(path).has(path, line),
    showed: (path, text) => settleFor(path).showed(path, text),
    some: (test) => settle().some(test),
    paths: () => settle().paths(),
    reader: () => settle().reader(),
  };
}

const showing: ReadonlySet<string> = new Set(["Read", "Grep", "Bash"]);

/** Tools cut long lines; what comes before the cut is compared. */
const comparedCharacters = 900;
const lineOverhead = 120;
const fileOverhead = 400;
/** A line of one character is kept as a line and as a text, each with its overhead. */
const mostPerCharacter = lineOverhead + 4;

/** `isKept`: what the lines are cut from stays in memory anyway. */
export function seenFiles(maxBytes: number = limits.verify.ledgerBytes, isKept = false): SeenFiles {
  const apart = isKept ? (text: string): string => text : detached;
  const files = new Map<string, { lines: Map<number, string>; texts: Set<string> }>();
  let bytes = 0;
  const keyOf = (text: string): string => text.trim().slice(0, comparedCharacters);
  return {
    add(path, line, text) {
      if (bytes > maxBytes) return;
      let file = files.get(path);
      if (!file) {
        files.set(path, (file = { lines: new Map(), texts: new Set() }));
        bytes += path.length * 2 + fileOverhead;
      }
      const own = apart(text);
      if (line !== null && file.lines.get(line) !== own) {
        file.lines.set(line, own);
        bytes += own.length * 2 + lineOverhead;
      }
      const key = keyOf(own);
      if (file.texts.has(key)) return;
      file.texts.add(key === own ? own : apart(key));
      bytes += key.length * 2 + lineOverhead;
    },
    has: (path, line) => files.get(path)?.lines.has(line) ?? false,
    showed: (path, text) => files.get(path)?.texts.has(keyOf(text)) ?? false,
    some: (test) =>
      [...files].some(([path, { texts }]) => [...texts].some((line) => test(line, path))),
    paths: () => [...files.keys()],
    reader: () => ({
      names: [],
      list: () => ({ paths: [...files.keys()], complete: true }),
      read: (path) => textOf(files.get(path)?.lines),
      stat: () => "none",
    }),
  };
}

function textOf(lines: ReadonlyMap<number, string> | undefined): ReadResult {
  if (!lines) return { ok: false, why: "gone" };
  let [last, characters] = [0, 0];
  for (const [line, text] of lines) {
    last = Math.max(last, line);
    characters += text.length;
  }
  // A line number is a claim of the transcript; it buys no more blank lines than a file may have bytes.
  if (last + characters > limits.verify.fileBytes) return { ok: false, why: "too_large" };
  return {
    ok: true,
    text: Array.from({ length: last }, (_, index) => lines.get(index + 1) ?? "").join("\n"),
  };
}

/** A piece of a string keeps the whole string in memory; a copy does not. */
const detached = (text: string): string =>
  text.length < 13 ? text : Buffer.from(text, "utf16le").toString("utf16le");
