// The output file of a background run: text as it happens, whole lines only, capped, with a last
// line that says how it ended.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "../../base/limits.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { RunEvent } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import { textOf } from "../../model/message.ts";
import { fileMode } from "../../transcripts/paths.ts";

export type OutputFile = {
  path: string;
  onEvent(event: RunEvent): void;
  write(text: string): void;
  end(outcome: Pick<RunOutcome, "state" | "reason">, agentId: string): void;
  /** Without a last line: another process goes on with the run and the file. */
  close(): void;
};

const marker = `[retinue] output capped at ${limits.output.bytes / 1024 / 1024} MB; the transcript has the rest`;

/**
 * Appends to what earlier lives of the run left there. A file that cannot be written is given up
 * quietly: the transcript has everything, and no reader, no full disk and no missing folder may
 * hold up the agent. `known` are values that are secret here.
 */
export function openOutputFile(path: string, known: readonly string[]): OutputFile {
  const file = openLines(path);
  let isFull = file.size() >= limits.output.bytes;
  const write = (text: string): void => {
    if (isFull) return;
    const room = limits.output.bytes - file.size();
    const lines = `${maskSecrets(printable(text), known)}\n`;
    const fitting = Buffer.byteLength(lines) <= room ? lines : wholeLines(lines, room);
    if (fitting) file.write(fitting);
    if (fitting === lines) return;
    isFull = true;
    file.write(`${marker}\n`);
  };
  let lastEndLine: string | undefined;
  // The end may come twice, when the disk failed after it was recorded: the last end line counts.
  const lastLine = (
    { state, reason }: Pick<RunOutcome, "state" | "reason">,
    agentId: string,
  ): void => {
    const line = `[retinue] state=${state}${reason ? ` reason=${reason}` : ""} agent=${agentId}\n`;
    if (line !== lastEndLine) file.write(line);
    lastEndLine = line;
  };
  return {
    path,
    onEvent(event) {
      // With the fact, not after the run has cleared up: whoever sees that it is over finds the
      // last line there.
      if (event.type === "run-end") return lastLine(event.outcome, event.agentId);
      const told = isFull ? undefined : toldEvent(event);
      const text = told && outputLine(told);
      if (text !== undefined) write(text);
    },
    write,
    end(outcome, agentId) {
      lastLine(outcome, agentId);
      file.close();
    },
    close: () => file.close(),
  };
}

/** The lines from the beginning that fit into so many bytes. */
function wholeLines(text: string, room: number): string {
  const bytes = Buffer.from(text);
  return bytes.toString("utf8", 0, bytes.lastIndexOf(0x0a, room - 1) + 1);
}

type Lines = { size(): number; write(lines: string): void; close(): void };

/** One write for each piece of text; a piece that the disk takes only in part is cut off again. */
function openLines(path: string): Lines {
  let fd = tryOpen(path);
  let size = fd === undefined ? 0 : fstatSync(fd).size;
  return {
    size: () => size,
    write(lines) {
      if (fd === undefined) return;
      try {
        const written = writeSync(fd, lines);
        if (written === Buffer.byteLength(lines)) size += written;
        else ftruncateSync(fd, size);
      } catch {
        // Full or gone: the next line may fit again.
      }
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function tryOpen(path: string): number | undefined {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  let fd: number | undefined;
  try {
    makePrivateDir(dirname(path));
    fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, fileMode);
    if (fstatSync(fd).isFile()) return fd;
  } catch {
    return undefined;
  }
  closeSync(fd);
  return undefined;
}

/**
 * Whoever follows the file tells by these words what the runtime says; an agent that writes them
 * says them in round brackets.
 */
const ownWords = (text: string): string =>
  printable(text).replace(
    /^([^\p{L}\p{N}\n]*)\[(?=(?:retinue|tool|denied|waiting|warning)\b)/gimu,
    "$1(",
  );

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** What a line of the output is made of, without the rest of the event: many are kept for long. */
export type ToldEvent =
  | Pick<EventOf<"message">, "type" | "message">
  | Pick<EventOf<"tool-end">, "type" | "tool" | "isError" | "summary">
  | EventOf<"permission-decision" | "model-wait" | "warning">;

/** Undefined for an event that has no line. */
function toldEvent(event: RunEvent): ToldEvent | undefined {
  switch (event.type) {
    case "message":
      return event.origin === "reply" ? { type: event.type, message: event.message } : undefined;
    case "tool-end": {
      const { type, tool, isError, summary } = event;
      return { type, tool, isError, summary };
    }
    case "permission-decision":
    case "model-wait":
    case "warning":
      return event;
    default:
      return undefined;
  }
}

/** Not as lines: most runs never get an output file, so that nothing is written out for one. */
export function keepTold(events: ToldEvent[], event: RunEvent): void {
  const told = toldEvent(event);
  if (!told) return;
  events.push(told);
  if (events.length > 2 * limits.run.keptEvents)
    events.splice(0, events.length - limits.run.keptEvents);
}

/** The line that stands for an event; undefined for what readers of the output do not need. */
export function outputLine(event: ToldEvent): string | undefined {
  switch (event.type) {
    case "message":
      return ownWords(textOf(event.message.content)).trim() || undefined;
    case "tool-end":
      return `[tool] ${oneLine(event.tool, 64)} ${event.isError ? "failed" : "ok"}: ${oneLine(event.summary, 200)}`;
    case "permission-decision":
      return event.behavior === "deny"
        ? `[denied] ${oneLine(event.tool, 64)}: ${oneLine(event.reason, 200)}`
        : undefined;
    case "model-wait":
      return (
        `[waiting] ${event.kind}: ` +
        `${event.message === undefined ? "" : `${oneLine(event.message, 160)}; `}trying ` +
        `again in ${Math.ceil(event.delayMs / 1000)} s (attempt ${event.attempt})`
      );
    default:
      return `[warning] ${oneLine(event.message, 200)}`;
  }
}
