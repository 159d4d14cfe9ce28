// Whether the agent did its job: what it claims, and what the evidence leaves of that.
import type { Outcome } from "../../contract/axes.ts";
import { isEmptyReport, type Report } from "../../contract/report/report.ts";
import type { AssessedCheck, Assessment } from "../assessment.ts";
import type { Ledger } from "../evidence/ledger.ts";

export type ClaimedWork = {
  report: Report;
  checks: readonly AssessedCheck[];
  bound: boolean;
  /** It was asked for in no form and has none: the form cannot be held against it. */ is_free: boolean;
};

export function settleOutcome(
  { report, checks, bound, is_free }: ClaimedWork,
  { ledger }: { ledger?: Ledger | undefined },
): Assessment["outcome"] {
  const claimed = report.outcome;
  const idle = !is_free && saysItActed({ report, checks, bound }) ? idleWords(ledger) : undefined;
  if (idle !== undefined) return { claimed, value: "INVALID", reasons: [idle] };
  if (bound && isEmptyReport(report))
    return { claimed, value: "INVALID", reasons: ["there is no report that could be read"] };
  const wrong = checks.filter(({ grade }) => grade === "X").length;
  const reasons = [
    ...(wrong > 0
      ? [`${wrong} ${wrong === 1 ? "claim is" : "claims are"} contradicted by the evidence`]
      : []),
    ...(bound && claimed === null ? ["it has no Status"] : []),
  ];
  const said = claimed ?? "SUCCESS";
  const value: Outcome = said === "SUCCESS" && reasons.length > 0 ? "PARTIAL" : said;
  return { claimed, value, reasons: value === claimed ? [] : reasons };
}

/** Undefined where a tool did something. */
function idleWords(ledger: Ledger | undefined): string | undefined {
  if (!ledger || ledger.effectiveUses > 0) return undefined;
  return ledger.toolUses === 0
    ? "it claims actions, but no tool was used"
    : "it claims actions, but every tool call was denied or failed";
}

const saysItActed = ({ report, checks, bound }: Omit<ClaimedWork, "is_free">): boolean =>
  report.file_claims.some(({ is_done }) => is_done) ||
  checks.some(({ kind, spoken }) => !spoken && (kind === "test" || kind === "command")) ||
  (bound && report.findings.length > 0);
