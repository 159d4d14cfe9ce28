// The paths of a session's files. Every id is checked against a strict pattern before it becomes
// part of a path.
import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { isAgentId, isUuid } from "../base/ids.ts";

export const fileMode = 0o600;

const taskIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const longestProjectName = 200;

/**
 * The folder name of a working directory: every character except letters and digits becomes `-`; a
 * very long name ends with a hash.
 */
export function projectName(cwd: string): string {
  const name = resolve(cwd).replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= longestProjectName) return name;
  return `${name.slice(0, longestProjectName)}-${createHash("sha256").update(cwd).digest("hex").slice(0, 16)}`;
}

export const projectDir = (config: string, cwd: string): string =>
  join(config, "projects", projectName(cwd));

export type SessionPaths = {
  /** Transcript of the main thread. */
  main: string;
  dir: string;
  spill: string;
  /** Questions of its runs. */
  asks: string;
  /** Transcript of a sub-agent. */
  agent(agentId: string): string;
  meta(agentId: string): string;
  output(taskId: string): string;
  /** The steps of a run that goes on after a crash, while it lives. */
  journal(agentId: string): string;
  flow(flowId: string): string;
};

/** The files of one session below a project's folder; throws `unsafe_name` for an invalid id. */
export function sessionPaths(project: string, sessionId: string): SessionPaths {
  if (!isUuid(sessionId)) throw unsafe("session id", sessionId, "a UUID in lower case");
  const dir = join(project, sessionId);
  return {
    main: `${dir}.jsonl`,
    dir,
    spill: join(dir, "spill"),
    asks: join(dir, "asks"),
    agent: (agentId) => join(dir, "subagents", `agent-${checkedAgentId(agentId)}.jsonl`),
    meta: (agentId) => join(dir, "subagents", `agent-${checkedAgentId(agentId)}.meta.json`),
    output: (taskId) => join(dir, "tasks", `${checkedTaskId(taskId)}.output`),
    journal: (agentId) => join(dir, "journals", `${checkedAgentId(agentId)}.jsonl`),
    flow: (flowId) => join(dir, "flows", `${checkedTaskId(flowId)}.jsonl`),
  };
}

const besideTranscripts = new Set(["asks", "flows", "journals", "spill", "tasks"]);

/** What a session keeps beside its transcripts: the journal of a flow, the steps of a run. */
export const isBesideTranscripts = (path: string): boolean =>
  besideTranscripts.has(basename(dirname(path))) && isUuid(basename(dirname(dirname(path))));

/** The spill folder that belongs to a transcript. */
export function spillDirOf(transcript: string): string {
  const parent = dirname(transcript);
  return basename(parent) === "subagents"
    ? join(dirname(parent), "spill")
    : join(
        transcript.replace(/\.jsonl$/, "") + (transcript.endsWith(".jsonl") ? "" : ".d"),
        "spill",
      );
}

function checkedAgentId(id: string): string {
  if (!isAgentId(id)) throw unsafe("agent id", id, "`a` and 16 hex digits");
  return id;
}

function checkedTaskId(id: string): string {
  if (!taskIdPattern.test(id)) throw unsafe("task id", id, "up to 64 letters, digits, `_` and `-`");
  return id;
}

function unsafe(what: string, given: unknown, expected: string): RetinueError {
  return new RetinueError(
    "unsafe_name",
    `${what} ${JSON.stringify(String(given).slice(0, 80))} cannot be used in a path: expected ${expected}.`,
  );
}
