// What the verifier's findings do to an agent's decision in a flow.
import { isObject } from "../base/data/json.ts";
import { runnersSetting } from "../base/runner-subjects.ts";
import { oneLine } from "../base/text/printable.ts";
import { axes, type Outcome, type Trust } from "../contract/axes.ts";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff/handoff.ts";
import type { AgentResult } from "../manager/session/agent-result.ts";

export type AnswerVerdict = {
  trust: Trust;
  outcome: Outcome[];
  /** What the evidence says against the agent's own decision. */
  override: Partial<Pick<HandoffResponse, "decision" | "reason" | "questions">>;
  /** The checks that the evidence refutes. */
  failedChecks: string[];
};

/** Read from data. `said`: the agent's decision; null where it could not be read. */
export function verdictOf(
  { verification }: Pick<AgentResult, "verification">,
  said: HandoffResponse["decision"] | null,
  { expected_output }: Pick<HandoffRequest, "expected_output">,
): AnswerVerdict {
  const { trust, outcome, decision } = verification ?? {};
  const lowered = isObject(outcome)
    ? axes.outcomes.find((one) => one === outcome["value"])
    : undefined;
  const settled = isObject(decision)
    ? {
        why: decision["overridden"],
        word: axes.decisions.find((one) => one === decision["decision"]),
      }
    : undefined;
  const reasons = isObject(outcome) ? textsIn(outcome["reasons"]) : [];
  return {
    trust: axes.trusts.find((one) => one === trust) ?? "UNVERIFIED",
    outcome: lowered ? [lowered] : [],
    failedChecks: isObject(decision) ? textsIn(decision["failed_checks"]) : [],
    override:
      typeof settled?.why === "string"
        ? { decision: settled.word ?? "STOP", reason: [settled.why, ...reasons].join(": ") }
        : said === "PROCEED" && expected_output === "validation_result"
          ? askForRunner(verification?.["unrecognised"])
          : {},
  };
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** A check whose run nobody recognises has neither passed nor failed: the project's owner knows. */
function askForRunner(unrecognised: unknown): AnswerVerdict["override"] {
  const runs = (Array.isArray(unrecognised) ? (unrecognised as unknown[]) : []).filter(isObject);
  if (runs.length === 0) return {};
  const commands = [...new Set(runs.map((run) => `\`${oneLine(String(run["command"]), 120)}\``))];
  const claims = [...new Set(runs.map((run) => oneLine(String(run["check"]), 80)))];
  const reason =
    `${claims.slice(0, 5).join(", ")}: the only run on record is ${commands.slice(0, 3).join(", ")}, ` +
    "which nobody recognises";
  const { command, subject } = runs[0]!;
  const example = JSON.stringify({ command, subject });
  return {
    decision: "CLARIFY",
    reason,
    questions: [
      `${reason}. Does it show that? Then add ${example} to the setting ${runnersSetting} ` +
        "and let this run again; else say which command does.",
    ],
  };
}
