// From a definition to a spec: first what can fail because of a person (policy, tools, model), at
// once; then the texts that have to be read.
import { RetinueError } from "../../../base/errors.ts";
import { sep } from "node:path";
import { factsNear } from "../../../base/files/path-facts.ts";
import { answeringTool, builtInTools, isMcpToolName } from "../../../base/tool-names.ts";
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import { openMemoryDir } from "../../../memory/memory-dir.ts";
import { memoryPrompt } from "../../../memory/memory-prompt.ts";
import { memoryTools } from "../../../memory/memory-tools.ts";
import {
  projectInstructionsPrompt,
  readProjectInstructions,
} from "../../../memory/project-instructions.ts";
import { readMemory } from "../../../memory/read-memory.ts";
import { lastFew } from "../../../markdown/last-few.ts";
import type { Model } from "../../../model/model.ts";
import { mayRead } from "../../../permissions/may-read.ts";
import type { Policy } from "../../../permissions/policy.ts";
import { skillsPrompt } from "../../../skills/skills-prompt.ts";
import { contractInBrief } from "./contract-in-brief.ts";
import { admittedTools, refuseEmptyToolset, sharedPolicy } from "./resolve-policy.ts";
import { resolveSpec, type SpecInput } from "./resolve-spec.ts";
import { requireSandbox } from "../run-sandbox.ts";
import type { Session } from "../../session/session.ts";
import { orchestratorInBrief, systemPrompt, type PromptEnvironment } from "./system-prompt.ts";

export type RunPlan = Omit<SpecInput, "tools" | "system" | "memoryDir" | "model" | "contract"> & {
  model: Model;
  contract?: RunSpec["contract"] | undefined;
  git?: PromptEnvironment["git"];
  /** Where CLAUDE.md is looked for, when the folder itself is yet to be made. */
  instructionsFrom?: string;
};

export type PreparedRun = { spec: RunSpec; warnings: string[] };

/** The offline model looks for things and writes no report; work that hands something on needs a language model. */
function searchOnly({ name }: AgentDefinition, asked: RunSpec["contract"]): "none" {
  if (asked === "handoff")
    throw new RetinueError(
      "usage",
      `${name} has to decide and to hand on, and the model offline only searches. ` +
        "Set a key or name another model; for a search: retinue run --agent Explore --model offline.",
    );
  return "none";
}

/** Tools that only a main thread with a manager behind it can be given. */
const spawning: readonly string[] = ["Agent", "SendMessage"];
/** Tools for background commands, of no use without Bash. */
const ofShells: readonly string[] = ["TaskOutput", "TaskStop"];

/**
 * Throws a RetinueError for what the definition got wrong; reads nothing but the memory's folder.
 */
export function prepareRun(
  session: Session,
  definition: AgentDefinition,
  wish: RunPlan,
): PreparedRun {
  const plan = { ...wish, policy: sharedPolicy(session, definition.name, wish.policy) };
  const warnings: string[] = [];
  const memoryDir = definition.memory ? memoryFolder(session, definition, warnings) : undefined;
  const policy =
    memoryDir === undefined
      ? plan.policy
      : { ...plan.policy, workspace: { ...plan.policy.workspace, memoryDirectory: memoryDir } };
  const outputSchema = plan.outputSchema ?? definition.outputSchema;
  const usual = plan.contract ?? definition.contract ?? (plan.isMain ? "none" : session.contract);
  const asked = outputSchema === undefined ? usual : "none";
  const contract = plan.model.name === "offline" ? searchOnly(definition, asked) : asked;
  const tools = runTools(session, definition, {
    policy,
    model: plan.model,
    memoryDir,
    isMain: plan.isMain,
    owesReport: (contract !== "none" && session.verify) || outputSchema !== undefined,
  });
  requireSandbox(session, tools);
  const spec = resolveSpec(session, definition, {
    ...plan,
    policy,
    model: plan.model.name,
    tools,
    memoryDir,
    contract,
    outputSchema,
    system: promptOf(session, definition, {
      plan,
      contract: outputSchema === undefined ? contract : "data",
      byTool: tools.includes(answeringTool),
      memoryDir,
      warnings,
    }),
  });
  // Said before it starts: a budget that nobody can count is none.
  if (spec.limits.maxUsd !== undefined && plan.model.price === undefined)
    warnings.push(
      `the budget of $${spec.limits.maxUsd} cannot hold: the price of ${plan.model.name} ` +
        "is not known. Limit turns, tokens or time instead",
    );
  return { spec, warnings };
}

function memoryFolder(
  session: Session,
  definition: AgentDefinition,
  warnings: string[],
): string | undefined {
  const opened = openMemoryDir({
    scope: definition.memory!,
    agentName: definition.name,
    cwd: session.root,
    configDir: session.configDir,
  });
  if (opened.ok) return opened.dir;
  warnings.push(opened.problem);
  return undefined;
}

function runTools(
  session: Session,
  definition: AgentDefinition,
  from: {
    policy: Policy;
    model: Model;
    memoryDir: string | undefined;
    isMain: boolean;
    owesReport: boolean;
  },
): string[] {
  if (from.model.takesTools === false) return [];
  const offered = builtInTools.filter((tool) => {
    if (tool === "WebSearch") return from.model.hasWebSearch;
    if (tool === "Skill") return session.skills().skills.size > 0;
    if (tool === answeringTool) return false;
    if (tool === "AskUserQuestion")
      return session.answer !== undefined || session.background.ask === "wait";
    return from.isMain || !spawning.includes(tool);
  });
  const available = [...offered, ...session.tools.map((tool) => tool.name)];
  const able = admittedTools(available, from.policy);
  const admitted =
    from.isMain || able.includes("Bash") ? able : able.filter((tool) => !ofShells.includes(tool));
  refuseEmptyToolset(definition, admitted, available);
  const forMemory =
    from.memoryDir === undefined ? [] : memoryTools(from.memoryDir, admitted).onlyMemory;
  const own = [...new Set([...admitted, ...forMemory])];
  // An agent without tools can show nothing: it writes its report as text.
  const reports = from.owesReport && own.length > 0;
  return reports ? [...own, ...admittedTools([answeringTool], from.policy)] : own;
}

/**
 * A definition's own servers; without any, the session's, unless its tools leave no room for them.
 */
export function wantedServers(
  session: Session,
  definition: AgentDefinition,
  background: boolean,
): RunSpec["mcpServers"] {
  if (background && !session.background.mcp) return [];
  const listed =
    definition.tools === undefined ||
    definition.tools.includes("*") ||
    definition.tools.some(isMcpToolName);
  if (definition.mcpServers) return definition.mcpServers as RunSpec["mcpServers"];
  return listed ? session.mcpServers.map((name) => ({ name })) : [];
}

/**
 * A main thread has looked. A sub-agent starts at once: it is told the session's branch, and
 * nothing about changes that others may be making.
 */
function gitOf(
  { gitBranch, root }: Session,
  { git, place: { cwd } }: RunPlan,
): Pick<PromptEnvironment, "git"> {
  if (git) return { git };
  return gitBranch === undefined
    ? {}
    : { git: { branch: gitBranch, ...(isInside(root, cwd) ? {} : { worktree: true }) } };
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

type PromptFrom = {
  plan: RunPlan;
  contract: RunSpec["contract"] | "data";
  byTool: boolean;
  memoryDir: string | undefined;
  warnings: string[];
};

const readsNoInstructions = ["Explore", "Plan"];

function instructionsOf(
  session: Session,
  { omitClaudeMd, name }: AgentDefinition,
  { policy, place, instructionsFrom }: RunPlan,
): ReturnType<typeof readProjectInstructions> | undefined {
  if (omitClaudeMd === true || readsNoInstructions.includes(name)) return undefined;
  const readable = mayRead(policy, (path, folder) =>
    factsNear(path, { cwd: place.cwd, home: session.home, folder }),
  );
  return readProjectInstructions({
    cwd: instructionsFrom ?? place.cwd,
    configDir: session.configDir,
    // Workspace and home are the person's own words here; deny rules hold over them.
    mayRead: (path) => readable(path, "file"),
  });
}

/** A thousand agents of one kind share one text. */
const sharedText = lastFew((text) => text);

function promptOf(
  session: Session,
  definition: AgentDefinition,
  { plan, contract, byTool, memoryDir, warnings }: PromptFrom,
): string {
  const skills = definition.skills?.length
    ? skillsPrompt(definition.skills, session.skills().skills)
    : undefined;
  const memory = memoryDir === undefined ? undefined : readMemory(memoryDir, session.configDir);
  const instructions = instructionsOf(session, definition, plan);
  warnings.push(
    ...(skills?.warnings ?? []),
    ...(instructions?.warnings ?? []),
    ...(memory?.warning === undefined ? [] : [memory.warning]),
  );
  const prompt = systemPrompt({
    definition: definition.prompt,
    ...(contract === "none" ? {} : { contract: contractInBrief(contract, { byTool }) }),
    ...(plan.policy.mode === "delegate" ? { orchestrator: orchestratorInBrief } : {}),
    ...(skills ? { skills: skills.text } : {}),
    ...(memory ? { memory: memoryPrompt(memory) } : {}),
    ...(instructions ? { projectInstructions: projectInstructionsPrompt(instructions) } : {}),
    environment: {
      cwd: plan.place.cwd,
      platform: process.platform,
      date: new Date().toISOString().slice(0, 10),
      ...gitOf(session, plan),
    },
    criticalReminder: definition.criticalSystemReminder_EXPERIMENTAL,
  });
  return sharedText(prompt);
}
