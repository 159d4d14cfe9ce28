// A run for people: every tool call with its result in a line, what the agent says in between, and
// on a terminal a status line with time, tokens and cost.
import { maskSecrets, secretValues } from "../../../base/secrets/find-secrets.ts";
import { grouped } from "../../../base/text/grouped.ts";
import { oneLine, printable } from "../../../base/text/printable.ts";
import type { RunEvent } from "../../../events/event.ts";
import { textOf } from "../../../model/message.ts";
import type { Io } from "../../io.ts";
import { AgentsAtWork } from "./agents-at-work.ts";
import { statusArea } from "./status-area.ts";

export type LiveText = {
  onEvent: (event: RunEvent) => void;
  /** Takes the status line away until the returned function is called. */
  pause: () => () => void;
  close: () => void;
};

type Terminal = { columns: number; write(text: string): void } | undefined;

const quietForMain: ReadonlySet<RunEvent["type"]> = new Set(["run-end", "verification"]);
const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/**
 * `terminal` is standard error when a person is watching; without it every line is printed once and
 * nothing is rewritten.
 */
export function liveText(io: Io, terminal: Terminal): LiveText {
  const calls = new Map<string, string>();
  const secrets = secretValues(io.env);
  const area = terminal && statusArea(terminal);
  const agents = new AgentsAtWork();
  let cwd = "";
  let tick = 0;
  let paused = false;
  const status = (): void => {
    if (paused || !terminal) return;
    const frame = frames[tick++ % frames.length];
    area?.draw(
      agents
        .lines()
        .map((line) => io.paintErr("dim", oneLine(`${frame} ${line}`, terminal.columns - 1))),
    );
  };
  const line = (text: string): void => {
    area?.clear();
    io.err(text);
    status();
  };
  const timer = terminal ? setInterval(status, 120) : undefined;
  timer?.unref();
  return {
    onEvent(given) {
      const event = withoutSecrets(given, secrets);
      if (event.type === "run-start") cwd = event.spec.place.cwd;
      if (event.type === "tool-start") calls.set(event.toolUseId, gist(event.input, cwd));
      const known = agents.childLabel(event.agentId);
      agents.hear(event, activity(event, calls));
      const label = known ?? agents.childLabel(event.agentId);
      // The end of the main thread is told with its result.
      const isTold = label === undefined && quietForMain.has(event.type);
      const text = isTold ? undefined : lineOf(event, io, calls);
      if (text !== undefined) line(label === undefined ? text : labelled(text, label, io));
    },
    pause() {
      paused = true;
      area?.clear();
      return () => void (paused = false);
    },
    close() {
      clearInterval(timer);
      area?.clear();
    },
  };
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
const labelled = (text: string, label: string, io: Io): string =>
  text
    .split("\n")
    .map((row) => `    ${io.paintErr("dim", `${oneLine(label, 40)} │`)} ${row.trimStart()}`)
    .join("\n");

function activity(event: RunEvent, calls: ReadonlyMap<string, string>): string | undefined {
  switch (event.type) {
    case "turn-start":
    case "tool-end":
      return "thinking";
    case "reply-delta":
      return event.kind === "text" ? "writing" : "thinking";
    case "tool-start":
      return `${event.tool} ${calls.get(event.toolUseId) ?? ""}`;
    case "tool-progress":
      return event.text;
    case "asked":
      return `asking about ${event.tool}`;
    case "model-wait":
      return `waiting ${Math.ceil(event.delayMs / 1000)} s: ${event.kind}`;
    default:
      return undefined;
  }
}

type LineContext = { io: Io; calls: Map<string, string> };
type LineOf<Type extends RunEvent["type"]> = (
  event: Extract<RunEvent, { type: Type }>,
  context: LineContext,
) => string | undefined;

/** The line of an event, by its type; other events have none. */
const lines: { [Type in RunEvent["type"]]?: LineOf<Type> } = {
  "run-start"({ spec: { agentType, model } }, { io }) {
    const name = io.paintErr("bold", oneLine(agentType, 80));
    return `${io.paintErr("cyan", "●")} ${name} ${io.paintErr("dim", `on ${oneLine(model, 120)}`)}`;
  },
  "tool-end"(event, { io, calls }) {
    const about = calls.get(event.toolUseId) ?? "";
    calls.delete(event.toolUseId);
    const mark = event.isError ? io.paintErr("red", "✗") : io.paintErr("green", "✓");
    const summary = `→ ${oneLine(event.summary, 70)} (${Math.round(event.durationMs)} ms)`;
    // The name is shortened too: a model may ask for a tool that does not exist.
    const tool = oneLine(event.tool, 64);
    return `  ${mark} ${tool} ${oneLine(about, 60)} ${io.paintErr("dim", summary)}`;
  },
  verification({ result: { trust } }, { io }) {
    if (!trust) return undefined;
    const mark = trust === "VERIFIED" ? io.paintErr("green", "✓") : io.paintErr("yellow", "!");
    return `  ${mark} its report is ${trust}`;
  },
  "run-end"({ outcome: { state, reason } }, { io }) {
    if (state === "completed") return undefined;
    return `  ${io.paintErr("red", "✗")} ${state}${reason ? ` (${reason})` : ""}`;
  },
  message: (event) =>
    event.origin === "reply" && event.reply?.stop_reason === "tool_use"
      ? narration(textOf(event.message.content))
      : undefined,
  "model-wait"({ kind, message, delayMs, attempt }, { io }) {
    const why = message === undefined ? "" : `${oneLine(message, 120)}; `;
    const retry = `trying again in ${Math.ceil(delayMs / 1000)} s (attempt ${attempt})`;
    return `  ${io.paintErr("yellow", "…")} ${kind}: ${why}${retry}`;
  },
  compaction: ({ preTokens }, { io }) =>
    `  ${io.paintErr("dim", `conversation summarised at ${grouped(preTokens)} tokens`)}`,
  warning: ({ message }, { io }) => `  ${io.paintErr("yellow", "!")} ${oneLine(message, 200)}`,
};

function lineOf(event: RunEvent, io: Io, calls: Map<string, string>): string | undefined {
  const line = lines[event.type] as LineOf<RunEvent["type"]> | undefined;
  return line?.(event, { io, calls });
}

function narration(text: string): string | undefined {
  const shown = printable(text).trim();
  return shown
    ? shown
        .split("\n")
        .map((row) => `  ${row}`)
        .join("\n")
    : undefined;
}

/**
 * What a call is about, from the inputs that people recognise; paths below the working directory
 * are shortened.
 */
function gist(input: unknown, cwd: string): string {
  if (typeof input !== "object" || input === null) return "";
  const { file_path, offset, limit, command, pattern, path, url, description, prompt, skill } =
    input as Record<string, unknown>;
  const shortened = (text: string): string => text.replaceAll(`${cwd}/`, "");
  if (typeof file_path === "string") return shortened(`${file_path}${rangeOf(offset, limit)}`);
  if (typeof command === "string")
    return shortened(typeof description === "string" ? `${command} (${description})` : command);
  const words = [pattern, path, url, description, prompt, skill].filter(
    (value) => typeof value === "string",
  );
  return shortened(words.slice(0, 2).join(" "));
}

/** The lines of a file that are read, where the call names them. */
function rangeOf(offset: unknown, limit: unknown): string {
  const from = typeof offset === "number" ? offset : 1;
  if (typeof limit === "number") return `:${from}-${from + limit - 1}`;
  return typeof offset === "number" ? `:${from}-` : "";
}
