// What one phase leaves on record, and what of it the next one gets.
import type { HandoffResponse } from "../contract/handoff/handoff.ts";
import type { Delivered, Delivery, Phase, PhaseOutput, PhaseRecord } from "./flow.ts";

const keptIssues = 100;
const issueCharacters = 1_000;

export function recordOf(phase: Phase, { delivery, run_ids, questions }: Delivered): PhaseRecord {
  const { response } = delivery;
  return {
    phase: phase.name,
    agent: phase.agent,
    task_id: delivery.task_id,
    run_ids,
    status: response ? "done" : phase.required || delivery.isUnreadable ? "failed" : "skipped",
    decision: response?.decision ?? "STOP",
    context_summary: response?.context_summary ?? delivery.partial.slice(0, 1_000),
    files: response ? filesOf(response) : [],
    issues: (response?.issues ?? [`${phase.agent}: ${noAnswer(delivery)}`])
      .slice(0, keptIssues)
      .map((issue) => issue.slice(0, issueCharacters)),
    ...(questions ? { questions } : {}),
    ...(delivery.overridden ? { overridden: delivery.overridden } : {}),
    ...(delivery.warned === undefined ? {} : { warned: delivery.warned }),
    outcome: delivery.outcome,
    trust: delivery.trust,
    ...(delivery.context_tokens === undefined ? {} : { context_tokens: delivery.context_tokens }),
  };
}

export const noAnswer = ({ reason, state, problem }: Delivery): string =>
  `gave no usable answer (${(state === "completed" ? problem : undefined) ?? reason ?? state})`;

const filesOf = (response: HandoffResponse): string[] => {
  const changed = response.findings["files_changed"];
  return Array.isArray(changed)
    ? changed.flatMap((item) =>
        typeof item === "string"
          ? [item]
          : typeof item === "object" &&
              item !== null &&
              "path" in item &&
              typeof item.path === "string"
            ? [item.path]
            : [],
      )
    : [];
};

/** The files of an earlier phase stay where this one names none. */
export const outputOf = (
  { context_summary, files, issues }: PhaseRecord,
  before: PhaseOutput | null,
): PhaseOutput => ({
  context_summary,
  files: files.length > 0 ? files : (before?.files ?? []),
  doubts: issues.filter((issue) => issue.startsWith("contradicted: ")).slice(0, 10),
});
