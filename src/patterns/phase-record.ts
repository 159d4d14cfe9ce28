// What one phase leaves on record, and what of it the next one gets.
import { blockerWords, errorWords } from "../contract/failure.ts";
import type { HandoffResponse } from "../contract/handoff/handoff.ts";
import type { Delivered, Delivery, Phase, PhaseOutput, PhaseRecord } from "./flow.ts";

const keptIssues = 100;
const issueCharacters = 1_000;
const findingsCharacters = 50_000;

export function phaseRecordOf(
  phase: Phase,
  { delivery, run_ids, questions }: Delivered,
): PhaseRecord {
  const { response } = delivery;
  return {
    phase: phase.name,
    agent: phase.agent,
    task_id: delivery.task_id,
    run_ids,
    status: response ? "done" : phase.required || delivery.is_unreadable ? "failed" : "skipped",
    decision: response?.decision ?? "STOP",
    context_summary: response?.context_summary ?? delivery.partial.slice(0, 1_000),
    files: response ? filesOf(response) : [],
    issues: (response?.issues ?? [`${phase.agent}: ${noAnswer(delivery)}`])
      .slice(0, keptIssues)
      .map((issue) => issue.slice(0, issueCharacters)),
    ...(response ? deliveredBy(response) : {}),
    ...(questions ? { questions } : {}),
    ...settledBy(delivery),
  };
}

function settledBy({
  overridden,
  warned,
  outcome,
  trust,
  context_tokens,
}: Delivery): Pick<PhaseRecord, "overridden" | "warned" | "outcome" | "trust" | "context_tokens"> {
  return {
    ...(overridden ? { overridden } : {}),
    ...(warned === undefined ? {} : { warned }),
    outcome,
    trust,
    ...(context_tokens === undefined ? {} : { context_tokens }),
  };
}

function deliveredBy({
  findings,
  blockers,
  error,
}: HandoffResponse): Pick<PhaseRecord, "findings" | "blockers" | "error"> {
  return {
    ...(Object.keys(findings).length > 0 ? { findings: boundedFindings(findings) } : {}),
    ...(blockers ? { blockers } : {}),
    ...(error ? { error } : {}),
  };
}

/** Key by key, the checks first: what no longer fits is named, and stands in the agent's transcript. */
function boundedFindings(findings: Record<string, unknown>): Record<string, unknown> {
  const order = Object.keys(findings).sort(
    (a, b) => Number(b === "checks") - Number(a === "checks"),
  );
  const kept: Record<string, unknown> = {};
  const leftOut: string[] = [];
  let room = findingsCharacters;
  for (const key of order) {
    room -= (JSON.stringify(findings[key]) ?? "").length;
    if (room < 0) leftOut.push(key.slice(0, 100));
    else kept[key] = findings[key];
  }
  return leftOut.length > 0 ? { ...kept, left_out: leftOut.slice(0, 50) } : kept;
}

/** Why a delivery is no success, in its own words where it has some. */
export function lossWords({ reason, state, problem, response, overridden }: Delivery): string {
  if (response === null) return (state === "completed" ? problem : undefined) ?? reason ?? state;
  const own = response.error ? errorWords(response.error) : response.reason;
  return own ?? overridden?.why ?? (response.issues[0] || "it says that it failed");
}

export const noAnswer = (delivery: Delivery): string =>
  `gave no usable answer (${lossWords(delivery)})`;

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

/** What a phase names as its failures: what blocks it, the checks that failed, its issues. */
export const namedBy = ({ blockers = [], overridden, issues }: PhaseRecord): string[] => [
  ...blockers.map(blockerWords),
  ...(overridden?.failed_checks ?? []),
  ...issues,
];

/** The files of an earlier phase stay where this one names none. */
export const outputOf = (
  { context_summary, files, issues }: PhaseRecord,
  before: PhaseOutput | null,
): PhaseOutput => ({
  context_summary,
  files: files.length > 0 ? files : (before?.files ?? []),
  doubts: issues.filter((issue) => issue.startsWith("contradicted: ")).slice(0, 10),
});
