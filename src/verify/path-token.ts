// The grammar of one written reference without blanks: a path with lines, columns, a range, a list of lines, a symbol, or grep's text behind it.

export type Range = [number, number];

export type Token = {
  path: string;
  /** One entry for each place that is named. */
  ranges: Range[];
  symbol?: string;
  /** The text that grep prints behind `path:line:`. */
  quote?: string;
};

export const dash = "(?:[-‐‑‒–—−~]|\\.{2,3}|…)";
const anyDash = new RegExp(dash);
const number = "(-?\\d{1,12})";
const range = `L?${number}(?:[:.C]\\d{1,6})?(?:\\s?${dash}\\s?(?:L|#L)?${number}(?:[:.C]\\d{1,6})?)?`;

const forms: RegExp[] = [
  new RegExp(`^(.+?\\.\\w+)\\?plain=\\d#L${range.replace("L?", "")}$`),
  new RegExp(`^(.+?):?#(?:L|lines?[-=]?|n)?${range.replace("L?", "")}$`, "i"),
  new RegExp(`^(.+?)#lines-${number}:${number}$`),
  new RegExp(`^(.+?):(?:line[s:=]?|ln)?${range}$`, "i"),
  new RegExp(
    `^(.+?)\\((?:lines?\\s?|L)?${number}(?:[,:;]\\s?\\d{1,6})?(?:${dash}L?${number})?\\)$`,
    "i",
  ),
  new RegExp(`^(.+?\\.\\w+)\\[L?${number}(?:(?::|${dash})L?${number})?\\]$`),
  new RegExp(`^(.+?\\.\\w+)@L?${range.replace("L?", "")}$`),
  new RegExp(`^(.+?\\.\\w+)\\|${number}(?:\\scol\\s\\d+)?\\|$`),
];
const list = new RegExp(
  `^(.+?):((?:L?\\d{1,12}(?:${dash}L?\\d{1,12})?)(?:[,;/&+]:?L?\\d{1,12}(?:${dash}L?\\d{1,12})?)+)$`,
);
const identifier = "[A-Za-z_$\\u0080-\\uffff~][\\w$\\u0080-\\uffff]*";
const symbolForms: RegExp[] = [
  new RegExp(`^(.+?)::(${identifier}(?:(?:::|\\.|#|-)${identifier})*)(?:\\([^()]*\\)|\\[.*\\])?$`),
  new RegExp(`^(.+?\\.\\w+)[#:@](${identifier}(?:(?:::|\\.|#)${identifier})*)(?:\\([^()]*\\))?$`),
];

/** Reads a token; the path is not judged here. A token without any suffix is a path alone. */
export function parseToken(written: string): Token {
  const token = written.slice(0, 1000);
  const pathAndLine = numbered(token);
  if (pathAndLine) return pathAndLine;
  const grep = /^(.+?):(\d{1,12}):(?:(\d{1,6}):)?(?!\d+$)(\S.*)$/.exec(token);
  if (grep)
    return { path: grep[1]!, ranges: [[Number(grep[2]), Number(grep[2])]], quote: grep[4]! };
  // In a document a hash leads to a heading.
  const anchored = token.includes("#")
    ? /^(.+\.(?:mdx?|markdown|html?|rst|adoc))#[\w\u0080-\uffff.-]+$/i.exec(token)
    : null;
  if (anchored) return { path: anchored[1]!, ranges: [] };
  for (const form of symbolForms) {
    const match = form.exec(token);
    if (match && !match[1]!.includes("://"))
      return { path: match[1]!, ranges: [], symbol: match[2]! };
  }
  return { path: token, ranges: [] };
}

function numbered(token: string): Token | undefined {
  if (!/\d/.test(token)) return undefined;
  // "x.ts:45ff." begins there.
  if (/\dff?\.?$/.test(token) && /[:#]L?\d+ff?\.?$/.test(token))
    return numbered(token.replace(/f+\.?$/, ""));
  const many = list.exec(token);
  if (many)
    return { path: many[1]!, ranges: many[2]!.split(/[,;/&+]/).map((part) => readRange(part)) };
  for (const form of forms) {
    const match = form.exec(token);
    if (!match || /:\d+$/.test(match[1]!) || match[1]!.endsWith(":")) continue;
    return splitSymbol(match[1]!, toRange(match[2]!, match[3]));
  }
  return undefined;
}

/** `x.py::Test::case:12` names a symbol and a line. */
function splitSymbol(path: string, lines: Range): Token {
  const match = symbolForms[0]!.exec(path) ?? symbolForms[1]!.exec(path);
  return match
    ? { path: match[1]!, ranges: [lines], symbol: match[2]! }
    : { path, ranges: [lines] };
}

export function readRange(part: string): Range {
  const [first, last] = part.replace(/[:L]/g, "").split(anyDash);
  return toRange(first!, last);
}

export function toRange(first: string, last: string | undefined): Range {
  const from = Number(first.includes(",") ? first.replaceAll(",", "") : first);
  return [from, last === undefined ? from : Number(last)];
}
