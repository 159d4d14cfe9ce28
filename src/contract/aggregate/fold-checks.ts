// Folds parallel checks into one decision. A check that threw or ran out of time is a failed check;
// every other result is kept.
import { readDecision, type Decision } from "../axes.ts";
import { readChecks } from "../handoff/read-checks.ts";

export type FoldRule = "all_must_pass" | "any_pass" | "majority_pass";

export type CheckResult = {
  task_id: string;
  phase: string;
  decision: Decision;
  findings: Record<string, unknown>;
  issues: string[];
  questions?: string[];
};

export type FoldedChecks = {
  decision: Decision;
  checks: Record<string, { phase: string; decision: Decision; findings: Record<string, unknown> }>;
  issues: string[];
  questions: string[];
};

/**
 * No result at all is STOP, and so is one that failed or cannot be read. CLARIFY survives where
 * the rule has not failed.
 */
export function foldChecks(
  given: readonly CheckResult[],
  rule: FoldRule = "all_must_pass",
): FoldedChecks {
  const results = given.map((result) => ({ ...result, decision: heldDecision(result) }));
  const passed = results.filter((result) => result.decision === "PROCEED").length;
  const asks = results.some((result) => result.decision === "CLARIFY");
  const stops = results.some((result) => result.decision === "STOP");
  return {
    decision: foldedDecision({ total: results.length, passed, asks, stops }, rule),
    checks: Object.fromEntries(
      results.map(({ task_id, phase, decision, findings }) => [
        task_id,
        { phase, decision, findings },
      ]),
    ),
    issues: results.flatMap((result) => result.issues),
    questions: results.flatMap((result) => result.questions ?? []),
  };
}

function heldDecision({ decision, findings }: CheckResult): Decision {
  const { failed, unreadable } = readChecks({ findings }, "runtime");
  const said = readDecision(decision) ?? "STOP";
  return said === "PROCEED" && failed.length + unreadable.length > 0 ? "STOP" : said;
}

function foldedDecision(
  { total, passed, asks, stops }: { total: number; passed: number; asks: boolean; stops: boolean },
  rule: FoldRule,
): Decision {
  if (total === 0) return "STOP";
  const ok =
    rule === "any_pass"
      ? passed > 0
      : rule === "majority_pass"
        ? passed * 2 > total
        : passed === total;
  if (ok) return "PROCEED";
  return asks && (!stops || rule !== "all_must_pass") ? "CLARIFY" : "STOP";
}
