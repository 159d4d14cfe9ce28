// Brings a stored transcript to a file of this machine, with the long texts that it points to. What
// stands in the file already and has the hash that the store names is not fetched again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { writeFileAtomic } from "../../base/files/write-file-atomic.ts";
import { limits } from "../../base/limits.ts";
import { fileMode, spillDirOf } from "../../transcripts/paths.ts";
import { parseLine } from "../../transcripts/reading/parse-line.ts";
import { StoreFailure, type ObjectStore } from "./object-store.ts";
import {
  findTranscript,
  spillFolder,
  type Chunk,
  type StoredAgent,
  type StoredTranscript,
} from "./stored-transcript.ts";

/** Makes `path` exactly what counts in the store. Throws StoreFailure; then the file is as it was. */
export async function fetchTranscript(
  store: ObjectStore,
  agent: StoredAgent,
  path: string,
): Promise<StoredTranscript> {
  const found = await findTranscript(store, agent);
  await bringTranscript({ store, agent, path }, found);
  return found;
}

/** Makes the file exactly what was found in the store. */
export async function bringTranscript(
  { store, agent, path }: { store: ObjectStore; agent: StoredAgent; path: string },
  found: StoredTranscript,
): Promise<void> {
  makePrivateDir(dirname(path));
  const file = await open(path, "a+", fileMode);
  try {
    const known = await knownChunks(file, found.chunks);
    const bytes = sumOf(found.chunks.slice(0, known));
    const missing = found.chunks.slice(known);
    const { size } = await file.stat();
    if (missing.length > 0) await addChunks({ store, agent, path, file }, { bytes, missing });
    else if (size > bytes) await file.truncate(bytes);
    if (bytes + sumOf(missing) === 0) await rm(path, { force: true });
  } finally {
    await file.close();
  }
}

/** The text of the lines after `seq`, and of no others. Throws StoreFailure. */
export async function fetchLines(
  store: ObjectStore,
  agent: StoredAgent,
  afterSeq: number,
): Promise<{ text: string; lastSeq: number; isEnded: boolean }> {
  const { chunks, lastSeq, end } = await findTranscript(store, agent);
  const wanted = chunks.filter(({ last }) => last > afterSeq);
  const texts: string[] = [];
  for await (const bytes of chunkBytes(store, wanted)) texts.push(bytes.toString("utf8"));
  const first = wanted[0];
  if (first && first.first <= afterSeq)
    texts[0] = texts[0]!
      .split(/(?<=\n)/)
      .filter((line) => Number(parseLine(line)?.["seq"] ?? 0) > afterSeq)
      .join("");
  return { text: texts.join(""), lastSeq, isEnded: end !== undefined };
}

type Target = { store: ObjectStore; agent: StoredAgent; path: string; file: FileHandle };

/** In a new file that takes the old one's place: a reader never sees half of a chunk. */
async function addChunks(
  { store, agent, path, file }: Target,
  { bytes, missing }: { bytes: number; missing: readonly Chunk[] },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const target = await open(temporary, "wx", fileMode);
  try {
    for (let at = 0; at < bytes;) {
      const part = Buffer.allocUnsafe(Math.min(bytes - at, limits.store.chunkBytes));
      const { bytesRead } = await file.read(part, 0, part.length, at);
      await target.write(part, 0, bytesRead);
      at += bytesRead;
    }
    for await (const chunk of chunkBytes(store, missing)) {
      await fetchSpilled(store, agent, { chunk, folder: spillDirOf(path) });
      await target.write(chunk);
    }
    await target.close();
    await rename(temporary, path);
  } catch (error) {
    await target.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

/** How many of the chunks stand at the beginning of the file, byte by byte. */
async function knownChunks(file: FileHandle, chunks: readonly Chunk[]): Promise<number> {
  const { size } = await file.stat();
  let at = 0;
  for (const [index, { bytes, hash }] of chunks.entries()) {
    if (at + bytes > size) return index;
    const part = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await file.read(part, 0, bytes, at);
    if (bytesRead !== bytes || sha256(part) !== hash) return index;
    at += bytes;
  }
  return chunks.length;
}

/** In order, some of them on their way at once; each has the bytes that its name promises. */
async function* chunkBytes(store: ObjectStore, chunks: readonly Chunk[]): AsyncGenerator<Buffer> {
  const groups = store.getJoined ? grouped(chunks) : chunks.map((chunk) => [chunk]);
  const waiting: Promise<Buffer[]>[] = [];
  const begin = (group: readonly Chunk[] | undefined): void => {
    if (!group) return;
    const fetched = getChunks(store, group);
    // Whoever waits for an earlier one must not leave this one's failure unheard.
    fetched.catch(() => undefined);
    waiting.push(fetched);
  };
  let next = 0;
  while (next < Math.min(groups.length, limits.store.parallelReads)) begin(groups[next++]);
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    begin(groups[next++]);
    yield* await one;
  }
}

function grouped(chunks: readonly Chunk[]): Chunk[][] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const last = groups.at(-1);
    const isFull =
      !last ||
      last.length >= limits.store.joinedObjects ||
      sumOf(last) + chunk.bytes > limits.store.chunkBytes;
    if (isFull) groups.push([chunk]);
    else last.push(chunk);
  }
  return groups;
}

async function getChunks(store: ObjectStore, chunks: readonly Chunk[]): Promise<Buffer[]> {
  const keys = chunks.map(({ key }) => key);
  const bytes = keys.length > 1 ? await store.getJoined!(keys) : await store.get(keys[0]!);
  let at = 0;
  return chunks.map((chunk) => {
    const part = bytes?.subarray(at, (at += chunk.bytes));
    if (part && sha256(part) === chunk.hash) return part;
    throw new StoreFailure(`${store.name}/${chunk.key} is ${part ? "damaged" : "missing"}`, {
      isPassing: false,
    });
  });
}

/** Names of spilled texts in a chunk; each is the hash of its text. */
export function spilledIn(chunk: string): string[] {
  if (!chunk.includes('"spill":[')) return [];
  return chunk.split("\n").flatMap((text) => {
    const pointers = text.includes('"spill":[') ? parseLine(text)?.["spill"] : undefined;
    return Array.isArray(pointers)
      ? pointers
          .map((pointer: { file?: unknown } | null) => pointer?.file)
          .filter((name): name is string => typeof name === "string" && spillPattern.test(name))
      : [];
  });
}

const spillPattern = /^[0-9a-f]{64}\.txt$/;

async function fetchSpilled(
  store: ObjectStore,
  { sessionId }: StoredAgent,
  { chunk, folder }: { chunk: Buffer; folder: string },
): Promise<void> {
  for (const name of spilledIn(chunk.toString("utf8"))) {
    const path = join(folder, name);
    if (existsSync(path)) continue;
    const bytes = await store.get(spillFolder(sessionId) + name);
    if (!bytes || `${sha256(bytes)}.txt` !== name)
      throw new StoreFailure(`spill/${name} is ${bytes ? "damaged" : "missing"} in ${store.name}`, {
        isPassing: false,
      });
    makePrivateDir(folder);
    writeFileAtomic(path, bytes, { mode: fileMode, durable: false });
  }
}

const sumOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { bytes }) => sum + bytes, 0);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
