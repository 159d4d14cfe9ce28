// The validator of a flow: where it is the built-in one, the runtime runs the project's own checks and
// answers in its place, with the state before the flow to tell what the change broke.
import { existsSync } from "node:fs";
import { openBeforeState } from "../checks/before-state.ts";
import type { History } from "../checks/judge-failure.ts";
import { validateProject, type MayRun } from "../checks/validate-project.ts";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff/handoff.ts";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import { builtInDefinitions } from "../definitions/built-in-definitions.ts";
import type { Manager } from "../manager/agents/manager.ts";
import type { Delegate, Delivery } from "../patterns/flow.ts";
import { removeTree } from "../process/remove-tree.ts";
import { lookedAt } from "./measuring/measure-flow.ts";

export type ValidatorParts = {
  manager: Pick<Manager, "definitions">;
  root: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Asked before a command of the project runs. */
  mayRun: MayRun;
};

/** The project as it was when the flow began. */
export type KeptHistory = {
  history: History | undefined;
  /** What is kept for a resume is removed with a flow that needs none. */
  close: (isDone: boolean) => void;
};

/**
 * Taken before the first agent starts, where the plan has a validator. A flow that goes on has what
 * its first life kept, and nothing where that kept nothing: what stands there now is no "before".
 */
export function keepHistory(
  { root, journalPath }: { root: string; journalPath: string },
  { hasValidator, isNew }: { hasValidator: boolean; isNew: boolean },
): KeptHistory {
  const store = journalPath.replace(/\.jsonl$/, "") + ".before";
  const before =
    hasValidator && (isNew || existsSync(store)) ? openBeforeState(root, store) : undefined;
  return {
    history: before && { before, checks: new Map() },
    close(isDone) {
      before?.close();
      if (isDone && before) removeTree(store);
    },
  };
}

/**
 * The built-in validator is no model: the project's own checks are run as they are. A definition of
 * that name takes its place, unless it is the unchanged copy that `init` writes.
 */
export function withValidator(
  delegate: Delegate,
  { manager, root, env, signal, mayRun }: ValidatorParts,
  history: History | undefined,
): Delegate {
  return async (agent, request) =>
    agent === "validator" && isBuiltIn(manager.definitions().get(agent))
      ? checked(request, await validateProject({ root, env, signal, mayRun, history }))
      : delegate(agent, request);
}

function isBuiltIn(definition: AgentDefinition | undefined): boolean {
  const own = builtInDefinitions.find(({ name }) => name === definition?.name);
  return (
    definition !== undefined &&
    own !== undefined &&
    definition.prompt.trim() === own.prompt.trim() &&
    definition.model === own.model
  );
}

function checked(
  request: HandoffRequest,
  {
    decision,
    checks,
    context_summary,
    issues,
    questions,
  }: Awaited<ReturnType<typeof validateProject>>,
): Delivery {
  const response: HandoffResponse = {
    task_id: request.task_id,
    phase: request.phase,
    status: "complete",
    decision,
    findings: { checks },
    context_summary,
    tokens_used: 0,
    issues,
    ...(questions ? { questions } : {}),
  };
  return {
    task_id: request.task_id,
    agent: "validator",
    run_ids: [],
    state: "completed",
    outcome: "SUCCESS",
    partial: "",
    // Every passed check carries its command, exit code and output hash.
    trust: "VERIFIED",
    verification: null,
    teller: "runtime",
    response,
    context_tokens: lookedAt(request, response, checks),
  };
}
