// A flow with a session and a manager of its own: new, or continued from its journal with answers
// to what it had asked.
import { basename } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { factsNear } from "../../base/files/path-facts.ts";
import { isUuid, newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../events/event.ts";
import { refuseRunningFlow, type FlowHeader, type FlowPattern } from "../../flows/journal.ts";
import { loadJournal } from "../../flows/load-journal.ts";
import { parallelPhases, sequencePhases } from "../../flows/phases.ts";
import { runFlow, type Continued, type FlowOutcome } from "../../flows/run-flow.ts";
import type { MayRun } from "../../checks/validate-project.ts";
import { nobodyToAsk } from "../../manager/session/asker.ts";
import { unkept, wholeGate } from "../../loop/whole-gate.ts";
import { createGate, noGuard, noMcpTools } from "../../manager/run/gate.ts";
import { openManager } from "../../manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../../manager/run/settle/resolve-policy.ts";
import type { Environment } from "../../manager/session/session.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { FlowPorts, Phase, PhaseRecord } from "../../patterns/flow.ts";
import { flowBegunWith, resumedOptions } from "./flow-begun.ts";
import { findDefinition } from "../session/find-definition.ts";
import { journalPaths } from "./list-flows.ts";
import { matchAnswers } from "./match-answers.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { openSession, type OpenedSession } from "../session/open-session.ts";
import { usualModelName } from "../session/usual-model-name.ts";

/** What `startFlow` runs: a pattern and a task, with phases of your own if you want. */
export type FlowRequest = {
  pattern: FlowPattern;
  feature: string;
  /** Phases instead of the usual ones; not for `branch`. */ tasks?: readonly Phase[];
  model?: string | undefined;
  /**
   * At most so many findings are looked at by a second agent; the setting `flows.secondLooks`
   * without it.
   */
  secondLooks?: number | undefined;
};

export type FlowWatch = {
  signal?: AbortSignal | undefined;
  /** Broken files, and what an untrusted folder did not get; told before the first phase. */
  onWarnings?: (warnings: readonly string[]) => void;
  onEvent?: (event: RunEvent) => void;
  /** The flow can be continued by this id from now on. */ onOpen?: (flowId: string) => void;
  onPhase?: (entry: PhaseRecord) => void;
  /** A phase begins, or another try of it; its agent's id follows where an agent works for it. */
  onPhaseStart?: (phase: string, agent: string) => void;
  onStart?: (agent: string, agentId: string, phase: string) => void;
  ask?: FlowPorts["ask"];
  confirm?: FlowPorts["confirm"];
};

export async function beginFlow(
  options: SessionOptions,
  request: FlowRequest,
  watch: FlowWatch,
): Promise<FlowOutcome> {
  const phases = phasesOf(request);
  if (request.model === "offline")
    throw new RetinueError(
      "usage",
      "a flow plans, writes and judges, and the model offline only searches. " +
        "Set a key or name another model; for a search: retinue run --agent Explore --model offline.",
    );
  const opened = openSession(options);
  const { session } = opened;
  for (const { agent } of request.tasks ?? []) findDefinition(opened, agent);
  const header: FlowHeader = {
    type: "retinue_flow",
    version: 1,
    flowId: newUuid(),
    sessionId: session.id,
    pattern: request.pattern,
    task: { feature: request.feature },
    phases,
    cwd: session.cwd,
    model: request.model ?? null,
    secondLooks: request.secondLooks ?? opened.settings.retinue.flows.secondLooks,
    begun: flowBegunWith(options, session.mode),
    at: new Date().toISOString(),
  };
  return runIn(opened, { header }, watch);
}

/**
 * Answers become constraints of every phase to come, in later lives too; finished phases are not
 * run again. The flow has what it began with; allow rules given now are a person's answer and add
 * to it, nothing else widens.
 */
export async function continueFlow(
  options: Omit<SessionOptions, "cwd" | "sessionId">,
  request: { flowId: string; answers: readonly string[]; model?: string | undefined },
  watch: FlowWatch,
): Promise<FlowOutcome> {
  const path = findJournal(request.flowId, options.env);
  refuseRunningFlow(path, request.flowId);
  const journal = loadJournal(path);
  const { header } = journal;
  const answers = matchAnswers(request.answers, journal.questions);
  const task = {
    ...header.task,
    constraints: [...(header.task.constraints ?? []), ...journal.answers, ...answers],
  };
  const opened = openSession({
    ...resumedOptions(options, header.begun),
    cwd: header.cwd,
    sessionId: header.sessionId,
  });
  return runIn(
    opened,
    {
      header: { ...header, task, model: request.model ?? header.model },
      earlier: { journal, answers },
    },
    watch,
  );
}

const usualPhases: Readonly<Record<FlowPattern, readonly Phase[]>> = {
  sequence: sequencePhases,
  parallel: parallelPhases,
  branch: [],
};

function phasesOf({ pattern, tasks = [] }: FlowRequest): Phase[] {
  if (!Object.hasOwn(usualPhases, pattern))
    throw new RetinueError(
      "usage",
      `there is no pattern ${JSON.stringify(pattern)}; there are ${Object.keys(usualPhases).join(", ")}`,
    );
  if (pattern === "branch" && tasks.length > 0)
    throw new RetinueError(
      "usage",
      "the pattern branch chooses its phases by its analysis; tasks are for sequence and parallel",
    );
  return [...(tasks.length > 0 ? tasks : usualPhases[pattern])];
}

async function runIn(
  opened: OpenedSession,
  { header, earlier }: { header: FlowHeader; earlier?: Continued },
  watch: FlowWatch,
): Promise<FlowOutcome> {
  const { session } = opened;
  const { signal = new AbortController().signal } = watch;
  const caller = {
    name: "flow",
    description: "an orchestrated flow",
    prompt: "",
    source: "built-in" as const,
    priority: 0,
  };
  const parent = {
    policy: resolveMainPolicy(session, caller, { cwd: session.cwd }),
    get model() {
      return header.model ?? usualModelName(opened);
    },
  };
  watch.onWarnings?.(opened.warnings);
  const manager = openManager(session, { parent, onEvent: watch.onEvent });
  // Interrupted: what runs is stopped and nothing new begins; the journal has what was done, for
  // `flow resume`.
  const interrupt = (): void => void manager.close();
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    return await runFlow(
      header,
      {
        manager,
        root: session.root,
        journalPath: session.paths.flow(header.flowId),
        spillDir: session.paths.spill,
        transcriptOf: (agentId) => session.paths.agent(agentId),
        env: { ...session.env },
        signal,
        mayRun: commandGate(opened, parent.policy, signal),
        ...(watch.ask ? { ask: watch.ask } : {}),
        ...(watch.confirm ? { confirm: watch.confirm } : {}),
        ...(watch.onOpen ? { onOpen: watch.onOpen } : {}),
        ...(watch.onPhase ? { onPhase: watch.onPhase } : {}),
        ...(watch.onPhaseStart ? { onPhaseStart: watch.onPhaseStart } : {}),
        ...(watch.onStart ? { onStart: watch.onStart } : {}),
        maxConcurrent: session.limits.maxConcurrent ?? limits.run.maxConcurrent,
      },
      earlier,
    );
  } finally {
    signal.removeEventListener("abort", interrupt);
    await manager.close();
    await opened.close();
  }
}

/**
 * The project's own commands pass the same gate as an agent's; below a flow in delegate mode agents
 * have the usual one.
 */
function commandGate({ session }: OpenedSession, flow: Policy, signal: AbortSignal): MayRun {
  const policy = flow.mode === "delegate" ? { ...flow, mode: "default" as const } : flow;
  const parts = createGate({
    noteApproved: () => undefined,
    agentId: "validator",
    agentType: "validator",
    policy: () => policy,
    facts: (path, folder) => factsNear(path, { cwd: session.cwd, home: session.home, folder }),
    mcpFacts: noMcpTools,
    guard: noGuard,
    whileAsking: (answer) => answer,
    approvals: session.approvals,
    ask: session.ask ?? nobodyToAsk,
  });
  const gate = wholeGate(parts, unkept);
  return async (command) => {
    const { behavior, reason } = await gate(
      { toolUseId: `check-${newUuid()}`, tool: "Bash", input: { command } },
      signal,
    );
    return behavior === "allow" ? { ok: true } : { ok: false, reason };
  };
}

function findJournal(flowId: string, env: Environment): string {
  const found = isUuid(flowId)
    ? journalPaths(env).find((path) => basename(path) === `${flowId}.jsonl`)
    : undefined;
  if (found === undefined)
    throw new RetinueError(
      "unknown_task",
      `there is no flow ${flowId.slice(0, 60)}; \`retinue flow list\` shows the ids.`,
    );
  return found;
}
