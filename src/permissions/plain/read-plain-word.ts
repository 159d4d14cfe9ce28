// One word of plain shell: safe characters, quotes, simple variables, `$(…)` around plain shell,
// simple wildcards.
import { deeper, endsWord, isAtEnd, peek, stop, skipBlanks, take, type Cursor } from "./cursor.ts";
import type { PlainList, PlainPart, PlainWord } from "./plain-list.ts";

/** Reads the commands of a `$(…)` up to its bracket. */
export type ReadInner = (cursor: Cursor) => PlainList;

const safe = /[\w\-./,:@%+=^!\]#]+/y;
const braces = /\{[\w-]*\}/y;
const charClass = /\[[!^]?[A-Za-z0-9_][A-Za-z0-9_.-]*\]/y;
const name = /[A-Za-z_]\w*/y;
const bracedName = /\{[A-Za-z_]\w*\}/y;
const singleQuoted = /'[^']*'/y;
const doubleText = /[^"$`\\]+/y;
const doubleEscape = /\\(?:[$`"\\]|\n)/y;
/** What may follow a `$` in double quotes that is only a dollar. */
const afterDollar = new Set('" |)/.,%\n'.split(""));

/**
 * Reads the word at the cursor. `isValue`: it stands behind `NAME=`, where `~/` is the home too.
 */
export function readPlainWord(
  cursor: Cursor,
  readInner: ReadInner,
  { isValue = false }: { isValue?: boolean } = {},
): PlainWord {
  const start = cursor.at;
  const parts: PlainPart[] = [];
  while (!endsWord(peek(cursor))) readPart(cursor, { parts, readInner, start, isValue });
  // A digit, a name in braces or a word before `<`, `>` or `(` means something of its own to some
  // of them.
  if ("<>(".includes(peek(cursor)) && !isAtEnd(cursor)) stop(cursor, start);
  if (parts.length === 0 && !isValue) stop(cursor);
  return { parts, raw: cursor.text.slice(start, cursor.at) };
}

type Draft = { parts: PlainPart[]; readInner: ReadInner; start: number; isValue: boolean };

function readPart(cursor: Cursor, draft: Draft): void {
  const { parts } = draft;
  const character = peek(cursor);
  switch (character) {
    case "'":
      parts.push(readSingle(cursor));
      return;
    case '"':
      return readDouble(cursor, draft);
    case "\\":
      return readEscape(cursor, parts);
    case "$":
      parts.push(readExpansion(cursor, draft, false) ?? stop(cursor));
      return;
    case "*":
    case "?":
      parts.push({ kind: "glob", text: character });
      cursor.at += 1;
      return;
    case "[":
      return readBracket(cursor, draft);
    case "~":
      return readTilde(cursor, draft);
    default: {
      const text = take(cursor, character === "{" ? braces : safe);
      if (text === undefined) stop(cursor);
      parts.push({ kind: "text", text, quoted: false });
    }
  }
}

function readSingle(cursor: Cursor): PlainPart {
  const text = take(cursor, singleQuoted) ?? stop(cursor);
  if (cursor.pending && text.includes("\n")) stop(cursor);
  return { kind: "text", text: text.slice(1, -1), quoted: true };
}

function readEscape(cursor: Cursor, parts: PlainPart[]): void {
  const next = peek(cursor, 1);
  if (next === "\n") return skipBlanksOnce(cursor);
  if (!/^[!-~]$|^ $/.test(next)) stop(cursor);
  parts.push({ kind: "text", text: next, quoted: true });
  cursor.at += 2;
}

function skipBlanksOnce(cursor: Cursor): void {
  if (cursor.pending) stop(cursor);
  cursor.at += 2;
}

function readDouble(cursor: Cursor, draft: Draft): void {
  const start = cursor.at;
  cursor.at += 1;
  draft.parts.push({ kind: "text", text: "", quoted: true });
  const add = (text: string): void => {
    if (cursor.pending && text.includes("\n")) stop(cursor);
    draft.parts.push({ kind: "text", text, quoted: true });
  };
  while (peek(cursor) !== '"') {
    if (isAtEnd(cursor)) stop(cursor, start);
    const plain = take(cursor, doubleText);
    if (plain !== undefined) add(plain);
    else if (peek(cursor) === "\\") {
      const escape = take(cursor, doubleEscape);
      if (escape === undefined) cursor.at += 1;
      add(escape === undefined ? "\\" : escape === "\\\n" ? "" : escape.slice(1));
    } else if (peek(cursor) === "$") {
      const expansion = readExpansion(cursor, draft, true);
      if (expansion) draft.parts.push(expansion);
      else if (afterDollar.has(peek(cursor, 1))) {
        cursor.at += 1;
        add("$");
      } else stop(cursor);
    } else stop(cursor);
  }
  cursor.at += 1;
}

/** `$NAME`, `${NAME}`, `$?`, `$(…)`; undefined for every other dollar, the cursor unmoved. */
function readExpansion(cursor: Cursor, draft: Draft, quoted: boolean): PlainPart | undefined {
  const start = cursor.at;
  cursor.at += 1;
  if (peek(cursor) === "?") {
    cursor.at += 1;
    return { kind: "variable", name: "?", quoted };
  }
  if (peek(cursor) === "(" && peek(cursor, 1) !== "(") {
    cursor.at += 1;
    return { kind: "output", script: readOutput(cursor, draft), quoted };
  }
  const found = take(cursor, name) ?? take(cursor, bracedName)?.slice(1, -1);
  if (found !== undefined && found !== "_") {
    if (!quoted && peek(cursor) === "[") stop(cursor, start);
    return { kind: "variable", name: found, quoted };
  }
  cursor.at = start;
  return undefined;
}

function readOutput(cursor: Cursor, { readInner }: Draft): PlainList {
  if (cursor.pending) stop(cursor);
  cursor.inside += 1;
  const script = deeper(cursor, () => readInner(cursor));
  skipBlanks(cursor);
  if (peek(cursor) !== ")" || cursor.pending) stop(cursor);
  cursor.at += 1;
  cursor.inside -= 1;
  return script;
}

function readBracket(cursor: Cursor, { parts }: Draft): void {
  if (parts.length === 0 && endsWord(peek(cursor, 1))) {
    cursor.at += 1;
    parts.push({ kind: "text", text: "[", quoted: false });
    return;
  }
  const text = take(cursor, charClass) ?? stop(cursor);
  parts.push({ kind: "glob", text });
}

/**
 * `~/` at the start is the home; behind `=` and `:` shells differ; elsewhere (`HEAD~1`) it is a
 * character.
 */
function readTilde(cursor: Cursor, { parts, start, isValue }: Draft): void {
  const next = peek(cursor, 1);
  if (cursor.at === start) {
    if (next !== "/" && !endsWord(next)) stop(cursor);
    parts.push({ kind: "home" });
  } else {
    if (isValue || "=:".includes(peek(cursor, -1))) stop(cursor);
    parts.push({ kind: "text", text: "~", quoted: false });
  }
  cursor.at += 1;
}
