// Source text made safe for patterns: comments blanked, strings covered, and where a block that begins
// here ends. Lengths and lines stay as they are.

/** How a language writes comments and strings, and how it ends a block. */
export type Grammar = { covers: RegExp; blocks: "braces" | "indent" | "end" };

const slashComments = "\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*";
/** C# and C compile nothing of it. */
const leftOut =
  "^[ \\t]*#if (?:false|0|\\w*(?:SLOW|DISABLE|SKIP|NEVER|TODO|BROKEN|FLAKY)\\w*)[\\s\\S]*?#endif";
const quoted = "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'";

export const grammars = {
  braces: {
    covers: new RegExp(
      `${slashComments}|${leftOut}|"""[\\s\\S]*?"""|${quoted}|\`(?:[^\`\\\\]|\\\\.)*\``,
      "gm",
    ),
    blocks: "braces",
  },
  rust: {
    covers: new RegExp(`${slashComments}|"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)'`, "g"),
    blocks: "braces",
  },
  python: {
    covers: new RegExp(`"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|${quoted}`, "g"),
    blocks: "indent",
  },
  ruby: { covers: new RegExp(`(?<![\\w{])#(?!\\{)[^\\n]*|${quoted}`, "g"), blocks: "end" },
} as const satisfies Record<string, Grammar>;

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
const isComment = (text: string): boolean => /^\s*(?:\/\*|\/\/|#)/.test(text);

/** Comments gone; strings stay. */
export const withoutComments = (text: string, { covers }: Grammar): string =>
  text.replace(covers, (found) => (isComment(found) ? blank(found) : found));

/** Comments gone, and strings emptied between their quotes. */
export const covered = (text: string, { covers }: Grammar): string =>
  text.replace(covers, (found) =>
    isComment(found) ? blank(found) : found[0] + blank(found.slice(1, -1)) + found.at(-1)!,
  );

/** Where the block ends that begins at `from`; `mask` is covered text. */
export function blockEnd(mask: string, from: number, { blocks }: Grammar): number {
  return blocks === "braces" ? bracesEnd(mask, from) : indentEnd(mask, from, blocks);
}

/** A body follows: at once, behind a type or a clause, or on the next line. */
const goesOn =
  /^(?:\(|[^;\n]*\{[ \t]*\n|[^;\n]*\{[^\n]*\}|\s*\{|[ \t]*(?:->|:|throws\b|where\b)[^;\n{}]*\n\s*\{)/;

/** The first bracket that opens, to the one that closes it. */
function bracesEnd(mask: string, from: number): number {
  let depth = 0;
  for (let at = from; at < mask.length; at++) {
    const one = mask[at]!;
    if ("({[".includes(one)) depth++;
    else if (")}]".includes(one) && --depth <= 0) {
      if (depth < 0) return at + 1;
      // A call's brackets hold the body; a declaration's, or those of a table, are followed by it.
      const given =
        one === ")" &&
        /^\s*(?::\s*[\w<>?]+\s*)?=>?(?!=)\s*[^\s{=]/.test(mask.slice(at + 1, at + 200));
      if (given && !goesOn.test(mask.slice(at + 1, at + 300))) return statementEnd(mask, at + 1);
      if (one === "}" || (one === ")" && !goesOn.test(mask.slice(at + 1, at + 300)))) return at + 1;
    }
  }
  return mask.length;
}

/** Up to the next line that stands no deeper; a line of `end` belongs to it. */
function indentEnd(mask: string, from: number, blocks: Grammar["blocks"]): number {
  const start = mask.lastIndexOf("\n", from) + 1;
  const own = /^[ \t]*/.exec(mask.slice(start))![0].length;
  const header = headerEnd(mask, from);
  let at = mask.indexOf("\n", header) + 1;
  while (at > 0 && at < mask.length) {
    const line = mask.slice(at, mask.indexOf("\n", at) < 0 ? mask.length : mask.indexOf("\n", at));
    const isOut = line.trim() !== "" && /^[ \t]*/.exec(line)![0].length <= own;
    if (isOut && !(blocks === "end" && /^\s*(?:rescue|ensure|else)\b/.test(line)))
      return /^\s*end\b/.test(line) ? at + line.length : at;
    const next = mask.indexOf("\n", at);
    if (next < 0) break;
    at = next + 1;
  }
  return mask.length;
}

/** A header may go on over lines while a bracket is open. */
function headerEnd(mask: string, from: number): number {
  let depth = 0;
  for (let at = from; at < mask.length; at++) {
    if ("({[".includes(mask[at]!)) depth++;
    else if (")}]".includes(mask[at]!)) depth--;
    else if (mask[at] === "\n" && depth <= 0) return at;
  }
  return mask.length;
}

/** From a place to the end of its statement: brackets closed, and no chain that goes on below. */
export function statementEnd(mask: string, from: number): number {
  let depth = 0;
  for (let at = from; at < mask.length; at++) {
    const one = mask[at]!;
    if ("({[".includes(one)) depth++;
    else if (")}]".includes(one) && --depth < 0) return at;
    else if (
      depth === 0 &&
      (one === ";" ||
        (one === "\n" &&
          !/^\s*(?:[.)]|->)/.test(mask.slice(at + 1, at + 80)) &&
          !hangs.test(mask.slice(Math.max(from, at - 40), at))))
    )
      return at;
  }
  return mask.length;
}

/** A line that ends so goes on below. */
const hangs = /(?:&&|\|\||=>|[=+,]|\bshould\w*)[ \t]*$/;

/** Where the statement begins that a place stands in, its own brackets and the chain above it included. */
export function statementStart(mask: string, at: number): number {
  let depth = 0;
  for (let from = at - 1; from >= 0; from--) {
    const one = mask[from]!;
    if (")]}".includes(one)) {
      // A block that ends above on a line of its own is another statement.
      if (depth === 0 && one === "}" && /^\s*\n/.test(mask.slice(from + 1, at))) return from + 1;
      depth++;
    } else if ("([{".includes(one) && --depth < 0) return from + 1;
    else if (depth === 0 && one === ";") return from + 1;
    else if (depth === 0 && one === "\n" && !/^\s*(?:\.|->|\?\.)/.test(mask.slice(from + 1, at)))
      return from + 1;
  }
  return 0;
}

export const lineAt = (text: string, at: number): number =>
  text.slice(0, Math.max(0, at)).split("\n").length;
