// The rules of a report that speak of its run: what the runtime saw against what the report says.
import type { LintRule } from "./lint-rule.ts";

export const runRules: readonly LintRule[] = [
  {
    level: "L1",
    rule: "actions-need-tools",
    check: (report, run) =>
      run?.toolUses === 0 && (report.file_claims.length > 0 || report.findings.length > 0)
        ? "findings or file changes are claimed, but no tool was used"
        : undefined,
  },
  {
    level: "L2",
    rule: "success-despite-failures",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run && run.deniedCalls + run.failedCalls > 0
        ? `SUCCESS, although ${run.deniedCalls} ${run.deniedCalls === 1 ? "call was" : "calls were"} ` +
          `denied and ${run.failedCalls} failed`
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-open-items",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.openTodos
        ? `SUCCESS, although ${run.openTodos === 1 ? "1 item" : `${run.openTodos} items`} ` +
          `of its own list ${run.openTodos === 1 ? "is" : "are"} open`
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-failed-agents",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.failedAgents
        ? `SUCCESS, although ${run.failedAgents} ${run.failedAgents === 1 ? "report" : "reports"} ` +
          "of its agents did not succeed or did not hold"
        : undefined,
  },
  {
    level: "L2",
    rule: "success-with-failed-command",
    check: ({ outcome }, run) =>
      outcome === "SUCCESS" && run?.failedCommand
        ? `SUCCESS, although \`${run.failedCommand.command.replace(/\s+/g, " ").slice(0, 80)}\` ` +
          `ended with exit code ${run.failedCommand.exitCode}`
        : undefined,
  },
];
