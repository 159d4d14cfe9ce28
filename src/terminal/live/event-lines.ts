// What an event says to a person: one line for a call that has ended, for a wait, for a warning, and
// the words between the calls. Nothing of a model, a tool or a file reaches the terminal as it is.
import { grouped } from "../../base/text/grouped.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import type { RunEvent } from "../../events/event.ts";
import { textOf } from "../../model/message.ts";
import type { Paint } from "../paint.ts";
import { isAtWork } from "../view/agent-view.ts";
import { startedByCall, type WorkView } from "../view/work-view.ts";
import { endedAgentLine } from "./agent-lines.ts";

export type LineContext = {
  paint: Paint;
  before: WorkView;
  after: WorkView;
  /** Renders what an agent says. */ prose: (text: string) => string;
};

type LineOf<Type extends RunEvent["type"]> = (
  event: Extract<RunEvent, { type: Type }>,
  context: LineContext,
) => string | undefined;

/** The line of an event, by its type; other events have none. */
const lines: { [Type in RunEvent["type"]]?: LineOf<Type> } = {
  "run-start"({ spec: { agentType, model } }, { paint }) {
    const name = paint("bold", oneLine(agentType, 80));
    return `${paint("cyan", "●")} ${name} ${paint("dim", `on ${oneLine(model, 120)}`)}`;
  },
  "tool-end": callLine,
  "run-end"({ agentId }, { after, paint }) {
    const agent = after.agents.get(agentId);
    return agent && `  ${endedAgentLine(agent, paint)}`;
  },
  message({ origin, reply, message }, { prose }) {
    const said = origin === "reply" && reply?.stop_reason === "tool_use";
    const text = said ? prose(printable(textOf(message.content)).trim()) : "";
    return text === "" ? undefined : text.replace(/^(?=.)/gm, "  ");
  },
  "model-wait"({ kind, message, delayMs, attempt }, { paint }) {
    const why = message === undefined ? "" : `${oneLine(message, 120)}; `;
    const retry = `trying again in ${Math.ceil(delayMs / 1000)} s (attempt ${attempt})`;
    return `  ${paint("yellow", "…")} ${kind}: ${why}${retry}`;
  },
  compaction: ({ preTokens }, { paint }) =>
    `  ${paint("dim", `conversation summarised at ${grouped(preTokens)} tokens`)}`,
  warning: ({ message }, { paint }) => `  ${paint("yellow", "!")} ${oneLine(message, 200)}`,
};

export function eventLine(event: RunEvent, context: LineContext): string | undefined {
  const line = lines[event.type] as LineOf<RunEvent["type"]> | undefined;
  return line?.(event, context);
}

function callLine(
  { toolUseId, tool, isError, summary, durationMs }: Extract<RunEvent, { type: "tool-end" }>,
  { paint, before, after }: LineContext,
): string | undefined {
  const child = startedByCall(after, toolUseId);
  // An agent's own line says how it ended: the call that started it says only that it was made.
  if (child && !isAtWork(child)) return undefined;
  if (child) return `  ${paint("cyan", "●")} ${oneLine(child.label, 40)} works in the background`;
  const about = before.calls.get(toolUseId)?.about ?? { what: "", note: "" };
  const note = about.note === "" ? "" : ` ${paint("dim", `· ${oneLine(about.note, 40)}`)}`;
  const end = paint("dim", `→ ${oneLine(summary, 70)} (${Math.round(durationMs)} ms)`);
  // An agent that was started in the background has not come to anything yet.
  const done = tool === "Agent" ? paint("cyan", "●") : paint("green", "✓");
  const mark = isError ? paint("red", "✗") : done;
  // The name is shortened too: a model may ask for a tool that does not exist.
  return `  ${mark} ${oneLine(tool, 64)} ${oneLine(about.what, 60)}${note} ${end}`;
}
