// The lines at the bottom of the terminal: every agent that is at work below the one that started
// it, the phases of a flow with their agents inside.
import { oneLine } from "../../base/text/printable.ts";
import type { Paint } from "../paint.ts";
import { elapsed, isAtWork, treeRows, type AgentView, type TreeRow } from "../view/agent-view.ts";
import type { WorkView } from "../view/work-view.ts";
import { endedAgentLine, workingAgentLine } from "./agent-lines.ts";

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

export type StatusLook = {
  columns: number;
  /** At most so many lines. */ rows: number;
  tick: number;
  /** Epoch milliseconds. */ now: number;
  paint: Paint;
};

type Phase = { id: string; parent: null; name: string; agent: string; startedAt: number };
type Item = AgentView | Phase;

const phaseKey = (name: string): string => `phase ${name}`;

/** No line is wider than the terminal, and there are never more than it can show. */
export function statusLines(view: WorkView, look: StatusLook): string[] {
  const phases: Phase[] = [...view.phases.values()].map((phase) => ({
    id: phaseKey(phase.name),
    parent: null,
    ...phase,
  }));
  const agents = [...view.agents.values()].flatMap((agent) => {
    const phase = view.phaseOf.get(agent.id);
    if (phase === undefined) return isAtWork(agent) ? [agent] : [];
    return view.phases.has(phase) ? [{ ...agent, parent: phaseKey(phase) }] : [];
  });
  const rows = treeRows<Item>([...phases, ...agents]);
  const shown = rows.length > look.rows ? rows.slice(0, Math.max(0, look.rows - 1)) : rows;
  const more = rows.length - shown.length;
  return [
    ...shown.map((row) => lineOf(row, look)),
    ...(more > 0 ? [look.paint("dim", `  … and ${more} more`)] : []),
  ];
}

function lineOf({ item, prefix }: TreeRow<Item>, look: StatusLook): string {
  const { columns, tick, now, paint } = look;
  const width = Math.max(1, columns - 3 - prefix.length);
  const frame = frames[tick % frames.length]!;
  if ("name" in item) {
    const words = `${item.name} · ${item.agent} · ${elapsed(now - item.startedAt)}`;
    return `${paint("cyan", frame)} ${paint("bold", oneLine(words, width))}`;
  }
  if (isAtWork(item))
    return paint("dim", `${frame} ${prefix}${workingAgentLine(item, now, width)}`);
  return `  ${paint("dim", prefix)}${cutLine(endedAgentLine(item, paint), width)}`;
}

/** Cuts a line that has colours in it to so many columns. */
function cutLine(line: string, width: number): string {
  const plain = line.replace(/\u001b\[[0-9;]*m/g, "");
  return oneLine(plain, width) === plain ? line : oneLine(plain, width);
}
