// The transcripts of runs that any of several machines may drive: written to a file here as on one
// machine, and sent to the store after every message. Whoever goes on with a run reads the store
// first, and claims what it writes.
import { dirname } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { RetinueError, errorText } from "../../base/errors.ts";
import type { RecordedFact } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunStore } from "../../executors/catalog.ts";
import { isDetached } from "../../loop/ports.ts";
import {
  openRunStore,
  transcriptPath,
  transcriptsOnDisk,
} from "../../manager/run/transcripts-on-disk.ts";
import type { RunHandle } from "../../manager/run/run-handle.ts";
import type { Session, TranscriptStore } from "../../manager/session/session.ts";
import type { TranscriptLock } from "../../transcripts/lock/lock.ts";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { StorageFailure } from "../../transcripts/storage-failure.ts";
import { ChunkUpload, untilDone } from "./chunk-upload.ts";
import { fetchTranscript } from "./fetch-transcript.ts";
import { StoreFailure, type ObjectStore } from "./object-store.ts";
import {
  attemptFolder,
  claimName,
  endName,
  findTranscript,
  lifeOf,
  type AttemptClaim,
  type StoredAgent,
} from "./stored-transcript.ts";

export type SharedOptions = {
  store: ObjectStore;
  /**
   * The number of this try at the run, from 1 on: higher than that of every try that began before.
   * It is what fences a machine that wakes after others took it for dead.
   */
  attempt: (spec: RunSpec) => number | Promise<number>;
  /** A sentence for the worker's log: the store is down, or is there again. */
  onTrouble: (message: string) => void;
};

/** A transcript goes to the store when one of these is on record. */
const sentAfter: ReadonlySet<RecordedFact["type"]> = new Set([
  "message",
  "compaction",
  "asked",
  "run-end",
]);

export function sharedTranscripts(options: SharedOptions): TranscriptStore {
  return {
    open: (session, run) => openShared(options, session, run),
    // Of the file that replay has written here.
    ledger: (session, spec) => transcriptsOnDisk.ledger(session, spec),
    // The engine's own journal says what goes on.
    left: () => undefined,
  };
}

async function openShared(
  { store, attempt, onTrouble }: SharedOptions,
  session: Session,
  run: RunHandle,
): Promise<RunStore> {
  if (!session.persist)
    throw new RetinueError(
      "config",
      "a run on several machines keeps its transcript: set persist.",
    );
  const { spec } = run;
  const path = transcriptPath(session, spec);
  const agent: StoredAgent = { sessionId: session.id, agentId: spec.agentId };
  const number = await attempt(spec);
  makePrivateDir(dirname(path));
  const claim = await claimed({ store, agent, onTrouble }, { spec, path, attempt: number });
  const inner = await openRunStore(session, run, ownedLock(path));
  const upload = new ChunkUpload({ store, agent, claim, path, onTrouble });
  let lastSeq = claim.from - 1;
  return {
    ...inner,
    append(fact) {
      inner.append(fact);
      lastSeq = fact.seq;
      if (sentAfter.has(fact.type)) upload.mark(fact.seq);
    },
    async close(how) {
      await inner.close(how);
      // The engine has every step: whoever goes on writes the same lines.
      if (isDetached(run.signal)) return upload.abandon();
      upload.mark(lastSeq);
      await upload.settle();
      if (how !== "moved") await writeEnd({ store, agent, onTrouble }, { claim, spec, path });
    },
  };
}

type Shared = { store: ObjectStore; agent: StoredAgent; onTrouble: (message: string) => void };

/** Brings what counts to this machine and says from where on this attempt writes. */
async function claimed(
  { store, agent, onTrouble }: Shared,
  { spec, path, attempt }: { spec: RunSpec; path: string; attempt: number },
): Promise<AttemptClaim> {
  if (!Number.isSafeInteger(attempt) || attempt < 1)
    throw new Error(`an attempt is numbered from 1 on, and ${attempt} is not`);
  let claim: AttemptClaim | undefined;
  await untilDone(
    async () => {
      const found = await fetchTranscript(store, agent, path);
      claim = { life: lifeOf(spec, found), attempt, from: found.lastSeq + 1 };
      refuseOvertaken(claim, found.claims);
      const { agentType, name, description, isMain, background } = spec;
      const told = { version: 1, ...claim, agentType, name, description, isMain, background };
      const key = attemptFolder(agent, claim) + claimName(claim.from);
      await store.put(key, Buffer.from(`${JSON.stringify(told)}\n`));
    },
    (error) => {
      // Nothing has begun: whoever asked for the run can still mend what will not mend itself.
      if (error instanceof Overtaken || (error instanceof StoreFailure && !error.isPassing))
        throw error;
      onTrouble(`the run waits for the store: ${errorText(error)}`);
    },
    () => false,
  );
  return claim!;
}

/** The folder was made for this attempt: no other process, and no other attempt of this one, is in it. */
const ownedLock = (transcript: string): TranscriptLock => ({
  transcript,
  release: () => undefined,
  handTo: () => undefined,
});

/** Not this attempt's run any more: a later one has claimed it. */
class Overtaken extends StorageFailure {}

function refuseOvertaken({ life, attempt }: AttemptClaim, claims: readonly AttemptClaim[]): void {
  const later = claims.find(
    (other) =>
      other.life.firstSeq > life.firstSeq ||
      (other.life.runId === life.runId && other.life.part === life.part && other.attempt > attempt),
  );
  if (later)
    throw new Overtaken(
      life.runId,
      `attempt ${later.attempt} of ${later.life.runId} goes on with it, and this is attempt ${attempt}`,
    );
}

/** Waits for the store as the lines do. What it says has lost its secrets in the transcript. */
async function writeEnd(
  { store, agent, onTrouble }: Shared,
  { claim, spec, path }: { claim: AttemptClaim; spec: RunSpec; path: string },
): Promise<void> {
  const line = readTail(path).findLast(
    ({ subtype, runId }) => subtype === "run_end" && runId === spec.runId,
  );
  // It never came so far, and its outcome says why.
  if (!line) return;
  const { outcome, spill, seq, timestamp } = line;
  const { agentType, name, description, isMain } = spec;
  const end = {
    version: 1,
    runId: spec.runId,
    agentType,
    name,
    description,
    isMain,
    seq,
    timestamp,
  };
  await untilDone(
    async () => {
      refuseOvertaken(claim, (await findTranscript(store, agent)).claims);
      await store.put(
        attemptFolder(agent, claim) + endName,
        Buffer.from(`${JSON.stringify({ ...end, outcome, spill })}\n`),
      );
    },
    (error) => {
      if (error instanceof Overtaken) throw error;
      onTrouble(`the end waits for the store: ${errorText(error)}`);
    },
    () => false,
  );
}
