// A run's transcript as the executor sees it: earlier lives come back as messages, new facts are
// appended.
import { existsSync } from "node:fs";
import type { RecordedFact } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunStore } from "../../executors/catalog.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import { RetinueError } from "../../base/errors.ts";
import { nextUuid } from "../../base/ids.ts";
import { leftInJournal, type LeftRun } from "../../executors/file-journal.ts";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { sweepLostRun } from "../../process/sweep.ts";
import { loadTranscript, type LoadedRun } from "../../transcripts/reading/load-transcript.ts";
import {
  lockNewTranscript,
  lockTranscript,
  type TranscriptLock,
} from "../../transcripts/lock/lock.ts";
import { maskedSoFar } from "../../transcripts/masked-json.ts";
import { normalizeHistory } from "../../transcripts/reading/normalize-messages.ts";
import {
  openTranscript,
  type TranscriptOptions,
  type TranscriptWriter,
} from "../../transcripts/transcript-writer.ts";
import { readQuestions } from "../asking/open-question.ts";
import type { RunHandle } from "./run-handle.ts";
import { RunRecord } from "../session/run-record.ts";
import type { Session, TranscriptStore } from "../session/session.ts";

/** Empty where the session keeps nothing. */
export function transcriptPath(
  session: Session,
  spec: Pick<RunSpec, "isMain" | "agentId">,
): string {
  if (!session.persist) return "";
  return spec.isMain ? session.paths.main : session.paths.agent(spec.agentId);
}

/**
 * Of two that go on with a run at once, the slower one gets this far: it has not begun, and its
 * caller is told so.
 */
function orRefused<T>(run: Pick<RunHandle, "refusal">, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof RetinueError) run.refusal = error;
    throw error;
  }
}

/** Holds a transcript that others write: the copy of a run on another machine. */
export const takeLock = (run: Pick<RunHandle, "refusal">, path: string): TranscriptLock =>
  orRefused(run, () => lockTranscript(path));

/**
 * The first line of a run on another machine, by which `ps` knows it before a worker has begun. The
 * copy of its transcript takes its place; where none comes, what is returned writes the end.
 */
export async function announceRun(
  session: Session,
  spec: RunSpec,
  lock: TranscriptLock,
): Promise<(outcome: RunOutcome) => Promise<void>> {
  if (existsSync(lock.transcript)) return async () => undefined;
  const { agentId, runId, startedAt } = spec;
  const write = (fact: RecordedFact): Promise<void> => {
    const writer = openTranscript(
      writerOptions(session, spec, { ...lock, release: () => undefined }),
    );
    writer.append(fact);
    return writer.finish();
  };
  await write({ type: "run-start", spec, agentId, runId, seq: 1, time: startedAt });
  return (outcome) => write({ type: "run-end", outcome, agentId, runId, seq: 2, time: Date.now() });
}

function writerOptions(session: Session, spec: RunSpec, lock: TranscriptLock): TranscriptOptions {
  return {
    path: lock.transcript,
    lock,
    sessionId: session.id,
    agentId: spec.agentId,
    isMain: spec.isMain,
    cwd: spec.place.cwd,
    version: session.version,
    fsync: session.fsync,
    secrets: session.secrets,
    now: Date.now,
    newUuid: nextUuid,
    ...(session.gitBranch === undefined ? {} : { gitBranch: session.gitBranch }),
    ...(session.transcriptFs ? { fs: session.transcriptFs } : {}),
  };
}

/**
 * Opens the transcript for writing; the lock is held until the store is closed. `owned`: of a folder
 * that nobody else knows.
 */
export async function openRunStore(
  session: Session,
  run: RunHandle,
  owned?: TranscriptLock,
): Promise<RunStore> {
  const { spec } = run;
  const record = new RunRecord();
  if (!session.persist) {
    run.record = record;
    return { history: [], lastSeq: 0, append: (fact) => record.add(fact), close: () => undefined };
  }
  const path = transcriptPath(session, spec);
  const lock: TranscriptLock =
    owned ?? orRefused(run, () => (spec.isMain ? lockTranscript(path) : lockNewTranscript(path)));
  let isMoved = false;
  const options = writerOptions(session, spec, {
    ...lock,
    release: () => run.passOn(lock, isMoved && !writer.hasFailed),
  });
  const writer: TranscriptWriter = orRefused(run, () => openTranscript(options));
  if (writer.isNew) run.record = record;
  const append: RunStore["append"] = (fact, mayWait) => {
    const before = maskedSoFar();
    writer.append(fact, mayWait);
    // What was summarised leaves the memory; its transcript has it.
    if (fact.type === "compaction") run.record = undefined;
    run.record?.add(fact, maskedSoFar() === before);
  };
  const close = (how?: "moved"): Promise<void> => {
    isMoved = how === "moved";
    return writer.finish();
  };
  const settle = (): void => writer.writeWaiting();
  if (writer.isNew) return { history: [], lastSeq: 0, append, settle, close };
  try {
    const { messages, decidedToolUses, openToolUses, lastSeq, runs } = await loadTranscript(path);
    if (!spec.carried) await sweepLost(runs.at(-1));
    const unbegun = unbegunCalls(openToolUses, decidedToolUses, session.paths.asks);
    return {
      history: normalizeHistory(messages),
      usedIds: decidedToolUses,
      ...(unbegun ? { unbegun } : {}),
      lastSeq,
      append,
      settle,
      close,
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Nobody is left who would end what a lost life started. */
async function sweepLost(last: LoadedRun | undefined): Promise<void> {
  if (last && !last.outcome) await sweepLostRun(last.runId);
}

/**
 * Calls are gated one after another, and every one that changes something has a decision on record
 * before it begins. So where one of the open calls was waiting for a person, those without a
 * decision have not begun.
 */
function unbegunCalls(
  open: readonly { id: string }[],
  decided: ReadonlySet<string>,
  asks: string,
): ReadonlySet<string> | undefined {
  const left = open.filter(({ id }) => !decided.has(id)).map(({ id }) => id);
  if (left.length === 0) return undefined;
  const isAsked = readQuestions(asks).some(({ tool_use_id }) => left.includes(tool_use_id));
  return isAsked ? new Set(left) : undefined;
}

/**
 * The life in the agent's journal, unless its end is on record or another life has begun since, as
 * without a journal.
 */
function leftRun(
  session: Session,
  agent: Pick<RunSpec, "isMain" | "agentId">,
): LeftRun | undefined {
  const left = leftInJournal(session.paths.journal(agent.agentId));
  if (!left) return undefined;
  const lines = readTail(transcriptPath(session, agent));
  const last = lines.findLast(({ seq }) => typeof seq === "number");
  const isNewest = last?.["runId"] === left.runId || (Number(last?.["seq"]) || 0) === left.lastSeq;
  return isNewest && last?.["subtype"] !== "run_end" ? left : undefined;
}

/** The transcripts of this machine. */
export const transcriptsOnDisk: TranscriptStore = {
  open: (session, run) => openRunStore(session, run),
  async ledger(session, spec) {
    // Loaded when there is an answer to check.
    const { readLedger } = await import("../../verify/evidence/ledger.ts");
    return readLedger(transcriptPath(session, spec), { root: spec.place.cwd });
  },
  left: leftRun,
};
