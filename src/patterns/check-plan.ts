// A plan that a program gives, checked before the first agent starts: in the middle of a flow a
// mistake would cost the work of the phases before it.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { requirements } from "../contract/trust/requirement.ts";
import type { FlowPorts, FlowTask, Phase } from "./flow.ts";

/** Throws `RetinueError("usage")`; `by` is the name of the function that was called. */
export function checkPlan(
  by: string,
  { task, phases, ports }: { task: FlowTask; phases: readonly Phase[]; ports: FlowPorts },
): void {
  const wrong = (message: string): never => {
    throw new RetinueError("usage", `${by}: ${message}`);
  };
  if (!isObject(task) || typeof task["feature"] !== "string")
    wrong("task: expected { feature } that says what is to be done");
  if (!isObject(ports)) wrong("ports: expected { delegate, newTaskId, record }");
  for (const name of ["delegate", "newTaskId", "record"] as const)
    if (typeof ports[name] !== "function")
      wrong(
        `ports.${name}: expected a function${name === "delegate" ? ", such as manager.delegate" : ""}`,
      );
  if (!Array.isArray(phases))
    wrong("phases: expected a list of { name, agent, instructions, expected_output, required }");
  phases.forEach((phase, index) => {
    const given: unknown = phase;
    for (const name of ["name", "agent", "instructions", "expected_output"] as const)
      if (!isObject(given) || typeof given[name] !== "string")
        wrong(`phases[${index}].${name}: expected a text`);
    if (phase.require !== undefined && !requirements.includes(phase.require))
      wrong(`phases[${index}].require: expected one of ${requirements.join(", ")}`);
    if (phase.repairs !== undefined && !phases.some(({ name }) => name === phase.repairs))
      wrong(`phases[${index}].repairs: there is no phase named ${JSON.stringify(phase.repairs)}`);
  });
}
