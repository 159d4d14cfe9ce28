// An answer as others read it: corrected, and what failed marked where it stands. A program's data
// stays data: in JSON nothing is marked, the marks of a JSON block stand below it.
import { oneLine } from "../../base/text/printable.ts";
import { sharedDocument } from "../../markdown/shared-document.ts";
import { applyCorrections, type Correction } from "../report/apply-corrections.ts";
import { isOpen, type AssessedCheck, type Assessment } from "../assessment.ts";

const told = new Set<string>(["unsupported", "countered", "weakened"]);
const isMarked = (check: AssessedCheck): boolean => isOpen(check) || told.has(check.verdict);

/** The untouched original stays in the transcript. */
export function finalText({
  text,
  checks,
  withdrawn,
}: Pick<Assessment, "text" | "checks" | "withdrawn">): string {
  const corrections = checks.flatMap(({ id, span, corrected }) =>
    corrected === undefined ? [] : [{ id, span, text: corrected }],
  );
  if (isJson(text)) {
    const put = applyCorrections(text, corrections);
    return isJson(put) ? put : text;
  }
  const blocks = jsonBlocks(text);
  const marks = checks
    .filter((check) => check.corrected === undefined && isMarked(check))
    .map((check) => markOf(text, check, blocks))
    .map((mark) => behind(mark, corrections));
  const body = applyCorrections(text, [...marks, ...corrections]);
  if (withdrawn.length === 0) return body;
  const rows = withdrawn.map((item) => `- ${item.text} (${item.reason})`);
  return `${body.trimEnd()}\n\n### Withdrawn\n${rows.join("\n")}\n`;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** Where the data of each JSON block stands, and where the line of its closing fence ends. */
function jsonBlocks(text: string): JsonBlock[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  return sharedDocument(text).blocks.flatMap(({ kind, lines, start, end }) =>
    kind === "fence" && isJson(lines.map((line) => line.text).join("\n"))
      ? [{ start, end, below: endOfFence(text, end) }]
      : [],
  );
}

type JsonBlock = { start: number; end: number; below: number };

function endOfFence(text: string, end: number): number {
  const closing = /^[ \t]*\r?\n?[ \t]*(?:`{3,}|~{3,})[^\n]*/.exec(text.slice(end, end + 200));
  return end + (closing?.[0].length ?? 0);
}

/** The verdict behind its claim, outside of the marks of code that the claim stands in. */
function markOf(text: string, check: AssessedCheck, blocks: readonly JsonBlock[]): Correction {
  const [start, end] = check.span;
  const block = blocks.find((one) => one.start <= start && end <= one.end);
  if (block) {
    const { below } = block;
    return { id: check.id, span: [below, below], text: `\n${check.text} ${wordsOf(check, false)}` };
  }
  const isInRow = /^[ \t>]*\|/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start + 1));
  const isInCode = text.slice(Math.max(0, start - 1), start) === "`" && text[end] === "`";
  const stop = isInCode ? end + 1 : end;
  return { id: check.id, span: [stop, stop], text: ` ${wordsOf(check, isInRow)}` };
}

/** A mark is put in, so that claims of one sentence each have theirs; not into a text that is put right. */
function behind(mark: Correction, corrections: readonly Correction[]): Correction {
  const [at] = mark.span;
  const around = corrections.find(({ span }) => span[0] < at && at < span[1]);
  return around ? { ...mark, span: [around.span[1], around.span[1]] } : mark;
}

/** In a row of a table a bar would end the cell. */
const wordsOf = ({ verdict, reason }: AssessedCheck, isInRow: boolean): string => {
  const words = oneLine(reason, 120).replaceAll("`", "'");
  return `[${verdict}: ${isInRow ? words.replaceAll("|", "\\|") : words}]`;
};
