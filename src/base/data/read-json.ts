// JSON that somebody wrote by hand: a value, or the line and column where it breaks and what was
// expected there.

export type JsonReading =
  | { ok: true; value: unknown }
  | { ok: false; line: number; column: number; message: string };

/** Never throws. A `__proto__` key is dropped. */
export function readJson(text: string): JsonReading {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return {
      ok: true,
      value: JSON.parse(source, (key, value: unknown) => (key === "__proto__" ? undefined : value)),
    };
  } catch {
    const { offset, message } = firstFault(source);
    const before = source.slice(0, offset).split("\n");
    return { ok: false, line: before.length, column: before.at(-1)!.length + 1, message };
  }
}

/** The line of a key, found by the keys on the way to it; 1 when it is not there. */
export function lineOfKey(text: string, keys: readonly string[]): number {
  let offset = 0;
  for (const key of keys) {
    const found = text.indexOf(JSON.stringify(key), offset);
    if (found < 0) break;
    offset = found + 1;
  }
  return text.slice(0, offset).split("\n").length;
}

type Expectation =
  | "value"
  | "value or ]"
  | "key"
  | "key or }"
  | "colon"
  | "comma or end"
  | "end of the file";

const token =
  /\s*(?:([{}[\]:,])|"((?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/y;

/**
 * Walks the tokens until one does not belong. An explicit stack, because nesting is the writer's
 * choice.
 */
function firstFault(text: string): { offset: number; message: string } {
  const open: ("{" | "[")[] = [];
  let expected: Expectation = "value";
  for (let at = 0; ;) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    blank.exec(text);
    const start = blank.lastIndex;
    token.lastIndex = at;
    const match = token.exec(text);
    const next: Expectation | undefined = match ? step(match, expected, open) : undefined;
    if (next === undefined) return { offset: start, message: describe(text, start, expected) };
    expected = next;
    at = token.lastIndex;
  }
}

function step(
  match: RegExpExecArray,
  expected: Expectation,
  open: ("{" | "[")[],
): Expectation | undefined {
  const mark = match[1];
  const after = (): Expectation => (open.length === 0 ? "end of the file" : "comma or end");
  const isString = mark === undefined && match[3] === undefined;
  if (expected === "key" || expected === "key or }") {
    if (isString) return "colon";
    return mark === "}" && expected === "key or }" ? (open.pop(), after()) : undefined;
  }
  if (expected === "colon") return mark === ":" ? "value" : undefined;
  if (expected === "comma or end") {
    const inside = open.at(-1);
    if (mark === ",") return inside === "{" ? "key" : "value";
    return (mark === "}" && inside === "{") || (mark === "]" && inside === "[")
      ? (open.pop(), after())
      : undefined;
  }
  if (expected === "end of the file") return undefined;
  if (mark === undefined) return after();
  if (mark === "{") return (open.push("{"), "key or }");
  if (mark === "[") return (open.push("["), "value or ]");
  return mark === "]" && expected === "value or ]" ? (open.pop(), after()) : undefined;
}

function describe(text: string, offset: number, expected: Expectation): string {
  // Every token belongs, and still it could not be parsed.
  if (offset >= text.length && expected === "end of the file")
    return "it is nested too deep to be read";
  const found = text.slice(offset, offset + 12).split("\n")[0];
  const hint = /^\/[/*]/.test(found!)
    ? "; JSON has no comments"
    : expected === "key" || expected === "value"
      ? "; a comma after the last entry is not allowed"
      : "";
  const what =
    expected === "comma or end"
      ? "a comma or the closing bracket"
      : expected.startsWith("key")
        ? "a key in double quotes"
        : expected === "colon"
          ? "a colon"
          : expected === "end of the file"
            ? "nothing more"
            : "a value";
  return offset >= text.length
    ? `the file ends where ${what} should stand`
    : `expected ${what}, found ${JSON.stringify(found)}${/^[}\]/]/.test(found!) ? hint : ""}`;
}
