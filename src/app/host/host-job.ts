// The job of a host process: a session and the runs to take over, as JSON lines through a pipe.
// Keys reach a host in this way only.
import { RetinueError, type ErrorCode } from "../../base/errors.ts";
import { isObject } from "../../base/data/json.ts";
import { specVersion, type RunSpec } from "../../events/run-spec.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { MainInput } from "../main/run-main-thread.ts";

/** The part of a session's options that is plain data. */
export type HostSession = Omit<
  SessionOptions,
  "ask" | "answer" | "hooks" | "tools" | "models" | "agents"
>;

/**
 * First line to the host: a main thread that starts, a sub-agent that is resumed, or neither, and
 * runs are taken over one by one.
 */
export type HostJob = {
  version: 1;
  session: HostSession & { sessionId: string };
  start?: MainInput & { agentId: string };
  resume?: { agentId: string; prompt: string };
};

/** Every further line: a run that another process has left at a turn boundary. */
export type HostTake = { take: RunSpec };

/** `started` names the agent whose first line is on record. */
export type HostAnswer =
  | { ready: true }
  | { started: string }
  | { error: string; code: ErrorCode; agentId?: string };

export function readJob(line: string): HostJob {
  const job = parse(line);
  if (!isObject(job) || job["version"] !== 1 || !isObject(job["session"]))
    throw new RetinueError(
      "usage",
      "`retinue host` is started by retinue itself, with its task on standard input.",
    );
  return job as unknown as HostJob;
}

/** Undefined for what is no spec of this version: both sides are the same program. */
export function readTake(line: string): RunSpec | undefined {
  const value = parse(line);
  return isObject(value) && isObject(value["take"]) && value["take"]["version"] === specVersion
    ? (value["take"] as unknown as RunSpec)
    : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
