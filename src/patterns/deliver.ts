// One phase to its end: a lost or late agent is tried once more with a smaller task and then put to a person, questions are asked and answered into a new run.
import type { HandoffRequest } from "../contract/handoff/handoff.ts";
import { holdDelivery } from "./hold-delivery.ts";
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
  flow: { ports: FlowPorts; policy: FlowPolicy },
): Promise<Delivered> {
  const { ports, policy } = flow;
  const taskId = ports.newTaskId(phase.name);
  const run_ids: string[] = [];
  let constraints = [...input.constraints];
  let losses = 0;
  for (let rounds = 0; ;) {
    const request = requestFor(phase, { ...input, constraints }, taskId);
    const delivery = holdDelivery(
      await ports.delegate(phase.agent, losses > 0 ? reduced(request) : request),
      { taskId, phase },
    );
    run_ids.push(...delivery.run_ids);
    if (isLost(delivery) && phase.required && losses < policy.lossRetries) {
      losses += 1;
      continue;
    }
    const lost = isLost(delivery) && phase.required;
    const questions = questionsOf(delivery, phase);
    if (questions.length === 0 && !lost) return { delivery, run_ids };
    const answers =
      rounds < policy.clarifyRounds
        ? await ports.ask?.(lost ? [lossQuestion(delivery)] : questions, phase.name)
        : undefined;
    if (lost && !answers?.[0]?.trim()) return { delivery, run_ids };
    if (answers === undefined) return { delivery, run_ids, questions };
    rounds += 1;
    constraints = [
      ...constraints,
      ...(lost
        ? [answers[0]!]
        : questions.map((question, index) => `${question} ${answers[index] ?? "no answer"}`)),
    ];
  }
}

/** CLARIFY always asks: without questions of its own, its reason is put to the person. */
function questionsOf({ response }: Delivery, { agent }: Phase): string[] {
  if (response?.decision !== "CLARIFY") return [];
  const asked = (response.questions ?? []).filter((question) => question.trim() !== "");
  if (asked.length > 0) return asked;
  const why = response.reason ?? (response.issues.join("; ") || response.context_summary);
  return [`${agent} cannot go on: ${why.trim() || "it gives no reason"}. What should it do?`];
}

/** A person sees what there is and may give the next try a hint. */
function lossQuestion({ agent, reason, state, partial }: Delivery): string {
  const left = partial.trim().slice(0, 500);
  return `${agent} failed twice (${reason ?? state}). ${left === "" ? "It left nothing." : `It left: ${left}`}\nWhat should it do differently in one more try? Leave it empty to stop here.`;
}

/** Ran out of time or lost its process: the work may be there in part, the answer is not. */
const isLost = (delivery: Delivery): boolean =>
  delivery.response === null &&
  (delivery.state === "failed" || delivery.state === "stopped") &&
  ["timeout", "lost", "max_turns", "budget", "network"].includes(delivery.reason ?? "");

/** The same task with less to look at. */
function reduced(request: HandoffRequest): HandoffRequest {
  return {
    ...request,
    instructions: `${request.instructions}\n\nAn earlier try did not finish. Do the core of the task only, and answer early; name what you left out under issues.`,
    context: { ...request.context, relevant_files: request.context.relevant_files.slice(0, 3) },
  };
}
