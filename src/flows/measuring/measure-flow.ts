// Measures a flow that has come to its end, from its records and from the transcripts of its runs.
import { existsSync } from "node:fs";
import { countTokens } from "../../base/text/tokens.ts";
import type { HandoffRequest, HandoffResponse } from "../../contract/handoff/handoff.ts";
import type { CheckOutcome } from "../../checks/run-check.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import { contextReport, type ContextReport, type PhaseContext } from "../context-report.ts";
import { measureRules, type Measure, type Measured } from "./measure-rules.ts";
import { renderHandoff } from "../render-handoff.ts";

/** Counted while the flow runs. */
export type FlowCounts = Pick<Measured, "mostAtOnce" | "told" | "noted"> & { atOnce: number };

type Facts = FlowCounts &
  Pick<Measured, "independent" | "stillRunning"> & { transcriptOf: (agentId: string) => string };

export async function measureFlow(
  { phases, warnings }: { phases: readonly PhaseRecord[]; warnings: readonly string[] },
  { transcriptOf, ...facts }: Facts,
): Promise<{ measures: Measure[]; context: ContextReport }> {
  const { report: context, runs } = await contextReport(
    phases.map((entry) => phaseContext(entry, transcriptOf)),
  );
  return { measures: measureRules({ ...facts, phases, warnings, context, runs }), context };
}

function phaseContext(entry: PhaseRecord, transcriptOf: Facts["transcriptOf"]): PhaseContext {
  const { phase, agent, run_ids, context_tokens } = entry;
  const transcripts = [...new Set(run_ids)].map(transcriptOf).filter((path) => existsSync(path));
  return {
    phase,
    agent,
    transcripts,
    ...(context_tokens === undefined ? {} : { contextTokens: context_tokens }),
    handedBack: handedBack(entry),
  };
}

/** What the orchestrator has of a phase, and passes on: the answer, never the way to it. */
function handedBack({
  phase,
  agent,
  status,
  decision,
  outcome,
  trust,
  context_summary,
  files,
  issues,
  questions,
}: PhaseRecord): string {
  return JSON.stringify({
    phase,
    agent,
    status,
    decision,
    outcome,
    trust,
    context_summary,
    files,
    issues,
    questions,
  });
}

/**
 * What the checks were given, printed and came to; without what the phase before had found, which
 * is handed over and not looked at.
 */
export function lookedAt(
  request: HandoffRequest,
  response: HandoffResponse,
  checks: Readonly<Record<string, CheckOutcome>>,
): number {
  return (
    countTokens(
      renderHandoff({ ...request, context: { ...request.context, previous_findings: null } }),
    ) +
    checkTokens(checks) +
    countTokens(JSON.stringify(response))
  );
}

/** What the checks printed, as much of it as an agent that runs them would be shown. */
export const checkTokens = (checks: Readonly<Record<string, CheckOutcome>>): number =>
  Object.values(checks).reduce((total, { evidence }) => total + (evidence?.output_tokens ?? 0), 0);
