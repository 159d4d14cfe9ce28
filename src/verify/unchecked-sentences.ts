// The sentences of a report that nothing was compared with: whoever reads a sign of trust is told what it does not cover.
import { reportLines } from "../contract/report/report-lines.ts";
import { isUnproven, type AssessedCheck } from "./assessment.ts";
import { sentencesIn } from "./evidence/spoken-claims.ts";
import { isFlagged } from "./verdict.ts";

const maxSentences = 200;
/** What is no statement about the work, or is judged by its own rules. */
const aside =
  /^(?:status|decision|confidence|verification|next|recommend|suggest|blockers?|questions?|uncertain|trade-?offs?|severity|key references|withdrawn|recovery|issues|build sequence|plan|todo)/i;

/** Summary and findings in order; headings, fences and the heads of tables are none. */
export function uncheckedSentences(report: string, checks: readonly AssessedCheck[]): string[] {
  const compared = checks
    .filter(
      (check) => check.verdict === "verified" || isFlagged(check.verdict) || isUnproven(check),
    )
    .map(({ span }) => span);
  const lines = reportLines(report);
  const found: string[] = [];
  let skipped = false;
  let fence: string | null = null;
  let next = 0;
  for (const [index, { text, start }] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence)))
      fence = fence === null ? mark : null;
    else if (fence !== null) continue;
    else if (/^\s{0,3}#{1,6}\s/.test(text)) skipped = aside.test(text.replace(/^[\s#*]+/, ""));
    else if (
      !skipped &&
      !/^[\s|:-]+$/.test(
        lines[index + 1]?.text.trimStart().startsWith("|") ? lines[index + 1]!.text : "x",
      )
    ) {
      for (const unit of sentencesIn(text.slice(0, 4_000), start)) {
        while (next < compared.length && compared[next]![1] <= unit.start) next++;
        const isCompared = compared
          .slice(next, next + 200)
          .some(([from, to]) => from < unit.start + unit.text.length && unit.start < to);
        if (!isCompared && (unit.text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3)
          found.push(unit.text.replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/, "").trim());
      }
    }
    if (found.length >= maxSentences) break;
  }
  return found;
}
