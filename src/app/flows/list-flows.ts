// The flows of this user as a list for people and programs: what runs, what ended and how, what was
// cut short, and how each goes on.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Decision } from "../../contract/axes.ts";
import type { FlowPattern } from "../../flows/journal.ts";
import { loadJournal, type LoadedJournal } from "../../flows/load-journal.ts";
import type { Environment } from "../../manager/session/session.ts";
import { lockHolder } from "../../transcripts/lock/lock.ts";
import { projectsDir } from "../runs/find-run.ts";

/** One line of `listFlows`: a flow on disk, and how far it is. */
export type FlowStatus = {
  flow_id: string;
  /** `damaged`: its first line cannot be read, so it cannot go on; `problem` says why. */
  state: "running" | "ended" | "interrupted" | "damaged";
  /** How it ended. */
  decision: Decision | null;
  pattern: FlowPattern | null;
  feature: string | null;
  cwd: string | null;
  /** Phases that passed at their last try, in the order of their first. */
  phases_done: string[];
  /** Known phases that are not; what a branch will choose is not known before its analysis. */
  phases_left: string[];
  /** What it wants to know, where it ended with CLARIFY. */
  questions: string[];
  started_at: string | null;
  /** The last time something was put on record. */
  changed_at: string;
  host_pid: number | null;
  /** The command that goes on with it; null where there is nothing to go on with. */
  next: string | null;
  problem?: string;
};

/** Lists the flows of this user in all projects, newest first. */
export function listFlows(env: Environment = process.env): FlowStatus[] {
  return journalPaths(env)
    .flatMap(statusOf)
    .sort((a, b) => Date.parse(b.changed_at) - Date.parse(a.changed_at));
}

/** Below any project and session of the user's store. */
export function journalPaths(env: Environment): string[] {
  const projects = projectsDir(env);
  const sessions = names(projects).flatMap((project) =>
    names(join(projects, project))
      .filter(isUuid)
      .map((session) => join(projects, project, session, "flows")),
  );
  return sessions.flatMap(journalsIn);
}

/** The journals in one session's folder of flows. */
export const journalsIn = (flows: string): string[] =>
  names(flows)
    .filter((name) => isUuid(name.replace(/\.jsonl$/, "")) && name.endsWith(".jsonl"))
    .map((name) => join(flows, name));

/** Nothing for a file that went away meanwhile. */
function statusOf(path: string): FlowStatus[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return [];
  const facts = {
    flow_id: basename(path, ".jsonl"),
    changed_at: stat.mtime.toISOString(),
    host_pid: lockHolder(path)?.pid ?? null,
  };
  try {
    return [{ ...facts, ...journalFacts(loadJournal(path), facts) }];
  } catch (error) {
    const nothing = {
      decision: null,
      pattern: null,
      feature: null,
      cwd: null,
      phases_done: [],
      phases_left: [],
      questions: [],
      started_at: null,
      next: null,
    };
    return [
      {
        ...facts,
        ...nothing,
        state: facts.host_pid === null ? "damaged" : "running",
        problem: errorText(error),
      },
    ];
  }
}

function journalFacts(
  { header, entries, end, questions: asked }: LoadedJournal,
  { flow_id, host_pid }: { flow_id: string; host_pid: number | null },
): Omit<FlowStatus, "flow_id" | "changed_at" | "host_pid"> {
  const state = host_pid !== null ? "running" : end === undefined ? "interrupted" : "ended";
  const decision = state === "ended" ? (end ?? null) : null;
  const latest = new Map(
    entries.filter(({ verifies }) => verifies === undefined).map((entry) => [entry.phase, entry]),
  );
  const done = [...latest.values()]
    .filter((entry) => entry.status === "done" && entry.decision === "PROCEED")
    .map(({ phase }) => phase);
  const questions = decision === "CLARIFY" ? asked.open : [];
  const isOver = state === "running" || decision === "PROCEED";
  return {
    state,
    decision,
    pattern: header.pattern,
    feature: header.task.feature,
    cwd: header.cwd,
    phases_done: done,
    phases_left: header.phases.map(({ name }) => name).filter((name) => !done.includes(name)),
    questions,
    started_at: header.at ?? null,
    next: isOver
      ? null
      : `retinue flow resume ${flow_id}${questions.length > 0 ? ' --answer "QUESTION=ANSWER"' : ""}`,
  };
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
