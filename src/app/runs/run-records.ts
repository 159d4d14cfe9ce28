// The runs of a folder, or of all, read again and again while somebody watches: from the same files
// as `ps`, `asks` and `logs`. What has not changed is not read twice.
import { join } from "node:path";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { loadJournal } from "../../flows/load-journal.ts";
import type { Environment } from "../../manager/session/session.ts";
import { verificationOnDisk } from "../../manager/session/verification-on-disk.ts";
import { callText } from "../../terminal/view/call-text.ts";
import type { RecordedFlow, RunOnView } from "../../terminal/view/session-agents.ts";
import { lockHolder } from "../../transcripts/lock/lock.ts";
import { listRuns, type RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import { projectsDir } from "./find-run.ts";
import { journalsIn } from "../flows/list-flows.ts";
import { openQuestions } from "./open-questions.ts";
import { rowOf, type RunRow } from "./run-status.ts";

export type KnownRun = RunOnView & { run: RunOnDisk };
export type RunsNow = { runs: KnownRun[]; flows: RecordedFlow[] };

/** A file whose time says that it is older may still be changing within this time. */
const slackMs = 2_000;
/** What was removed goes away at the next whole look. */
const wholeLookMs = 60_000;
const tailBytes = 64 * 1024;

/** `project`: the name of one project's folder; without it all projects are looked at. */
export class RunRecords {
  readonly #env: Environment;
  readonly #project: string | undefined;
  #known = new Map<string, KnownRun>();
  #flows = new Map<string, RecordedFlow>();
  #lookedAt = 0;
  #wholeAt = 0;

  constructor(env: Environment, project?: string) {
    this.#env = env;
    this.#project = project;
  }

  async read(now = Date.now()): Promise<RunsNow> {
    const isWhole = now - this.#wholeAt > wholeLookMs;
    const found = listRuns(projectsDir(this.#env), {
      ...(this.#project === undefined ? {} : { project: this.#project }),
      ...(isWhole ? {} : { liveOrSinceMs: this.#lookedAt - slackMs }),
    });
    const known = isWhole ? new Map<string, KnownRun>() : this.#known;
    for (const run of found) known.set(run.transcript, await this.#recordOf(run));
    this.#known = known;
    this.#lookedAt = now;
    if (isWhole) this.#wholeAt = now;
    const runs = [...known.values()].sort((a, b) => b.run.changedAtMs - a.run.changedAtMs);
    return {
      runs: this.#withQuestions(runs.slice(0, limits.top.runs)),
      flows: this.#readFlows(runs),
    };
  }

  /** A run that has not moved since is as it was, except for whoever holds it. */
  async #recordOf(run: RunOnDisk): Promise<KnownRun> {
    const before = this.#known.get(run.transcript);
    const isSame =
      before?.run.changedAtMs === run.changedAtMs &&
      before.run.state === run.state &&
      before.run.holder?.pid === run.holder?.pid;
    return isSame ? { ...before, state: run.state } : recordOf(await rowOf(run));
  }

  /** A run that waits for a person is asking, with or without a process. */
  #withQuestions(runs: KnownRun[]): KnownRun[] {
    const open = runs.filter(({ state, reason }) => state === "running" || reason === "lost");
    const sessions = new Set(open.map(({ sessionId }) => sessionId));
    const questions = openQuestions(this.#env, { sessions });
    const asking = new Map(questions.map((question) => [question.agent_id, question]));
    return runs.map((run) => {
      const question = asking.get(run.agentId);
      return question
        ? { ...run, state: "asking", reason: null, doing: `asks about ${question.tool}` }
        : run;
    });
  }

  /** Of sessions that have agents and no main thread. */
  #readFlows(runs: readonly KnownRun[]): RecordedFlow[] {
    const mains = new Set(runs.filter(({ isMain }) => isMain).map(({ sessionId }) => sessionId));
    const lone = new Set(
      runs.map(({ sessionId }) => sessionId).filter((sessionId) => !mains.has(sessionId)),
    );
    for (const sessionId of lone) {
      if (this.#flows.get(sessionId)?.state === "completed") continue;
      const flow = flowOf(runs.find((run) => run.sessionId === sessionId)!.run);
      if (flow) this.#flows.set(sessionId, flow);
    }
    return [...this.#flows.values()].filter(({ sessionId }) => lone.has(sessionId));
  }
}

function recordOf({ status, run, task, cwd, model, cost_usd, context }: RunRow): KnownRun {
  const started = status.started_at === null ? NaN : Date.parse(status.started_at);
  const duration = run.outcome?.metrics.duration_ms;
  const startedAt = duration === undefined ? started : run.changedAtMs - duration;
  return {
    run,
    agentId: run.agentId,
    sessionId: run.sessionId,
    isMain: run.isMain,
    agentType: status.agent_type,
    name: status.name,
    task,
    cwd,
    model,
    state: status.state,
    reason: status.reason ?? null,
    doing: run.state === "running" ? doingNow(run.transcript, cwd) : "",
    turns: status.metrics.turns,
    tokens: status.metrics.tokens_used,
    costUsd: cost_usd,
    context,
    startedAt: Number.isNaN(startedAt) ? null : startedAt,
    endedAt: run.outcome ? run.changedAtMs : null,
    isBackground: status.background,
    verification: run.outcome ? verificationOnDisk(run.transcript).verification : null,
  };
}

/** What its last lines say: the last call of its last reply, until the results are there. */
function doingNow(transcript: string, cwd: string): string {
  const last = readTail(transcript, tailBytes).findLast(
    ({ type }) => type === "assistant" || type === "user",
  );
  const message = last?.["type"] === "assistant" ? last["message"] : undefined;
  const content = isObject(message) && Array.isArray(message["content"]) ? message["content"] : [];
  const call = (content as unknown[])
    .filter(isObject)
    .findLast((block) => block["type"] === "tool_use");
  return call ? `${String(call["name"])} ${callText(call["input"], cwd).what}` : "thinking";
}

/** The newest flow of the run's session; undefined where it has none that can be read. */
function flowOf({ transcript, sessionId }: RunOnDisk): RecordedFlow | undefined {
  const project = join(transcript, "..", "..", "..");
  const folder = join(sessionPaths(project, sessionId).dir, "flows");
  const path = journalsIn(folder).at(-1);
  if (path === undefined) return undefined;
  try {
    const { header, end } = loadJournal(path);
    const startedAt = Date.parse(header.at ?? "");
    return {
      sessionId,
      pattern: header.pattern,
      feature: header.task.feature,
      cwd: header.cwd,
      state: lockHolder(path) ? "running" : end === "PROCEED" ? "completed" : "failed",
      startedAt: Number.isNaN(startedAt) ? null : startedAt,
    };
  } catch {
    return undefined;
  }
}
