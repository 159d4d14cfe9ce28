// A handoff as text, checked: which kind it is, what is wrong with it, whatever its author meant it to be.
import { countTokens } from "../../base/text/tokens.ts";
import { limits } from "../../base/limits.ts";
import { checkRequest, checkResponse, type HandoffProblem } from "./check-response.ts";
import type { Settled } from "../trust/settle-decision.ts";
import { jsonInText } from "./json-in-text.ts";

export type CheckedHandoff = {
  kind: "request" | "response" | "handoff";
  problems: HandoffProblem[];
  notes: string[];
};

export function checkHandoffText(text: string): CheckedHandoff {
  const found = jsonInText(text);
  if (!found.ok)
    return { kind: "handoff", problems: [{ field: "handoff", message: found.problem }], notes: [] };
  const { value } = found;
  const isResponse = "status" in value || "decision" in value || "context_summary" in value;
  if (!isResponse) {
    const checked = checkRequest(value);
    return { kind: "request", problems: checked.ok ? [] : checked.problems, notes: [] };
  }
  const [task, phase] = ["task_id", "phase"].map((field) =>
    typeof value[field] === "string" ? value[field] : "",
  );
  const facts = { task_id: task!, phase: phase || "custom", tokens_used: 0 };
  const checked = checkResponse(value, facts);
  return {
    kind: "response",
    problems: [
      ...missing(value),
      ...(checked.ok ? overBudget(checked.response.context_summary) : checked.problems),
    ],
    notes: checked.ok ? [...checked.notes, ...overriding(checked.settled)] : [],
  };
}

/** What the runtime would fill in stands in no file. */
const missing = (value: Record<string, unknown>): HandoffProblem[] =>
  ["task_id", "phase"]
    .filter((field) => typeof value[field] !== "string")
    .map((field) => ({ field, message: "is missing" }));

function overBudget(summary: string): HandoffProblem[] {
  const tokens = countTokens(summary);
  return tokens > limits.report.summaryTokens
    ? [
        {
          field: "context_summary",
          message: `${tokens} tokens, at most ${limits.report.summaryTokens} are passed on`,
        },
      ]
    : [];
}

const overriding = ({ decision, claimed, overridden }: Settled): string[] =>
  overridden === undefined ? [] : [`decision: read as ${decision}, not ${claimed}: ${overridden}`];
