// The result of a run of any process, for programs: what `retinue output` prints.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Environment } from "../../manager/session/session.ts";
import {
  loadTranscript,
  type LoadedTranscript,
} from "../../transcripts/reading/load-transcript.ts";
import { refuseUnknown } from "../refuse-unknown.ts";
import { runOutput, type RunOutput } from "./run-output.ts";

export type ReadOutputOptions = {
  /**
   * Waits until the run is over, `timeoutMs` at most (30 seconds); one that still goes on then is
   * `running` with `timed_out`.
   */
  block?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whose runs; the environment of the process without it. */
  env?: Environment;
};

/**
 * Reads the result of a run of any process. By agent id, by the id of a session for its main
 * thread, or by name. While it runs: the text so far, unverified. Throws `unknown_task`.
 */
export async function readOutput(id: string, options: ReadOutputOptions = {}): Promise<RunOutput> {
  refuseUnknown(
    options,
    { block: true, timeoutMs: true, signal: true, env: true },
    "readOutput: options",
  );
  const {
    block = false,
    timeoutMs = limits.task.waitMs,
    signal = new AbortController().signal,
    env = process.env,
  } = options;
  if (typeof id !== "string")
    throw new RetinueError("usage", "readOutput: expected the id or the name of a run");
  return runOutput(id, env, { block, timeoutMs, signal });
}

/**
 * Reads a transcript of Retinue or of Claude Code. Never throws for what a file holds: what could
 * not be read is among the `problems`, a file that is not there too.
 */
export const readTranscript = (path: string): Promise<LoadedTranscript> => loadTranscript(path);
