// The hard rules of an orchestrator as pure functions: what an agent in delegate mode does not do
// itself, by which rule, and whose work it is.
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../base/text/printable.ts";
import { canonicalToolName, coordinationTools } from "../../base/tool-names.ts";
import { layers, type CallDecision } from "../decision.ts";
import { authorOf, helperOf, runnerOf, type Role } from "./role.ts";
import { isSecretFile } from "../paths/secret-files.ts";

/** Each rule in a sentence, as the documentation and the denials give it. */
export const orchestratorRules = {
  "max-files": `at most ${limits.orchestrator.files} files are read between two delegations`,
  "bulk-search":
    `a search is for one targeted look at up to ${limits.orchestrator.files} files; ` +
    "beyond that it gives file names",
  "no-implementation": "code is written by specialists",
  "no-tests": "tests are written by qa-engineer",
  "no-spec-edits": "specifications and documents are edited by product-manager",
  "no-security-analysis": "security is looked at by security-auditor",
  "no-commands": "commands are run by others",
  "coordinate-only": "an orchestrator coordinates; other tools are for the agents it starts",
  "use-agent-output":
    "what an agent has looked at is not read again, up to " +
    `${limits.orchestrator.keyReferences} files aside that it named as key references`,
  "wait-for-agents": "no answer while an agent is at work whose report belongs to it",
} as const;

export type OrchestratorRule = keyof typeof orchestratorRules;

export type Refusal = { layer: "orchestrator-guard"; rule: OrchestratorRule; reason: string };

/**
 * Lines of a file that an agent was shown, joined and in order; `totalLines` as it counted them.
 */
export type Coverage = {
  agentId: string;
  agentType: string;
  ranges: readonly (readonly [number, number])[];
  totalLines: number;
  isKey: boolean;
};

export type Worker = { agentId: string; agentType: string };

export type OrchestratorState = {
  /** Real paths of files whose contents were shown since the last delegation. */
  filesRead: readonly string[];
  /** What finished agents were shown, by real path. */
  covered: ReadonlyMap<string, readonly Coverage[]>;
  /** Agents whose reports the answer has to wait for. */
  running: readonly Worker[];
  /** Agents that have ended, and whose reports have not been told yet. */
  unread: readonly Worker[];
  /** Types that can be started here; undefined where that is not known. */
  agents?: readonly string[];
};

export const noHistory: OrchestratorState = {
  filesRead: [],
  covered: new Map(),
  running: [],
  unread: [],
};

/**
 * The decision with the guard's word in its place: after what holds in every mode, before what the
 * mode and a person would say.
 */
export function withGuard(decision: CallDecision, refused: Refusal | undefined): CallDecision {
  const isSettled =
    decision.behavior === "deny" &&
    layers.indexOf(decision.layer) < layers.indexOf("orchestrator-guard");
  return refused && !isSettled ? { ...decision, behavior: "deny", ...refused } : decision;
}

/** One call, its path settled: `real` where it leads, `shown` as a person would write it. */
export type GuardedCall = {
  tool: string;
  file?: {
    real: string;
    shown: string;
    exists: boolean;
    /** A progress file, or the agent's own memory. */ isOwn: boolean;
  };
  /** Of a Read: the first line, and how many. */
  lines?: { offset: number; limit: number };
  command?: string;
};

/**
 * Why an orchestrator may not make this call; undefined when it may. What a search finds is judged
 * by `guardSearch`.
 */
export function guardCall(call: GuardedCall, state: OrchestratorState): Refusal | undefined {
  const tool = canonicalToolName(call.tool);
  if (call.file?.isOwn || (coordinationTools.has(tool) && tool !== "Skill")) return undefined;
  switch (tool) {
    case "Read":
      return call.file?.exists ? guardRead(call.file, call.lines, state) : undefined;
    case "Grep":
    case "Glob":
      return undefined;
    case "Write":
    case "Edit":
      return guardWrite(call.file?.shown, state);
    case "Bash":
      return guardCommand(call.command ?? "", state);
    default:
      return refusal("coordinate-only", `${oneLine(tool, 60)} is not used here`, {
        role: helperOf(tool),
        state,
      });
  }
}

function guardWrite(shown: string | undefined, state: OrchestratorState): Refusal {
  const { rule, role } = authorOf(shown ?? "");
  const what = shown === undefined ? "a file" : name(shown);
  return refusal(rule, `${what} is not written here`, { role, state });
}

function guardCommand(command: string, state: OrchestratorState): Refusal {
  const { rule, role } = runnerOf(command);
  return refusal(rule, `\`${oneLine(command, 80)}\` is not run here`, { role, state });
}

function guardRead(
  { real, shown }: { real: string; shown: string },
  lines: GuardedCall["lines"],
  state: OrchestratorState,
): Refusal | undefined {
  if (isSecretFile(real))
    return refusal("no-security-analysis", `${name(shown)} is a key or credential file`, {
      role: "security-auditor",
      state,
    });
  const known = coverageOf(real, lines, state);
  if (known)
    return refusal(
      "use-agent-output",
      `${name(shown)} was read by ${known.agentType} ${known.agentId}: use its report, or ask it with SendMessage`,
      { role: "code-explorer", state },
    );
  if (state.filesRead.includes(real) || state.filesRead.length < limits.orchestrator.files)
    return undefined;
  return refusal(
    "max-files",
    `${state.filesRead.length} files were read since the last delegation, ${name(shown)} would be one more`,
    { role: "code-explorer", state },
  );
}

/** The agent that was shown all of these lines, unless one named the file as a key reference. */
function coverageOf(
  real: string,
  lines: GuardedCall["lines"],
  { covered }: OrchestratorState,
): Coverage | undefined {
  const all = covered.get(real) ?? [];
  if (all.some(({ isKey }) => isKey)) return undefined;
  return all.find(({ ranges, totalLines }) => {
    const first = lines?.offset ?? 1;
    const last = Math.min(totalLines, lines ? first + lines.limit - 1 : totalLines);
    return ranges.some(([from, to]) => from <= first && to >= last);
  });
}

/** What a search found: files, and whether their lines are shown or only their names. */
export type Found = { files: readonly { real: string; shown: string }[]; isContent: boolean };

/** Why a search may give file names only; undefined when its result may be shown as it is. */
export function guardSearch(
  { files, isContent }: Found,
  state: OrchestratorState,
): Refusal | undefined {
  if (files.length > limits.orchestrator.files)
    return refusal("bulk-search", `this search reaches ${files.length} files`, {
      role: "code-explorer",
      state,
    });
  if (!isContent) return undefined;
  let read = state;
  for (const { real, shown } of files) {
    const refused = guardRead({ real, shown }, undefined, read);
    if (refused) return refused;
    read = { ...read, filesRead: [...new Set([...read.filesRead, real])] };
  }
  return undefined;
}

/** Why the answer has to wait; undefined when nobody is at work and every report has been told. */
export function guardAnswer({
  running,
  unread,
}: Pick<OrchestratorState, "running" | "unread">): Refusal | undefined {
  if (running.length === 0 && unread.length === 0) return undefined;
  const names = (workers: readonly Worker[]): string =>
    workers
      .slice(0, 10)
      .map(({ agentId, agentType }) => `${oneLine(agentType, 60)} ${agentId}`)
      .join(", ");
  const what = [
    ...(running.length > 0 ? [`still at work: ${names(running)}`] : []),
    ...(unread.length > 0 ? [`not read yet: the report of ${names(unread)}`] : []),
  ];
  return {
    layer: "orchestrator-guard",
    rule: "wait-for-agents",
    reason: sentence(
      "wait-for-agents",
      what.join("; "),
      "it is delegated to them already: wait for the report, or stop with TaskStop what is not needed",
    ),
  };
}

function refusal(
  rule: OrchestratorRule,
  what: string,
  { role, state }: { role: Role; state: OrchestratorState },
): Refusal {
  return { layer: "orchestrator-guard", rule, reason: sentence(rule, what, advice(role, state)) };
}

const sentence = (rule: OrchestratorRule, what: string, then: string): string =>
  `orchestrator rule ${rule} (${orchestratorRules[rule]}): ${what}; ${then}`;

/** Whose work it is, and who stands in where that agent is not defined. */
function advice(role: Role, { agents }: OrchestratorState): string {
  const standIn = standIns[role].find((type) => agents?.includes(type));
  return (
    "delegate to " +
    `${role}${agents === undefined || agents.includes(role) || standIn === undefined ? "" : ` (here: ${standIn})`}`
  );
}

const standIns: Record<Role, readonly string[]> = {
  "code-explorer": ["Explore", "researcher", "general-purpose"],
  "qa-engineer": ["writer", "general-purpose"],
  "security-auditor": ["security-scan", "general-purpose"],
  "product-manager": ["general-purpose"],
  "frontend-specialist": ["writer", "general-purpose"],
  "backend-specialist": ["writer", "general-purpose"],
  researcher: ["Explore", "general-purpose"],
};

const name = (path: string): string => oneLine(path, 200);
