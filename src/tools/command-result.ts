// What the model is told of a command that has ended: its end in words, its output, what was done
// about what it left behind; and the facts for the record.
import { constants as osConstants } from "node:os";
import { limits } from "../base/limits.ts";
import type { Captured } from "../process/capture.ts";
import type { GroupEnd } from "../process/spawn-group.ts";
import { errorResult, type ToolResult } from "../tool/tool.ts";

export function commandResult({
  command,
  end,
  captured,
  timeoutMs,
  problems,
  note,
}: {
  command: string;
  end: GroupEnd;
  captured: Captured;
  timeoutMs: number;
  problems: readonly string[];
  note?: string | undefined;
}): ToolResult {
  if (end.ended === "not-started")
    return errorResult(`The command was not started: ${end.problem}`);
  const failed = end.ended !== "exit" || end.exitCode !== 0 || problems.length > 0;
  const words = problems.length > 0 ? "Failed" : endInWords(end, timeoutMs);
  const text = captured.text.trimEnd();
  const notes = notesOf({ end, captured, note });
  return {
    content: [...(failed ? [words] : []), text === "" && !failed ? "(no output)" : text, ...notes]
      .filter((part) => part !== "")
      .join("\n"),
    ...(failed ? { isError: true } : {}),
    summary: words.toLowerCase(),
    facts: {
      command,
      exitCode: end.exitCode,
      signal: end.signal,
      durationMs: Math.round(end.durationMs),
      timedOut: end.ended === "timeout",
      stopped: end.ended === "stopped",
      outputBytes: captured.bytes,
      outputSha256: captured.sha256,
      ...(captured.spillPath === undefined ? {} : { spillPath: captured.spillPath }),
    },
  };
}

function notesOf({
  end,
  captured,
  note,
}: {
  end: GroupEnd;
  captured: Captured;
  note: string | undefined;
}): string[] {
  const { bytes, spillPath, spillProblem } = captured;
  const first = bytes > limits.bash.spillBytes ? `, its first ${limits.bash.spillBytes} bytes` : "";
  const left =
    end.leftBehind === 1
      ? "1 process left behind by the command was"
      : `${end.leftBehind} processes left behind by the command were`;
  return [
    spillPath === undefined
      ? undefined
      : `(the full output, ${bytes} bytes, is in ${spillPath}${first})`,
    spillProblem === undefined ? undefined : `(the full output could not be kept: ${spillProblem})`,
    end.leftBehind > 0 && end.ended === "exit"
      ? `(${left} ended; use run_in_background to keep one)`
      : undefined,
    note === undefined ? undefined : `(${note})`,
  ].filter((note) => note !== undefined);
}

const allEnded = "the command and everything it started were ended. The output so far:";

function endInWords({ ended, exitCode, signal }: GroupEnd, timeoutMs: number): string {
  if (ended === "timeout") return `Timed out after ${timeoutMs} ms; ${allEnded}`;
  if (ended === "stopped") return `Stopped; ${allEnded}`;
  if (signal !== null) return `Killed by ${signal}`;
  if (exitCode === 126) return "Exit code 126 (the command cannot be executed)";
  if (exitCode === 127) return "Exit code 127 (command not found)";
  const byNumber = Object.entries(osConstants.signals).find(
    ([, number]) => number === (exitCode ?? 0) - 128,
  )?.[0];
  return `Exit code ${exitCode}${byNumber === undefined ? "" : ` (ended by ${byNumber})`}`;
}
