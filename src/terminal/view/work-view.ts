// The work of one process as people watch it: a pure function from events to a view. Whoever draws
// holds on to the view; nothing here knows a terminal.
import type { RunEvent } from "../../events/event.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "../../model/model.ts";
import { costUsd, priceOf } from "../../model/prices.ts";
import { windowOf } from "../../model/windows.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import type { AgentView } from "./agent-view.ts";
import { callText, type CallText } from "./call-text.ts";
import { judgedWords, trustWords } from "./trust-words.ts";

/** A call that has begun and not ended. */
export type OpenCall = { agentId: string; tool: string; about: CallText };

export type PhaseView = { name: string; agent: string; startedAt: number };

export type WorkView = {
  /** In the order of their starts. */ agents: ReadonlyMap<string, AgentView>;
  calls: ReadonlyMap<string, OpenCall>;
  /** Which agent made a call, as long as an agent that it started is known. */
  startedBy: ReadonlyMap<string, string>;
  usage: ReadonlyMap<string, Usage>;
  /** Those of a flow that have begun and not ended. */ phases: ReadonlyMap<string, PhaseView>;
  /** The phase that an agent works for. */ phaseOf: ReadonlyMap<string, string>;
  /** The main thread, where there is one. */ main: string | null;
  cwd: string;
};

export const noWork: WorkView = {
  agents: new Map(),
  calls: new Map(),
  startedBy: new Map(),
  usage: new Map(),
  phases: new Map(),
  phaseOf: new Map(),
  main: null,
  cwd: "",
};

type Heard<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;
type Reaction<Type extends RunEvent["type"]> = (view: WorkView, event: Heard<Type>) => WorkView;

/** What changes the view, by the type of the event; other events change nothing. */
const reactions: { [Type in RunEvent["type"]]?: Reaction<Type> } = {
  "run-start": begin,
  "turn-start": (view, { agentId }) => doing(view, agentId, "thinking"),
  "reply-delta": (view, { agentId, kind }) =>
    doing(view, agentId, kind === "text" ? "writing" : "thinking"),
  "tool-start"(view, { agentId, toolUseId, tool, input }) {
    const about = callText(input, view.cwd);
    const calls = new Map(view.calls).set(toolUseId, { agentId, tool, about });
    return doing({ ...view, calls }, agentId, `${tool} ${about.what}`);
  },
  "tool-progress": (view, { agentId, text }) => doing(view, agentId, text),
  "tool-end"(view, { agentId, toolUseId }) {
    const calls = new Map(view.calls);
    calls.delete(toolUseId);
    const other = [...calls.values()].findLast((call) => call.agentId === agentId);
    return doing(
      { ...view, calls },
      agentId,
      other ? `${other.tool} ${other.about.what}` : "thinking",
    );
  },
  asked: (view, { agentId, tool }) =>
    change(view, agentId, { state: "asking", doing: `asking about ${tool}` }),
  "permission-decision": (view, { agentId }) =>
    view.agents.get(agentId)?.state === "asking"
      ? change(view, agentId, { state: "running" })
      : view,
  "model-wait": (view, { agentId, delayMs, kind }) =>
    doing(view, agentId, `waiting ${Math.ceil(delayMs / 1000)} s: ${kind}`),
  message: (view, event) => (event.reply ? replied(view, event.agentId, event.reply.usage) : view),
  verification: (view, { agentId, result }) =>
    change(view, agentId, {
      judged: judgedWords(result),
      checked: trustWords(result).join(" "),
    }),
  "run-end": (view, { agentId, outcome, time }) =>
    change(view, agentId, {
      state: outcome.state,
      reason: outcome.reason ?? null,
      doing: "",
      turns: outcome.metrics.turns,
      tokens: outcome.metrics.tokens_used,
      costUsd: outcome.metrics.cost_usd,
      endedAt: time,
    }),
};

export function afterEvent(view: WorkView, event: RunEvent): WorkView {
  const react = reactions[event.type] as Reaction<RunEvent["type"]> | undefined;
  return react ? react(view, event) : view;
}

function begin(view: WorkView, { agentId, spec, time }: Heard<"run-start">): WorkView {
  const { agentType, name, isMain, model, toolUseId, background } = spec;
  const agent: AgentView = {
    id: agentId,
    parent: isMain ? null : startedBy(view, toolUseId),
    label: name ?? agentType,
    task: spec.description ?? "",
    model,
    state: "running",
    reason: null,
    doing: "starting",
    turns: 0,
    tokens: 0,
    costUsd: null,
    context: null,
    startedAt: time,
    endedAt: null,
    isBackground: background,
    judged: judgedWords(null),
    checked: "",
  };
  const { carried } = spec;
  return {
    ...view,
    agents: new Map(view.agents).set(
      agentId,
      carried
        ? { ...agent, turns: carried.metrics.turns, tokens: carried.metrics.tokens_used }
        : agent,
    ),
    usage: new Map(view.usage).set(agentId, carried?.metrics.usage ?? noUsage),
    startedBy:
      toolUseId === undefined ? view.startedBy : new Map(view.startedBy).set(toolUseId, agentId),
    main: isMain ? agentId : view.main,
    cwd: spec.place.cwd,
  };
}

/** Whoever made the call that started it, else the main thread. */
const startedBy = (view: WorkView, toolUseId: string | undefined): string | null =>
  (toolUseId === undefined ? undefined : view.calls.get(toolUseId)?.agentId) ?? view.main;

function change(view: WorkView, agentId: string, now: Partial<AgentView>): WorkView {
  const agent = view.agents.get(agentId);
  return agent
    ? { ...view, agents: new Map(view.agents).set(agentId, { ...agent, ...now }) }
    : view;
}

/** The pieces of a reply come by the hundred: what says nothing new costs nothing. */
const doing = (view: WorkView, agentId: string, words: string): WorkView =>
  view.agents.get(agentId)?.doing === words ? view : change(view, agentId, { doing: words });

function replied(view: WorkView, agentId: string, reply: Usage): WorkView {
  const agent = view.agents.get(agentId);
  if (!agent) return view;
  const usage = addUsage(view.usage.get(agentId) ?? noUsage, reply);
  const [provider, id = ""] = agent.model.split(/:(.*)/s);
  return change({ ...view, usage: new Map(view.usage).set(agentId, usage) }, agentId, {
    turns: agent.turns + 1,
    tokens: totalTokens(usage),
    costUsd: costUsd(usage, priceOf(id, provider)),
    context: Math.min(100, Math.round((100 * totalTokens(reply)) / windowOf(id).contextWindow)),
  });
}

/** What a flow tells besides the events of its agents. */
export type FlowStep =
  | { type: "phase-start"; phase: string; agent: string; time: number }
  | { type: "agent-start"; phase: string; agentId: string }
  | { type: "phase-end"; entry: PhaseRecord };

export function afterStep(view: WorkView, step: FlowStep): WorkView {
  if (step.type === "agent-start")
    return { ...view, phaseOf: new Map(view.phaseOf).set(step.agentId, step.phase) };
  const phases = new Map(view.phases);
  if (step.type === "phase-start") {
    const { phase: name, agent, time } = step;
    if (!phases.has(name)) phases.set(name, { name, agent, startedAt: time });
    return { ...view, phases };
  }
  // Another round of the same phase has agents of its own.
  const [agents, phaseOf] = [new Map(view.agents), new Map(view.phaseOf)];
  for (const { id } of agentsOfPhase(view, step.entry.phase)) {
    agents.delete(id);
    phaseOf.delete(id);
  }
  phases.delete(step.entry.phase);
  return { ...view, phases, agents, phaseOf };
}

/** The agents that worked for a phase, in the order of their starts. */
export const agentsOfPhase = (view: WorkView, phase: string): AgentView[] =>
  [...view.agents.values()].filter(({ id }) => view.phaseOf.get(id) === phase);

/** The agent that a call has started, where it has started one. */
export function startedByCall(view: WorkView, toolUseId: string): AgentView | undefined {
  const id = view.startedBy.get(toolUseId);
  return id === undefined ? undefined : view.agents.get(id);
}
