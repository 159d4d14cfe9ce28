// Names every rule of the contract that a report breaks: L1 must, L2 should, L3 would be better.
// What the runtime computes by itself (the four ticks of the checklist) is nobody's to leave out.
import type { Report } from "../report/report.ts";
import { confidenceRules } from "./confidence-rules.ts";
import { formRules } from "./form-rules.ts";
import type { LintRule, RunFacts, Violation } from "./lint-rule.ts";
import { runRules } from "./run-rules.ts";

export type { RunFacts, Violation } from "./lint-rule.ts";

export const lintRules: readonly LintRule[] = [...formRules, ...confidenceRules, ...runRules];

/** Checks the form of a report against the contract. */
export function lintReport(report: Report, run?: RunFacts): Violation[] {
  return lintRules.flatMap(({ level, rule, check }) => {
    const message = check(report, run);
    return message === undefined ? [] : [{ level, rule, message }];
  });
}
