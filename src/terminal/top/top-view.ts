// What `retinue top` shows and which keys change it: plain data and pure functions. What a key wants
// done in the world comes back as a wish.
import { afterKey } from "../screen/after-key.ts";
import { isAtWork, treeRows, type TreeRow } from "../view/agent-view.ts";
import type { SessionAgent } from "../view/session-agents.ts";

/** A line that is typed at the bottom. */
export type TopInput = { wish: "message" | "resume"; id: string; text: string };

export type TopLog = {
  id: string;
  title: string;
  lines: readonly string[];
  /** So many lines above the newest; 0 follows. */ back: number;
};

export type TopView = {
  /** This folder, or all of them. */ scope: string;
  rows: readonly TreeRow<SessionAgent>[];
  selected: string | null;
  note: string;
  input: TopInput | null;
  /** The agent that is to be stopped, once the person has said yes. */ stopping: string | null;
  log: TopLog | null;
};

export type TopWish =
  | { wish: "leave" }
  | { wish: "follow" | "stop" | "answer" | "background"; id: string }
  | { wish: "message" | "resume"; id: string; text: string };

export type TopStep = { view: TopView; wish?: TopWish };

export const emptyTop = (scope: string): TopView => ({
  scope,
  rows: [],
  selected: null,
  note: "",
  input: null,
  stopping: null,
  log: null,
});

/** The same agent stays selected; where it is gone, the one that stands in its place. */
export function withAgents(view: TopView, agents: readonly SessionAgent[]): TopView {
  const rows = treeRows(agents);
  const isThere = rows.some(({ item }) => item.id === view.selected);
  const place = Math.max(0, selectedIndex(view));
  const selected = isThere
    ? view.selected
    : (rows[Math.min(place, rows.length - 1)]?.item.id ?? null);
  return { ...view, rows, selected };
}

export const selectedIndex = ({ rows, selected }: TopView): number =>
  rows.findIndex(({ item }) => item.id === selected);

export const selectedAgent = (view: TopView): SessionAgent | undefined =>
  view.rows[selectedIndex(view)]?.item;

/** `page`: how many rows a page has. */
export function pressed(view: TopView, key: string, page: number): TopStep {
  if (view.input) return typed(view, view.input, key);
  if (view.stopping !== null) return confirmed(view, view.stopping, key);
  return view.log ? inLog(view, view.log, { key, page }) : inList({ ...view, note: "" }, key, page);
}

function typed(view: TopView, input: TopInput, key: string): TopStep {
  const text = afterKey(input.text, key);
  if (key === "escape") return { view: { ...view, input: null } };
  if (key !== "enter") return { view: { ...view, input: { ...input, text } } };
  const given = input.text.trim();
  if (given === "") return { view: { ...view, input: null, note: "nothing was sent" } };
  return { view: { ...view, input: null }, wish: { ...input, text: given } };
}

const confirmed = (view: TopView, id: string, key: string): TopStep => ({
  view: { ...view, stopping: null },
  ...(key.toLowerCase() === "y" ? { wish: { wish: "stop", id } as const } : {}),
});

function inLog(view: TopView, log: TopLog, { key, page }: { key: string; page: number }): TopStep {
  if (key === "q" || key === "escape" || key === "enter") return { view: { ...view, log: null } };
  const steps: Readonly<Record<string, number>> = {
    up: 1,
    k: 1,
    down: -1,
    j: -1,
    "page-up": page,
    "page-down": -page,
    " ": -page,
    home: Infinity,
    end: -Infinity,
  };
  const most = Math.max(0, log.lines.length - page);
  const back = Math.min(most, Math.max(0, log.back + (steps[key] ?? 0)));
  return { view: { ...view, log: { ...log, back } } };
}

const moves: Readonly<Record<string, (at: number, page: number) => number>> = {
  up: (at) => at - 1,
  k: (at) => at - 1,
  down: (at) => at + 1,
  j: (at) => at + 1,
  "page-up": (at, page) => at - page,
  "page-down": (at, page) => at + page,
  home: () => 0,
  end: () => Infinity,
};

function inList(view: TopView, key: string, page: number): TopStep {
  if (key === "q" || key === "escape") return { view, wish: { wish: "leave" } };
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (move) {
    const at = Math.max(0, Math.min(view.rows.length - 1, move(selectedIndex(view), page)));
    return { view: { ...view, selected: view.rows[at]?.item.id ?? null } };
  }
  const agent = selectedAgent(view);
  if (!agent) return { view };
  const why = refusal(agent, key);
  if (why !== undefined) return { view: { ...view, note: why } };
  return wished(view, agent, key);
}

function wished(view: TopView, { id }: SessionAgent, key: string): TopStep {
  switch (key) {
    case "enter":
      return { view, wish: { wish: "follow", id } };
    case "s":
      return { view: { ...view, stopping: id } };
    case "m":
      return { view: { ...view, input: { wish: "message", id, text: "" } } };
    case "r":
      return { view: { ...view, input: { wish: "resume", id, text: "" } } };
    case "a":
      return { view, wish: { wish: "answer", id } };
    case "b":
      return { view, wish: { wish: "background", id } };
    default:
      return { view };
  }
}

/** Why a key does nothing for this agent; undefined where it does something. */
function refusal(agent: SessionAgent, key: string): string | undefined {
  if (agent.isFlow && /^(?:enter|[smrab])$/.test(key))
    return "this is a flow: choose one of its agents; `retinue flow resume` goes on with a flow";
  if (key === "s" && !isAtWork(agent)) return `${agent.label} is over already`;
  if (key === "a" && agent.state !== "asking") return `${agent.label} has no open question`;
  if (key === "r" && isAtWork(agent)) return `${agent.label} still runs; m sends it a message`;
  if (key === "b" && (!isAtWork(agent) || agent.isBackground))
    return `${agent.label} ${isAtWork(agent) ? "is in the background already" : "is over already"}`;
  return undefined;
}
