// One phase to its end: an agent that fails is tried once more with a smaller task and then put to a
// person, questions are asked and answered into a new run.
import { blockerWords } from "../contract/failure.ts";
import type { HandoffRequest } from "../contract/handoff/handoff.ts";
import { readChecks } from "../contract/handoff/read-checks.ts";
import { holdDelivery } from "./hold-delivery.ts";
import { lossWords } from "./phase-record.ts";
import type {
  Delivered,
  Delivery,
  FlowPolicy,
  FlowPorts,
  FlowTask,
  Phase,
  PhaseOutput,
} from "./flow.ts";

export type PhaseInput = {
  task: FlowTask;
  previous: PhaseOutput | null;
  constraints: readonly string[];
};

export function requestFor(
  phase: Phase,
  { task, previous, constraints }: PhaseInput,
  taskId: string,
): HandoffRequest {
  return {
    task_id: taskId,
    phase: phase.name,
    context: {
      feature: task.feature,
      spec_path: task.spec_path ?? null,
      relevant_files: [...new Set([...(previous?.files ?? []), ...(task.relevant_files ?? [])])],
      // The runtime's words, not the agent's: what it was told before must not be built upon.
      constraints: [
        ...(task.constraints ?? []),
        ...constraints,
        ...(previous?.doubts ?? []).map(
          (doubt) =>
            `Do not rely on this, the files speak against it: ${doubt.replace(/^contradicted: /, "")}`,
        ),
      ],
      previous_findings: previous?.context_summary ?? null,
    },
    instructions: phase.instructions,
    expected_output: phase.expected_output,
  };
}

export async function deliver(
  phase: Phase,
  input: PhaseInput,
  { ports, policy }: { ports: FlowPorts; policy: FlowPolicy },
): Promise<Delivered> {
  const taskId = ports.newTaskId(phase.name);
  const run_ids: string[] = [];
  const constraints = [...input.constraints];
  for (let losses = 0, rounds = 0; ;) {
    const request = requestFor(phase, { ...input, constraints }, taskId);
    const delivery = holdDelivery(
      await ports.delegate(phase.agent, losses > 0 ? reduced(request) : request),
      { taskId, phase },
    );
    run_ids.push(...delivery.run_ids);
    const isLost = phase.required && hasFailed(delivery);
    if (isLost && losses < policy.lossRetries && mayRetry(delivery)) {
      losses += 1;
      continue;
    }
    const questions = isLost ? [lossQuestion(delivery, losses + 1)] : questionsOf(delivery, phase);
    const given =
      questions.length > 0 && rounds < policy.clarifyRounds
        ? await ports.ask?.(questions, phase.name)
        : undefined;
    const more = constraintsOf(given, { questions, isLost });
    if (more === undefined)
      return { delivery, run_ids, ...(isLost || questions.length === 0 ? {} : { questions }) };
    rounds += 1;
    constraints.push(...more);
  }
}

/** A person's answers as they bind the next try; undefined where there is none. */
function constraintsOf(
  answers: readonly string[] | undefined,
  { questions, isLost }: { questions: readonly string[]; isLost: boolean },
): string[] | undefined {
  if (answers === undefined) return undefined;
  if (!isLost)
    return questions.map((question, index) => `${question} ${answers[index] ?? "no answer"}`);
  const hint = answers[0]?.trim() ?? "";
  return hint === "" ? undefined : [hint];
}

/**
 * CLARIFY always asks: without questions of its own, its blockers or its reason are put to the
 * person.
 */
function questionsOf({ response }: Delivery, { agent }: Phase): string[] {
  if (response?.decision !== "CLARIFY") return [];
  const asked = (response.questions ?? []).filter((question) => question.trim() !== "");
  if (asked.length > 0) return asked;
  const blocked = (response.blockers ?? []).map(blockerWords).join("; ");
  const why = [response.reason, blocked, response.issues.join("; "), response.context_summary].find(
    (words) => words !== undefined && words.trim() !== "",
  );
  return [`${agent} cannot go on: ${why?.trim() ?? "it gives no reason"}. What should it do?`];
}

/** A person sees what there is and may give the next try a hint. */
function lossQuestion(delivery: Delivery, tries: number): string {
  const { agent, response, partial } = delivery;
  const left = (response?.context_summary ?? partial).trim().slice(0, 500);
  return [
    `${agent} failed${tries > 1 ? " twice" : ""} (${lossWords(delivery)}).`,
    left === "" ? "It left nothing." : `It left: ${left}`,
    "\nWhat should it do differently in one more try? Leave it empty to stop here.",
  ].join(" ");
}

/** A person stopped it, or it goes on elsewhere: that is no failure. */
const noFailures: readonly (string | undefined)[] = ["cancelled", "moved"];
/** What a second try meets again. */
const lasting: readonly (string | undefined)[] = ["auth", "permission", "storage", "refusal"];

/** It did not do its job. A failed check is an answer, and so are questions. */
function hasFailed({ state, reason, response, outcome }: Delivery): boolean {
  if (response === null) return state === "completed" || !noFailures.includes(reason);
  if (response.decision === "CLARIFY" || (outcome !== "FAILED" && outcome !== "INVALID"))
    return false;
  return readChecks(response, "runtime").failed.length === 0;
}

/** A decision that cannot be read is not asked for again until it is a better one. */
const mayRetry = ({ reason, response, is_unreadable }: Delivery): boolean =>
  is_unreadable !== true && response?.error?.recoverable !== false && !lasting.includes(reason);

/** The same task with less to look at. */
function reduced(request: HandoffRequest): HandoffRequest {
  return {
    ...request,
    instructions:
      `${request.instructions}\n\nAn earlier try did not finish. Do the core of the task ` +
      "only, and answer early; name what you left out under issues.",
    context: { ...request.context, relevant_files: request.context.relevant_files.slice(0, 3) },
  };
}
