// The sentences of a report that nothing was compared with: whoever reads a sign of trust is told what
// it does not cover.
import { isUnproven, type AssessedCheck } from "../assessment.ts";
import { placesOfStatements } from "../claims/words/statements.ts";
import { isFlagged } from "../verdict.ts";

const maxSentences = 200;
/** What is no statement about the work, or is judged by its own rules. */
const asideHeads =
  /^(?:status|decision|confidence|verification|next|recommend|suggest|blockers?|questions?|uncertain|trade-?offs?)/i;
const ownRules = /^(?:severity|key references|withdrawn|recovery|issues|build sequence|plan|todo)/i;

const told: ReadonlySet<string> = new Set(["verified", "countered", "weakened"]);
const wasCompared = (check: AssessedCheck): boolean =>
  told.has(check.verdict) || isFlagged(check.verdict) || isUnproven(check);

/** Summary and findings in order; headings, fences and the heads of tables are none. */
export function uncheckedSentences(report: string, checks: readonly AssessedCheck[]): string[] {
  const compared = checks.filter(wasCompared).map(({ span }) => span);
  let next = 0;
  const found: string[] = [];
  for (const { kind, span, under } of placesOfStatements(report)) {
    if (kind === "fence" || under.some((head) => asideHeads.test(head) || ownRules.test(head)))
      continue;
    while (next < compared.length && compared[next]![1] <= span[0]) next++;
    if (isAnyIn(compared, next, span)) continue;
    const text = report.slice(...span).trim();
    if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3) found.push(text);
    if (found.length >= maxSentences) break;
  }
  return found;
}

/** Whether one of the next spans overlaps. */
function isAnyIn(spans: readonly Span[], next: number, [start, end]: Span): boolean {
  const last = Math.min(spans.length, next + mostNext);
  for (let at = next; at < last; at++)
    if (spans[at]![0] < end && start < spans[at]![1]) return true;
  return false;
}

type Span = [number, number];
const mostNext = 200;
