// Sessions as people see them, from the records of their runs: a pure function, the same view as
// from events. The runs may belong to other processes.
import type { StateReason } from "../../events/outcome.ts";
import { judgedWords, trustWords } from "./trust-words.ts";
import type { AgentView } from "./agent-view.ts";

/** A run as its session's files tell it. */
export type RunOnView = {
  agentId: string;
  sessionId: string;
  isMain: boolean;
  agentType: string;
  name: string | null;
  task: string;
  cwd: string;
  model: string;
  state: AgentView["state"];
  reason: StateReason | null;
  /** What its last lines say that it does. */ doing: string;
  turns: number;
  tokens: number;
  costUsd: number | null;
  context: number | null;
  startedAt: number | null;
  endedAt: number | null;
  isBackground: boolean;
  verification: Parameters<typeof judgedWords>[0];
};

/** A flow, which has agents and no main thread. */
export type RecordedFlow = {
  sessionId: string;
  pattern: string;
  feature: string;
  cwd: string;
  state: "running" | "completed" | "failed";
  startedAt: number | null;
};

export type SessionAgent = AgentView & {
  sessionId: string;
  cwd: string;
  /** A flow stands for its agents: it has no log, and takes no message. */ isFlow: boolean;
};

/** Newest session first; the main thread or the flow of a session before its agents. */
export function sessionAgents(
  runs: readonly RunOnView[],
  flows: readonly RecordedFlow[],
): SessionAgent[] {
  const mains = new Map(runs.filter(({ isMain }) => isMain).map((run) => [run.sessionId, run]));
  const lone = flows.filter(({ sessionId }) => !mains.has(sessionId));
  const parents = new Map<string, string>([
    ...lone.map(({ sessionId }) => [sessionId, flowId(sessionId)] as const),
    ...[...mains].map(([sessionId, { agentId }]) => [sessionId, agentId] as const),
  ]);
  const agents = [
    ...lone.map((flow) => flowAgent(flow, runs)),
    ...runs.map((run) => runAgent(run, run.isMain ? null : (parents.get(run.sessionId) ?? null))),
  ];
  const newest = new Map<string, number>();
  for (const { sessionId, startedAt } of agents)
    newest.set(sessionId, Math.max(newest.get(sessionId) ?? 0, startedAt ?? 0));
  return agents.sort(
    (a, b) =>
      newest.get(b.sessionId)! - newest.get(a.sessionId)! ||
      (a.sessionId < b.sessionId ? -1 : a.sessionId > b.sessionId ? 1 : 0) ||
      Number(a.parent !== null) - Number(b.parent !== null) ||
      (a.startedAt ?? 0) - (b.startedAt ?? 0),
  );
}

const flowId = (sessionId: string): string => `flow ${sessionId}`;

function runAgent(run: RunOnView, parent: string | null): SessionAgent {
  const { agentId, isMain: _isMain, agentType, name, verification, ...rest } = run;
  return {
    ...rest,
    id: agentId,
    parent,
    label: name ?? agentType,
    judged: judgedWords(verification),
    checked: trustWords(verification).join(" "),
    isFlow: false,
  };
}

/** Its numbers are those of its agents. */
function flowAgent(flow: RecordedFlow, runs: readonly RunOnView[]): SessionAgent {
  const own = runs.filter(({ sessionId }) => sessionId === flow.sessionId);
  const sum = (of: (run: RunOnView) => number): number =>
    own.reduce((total, run) => total + of(run), 0);
  return {
    id: flowId(flow.sessionId),
    parent: null,
    sessionId: flow.sessionId,
    cwd: flow.cwd,
    label: `flow ${flow.pattern}`,
    task: flow.feature,
    model: "",
    state: flow.state,
    reason: null,
    doing: "",
    turns: sum(({ turns }) => turns),
    tokens: sum(({ tokens }) => tokens),
    costUsd: own.some(({ costUsd }) => costUsd !== null)
      ? sum(({ costUsd }) => costUsd ?? 0)
      : null,
    context: null,
    startedAt: flow.startedAt,
    endedAt: null,
    isBackground: false,
    judged: judgedWords(null),
    checked: "",
    isFlow: true,
  };
}
