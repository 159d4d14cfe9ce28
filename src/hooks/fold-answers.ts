// Combines the answers of all hooks of one event: deny wins over ask, ask over allow; among equals
// the first hook counts.
import { isDeepStrictEqual } from "node:util";
import type { HookAnswer, HookDecision } from "./hook-answer.ts";

export type HookRun = {
  hook: string;
  source: string;
  outcome: HookAnswer["outcome"];
  durationMs: number;
  detail?: string;
};

export type FoldedAnswers = {
  /**
   * Absent: no hook decided. On events after a tool has run, `deny` means: tell the model the
   * reason.
   */
  behavior?: HookDecision;
  reason?: string;
  /**
   * A changed tool input. The caller judges it from the start, as if the model had sent it. Never
   * present with `deny`.
   */
  updatedInput?: Record<string, unknown>;
  /** For the model, in the order of the hooks. */
  additionalContext: string[];
  /** For people. */
  systemMessages: string[];
  /** `continue: false`: end the run with this reason. */
  stop?: string;
  warnings: string[];
  runs: HookRun[];
};

export type AnsweredHook = {
  label: string;
  source: string;
  durationMs: number;
  answer: HookAnswer;
};

const rank: Record<HookDecision, number> = { allow: 1, ask: 2, deny: 3 };

export function foldAnswers(answered: readonly AnsweredHook[]): FoldedAnswers {
  const verdict: FoldedAnswers = {
    additionalContext: [],
    systemMessages: [],
    warnings: [],
    runs: [],
  };
  for (const { label, source, durationMs, answer } of answered) {
    const detail = answer.reason ?? answer.warning;
    verdict.runs.push({
      hook: label,
      source,
      outcome: answer.outcome,
      durationMs,
      ...(detail === undefined ? {} : { detail }),
    });
    if (answer.warning !== undefined) verdict.warnings.push(`hook "${label}": ${answer.warning}`);
    if (answer.additionalContext !== undefined)
      verdict.additionalContext.push(answer.additionalContext);
    if (answer.systemMessage !== undefined) verdict.systemMessages.push(answer.systemMessage);
    if (answer.stop !== undefined) verdict.stop ??= answer.stop;
    raise(verdict, answer.decision, answer.reason);
  }
  settleInput(verdict, answered);
  if (verdict.behavior === "deny") delete verdict.updatedInput;
  return verdict;
}

function raise(
  verdict: FoldedAnswers,
  decision: HookDecision | undefined,
  reason: string | undefined,
): void {
  if (
    decision === undefined ||
    (verdict.behavior !== undefined && rank[decision] <= rank[verdict.behavior])
  )
    return;
  verdict.behavior = decision;
  if (reason === undefined) delete verdict.reason;
  else verdict.reason = reason;
}

/**
 * The first change counts. If a second hook changes the input differently, a person is asked,
 * because it is unclear which change is meant.
 */
function settleInput(verdict: FoldedAnswers, answered: readonly AnsweredHook[]): void {
  const [first, ...others] = answered.filter(
    ({ answer }) => answer.updatedInput !== undefined && answer.decision !== "deny",
  );
  if (first?.answer.updatedInput === undefined) return;
  verdict.updatedInput = first.answer.updatedInput;
  const other = others.find(
    ({ answer }) => !isDeepStrictEqual(answer.updatedInput, first.answer.updatedInput),
  );
  if (other === undefined) return;
  const problem =
    `two hooks changed the input in different ways ("${first.label}" and ` +
    `"${other.label}"); the first one's change is shown`;
  verdict.warnings.push(problem);
  raise(verdict, "ask", problem);
}
