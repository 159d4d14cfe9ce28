// How a transcript lies in a store, and which of it counts. An agent has lives, a life has
// attempts, an attempt claims the lines from a number on before it writes any, and each of its
// chunks is named after the lines, the bytes and the hash that are in it. So one listing says
// everything, and a late write of an attempt that others took for dead changes nothing: whoever
// claimed after it has said from where on its lines do not count.
import type { RunSpec } from "../../events/run-spec.ts";
import { isAgentId, isUuid } from "../../base/ids.ts";
import type { ObjectStore } from "./object-store.ts";

export type StoredAgent = { sessionId: string; agentId: string };

/** One life; a run that moved on at a turn's end has several parts, each with attempts of its own. */
export type StoredLife = {
  runId: string;
  /** Turns that were over when it moved here. */
  part: number;
  firstSeq: number;
  startedAt: number;
};

export type AttemptClaim = { life: StoredLife; attempt: number; from: number };

export type Chunk = {
  key: string;
  first: number;
  last: number;
  bytes: number;
  /** SHA-256, hex. */
  hash: string;
};

/** An agent's transcript by the names of its objects. */
export type StoredTranscript = {
  /** In the order in which they count: a later one ends what those before it may still say. */
  claims: AttemptClaim[];
  /** Those that count, without a gap, in order. */
  chunks: Chunk[];
  /** The last line that counts; 0 without one. */
  lastSeq: number;
  /** `end.json` of the newest attempt, where it has written one. */
  end: string | undefined;
  /** When the newest object was written. */
  modifiedAtMs: number;
};

const padded = (value: number, width: number): string => String(value).padStart(width, "0");

export function agentFolder({ sessionId, agentId }: StoredAgent): string {
  if (!isUuid(sessionId) || !isAgentId(agentId))
    throw new Error("a stored transcript needs generated ids");
  return `${sessionId}/${agentId}/`;
}

export const spillFolder = (sessionId: string): string => `${sessionId}/spill/`;

const lifeFolder = ({ firstSeq, startedAt, runId, part }: StoredLife): string =>
  `${padded(firstSeq, 10)}-${padded(startedAt, 14)}-${runId}-${padded(part, 6)}/`;

export const attemptFolder = (
  agent: StoredAgent,
  { life, attempt }: Omit<AttemptClaim, "from">,
): string => `${agentFolder(agent)}${lifeFolder(life)}${padded(attempt, 8)}/`;

export const claimName = (from: number): string => `claim-${padded(from, 10)}.json`;
export const endName = "end.json";
export const chunkName = ({ first, last, bytes, hash }: Omit<Chunk, "key">): string =>
  `lines-${padded(first, 10)}-${padded(last, 10)}-${bytes}-${hash}.jsonl`;

const placePattern = /^(\d{10})-(\d{14})-([0-9a-f-]{36})-(\d{6})\/(\d{8})\/([^/]+)$/;
const claimPattern = /^claim-(\d{10})\.json$/;
const chunkPattern = /^lines-(\d{10})-(\d{10})-(\d{1,9})-([0-9a-f]{64})\.jsonl$/;

type Attempt = {
  life: StoredLife;
  attempt: number;
  from: number | undefined;
  chunks: Chunk[];
  end: string | undefined;
};

/** What the store has of an agent. Names that nobody here writes are passed over. */
export async function findTranscript(
  store: ObjectStore,
  agent: StoredAgent,
): Promise<StoredTranscript> {
  const folder = agentFolder(agent);
  const attempts = new Map<string, Attempt>();
  let modifiedAtMs = 0;
  for (const object of await store.list(folder)) {
    const place = placePattern.exec(object.key.slice(folder.length));
    if (!place) continue;
    modifiedAtMs = Math.max(modifiedAtMs, object.modifiedAtMs);
    const at = object.key.slice(0, object.key.lastIndexOf("/"));
    const attempt = attempts.get(at) ?? newAttempt(place);
    attempts.set(at, attempt);
    noteObject(attempt, object.key, place[6]!);
  }
  return { ...whatCounts([...attempts.values()]), modifiedAtMs };
}

const newAttempt = (place: RegExpExecArray): Attempt => ({
  life: {
    firstSeq: Number(place[1]),
    startedAt: Number(place[2]),
    runId: place[3]!,
    part: Number(place[4]),
  },
  attempt: Number(place[5]),
  from: undefined,
  chunks: [],
  end: undefined,
});

function noteObject(attempt: Attempt, key: string, name: string): void {
  const claim = claimPattern.exec(name);
  const chunk = chunkPattern.exec(name);
  if (claim) attempt.from = Math.min(attempt.from ?? Infinity, Number(claim[1]));
  else if (name === endName) attempt.end = key;
  else if (chunk)
    attempt.chunks.push({
      key,
      first: Number(chunk[1]),
      last: Number(chunk[2]),
      bytes: Number(chunk[3]),
      hash: chunk[4]!,
    });
}

function whatCounts(found: Attempt[]): Omit<StoredTranscript, "modifiedAtMs"> {
  // Without a claim nobody promised that the lines before it were read.
  const attempts = found.filter((attempt) => attempt.from !== undefined).sort(byOrder);
  const chunks: Chunk[] = [];
  let lastSeq = 0;
  for (const [index, attempt] of attempts.entries()) {
    const until = Math.min(...attempts.slice(index + 1).map(({ from }) => from!));
    for (const chunk of attempt.chunks.sort((a, b) => a.first - b.first)) {
      if (chunk.first !== lastSeq + 1 || chunk.last < chunk.first || chunk.last >= until) continue;
      chunks.push(chunk);
      lastSeq = chunk.last;
    }
  }
  return {
    claims: attempts.map(({ life, attempt, from }) => ({ life, attempt, from: from! })),
    chunks,
    lastSeq,
    end: attempts.at(-1)?.end,
  };
}

const byOrder = (a: Attempt, b: Attempt): number =>
  a.life.firstSeq - b.life.firstSeq ||
  a.life.startedAt - b.life.startedAt ||
  a.life.part - b.life.part ||
  a.attempt - b.attempt;

/** The life of a spec as it stands in the store already, or as it begins after all others. */
export function lifeOf(
  { runId, startedAt, carried }: Pick<RunSpec, "runId" | "startedAt" | "carried">,
  { claims, lastSeq }: StoredTranscript,
): StoredLife {
  const part = carried?.metrics.turns ?? 0;
  const known = claims.find(({ life }) => life.runId === runId && life.part === part);
  return known?.life ?? { runId, part, firstSeq: lastSeq + 1, startedAt };
}
