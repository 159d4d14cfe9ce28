// Reads a text as plain shell, to its last byte or not at all. One pass without a step back, so the
// time grows with the text.
import {
  deeper,
  endLine,
  endsWord,
  isAtEnd,
  notPlain,
  peek,
  stop,
  skipBlanks,
  skipComment,
  skipLines,
  take,
  type Cursor,
} from "./cursor.ts";
import type { PlainList, PlainNode, PlainRedirect, PlainSimple } from "./plain-list.ts";
import { readPlainWord } from "./read-plain-word.ts";

export type PlainReading = { script: PlainList } | { script?: undefined; problem: string };

/** Never throws. Where the text is not plain, `problem` says which characters and where. */
export function readPlain(text: string): PlainReading {
  const cursor: Cursor = { text, at: 0, depth: 0, inside: 0, pending: undefined, stoppedAt: 0 };
  // oxlint-disable-next-line no-control-regex -- these are what bash and a reader see differently.
  const odd = text.search(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  try {
    if (odd >= 0) stop(cursor, odd);
    const script = readList(cursor, noWords);
    if (!isAtEnd(cursor) || cursor.pending) stop(cursor);
    return { script };
  } catch (error) {
    if (error === notPlain) return { problem: problemAt(text, cursor.stoppedAt) };
    throw error;
  }
}

function problemAt(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  const column = before.at(-1)!.length + 1;
  const place = before.length > 1 ? `line ${before.length}, column ${column}` : `column ${column}`;
  const shown = JSON.stringify(text.slice(at, at + 3))
    .slice(1, -1)
    .replaceAll('\\"', '"');
  return shown === ""
    ? "this is not plain shell: something is not closed"
    : `this is not plain shell: \`${shown}\` at ${place}`;
}

const noWords: ReadonlySet<string> = new Set();
const opening = new Set(["if", "for", "while", "until"]);
const reserved = new Set(
  "if then elif else fi for while until do done case esac in select function coproc time ! { } [[ ]]".split(
    " ",
  ),
);
const wordAhead = /(?:[a-z]+|!|\{|\}|\[\[|\]\])(?=[\s;&|()<>]|$)/y;

/** The reserved word at the cursor, which stays where it is. */
function reservedWord(cursor: Cursor): string | undefined {
  wordAhead.lastIndex = cursor.at;
  const word = wordAhead.exec(cursor.text)?.[0];
  return word !== undefined && reserved.has(word) ? word : undefined;
}

function expectWord(cursor: Cursor, word: string): void {
  skipLines(cursor);
  if (reservedWord(cursor) !== word) stop(cursor);
  cursor.at += word.length;
}

/** Commands up to the end, a closing bracket or one of these words. */
function readList(cursor: Cursor, ends: ReadonlySet<string>): PlainList {
  const list: PlainList = [];
  for (;;) {
    skipLines(cursor);
    if (isAtEnd(cursor) || peek(cursor) === ")") return list;
    const word = reservedWord(cursor);
    if (word !== undefined && ends.has(word)) return list;
    const node = readChain(cursor);
    skipBlanks(cursor);
    const background = peek(cursor) === "&" && peek(cursor, 1) !== "&" && peek(cursor, 1) !== ">";
    list.push({ node, background });
    if (!endCommand(cursor, background)) return list;
  }
}

/** Moves past what ends a command; false where the list ends with it. */
function endCommand(cursor: Cursor, background: boolean): boolean {
  skipComment(cursor);
  const character = peek(cursor);
  if (character === "" || character === ")") return false;
  if (character === "\n") endLine(cursor);
  else if (background || (character === ";" && !";&".includes(peek(cursor, 1) || " "))) {
    cursor.at += 1;
    skipBlanks(cursor);
    if (";&|".includes(peek(cursor)) && !isAtEnd(cursor)) stop(cursor);
  } else stop(cursor);
  return true;
}

function readChain(cursor: Cursor): PlainNode {
  const first = readPipeline(cursor);
  const rest: { operator: "&&" | "||"; node: PlainNode }[] = [];
  for (;;) {
    skipBlanks(cursor);
    const operator = take(cursor, /&&|\|\|/y) as "&&" | "||" | undefined;
    if (operator === undefined) return rest.length === 0 ? first : { type: "chain", first, rest };
    skipLines(cursor);
    rest.push({ operator, node: readPipeline(cursor) });
  }
}

function readPipeline(cursor: Cursor): PlainNode {
  skipBlanks(cursor);
  // `! command` and `time command` change nothing about what runs here, `!` what follows.
  const prefix = take(cursor, /(?:!|time)[ \t]+(?=[A-Za-z_./])/y);
  if (prefix !== undefined && reservedWord(cursor)) stop(cursor);
  const items = [readCommand(cursor)];
  for (;;) {
    skipBlanks(cursor);
    if (peek(cursor) !== "|" || peek(cursor, 1) === "|") break;
    if (peek(cursor, 1) === "&") stop(cursor);
    cursor.at += 1;
    skipLines(cursor);
    items.push(readCommand(cursor));
  }
  const node: PlainNode = items.length === 1 ? items[0]! : { type: "pipeline", items };
  return prefix?.startsWith("!") ? { ...node, negated: true } : node;
}

function readCommand(cursor: Cursor): PlainNode {
  skipBlanks(cursor);
  if (peek(cursor) === "(") return readSubshell(cursor);
  const word = reservedWord(cursor);
  if (word === undefined) return readSimple(cursor);
  if (!opening.has(word)) stop(cursor);
  cursor.at += word.length;
  return deeper(cursor, () =>
    word === "if" ? readIf(cursor) : word === "for" ? readFor(cursor) : readWhile(cursor),
  );
}

function readSubshell(cursor: Cursor): PlainNode {
  if (peek(cursor, 1) === "(") stop(cursor);
  cursor.at += 1;
  const body = deeper(cursor, () => readBody(cursor, noWords));
  if (peek(cursor) !== ")") stop(cursor);
  cursor.at += 1;
  return { type: "subshell", body, redirects: readRedirects(cursor) };
}

/** A list that has to hold something. */
function readBody(cursor: Cursor, ends: ReadonlySet<string>): PlainList {
  const body = readList(cursor, ends);
  if (body.length === 0) stop(cursor);
  return body;
}

const thenWords = new Set(["then"]);
const branchWords = new Set(["elif", "else", "fi"]);
const doWords = new Set(["do"]);
const doneWords = new Set(["done"]);

function readIf(cursor: Cursor): PlainNode {
  const branches: { condition: PlainList; body: PlainList }[] = [];
  for (;;) {
    const condition = readBody(cursor, thenWords);
    expectWord(cursor, "then");
    branches.push({ condition, body: readBody(cursor, branchWords) });
    const word = reservedWord(cursor);
    if (word === undefined) stop(cursor);
    cursor.at += word.length;
    if (word === "elif") continue;
    if (word === "fi") return { type: "if", branches, redirects: readRedirects(cursor) };
    const otherwise = readBody(cursor, branchWords);
    expectWord(cursor, "fi");
    return { type: "if", branches, otherwise, redirects: readRedirects(cursor) };
  }
}

function readWhile(cursor: Cursor): PlainNode {
  const condition = readBody(cursor, doWords);
  const body = readDo(cursor);
  return { type: "while", condition, body, redirects: readRedirects(cursor) };
}

function readDo(cursor: Cursor): PlainList {
  expectWord(cursor, "do");
  const body = readBody(cursor, doneWords);
  expectWord(cursor, "done");
  return body;
}

function readFor(cursor: Cursor): PlainNode {
  skipBlanks(cursor);
  const name = take(cursor, /[A-Za-z_]\w*/y) ?? stop(cursor);
  skipBlanks(cursor);
  if (take(cursor, /in(?=[ \t])/y) === undefined) stop(cursor);
  const words = [];
  for (;;) {
    skipBlanks(cursor);
    if (endsWord(peek(cursor))) break;
    words.push(readPlainWord(cursor, readInner));
  }
  if (words.length === 0 || !";\n".includes(peek(cursor) || " ") || cursor.pending) stop(cursor);
  cursor.at += 1;
  const body = readDo(cursor);
  return { type: "for", name, words, body, redirects: readRedirects(cursor) };
}

const readInner = (cursor: Cursor): PlainList => readBody(cursor, noWords);

function readRedirects(cursor: Cursor): PlainRedirect[] {
  const redirects: PlainRedirect[] = [];
  for (;;) {
    skipBlanks(cursor);
    const redirect = readRedirect(cursor);
    if (!redirect) return redirects;
    redirects.push(redirect);
  }
}

const assignment = /[A-Za-z_]\w*=/y;

function readSimple(cursor: Cursor): PlainSimple {
  const simple: PlainSimple = { type: "simple", assignments: [], words: [], redirects: [] };
  const start = cursor.at;
  for (;;) {
    skipBlanks(cursor);
    const redirect = readRedirect(cursor);
    if (redirect) simple.redirects.push(redirect);
    else if (endsWord(peek(cursor)) || peek(cursor) === "#") break;
    else readOperand(cursor, simple);
  }
  if (peek(cursor) === "(" || cursor.at === start) stop(cursor);
  return simple;
}

function readOperand(cursor: Cursor, simple: PlainSimple): void {
  const name = simple.words.length === 0 ? take(cursor, assignment) : undefined;
  if (name !== undefined) {
    const value = readPlainWord(cursor, readInner, { isValue: true });
    simple.assignments.push({ name: name.slice(0, -1), value });
    return;
  }
  const start = cursor.at;
  const word = readPlainWord(cursor, readInner);
  if (simple.words.length === 0 && !isCommandWord(word.raw)) stop(cursor, start);
  simple.words.push(word);
}

/** Nothing in a command word may be a pattern, a subscript, braces or an escape. */
const isCommandWord = (raw: string): boolean => !/[*?{}\\]|\[.|.\[|^~|=/.test(raw);

const copies = /(?:2>&1|1?>&2)(?=[\s;&|)]|$)/y;
const toFile = /(?:&>|[12]?>>?)(?![(|&<>])/y;
const fromFile = /<(?![(&<>])/y;
const fromText = /<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|\\?(\w+))(?=[\s;&|)>]|$)/y;

function readRedirect(cursor: Cursor): PlainRedirect | undefined {
  const start = cursor.at;
  if (take(cursor, copies) !== undefined) return { kind: "copy" };
  const written = take(cursor, toFile);
  if (written !== undefined)
    return { kind: written.startsWith("2") ? "errors" : "write", target: readTarget(cursor) };
  if (take(cursor, fromFile) !== undefined) return { kind: "read", target: readTarget(cursor) };
  const text = take(cursor, fromText);
  return text === undefined ? undefined : expectText(cursor, start);
}

function readTarget(cursor: Cursor): ReturnType<typeof readPlainWord> {
  skipBlanks(cursor);
  const start = cursor.at;
  if (peek(cursor) === "#") stop(cursor);
  const word = readPlainWord(cursor, readInner);
  const isSimple = word.parts.every((part) => part.kind !== "glob" && part.kind !== "output");
  return isSimple ? word : stop(cursor, start);
}

/** The here-document's text is filled in when its lines have been read. */
function expectText(cursor: Cursor, at: number): PlainRedirect {
  if (cursor.pending) stop(cursor, at);
  fromText.lastIndex = at;
  const [, dash, single, double, bare] = fromText.exec(cursor.text)!;
  const redirect: PlainRedirect = { kind: "text", body: "" };
  cursor.pending = {
    end: single ?? double ?? bare!,
    isLiteral: bare === undefined || cursor.text.slice(at, cursor.at).includes("\\"),
    stripsTabs: dash === "-",
    at,
    fill: (body) => {
      redirect.body = body;
    },
  };
  return redirect;
}
