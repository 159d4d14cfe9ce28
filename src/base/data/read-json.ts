// Reads JSON that a person wrote: gives the value, or the line and column of the first mistake and
// what should stand there.
import module from "node:module";
import type * as JsoncParser from "jsonc-parser";

export type JsonReading =
  | { ok: true; value: unknown }
  | { ok: false; line: number; column: number; message: string };

// Loaded only when a file has a mistake: valid files, which are nearly all, never need it.
const load = module.createRequire(import.meta.url);
const parser = () => load("jsonc-parser") as typeof JsoncParser;

/** Never throws. A `__proto__` key is dropped. */
export function readJson(text: string): JsonReading {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return {
      ok: true,
      value: JSON.parse(source, (key, value: unknown) => (key === "__proto__" ? undefined : value)),
    };
  } catch {
    return { ok: false, ...firstMistake(source) };
  }
}

/**
 * The line of the key that `keys` lead to. Where a part of the way is missing: the line of the last
 * key that is there, or 1.
 */
export function lineOfKey(text: string, keys: readonly string[]): number {
  let node = parser().parseTree(text);
  let offset = 0;
  for (const key of keys) {
    const next = childOf(node, key);
    if (!next) break;
    offset = next.offset;
    node = next.value;
  }
  return text.slice(0, offset).split("\n").length;
}

function childOf(
  node: JsoncParser.Node | undefined,
  key: string,
): { offset: number; value?: JsoncParser.Node } | undefined {
  if (node?.type === "array") {
    const item = node.children?.[Number(key)];
    return item && { offset: item.offset, value: item };
  }
  const property = node?.children?.find(({ children }) => children?.[0]?.value === key);
  return property && { offset: property.offset, value: property.children?.[1] };
}

type Mistake = { line: number; column: number; message: string };

function firstMistake(text: string): Mistake {
  let first: Mistake | undefined;
  try {
    const { visit, printParseErrorCode } = parser();
    visit(
      text,
      {
        onError: (code, ...[offset, length, line, column]) => {
          const found = text.slice(offset, offset + Math.min(Math.max(length, 1), 12));
          first ??= {
            line: line + 1,
            column: column + 1,
            message: describe(printParseErrorCode(code), found),
          };
        },
      },
      { disallowComments: true },
    );
  } catch {
    // The parser is recursive, as JSON.parse is: the stack is full.
    return { line: 1, column: 1, message: "it is nested too deep to be read" };
  }
  return first ?? { line: 1, column: 1, message: "it is not valid JSON" };
}

/** What should stand at the mistake, by the parser's name for it. */
const expectations: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "a colon",
  CommaExpected: "a comma or the closing bracket",
  CloseBraceExpected: "a comma or the closing bracket",
  CloseBracketExpected: "a comma or the closing bracket",
  EndOfFileExpected: "the end of the file",
};

const faults: Readonly<Record<string, string>> = {
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "the string is not closed on its line",
  InvalidUnicode: "`\\u` is followed by four hexadecimal digits",
  InvalidEscapeCharacter: 'after `\\` stands one of " \\ / b f n r t u',
  InvalidCharacter: "a control character in a string is written as an escape, such as \\n",
};

function describe(mistake: string, found: string): string {
  const fault = faults[mistake];
  if (fault) return fault;
  const expected = expectations[mistake];
  if (found === "") return `the file ends where ${expected ?? "a value"} should stand`;
  if (!expected)
    return found.startsWith("'")
      ? "keys and strings stand in double quotes, not in single ones"
      : `${JSON.stringify(found)} is neither a value nor a key in double quotes`;
  const hint =
    /^(?:Property|Value)/.test(mistake) && /^[}\]]/.test(found)
      ? "; a comma after the last entry is not allowed"
      : "";
  return `expected ${expected}, found ${JSON.stringify(found)}${hint}`;
}
