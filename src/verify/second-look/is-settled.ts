// Whether a document says that what it speaks of is over: then its places are those of an earlier state.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";

/** What a repository keeps and no longer holds to. */
const pastFolders = new RegExp(
  String.raw`(?:^|\/)(?:attic|archived?|archives|old|legacy|history|historical|deprecated|obsolete|` +
    String.raw`superseded|done|completed?|归档)(?:[_-][^/]*)?\/`,
  "i",
);
export const isInPastFolder = (document: string): boolean => pastFolders.test(document);

const atTheHead = 2_500;
/** "**Status**: ✅ COMPLETE". */
const statusLine =
  /^[\s>*_#|-]*(?:\w+ )?(?:status|estado|statut|статус|状态)[*_\s|]*[:：=|](.{0,80})/im;
const finished =
  /complet|\bdone\b|implemented|finished|merged|shipped|superseded|完成|已实现|завершен|выполнен|erledigt|conclu/i;
const unfinished = /\b(?:not|pending|partial\w*|draft|to be|in progress)\b/i;

/** A plan whose head says that its work is done: its places are those before that work. */
export function isFinishedPlan(report: string): boolean {
  const status = statusLine.exec(report.slice(0, atTheHead))?.[1];
  return status !== undefined && finished.test(status) && !unfinished.test(status);
}

const ticked = /^\s*(?:[-*+]|\d+[.)])?\s*\[[xX]\]\s/;
const over = /\b(?:FIXED|RESOLVED|DONE|COMPLETED?|Fixed|Resolved|Implemented|Completed?)\b|~~/;
const tick = /[✅☑]/u;
/** "PERF-001", "C11". */
const findingId = /(?<![\w-])[A-Z]{1,8}-?\d{1,4}(?![\w-])/g;

/** The ids of findings that a line of the document marks as dealt with. */
export function settledIds(report: string): ReadonlySet<string> {
  const lines = report.split("\n").filter((line) => over.test(line) || tick.test(line));
  return new Set(lines.flatMap((line) => line.match(findingId) ?? []));
}

/** In a box that is ticked, or of a finding that the document says was dealt with. */
export function isSettled(block: MarkdownBlock, settled: ReadonlySet<string>): boolean {
  for (let at: MarkdownBlock | null = block; at; at = at.parent)
    if (at.kind === "item" && ticked.test(at.text)) return true;
  const { heading } = block;
  if (heading === null || heading.level < 2) return false;
  const [id] = heading.text.match(findingId) ?? [];
  return over.test(heading.text) || (id !== undefined && settled.has(id));
}
