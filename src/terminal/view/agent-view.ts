// One agent as people see it, whether its events were heard or its records were read: what it is
// called, what it does, what it has used, and what was found about its answer.
import type { RunState, StateReason } from "../../events/outcome.ts";
import type { JudgedWords } from "./trust-words.ts";

export type AgentView = {
  id: string;
  /** What started it: an agent's id, or the key of a phase; null for what a person started. */
  parent: string | null;
  label: string;
  /** What it is to do, in short. */ task: string;
  model: string;
  /** `asking`: it waits for a person. */
  state: "running" | "asking" | RunState;
  reason: StateReason | null;
  /** What it does at this moment. */ doing: string;
  turns: number;
  tokens: number;
  costUsd: number | null;
  /** How much of the model's window its last reply filled, in percent. */ context: number | null;
  /** Epoch milliseconds; null where no record says it. */ startedAt: number | null;
  endedAt: number | null;
  isBackground: boolean;
  judged: JudgedWords;
  /** What was checked, in words; empty before the check and where nothing was checked. */
  checked: string;
};

export const isAtWork = ({ state }: Pick<AgentView, "state">): boolean =>
  state === "running" || state === "asking";

/** good: nothing speaks against it. doubtful: not everything was found true. bad: it failed. */
export type AgentMark = "open" | "asking" | "good" | "doubtful" | "bad";

const lost = new Set<string | null>(["INVALID", "FAILED", "BLOCKED"]);
const doubted = new Set<string | null>(["MIXED", "UNVERIFIED"]);

/** An answer that is INVALID or CONTRADICTED is never good, however its run ended. */
export function markOf({ state, judged }: Pick<AgentView, "state" | "judged">): AgentMark {
  if (state === "running") return "open";
  if (state === "asking") return "asking";
  return state === "completed" ? markOfAnswer(judged) : "bad";
}

export function markOfAnswer({
  trust,
  outcome,
}: Pick<JudgedWords, "trust" | "outcome">): AgentMark {
  if (lost.has(outcome) || trust === "CONTRADICTED") return "bad";
  return doubted.has(trust) || outcome === "PARTIAL" ? "doubtful" : "good";
}

/** `prefix` draws the branches that lead to it. */
export type TreeRow<T> = { item: T; prefix: string; depth: number };

type InTree = { id: string; parent: string | null };

/**
 * Every item below the one that started it, in the order given; an item whose parent is not there
 * stands at the top. Total: a circle of parents is cut.
 */
export function treeRows<T extends InTree>(items: readonly T[]): TreeRow<T>[] {
  const known = new Set(items.map(({ id }) => id));
  const below = new Map<string | null, T[]>();
  for (const item of items) {
    const parent = item.parent !== null && known.has(item.parent) ? item.parent : null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(item);
    else below.set(parent, [item]);
  }
  const rows: TreeRow<T>[] = [];
  const seen = new Set<string>();
  const walk = (item: T, prefix: string, place: { depth: number; indent: string }): void => {
    if (seen.has(item.id)) return;
    seen.add(item.id);
    rows.push({ item, prefix, depth: place.depth });
    const children = below.get(item.id) ?? [];
    for (const [index, child] of children.entries()) {
      const isLast = index === children.length - 1;
      walk(child, `${place.indent}${isLast ? "└ " : "├ "}`, {
        depth: place.depth + 1,
        indent: `${place.indent}${isLast ? "  " : "│ "}`,
      });
    }
  };
  for (const item of [...(below.get(null) ?? []), ...items])
    walk(item, "", { depth: 0, indent: "" });
  return rows;
}

/** `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
