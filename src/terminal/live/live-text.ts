// Agents at work for people: what the main thread does line by line, and on a terminal a line at the
// bottom for every agent that works, which becomes its trust line when it has ended.
import { maskSecrets, secretValues } from "../../base/secrets/find-secrets.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { RunEvent } from "../../events/event.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import type { Paint } from "../paint.ts";
import { statusArea } from "../screen/status-area.ts";
import {
  afterEvent,
  afterStep,
  agentsOfPhase,
  noWork,
  type FlowStep,
  type WorkView,
} from "../view/work-view.ts";
import { endedAgentLine, signOf } from "./agent-lines.ts";
import { eventLine } from "./event-lines.ts";
import { phaseLines } from "./phase-lines.ts";
import { statusLines } from "./status-lines.ts";

export type LiveText = {
  onEvent: (event: RunEvent) => void;
  /** What a flow tells besides the events of its agents. */ onStep: (step: FlowStep) => void;
  /** Takes the status lines away until the returned function is called. */
  pause: () => () => void;
  close: () => void;
};

type LiveIo = { err: (text: string) => void; paintErr: Paint; env: NodeJS.ProcessEnv };
type LiveTerminal = { columns: number; rows: number; write(text: string): void };

/** A sub-agent's calls and words: on a terminal its one line says them while they matter. */
const inItsLine: ReadonlySet<RunEvent["type"]> = new Set([
  "run-start",
  "tool-end",
  "message",
  "compaction",
]);

/**
 * `terminal` is standard error when a person is watching; without it every line is printed once and
 * nothing is rewritten.
 */
export function liveText(io: LiveIo, terminal: LiveTerminal | undefined): LiveText {
  const secrets = secretValues(io.env);
  const screen = terminal && drawnOn(terminal, io.paintErr);
  let view = noWork;
  const line = (text: string): void => {
    screen?.clear();
    io.err(text);
    screen?.draw(view);
  };
  const timer = screen && setInterval(() => screen.draw(view), 120);
  timer?.unref();
  const prose = (text: string): string =>
    terminal ? renderMarkdown(text, { width: terminal.columns - 2, paint: io.paintErr }) : text;
  return {
    onEvent(given) {
      const event = withoutSecrets(given, secrets);
      const before = view;
      view = afterEvent(before, event);
      const label = childLabel(view, event.agentId);
      if (!isTold(event, { view, isChild: label !== undefined, isDrawn: screen !== undefined }))
        return;
      const text = eventLine(event, { paint: io.paintErr, before, after: view, prose });
      if (text === undefined) return;
      const isEnd = screen !== undefined && event.type === "run-end";
      line(
        label === undefined ? text : isEnd ? `  └ ${text.trimStart()}` : labelled(text, label, io),
      );
    },
    onStep(step) {
      const before = view;
      view = afterStep(before, step);
      if (step.type === "phase-start" && !screen && !before.phases.has(step.phase))
        line(`${signOf("open", io.paintErr)} ${io.paintErr("bold", oneLine(step.phase, 80))}`);
      if (step.type === "phase-end")
        line(phaseText(step, { view: before, paint: io.paintErr, isDrawn: screen !== undefined }));
    },
    pause() {
      screen?.pause(true);
      return () => screen?.pause(false);
    },
    close() {
      clearInterval(timer);
      screen?.clear();
    },
  };
}

/** The status lines: redrawn as time goes by, taken away while a question has the terminal. */
function drawnOn(terminal: LiveTerminal, paint: Paint) {
  const area = statusArea(terminal);
  let tick = 0;
  let isPaused = false;
  return {
    draw(view: WorkView): void {
      if (isPaused) return;
      const { columns, rows } = terminal;
      const look = { columns, rows: Math.max(1, rows - 1), tick: tick++, now: Date.now(), paint };
      area.draw(statusLines(view, look));
    },
    clear: () => area.clear(),
    pause(isOn: boolean): void {
      isPaused = isOn;
      if (isOn) area.clear();
    },
  };
}

/** The end of a main thread is told with its result, that of an agent of a flow with its phase. */
function isTold(
  { type, agentId }: RunEvent,
  { view, isChild, isDrawn }: { view: WorkView; isChild: boolean; isDrawn: boolean },
): boolean {
  if (!isChild) return type !== "run-end";
  if (!isDrawn) return true;
  return type === "run-end" ? !view.phaseOf.has(agentId) : !inItsLine.has(type);
}

/** The name of an agent that another one or a flow has started; what a person started needs none. */
function childLabel(view: WorkView, agentId: string): string | undefined {
  const agent = view.agents.get(agentId);
  return agent && (agent.parent !== null || view.phaseOf.has(agentId)) ? agent.label : undefined;
}

/** What the phase came to, with the agents that worked for it. */
function phaseText(
  { entry }: Extract<FlowStep, { type: "phase-end" }>,
  { view, paint, isDrawn }: { view: WorkView; paint: Paint; isDrawn: boolean },
): string {
  const [first = "", ...rest] = phaseLines(entry, { paintErr: paint });
  const agents = agentsOfPhase(view, entry.phase).filter(({ endedAt }) => endedAt !== null);
  const inside = isDrawn ? agents.map((agent) => `  └ ${endedAgentLine(agent, paint)}`) : [];
  return [first, ...inside, ...rest].join("\n");
}

/** What stands in a line is masked before it is cut: the beginning of a key is a part of it. */
function withoutSecrets(event: RunEvent, known: readonly string[]): RunEvent {
  if (event.type === "tool-progress") return { ...event, text: maskSecrets(event.text, known) };
  if (event.type === "tool-end") return { ...event, summary: maskSecrets(event.summary, known) };
  if (event.type === "tool-start") return { ...event, input: maskedInput(event.input, known) };
  return event;
}

/** The texts of the first levels, which are all that a line shows. */
function maskedInput(value: unknown, known: readonly string[], depth = 0): unknown {
  if (typeof value === "string") return maskSecrets(value, known);
  if (typeof value !== "object" || value === null || depth > 3) return value;
  if (Array.isArray(value)) return value.map((item) => maskedInput(item, known, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskedInput(item, known, depth + 1)]),
  );
}

/** What a sub-agent does stands indented, with its name: several may write at once. */
const labelled = (text: string, label: string, { paintErr }: LiveIo): string =>
  text
    .split("\n")
    .map((row) => `    ${paintErr("dim", `${oneLine(label, 40)} │`)} ${row.trimStart()}`)
    .join("\n");
