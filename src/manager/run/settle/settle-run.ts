// Settles what an agent will run with, for a new one and for one that goes on: everything a person
// can have got wrong is said here, before it starts.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { RetinueError } from "../../../base/errors.ts";
import { childAgentId, newAgentId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { oneLine } from "../../../base/text/printable.ts";
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import type { RunLimits, RunSpec } from "../../../events/run-spec.ts";
import type { Executor } from "../../../executors/executor.ts";
import type { Policy } from "../../../permissions/policy.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../background/background-disabled.ts";
import { narrowPolicy } from "./narrow-policy.ts";
import { requestedModel } from "./skill-rules.ts";
import { prepareRun, wantedServers } from "./prepare-run.ts";
import type { OwedData } from "../tools/owed-data.ts";
import { resolveModel } from "./resolve-model.ts";
import { resolveChildPolicy } from "./resolve-policy.ts";
import type { LimitSource } from "./resolve-limits.ts";
import type { Session } from "../../session/session.ts";
import type { SpawnInput, SpawnOrigin } from "../../agents/spawn-input.ts";
import { worktreePath } from "../worktree.ts";

/** Whose children they are: the main thread's policy and model. */
export type Parent = { policy: Policy; model: string };

export type SettledRun = {
  spec: RunSpec;
  notes: string[];
  output?: OwedData | undefined;
  /** It goes on with a life that its process died under: what began then does not begin again. */
  isContinued?: true;
  /** What it reads then at its next turn. */
  mail?: string;
};

/**
 * The life that died goes on, with what today's settings allow: the new prompt reaches it as a
 * message, and the time between the processes does not count.
 */
export function goOnWith(settled: SettledRun, executor: Pick<Executor, "status">): SettledRun {
  const left = settled.spec.carried ? undefined : executor.status(settled.spec);
  if (!left) return settled;
  const { runId, prompt, usedMs } = left;
  const spec = { ...settled.spec, runId, prompt, startedAt: Date.now() - usedMs };
  return { ...settled, spec, isContinued: true, mail: settled.spec.prompt };
}

type Wish = {
  session: Session;
  definition: AgentDefinition;
  input: SpawnInput;
  origin: SpawnOrigin;
  parent: Parent;
  /** What is left of the parent's budget. */ budget: LimitSource;
};

/** The id of the agent that a call starts; undefined for one that no call starts. */
export const childOf = ({ parentRunId, toolUseId }: SpawnOrigin): string | undefined =>
  parentRunId === undefined || toolUseId === undefined
    ? undefined
    : childAgentId(parentRunId, toolUseId);

export function settleNew(wish: Wish): SettledRun {
  const { session, definition, input, origin, parent, budget } = wish;
  const agentId = childOf(origin) ?? newAgentId();
  const isolation = input.isolation ?? definition.isolation;
  const cwd = isolation ? worktreeOf(session, agentId) : session.cwd;
  const { background, notes } = placeOf(
    wish,
    input.run_in_background ?? definition.background ?? session.background.default,
  );
  const named = session.env["CLAUDE_CODE_SUBAGENT_MODEL"];
  const isOverride = session.subagentModel === "override" && named;
  const choice = {
    input: isOverride ? named : input.model,
    definition: requestedModel(session, definition),
    fallback: named,
    parent: () => parent.model,
  };
  const { model, notes: modelNotes } = resolveModel(choice, (name) => session.model(name));
  const { policy, notes: modeNotes } = resolveChildPolicy(session, definition, {
    parent: parent.policy,
    mode: input.mode,
    viaTool: origin.viaTool,
    cwd,
    background,
  });
  const { spec, warnings } = prepareRun(session, definition, {
    agentId,
    prompt: input.prompt,
    name: input.name,
    require: input.require,
    model,
    limits: { maxTurns: input.max_turns, ...budget },
    isMain: false,
    place: { cwd, ...(isolation ? { isolation, from: session.root } : {}) },
    instructionsFrom: session.cwd,
    policy,
    mcpServers: wantedServers(session, definition, background),
    background,
    toolUseId: origin.toolUseId,
    outputSchema: origin.output?.schema,
    description: input.description,
  });
  return {
    output: origin.output,
    spec,
    notes: [...notes, ...modelNotes, ...modeNotes, ...warnings],
  };
}

/**
 * The same agent once more: its id, type, model, folder and limits, and never more than both its
 * first life and today's definition allow.
 */
export function settleResumed(
  wish: Wish & { earlier: RunSpec; wasBackground: boolean },
): SettledRun {
  const { session, definition, input, origin, parent, budget, earlier } = wish;
  refuseOtherAgent(wish);
  refuseOtherFolder(session, earlier);
  const { background, notes } = placeOf(wish, input.run_in_background ?? wish.wasBackground);
  const model = session.model(earlier.model);
  const { policy: allowed, notes: modeNotes } = resolveChildPolicy(session, definition, {
    parent: parent.policy,
    mode: input.mode,
    viaTool: origin.viaTool,
    cwd: earlier.place.cwd,
    background,
  });
  const policy = narrowPolicy(allowed, earlier.policy);
  const { spec, warnings } = prepareRun(session, definition, {
    agentId: earlier.agentId,
    prompt: input.prompt,
    name: input.name ?? earlier.name,
    require: input.require ?? earlier.require,
    model,
    limits: { ...keptLimits(earlier.limits, input.max_turns), ...budget },
    isMain: false,
    place: earlier.place,
    instructionsFrom: session.cwd,
    policy,
    mcpServers: wantedServers(session, definition, background),
    background,
    toolUseId: origin.toolUseId,
    outputSchema: origin.output?.schema,
    description: input.description,
  });
  if (input.model !== undefined && input.model !== earlier.model)
    notes.push(`a resumed agent keeps its model: ${earlier.model}, not ${input.model}`);
  const recorded = new Set<unknown>(earlier.tools);
  return {
    output: origin.output,
    spec: {
      ...spec,
      tools: spec.tools.filter((tool) => recorded.has(tool)),
    },
    notes: [...notes, ...modeNotes, ...warnings],
  };
}

/**
 * Where it runs. What asks for the background where that is switched off runs in the foreground,
 * and says so.
 */
function placeOf(
  { session, definition, input }: Wish,
  wanted: boolean,
): { background: boolean; notes: string[] } {
  const withheld = session.withheldOf(definition.name);
  const notes = [
    ...(input.team_name === undefined ? [] : ["team_name is ignored: there are no teams"]),
    ...(withheld.length === 0
      ? []
      : [`not trusted, and so without: ${withheld.join(", ")} (run \`retinue trust\`)`]),
  ];
  if (!wanted || !backgroundDisabled(session.env)) return { background: wanted, notes };
  return { background: false, notes: [...notes, backgroundDisabledText] };
}

function keptLimits(
  { maxTurns, timeoutMs, maxTokens, maxUsd }: RunLimits,
  turns: number | undefined,
): LimitSource {
  return {
    maxTurns: Math.min(maxTurns, turns ?? maxTurns),
    timeoutMs,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxUsd === undefined ? {} : { maxUsd }),
  };
}

/** The folder is the reach of its reads: a transcript that was changed does not move it. */
function refuseOtherFolder(
  session: Session,
  { agentId, place: { cwd, isolation } }: RunSpec,
): void {
  if (cwd === session.cwd || (isolation !== undefined && cwd === worktreeOf(session, agentId)))
    return;
  throw new RetinueError(
    "denied",
    `${agentId} cannot be resumed: its transcript says that it worked in ` +
      `${oneLine(cwd, 200)}, which is neither this session's folder (${session.cwd}) nor a ` +
      "worktree of its own. Start a new agent there.",
  );
}

function refuseOtherAgent({ input, earlier }: Wish & { earlier: RunSpec }): void {
  const { agentId, agentType, place } = earlier;
  const { cwd, isolation } = place;
  if (input.subagent_type !== undefined && input.subagent_type !== agentType)
    throw new RetinueError(
      "denied",
      `${agentId} is a ${agentType} and cannot go on as ${input.subagent_type}. Leave ` +
        "subagent_type out, or start a new agent.",
    );
  if (isolation === undefined && !isFolder(cwd))
    throw new RetinueError(
      "usage",
      `${agentId} cannot be resumed: its working directory ${cwd} is gone or no folder any more.`,
    );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function worktreeOf(session: Session, agentId: string): string {
  if (!existsSync(join(session.root, ".git")))
    throw new RetinueError(
      "usage",
      `isolation: worktree needs a git repository, and ${session.root} is none. Run \`git ` +
        `init\` there, or leave isolation out.`,
    );
  return worktreePath(session, agentId);
}

/** Refuses a prompt that no run could take. */
export function checkPrompt(prompt: string): void {
  if (prompt.trim() === "")
    throw new RetinueError("usage", "the prompt is empty: say what the agent is to do.");
  const bytes = Buffer.byteLength(prompt);
  if (bytes > limits.prompt.bytes)
    throw new RetinueError(
      "usage",
      `the prompt has ${(bytes / 1024 / 1024).toFixed(1)} MB, at most ` +
        `${limits.prompt.bytes / 1024 / 1024} MB are taken. Put the material into a file and ` +
        "name the file in the prompt.",
    );
}
