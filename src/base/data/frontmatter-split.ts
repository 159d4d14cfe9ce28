// Splits a Markdown file into frontmatter and body, and accepts the common mistakes at its borders
// with a warning.
import { limits } from "../limits.ts";

export type FrontmatterIssue = {
  line: number;
  severity: "error" | "warning";
  code: string;
  message: string;
  suggestion?: string;
};

export type FrontmatterSplit = {
  /** Absent when the file has no frontmatter, or one that cannot be used. */
  yaml?: string;
  /** 1-based line of the file on which `yaml` begins. */
  yamlLine: number;
  /** Character offset at which the body begins in `text`; the body is never changed. */
  bodyOffset: number;
  issues: FrontmatterIssue[];
};

const opening = /^---[ \t]*(?:#.*)?$/;
const closing = /^(?:---|\.\.\.)[ \t]*$/;
const looseClosing = /^[ \t]*-{3,}[ \t]*$|^---[ \t]*(?=[^-\s])/;
const namedKey = /^[ \t]*["']?name["']?[ \t]*:/;

type Line = { text: string; start: number; end: number };

/** Never throws. A file without frontmatter is documentation and gives no issue. */
export function splitFrontmatter(text: string): FrontmatterSplit {
  const none: FrontmatterSplit = { yamlLine: 1, bodyOffset: 0, issues: [] };
  const lines = headLines(text);
  const issues: FrontmatterIssue[] = [];
  const first = openingLine(lines, issues);
  if (first === undefined) return { ...none, issues };
  const last = closingLine(lines, first + 1, issues);
  if (last === undefined) {
    const looksMeant = lines.slice(first + 1).some((line) => namedKey.test(line.text));
    const tooLong = (lines.at(-1)?.end ?? 0) < text.length;
    const issue: FrontmatterIssue = tooLong
      ? {
          line: first + 1,
          severity: "error",
          code: "frontmatter-size",
          message: `the frontmatter is over ${limits.definition.bytes / 1024} KB, or its end is missing`,
        }
      : {
          line: first + 1,
          severity: "error",
          code: "frontmatter-unterminated",
          message: "the frontmatter has no closing `---` line",
          suggestion: "add a line `---` after the last key",
        };
    return looksMeant ? { ...none, issues: [issue] } : none;
  }
  const yaml = lines
    .slice(first + 1, last.index)
    .map((line) => line.text)
    .join("\n");
  return { yaml, yamlLine: first + 2, bodyOffset: last.bodyOffset, issues };
}

/** Reads no more lines than frontmatter may have, so that a huge body costs nothing. */
function headLines(text: string): Line[] {
  const lines: Line[] = [];
  const head = text.slice(0, limits.definition.bytes + 4_096);
  const breaks = /\r\n|\n|\r/g;
  for (let start = head.startsWith("\uFEFF") ? 1 : 0; start < head.length;) {
    breaks.lastIndex = start;
    const next = breaks.exec(head);
    lines.push({
      text: head.slice(start, next?.index),
      start,
      end: next ? breaks.lastIndex : head.length,
    });
    start = lines.at(-1)!.end;
  }
  return lines;
}

function openingLine(lines: Line[], issues: FrontmatterIssue[]): number | undefined {
  let index = 0;
  while (index < lines.length && lines[index]!.text.trim() === "") index++;
  index = afterComment(lines, index);
  const line = lines[index]?.text ?? "";
  if (/^`{3,}[a-z]*[ \t]*$/i.test(line) && opening.test(lines[index + 1]?.text ?? "")) {
    issues.push({
      line: index + 1,
      severity: "warning",
      code: "frontmatter-fenced",
      message: "the file is wrapped in a code fence",
      suggestion: "remove the fence",
    });
    return index + 1;
  }
  if (opening.test(line) || /^-{4,}[ \t]*$/.test(line)) {
    if (index > 0 || !line.startsWith("---") || line.startsWith("----"))
      issues.push({
        line: index + 1,
        severity: "warning",
        code: "frontmatter-start",
        message: "frontmatter starts with a line `---` as the very first line",
        suggestion: "move it to line 1",
      });
    return index;
  }
  if (/^---[A-Za-z]+[ \t]*$/.test(line)) {
    issues.push({
      line: index + 1,
      severity: "error",
      code: "frontmatter-language",
      message: `\`${line.trim().slice(0, 40)}\`: only plain YAML frontmatter is read`,
      suggestion: "start with `---` and write YAML",
    });
    return undefined;
  }
  reportLateStart(lines, index, issues);
  return undefined;
}

function afterComment(lines: Line[], index: number): number {
  if (!lines[index]?.text.startsWith("<!--")) return index;
  let at = index;
  while (at < lines.length && !lines[at]!.text.includes("-->")) at++;
  do at++;
  while (at < lines.length && lines[at]!.text.trim() === "");
  return at < lines.length && opening.test(lines[at]!.text) ? at : index;
}

/**
 * Reports frontmatter below a heading, which other readers ignore silently. An example in a code
 * fence is documentation and is not reported.
 */
function reportLateStart(lines: Line[], from: number, issues: FrontmatterIssue[]): void {
  for (let index = from; index < Math.min(lines.length, from + 12); index++) {
    if (/^[ \t]*(?:`{3}|~{3})/.test(lines[index]!.text)) return;
    if (opening.test(lines[index]!.text) && namedKey.test(lines[index + 1]?.text ?? "")) {
      issues.push({
        line: index + 1,
        severity: "error",
        code: "frontmatter-start",
        message: "the frontmatter does not stand at the start of the file, so it is not read",
        suggestion: `move line ${index + 1} to line 1`,
      });
      return;
    }
  }
}

function closingLine(
  lines: Line[],
  from: number,
  issues: FrontmatterIssue[],
): { index: number; bodyOffset: number } | undefined {
  const exact = lines.findIndex((line, index) => index >= from && closing.test(line.text));
  if (exact >= 0) return { index: exact, bodyOffset: lines[exact]!.end };
  const loose = lines.findIndex((line, index) => index >= from && looseClosing.test(line.text));
  if (loose < 0) return undefined;
  issues.push({
    line: loose + 1,
    severity: "warning",
    code: "frontmatter-end",
    message: "the frontmatter should end with a line that is exactly `---`",
  });
  const line = lines[loose]!;
  const glued = /^---[ \t]*(?=[^-\s])/.exec(line.text);
  return { index: loose, bodyOffset: glued ? line.start + glued[0].length : line.end };
}
