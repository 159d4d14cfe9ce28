// The line of one agent: what it does and has used while it works, its trust once it has ended.
import { counted } from "../../base/text/grouped.ts";
import { displayWidth, oneLine } from "../../base/text/printable.ts";
import type { Paint, Style } from "../paint.ts";
import { elapsed, markOf, type AgentView, type AgentMark } from "../view/agent-view.ts";

const signs: Readonly<Record<AgentMark, readonly [sign: string, style: Style]>> = {
  open: ["●", "cyan"],
  asking: ["?", "yellow"],
  good: ["✓", "green"],
  doubtful: ["!", "yellow"],
  bad: ["✗", "red"],
};

export function signOf(mark: AgentMark, paint: Paint): string {
  const [sign, style] = signs[mark];
  return paint(style, sign);
}

/** What it has used, shortest last: `3 turns · 1,200 tokens · $0.0031 · 12 s`. */
function usedWords({ turns, tokens, costUsd, startedAt, endedAt }: AgentView, now: number): string {
  return [
    counted(turns, "turn"),
    counted(tokens, "token"),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
    ...(startedAt === null ? [] : [elapsed((endedAt ?? now) - startedAt)]),
  ].join(" · ");
}

const labelColumns = 40;
/** What it does stays readable; then the numbers are cut. */
const leastDoing = 12;

/** At most `width` columns: where they are few, what it does is shortened and not what it has used. */
export function workingAgentLine(agent: AgentView, now: number, width: number): string {
  const label = oneLine(agent.label, labelColumns);
  const used = usedWords(agent, now);
  const room = width - displayWidth(label) - displayWidth(used) - 2 * " · ".length;
  const doing = oneLine(agent.doing, Math.max(room, leastDoing));
  return oneLine([label, ...(doing === "" ? [] : [doing]), used].join(" · "), width);
}

/** One that has ended: its trust, or how it ended. */
export function endedAgentLine(agent: AgentView, paint: Paint): string {
  const { state, reason, checked } = agent;
  const came =
    state !== "completed"
      ? `${state}${reason === null || reason === "error" ? "" : ` (${reason})`}`
      : checked === ""
        ? "completed, nothing in its answer was checked"
        : checked;
  const rest = `${oneLine(came, 300)} · ${usedWords(agent, agent.endedAt ?? 0)}`;
  return `${signOf(markOf(agent), paint)} ${oneLine(agent.label, labelColumns)} ${paint("dim", `· ${rest}`)}`;
}
