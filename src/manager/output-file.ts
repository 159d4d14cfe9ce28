// The output file of a background run: text as it happens, whole lines only, capped, with a last line that says how it ended.
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "../base/limits.ts";
import { oneLine, printable } from "../base/printable.ts";
import { maskSecrets } from "../base/secret-scan.ts";
import type { RunEvent } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import { textOf } from "../model/message.ts";
import { makePrivateDir } from "../transcripts/paths.ts";

export type OutputFile = { path: string; onEvent(event: RunEvent): void; end(outcome: Pick<RunOutcome, "state" | "reason">, agentId: string): void };

/** Appends to what earlier lives of the run left there. A file that cannot be written is given up quietly: the transcript has everything. */
export function openOutputFile(path: string): OutputFile {
  makePrivateDir(dirname(path));
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  let size = fstatSync(fd).size;
  let isFull = size >= limits.output.bytes;
  const write = (text: string): void => {
    const line = `${maskSecrets(printable(text))}\n`;
    try {
      size += writeSync(fd, line);
    } catch {
      isFull = true;
    }
  };
  return {
    path,
    onEvent(event) {
      const text = isFull ? undefined : lineOf(event);
      if (text === undefined) return;
      if (size + text.length > limits.output.bytes) {
        isFull = true;
        write(`[retinue] output capped at ${limits.output.bytes / 1024 / 1024} MB; the transcript has the rest`);
      } else write(text);
    },
    end({ state, reason }, agentId) {
      write(`[retinue] state=${state}${reason ? ` reason=${reason}` : ""} agent=${agentId}`);
      closeSync(fd);
    },
  };
}

function lineOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "message":
      return event.origin === "reply" ? textOf(event.message.content).trim() || undefined : undefined;
    case "tool-end":
      return `[tool] ${event.tool} ${event.isError ? "failed" : "ok"}: ${oneLine(event.summary, 200)}`;
    case "permission-decision":
      return event.behavior === "deny" ? `[denied] ${event.tool}: ${oneLine(event.reason, 200)}` : undefined;
    case "warning":
      return `[warning] ${oneLine(event.message, 200)}`;
    default:
      return undefined;
  }
}
