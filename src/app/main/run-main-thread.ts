// Runs one agent as the main thread of a session: the definition becomes a spec, the executor runs
// it.
import { existsSync } from "node:fs";
import { newAgentId } from "../../base/ids.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import type { Listener } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { AgentResult, RunVerification } from "../../manager/session/agent-result.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import { openManager } from "../../manager/agents/open-manager.ts";
import type { LimitSource } from "../../manager/run/settle/resolve-limits.ts";
import { resolveModel } from "../../manager/run/settle/resolve-model.ts";
import { askedSkill, requestedModel } from "../../manager/run/settle/skill-rules.ts";
import { prepareRun, wantedServers } from "../../manager/run/settle/prepare-run.ts";
import { isUnasked, resolveMainPolicy } from "../../manager/run/settle/resolve-policy.ts";
import { checkPrompt } from "../../manager/run/settle/settle-run.ts";
import type { RunHandle } from "../../manager/run/run-handle.ts";
import { transcriptPath } from "../../manager/run/transcripts-on-disk.ts";
import { findDefinition } from "../session/find-definition.ts";
import { gitState } from "../session/git-state.ts";
import type { Session } from "../../manager/session/session.ts";
import type { OpenedSession } from "../session/open-session.ts";
import { usualModelName } from "../session/usual-model-name.ts";

export type MainInput = {
  prompt: string;
  agent?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  name?: string | undefined;
  /** Binds the main thread; without it, what its definition names. */
  contract?: RunSpec["contract"] | undefined;
  /** The least trust that lets its answer proceed. */
  require?: RunSpec["require"] | undefined;
  limits: LimitSource;
  /** Continues an earlier main thread: its agent id. */
  agentId?: string | undefined;
  /**
   * Nobody is there: it has an output file, and no questions and MCP servers but where the settings
   * for the background say so.
   */
  background?: boolean | undefined;
};

export type MainRun = {
  agentId: string;
  agentType: string;
  transcript: string;
  outcome: RunOutcome;
  /** What the verifier found; null where there was nothing to check. */
  verification: RunVerification | null;
  outputFile?: string;
  /** The agents it started, in the order of their ends. */
  agents: AgentResult[];
  /** Everything together, in USD; null where a price is not known. */
  totalCostUsd: number | null;
};

export type MainThreadWatch = {
  signal: AbortSignal;
  onEvent?: Listener;
  /** Hears of the run before its first event: to stop it or its agents, or to move them. */
  onStart?: (run: RunHandle, manager: Manager) => void;
  /**
   * Sees to agents that are still at work when the main thread has ended; without it they are waited
   * for.
   */
  onOpenAgents?: (run: RunHandle) => Promise<void>;
  isResumed?: boolean;
  /** A manager that has agents of this session already; it stays open. */
  manager?: Manager;
};

/** Everything about the run that is decided before it starts. Throws for a person's mistake. */
export async function settleMain(opened: OpenedSession, input: MainInput): Promise<RunSpec> {
  const { session } = opened;
  checkPrompt(input.prompt);
  const definition = findDefinition(
    opened,
    input.agent ?? opened.settings.agent ?? "general-purpose",
  );
  const { model, notes } = mainModel(opened, definition, input.model);
  // Read from disk while git and the transcript are waited for.
  if (!input.background) model.prepare?.();
  const background = input.background ?? false;
  const asked = askedSkill(session, input.prompt);
  const own = resolveMainPolicy(session, definition, { mode: input.mode, cwd: session.cwd });
  const policy = {
    ...own,
    rules:
      asked.allow.length > 0
        ? { ...own.rules, allow: [...own.rules.allow, ...asked.allow] }
        : own.rules,
    background: isUnasked(session, background),
  };
  const agentId = input.agentId ?? newAgentId();
  const git = await gitState(session.root);
  const { spec, warnings } = prepareRun(session, definition, {
    agentId,
    prompt: openingPrompt(session, definition, { prompt: asked.prompt, agentId }),
    name: input.name,
    contract: input.contract,
    require: input.require,
    model,
    limits: input.limits,
    isMain: true,
    place: { cwd: session.cwd },
    policy,
    mcpServers: wantedServers(session, definition, background),
    background,
    ...(git ? { git } : {}),
  });
  opened.warnings.push(...notes, ...warnings);
  return spec;
}

/**
 * What its definition begins a conversation with stands before the person's words; a conversation
 * that goes on has it already.
 */
function openingPrompt(
  session: Session,
  { initialPrompt }: AgentDefinition,
  { prompt, agentId }: { prompt: string; agentId: string },
): string {
  return initialPrompt === undefined ||
    existsSync(transcriptPath(session, { isMain: true, agentId }))
    ? prompt
    : `${initialPrompt.trim()}\n\n${prompt}`;
}

/**
 * Runs a settled spec: a new main thread's, or that of one that was moved here from another process.
 * Throws a RetinueError where it could not begin.
 */
export async function runMainThread(
  { session, warnings }: OpenedSession,
  spec: RunSpec,
  watch: MainThreadWatch,
): Promise<MainRun> {
  const agents: AgentResult[] = [];
  const manager =
    watch.manager ??
    openManager(session, {
      parent: { policy: spec.policy, model: spec.model },
      maxUsd: spec.limits.maxUsd,
      onEvent: watch.onEvent,
      onEnd: (result) => void agents.push(result),
      isResumed: watch.isResumed === true,
    });
  const run = manager.startMain(spec, (message) => void warnings.push(message));
  const stop = (): void => run.stop();
  if (watch.signal.aborted) stop();
  watch.signal.addEventListener("abort", stop, { once: true });
  watch.onStart?.(run, manager);
  try {
    const { verification, transcript } = await run.done;
    if (run.refusal) throw run.refusal;
    await watch.onOpenAgents?.(run);
    if (!watch.signal.aborted) await waitForBackground(manager, watch.signal);
    const outcome = asRead(run.outcome!);
    return {
      agentId: spec.agentId,
      agentType: spec.agentType,
      transcript,
      outcome,
      verification,
      agents,
      totalCostUsd: agents.length === 0 ? outcome.metrics.cost_usd : manager.spending.usd,
      ...(run.outputFile === undefined ? {} : { outputFile: run.outputFile }),
    };
  } finally {
    watch.signal.removeEventListener("abort", stop);
    if (!watch.manager) await manager.close();
  }
}

/** The answer as the verifier corrected it, whole. */
const asRead = ({ judged, ...outcome }: RunOutcome): RunOutcome =>
  judged ? { ...outcome, content: judged.content } : outcome;

/**
 * Agents in the background outlive the answer: they are waited for, each within its own deadline.
 */
async function waitForBackground(manager: Manager, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  const ends = manager
    .list()
    .map(({ agent_id }) => manager.running(agent_id)?.done ?? Promise.resolve());
  await Promise.race([Promise.all(ends), stopped]);
}

/**
 * The flag, the definition's own model, the settings, the environment, the first provider with a
 * key.
 */
function mainModel(
  opened: OpenedSession,
  definition: AgentDefinition,
  flag: string | undefined,
): ReturnType<typeof resolveModel> {
  return resolveModel(
    {
      input: flag,
      definition: requestedModel(opened.session, definition),
      parent: () => usualModelName(opened),
    },
    (name) => opened.session.model(name),
  );
}
