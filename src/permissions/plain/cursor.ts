// A place in the text: characters that bash gives a meaning, blanks, comments, line ends and the
// here-documents behind them.

export type Cursor = {
  readonly text: string;
  at: number;
  /** How deep the place lies in brackets and compound commands. */
  depth: number;
  /** How deep it lies in `$(…)`. */
  inside: number;
  /** A here-document whose text begins behind the next line end. */
  pending: PendingText | undefined;
  /** Where the text stopped being plain. */
  stoppedAt: number;
};

export type PendingText = {
  end: string;
  isLiteral: boolean;
  stripsTabs: boolean;
  at: number;
  fill(body: string): void;
};

/**
 * Thrown where the text leaves plain shell; the cursor says where. One for all, because making an
 * error is slow.
 */
export const notPlain = new Error("not plain shell");

const maxDepth = 24;

export function stop(cursor: Cursor, at = cursor.at): never {
  cursor.stoppedAt = Math.min(at, cursor.text.length);
  throw notPlain;
}

export function deeper<Result>(cursor: Cursor, read: () => Result): Result {
  if (cursor.depth >= maxDepth) stop(cursor);
  cursor.depth += 1;
  const result = read();
  cursor.depth -= 1;
  return result;
}

export const peek = (cursor: Cursor, ahead = 0): string => cursor.text[cursor.at + ahead] ?? "";

export const isAtEnd = (cursor: Cursor): boolean => cursor.at >= cursor.text.length;

/** Ends a word for every bash. */
export const endsWord = (character: string): boolean =>
  character === "" || " \t\n;&|()<>".includes(character);

/** The match of a sticky expression at the cursor, which then stands behind it. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

export function skipBlanks(cursor: Cursor): void {
  for (;;) {
    const character = peek(cursor);
    if (character === " " || character === "\t") cursor.at += 1;
    else if (character === "\\" && peek(cursor, 1) === "\n") {
      if (cursor.pending) stop(cursor);
      cursor.at += 2;
    } else return;
  }
}

/** Moves past blanks, comments and line ends. */
export function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor);
    skipComment(cursor);
    if (peek(cursor) !== "\n") return;
    endLine(cursor);
  }
}

/**
 * Old shells count brackets and quotes in the comments of a `$(…)`: there a comment is not plain.
 */
export function skipComment(cursor: Cursor): void {
  if (peek(cursor) !== "#") return;
  if (cursor.inside > 0) stop(cursor);
  const end = cursor.text.indexOf("\n", cursor.at);
  cursor.at = end < 0 ? cursor.text.length : end;
}

/** Moves past a line end and the here-document that was waiting for it. */
export function endLine(cursor: Cursor): void {
  cursor.at += 1;
  const { pending } = cursor;
  if (!pending) return;
  cursor.pending = undefined;
  const start = cursor.at;
  for (;;) {
    if (isAtEnd(cursor)) stop(cursor, pending.at);
    const from = cursor.at;
    const lineEnd = cursor.text.indexOf("\n", from);
    const written = cursor.text.slice(from, lineEnd < 0 ? undefined : lineEnd);
    const line = pending.stripsTabs ? written.replace(/^\t+/, "") : written;
    cursor.at = lineEnd < 0 ? cursor.text.length : lineEnd + 1;
    if (line === pending.end) {
      // The line end behind the last line separates commands, as it does behind any other.
      if (lineEnd >= 0) cursor.at = lineEnd;
      return pending.fill(bodyOf(cursor, pending, { start, end: from }));
    }
    if (lineEnd < 0 || (cursor.inside > 0 && line.startsWith(pending.end)))
      stop(cursor, pending.at);
  }
}

function bodyOf(
  cursor: Cursor,
  pending: PendingText,
  { start, end }: { start: number; end: number },
): string {
  const body = cursor.text.slice(start, end);
  if (!pending.isLiteral && /[$`\\]/.test(body)) stop(cursor, pending.at);
  return pending.stripsTabs ? body.replace(/^\t+/gm, "") : body;
}
