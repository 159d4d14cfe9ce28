// Keeps lines small: long strings move to files under spill/, named by their hash, and come back
// when the line is loaded. The line keeps a readable beginning and a note, so that other readers of
// the format see a valid message.
import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { toJsonLine } from "../base/data/jsonl.ts";
import { writeFileAtomic } from "../base/files/write-file-atomic.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import type { TranscriptLine } from "./fact-line.ts";
import { fileMode } from "./paths.ts";

type Key = string | number;
/** `json`: the value was not a string and is stored as JSON. */
export type SpillPointer = { path: Key[]; file: string; bytes: number; json?: true };

type Sink = { dir: string; durable: boolean; maxLineBytes: number };

const filePattern = /^[0-9a-f]{64}\.txt$/;
const smallestSpilled = 2_048;
const headCharacters = 1_000;

/** The text of a line of at most `maxLineBytes`; the files that it points to are written before. */
export function spillLine(line: string, sink: Sink): string {
  const copy = JSON.parse(line) as TranscriptLine;
  const pointers: SpillPointer[] = [];
  let excess = Buffer.byteLength(line) - sink.maxLineBytes;
  for (const { path, bytes } of longStrings(copy)) {
    if (excess <= 0) break;
    const note = spillAt(copy, path, { sink, pointers });
    excess -= bytes - Buffer.byteLength(JSON.stringify(note)) - 250 - path.join().length;
  }
  const text = toJsonLine({ ...copy, spill: pointers });
  return Buffer.byteLength(text) <= sink.maxLineBytes ? text : spillWhole(line, sink);
}

/** If no single string is too long, the largest parts of the line move as JSON. */
function spillWhole(line: string, sink: Sink): string {
  const copy = JSON.parse(line) as TranscriptLine;
  const pointers: SpillPointer[] = [];
  const parts: Key[][] = isObject(copy["message"])
    ? [["message", "content"], ["toolFacts"], ["message", "usage"]]
    : Object.keys(copy).map((key) => [key]);
  for (const path of parts) {
    const value = at(copy, path);
    if (value === undefined || JSON.stringify(value).length < smallestSpilled) continue;
    spillAt(copy, path, { sink, pointers });
  }
  return toJsonLine({ ...copy, spill: pointers });
}

function spillAt(
  line: TranscriptLine,
  path: Key[],
  { sink, pointers }: { sink: Sink; pointers: SpillPointer[] },
): unknown {
  const value = at(line, path);
  const text = typeof value === "string" ? value : toJsonLine(value);
  const { file, bytes } = store(text, sink);
  const head = typeof value === "string" ? `${text.slice(0, headCharacters)}\n` : "";
  const note = `${head}[${bytes} bytes in spill/${file}]`;
  const stand =
    typeof value === "string"
      ? note
      : Array.isArray(value)
        ? [{ type: "text", text: note }]
        : { note };
  put(line, path, stand);
  pointers.push({ path, file, bytes, ...(typeof value === "string" ? {} : { json: true }) });
  return stand;
}

function store(text: string, sink: Sink): { file: string; bytes: number } {
  const bytes = Buffer.from(text);
  const file = `${createHash("sha256").update(bytes).digest("hex")}.txt`;
  const path = join(sink.dir, file);
  if (!existsSync(path)) {
    makePrivateDir(sink.dir);
    writeFileAtomic(path, bytes, { mode: fileMode, durable: sink.durable });
  }
  return { file, bytes: bytes.length };
}

/** Strings that are worth moving, the longest first. */
function longStrings(line: TranscriptLine): { path: Key[]; bytes: number }[] {
  const found: { path: Key[]; bytes: number }[] = [];
  const open: { value: unknown; path: Key[] }[] = [{ value: line, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && value.length >= smallestSpilled)
      found.push({ path, bytes: Buffer.byteLength(JSON.stringify(value)) });
    else if (Array.isArray(value))
      for (const [index, item] of value.entries())
        open.push({ value: item, path: [...path, index] });
    else if (isObject(value))
      for (const [key, item] of Object.entries(value))
        open.push({ value: item, path: [...path, key] });
  }
  return found.sort((a, b) => b.bytes - a.bytes);
}

/**
 * Puts spilled parts back into a parsed line, up to `allowance` bytes; returns a sentence for each
 * part that could not be restored.
 */
export function restoreSpilled(
  line: Record<string, unknown>,
  dir: string,
  allowance: { bytes: number },
): string[] {
  if (!Array.isArray(line["spill"])) return [];
  const failures: string[] = [];
  for (const pointer of line["spill"] as unknown[]) {
    try {
      restore(line, pointer, { dir, allowance });
    } catch (error) {
      failures.push(errorText(error));
    }
  }
  delete line["spill"];
  return failures;
}

function restore(
  line: Record<string, unknown>,
  pointer: unknown,
  { dir, allowance }: { dir: string; allowance: { bytes: number } },
): void {
  if (
    !isObject(pointer) ||
    !Array.isArray(pointer["path"]) ||
    typeof pointer["file"] !== "string" ||
    !filePattern.test(pointer["file"])
  )
    throw new Error("a spill pointer is malformed");
  const path = pointer["path"] as Key[];
  if (path.length === 0 || at(line, path) === undefined)
    throw new Error("a spill pointer leads nowhere");
  const bytes = readSpilled(join(dir, pointer["file"]), allowance.bytes);
  if (`${createHash("sha256").update(bytes).digest("hex")}.txt` !== pointer["file"])
    throw new Error(`spill/${pointer["file"]} is damaged`);
  allowance.bytes -= bytes.length;
  const text = bytes.toString("utf8");
  put(line, path, pointer["json"] === true ? (JSON.parse(text) as unknown) : text);
}

function readSpilled(path: string, mostBytes: number): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${path} is no regular file`);
    if (stat.size > mostBytes)
      throw new Error(
        `${path} is left on disk: the spilled text of this transcript exceeds the cap for loading`,
      );
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only own properties: a path from a file never reaches a prototype. */
function at(root: unknown, path: Key[]): unknown {
  let value = root;
  for (const key of path) {
    if (
      typeof value !== "object" ||
      value === null ||
      !Object.hasOwn(value, key) ||
      (Array.isArray(value) && typeof key !== "number")
    )
      return undefined;
    value = (value as Record<Key, unknown>)[key];
  }
  return value;
}

function put(root: unknown, path: Key[], value: unknown): void {
  const holder = at(root, path.slice(0, -1)) as Record<Key, unknown>;
  holder[path.at(-1)!] = value;
}
