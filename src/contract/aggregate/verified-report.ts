// What aggregation works on: reports after verification, each finding with its grade and the text of its line.
import type { Decision, Outcome, Severity, Trust } from "../axes.ts";
import type { Grade } from "../grades.ts";

/** A finding with its grade of evidence. */
export type VerifiedFinding = {
  id: string;
  title: string;
  /** Its own column, else the id's prefix, else the agent's type; see `categoryOf`. */
  category: string;
  severity: Severity | null;
  confidence: number | null;
  grade: Grade;
  path: string | null;
  lines: [number, number] | null;
  /** What really stands at the place; empty where nothing was compared. */
  line_text: string;
  /** The definition around the place, where known. */
  symbol: string | null;
};

/** PASS or FAIL for a named thing: a compliance row, a check. */
export type Assertion = { subject: string; verdict: "PASS" | "FAIL"; grade: Grade };

/** A report after verification, ready to be merged. */
export type VerifiedReport = {
  /** Results are keyed by this, never by phase. */
  task_id: string;
  agent_id: string;
  agent_type: string;
  model: string | null;
  required: boolean;
  outcome: Outcome;
  decision: Decision;
  trust: Trust;
  findings: VerifiedFinding[];
  assertions: Assertion[];
  /** Numbers of a test run that the report claims. */
  tests: { passed: number; failed: number } | null;
  issues: string[];
};

export type Member = VerifiedFinding & {
  agent_id: string;
  agent_type: string;
  task_id: string;
  model: string | null;
};

export function categoryOf(
  finding: { id: string; category: string | null },
  agentType: string,
): string {
  const own = finding.category?.trim().toLowerCase();
  if (own) return own;
  const prefix = /^([A-Za-z]{2,8})-?\d+$/.exec(finding.id)?.[1]?.toLowerCase();
  // F1, F2… are numbers that the parser gave, not a category.
  return prefix && prefix !== "f" ? prefix : agentType.toLowerCase();
}
