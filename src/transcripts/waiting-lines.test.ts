import * as nodeFs from "node:fs";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { limits } from "../base/limits.ts";
import { noKnownSecrets } from "../base/secrets/find-secrets.ts";
import type { RecordedFact } from "../events/event.ts";
import { noUsage } from "../model/model.ts";
import { readTail } from "./reading/read-tail.ts";
import { iterateLines } from "./reading/iterate-lines.ts";
import type { TranscriptFs } from "./transcript-file.ts";
import { openTranscript, type TranscriptOptions } from "./transcript-writer.ts";

const root = mkdtempSync(join(tmpdir(), "retinue-waiting-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let path = "";
let files = 0;
beforeEach(() => {
  path = join(root, `s${++files}.jsonl`);
});

let uuids = 0;
const open = (more: Partial<TranscriptOptions> = {}) =>
  openTranscript({
    path,
    sessionId: "s",
    agentId: "a0123456789abcdef",
    isMain: true,
    cwd: "/p",
    version: "0",
    secrets: noKnownSecrets,
    fsync: "end",
    now: () => 0,
    newUuid: () => `u${++uuids}`,
    ...more,
  });
const stamp = { agentId: "a", runId: "r", time: 0 };
const said = (seq: number, size = 0): RecordedFact => ({
  type: "message",
  origin: "prompt",
  message: { role: "user", content: `${seq}${"x".repeat(size)}` },
  ...stamp,
  seq,
});
const ended = (seq: number): RecordedFact => ({
  type: "run-end",
  outcome: {
    state: "completed",
    content: "",
    metrics: {
      turns: 0,
      tool_uses: 0,
      tokens_used: 0,
      duration_ms: 0,
      cost_usd: null,
      usage: noUsage,
    },
    permission_denials: [],
  },
  ...stamp,
  seq,
});
/** The numbers of the lines as they stand on disk, whoever wrote them. */
const onDisk = (): number[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { seq?: number }).seq ?? 0);
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** A disk that takes only so many bytes a file. */
const small = (bytes: () => number): TranscriptFs => ({
  ...nodeFs,
  writeSync: (fd, data, offset, length) => {
    const room = Math.max(0, bytes() - nodeFs.fstatSync(fd).size);
    return nodeFs.writeSync(fd, data, offset, Math.min(length, room));
  },
});

test("a line that may wait is written with the next one that may not, in one write", () => {
  let writes = 0;
  const writer = open({
    fs: { ...nodeFs, writeSync: (...given) => (writes++, nodeFs.writeSync(...given)) },
  });
  writer.append(said(1));
  expect(onDisk()).toEqual([0, 1]);
  writer.append(said(2), true);
  writer.append(said(3), true);
  expect(onDisk()).toEqual([0, 1]);
  writer.append(ended(4));
  expect(onDisk()).toEqual([0, 1, 2, 3, 4]);
  expect(writes).toBe(2);
  writer.close();
});

test("it is written when the present task has ended, however many promises the task had", async () => {
  const writer = open();
  writer.append(said(1));
  writer.append(said(2), true);
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(onDisk()).toEqual([0, 1]);
  await tick();
  expect(onDisk()).toEqual([0, 1, 2]);
  writer.append(said(3), true);
  await tick();
  expect(onDisk()).toEqual([0, 1, 2, 3]);
  writer.close();
});

test("whoever reads a transcript in this process, syncs or closes it finds every line", async () => {
  const writer = open();
  writer.append(said(1));
  writer.append(said(2), true);
  expect(readTail(path).map(({ seq }) => seq)).toEqual([undefined, 1, 2]);
  writer.append(said(3), true);
  for await (const { value } of iterateLines(path)) void value;
  expect(onDisk()).toEqual([0, 1, 2, 3]);
  writer.append(said(4), true);
  writer.sync();
  expect(onDisk()).toEqual([0, 1, 2, 3, 4]);
  writer.append(said(5), true);
  await writer.finish();
  expect(onDisk()).toEqual([0, 1, 2, 3, 4, 5]);
});

test("lines do not wait where every message is synced, nor beyond a certain length", () => {
  const synced = open({ fsync: "turn" });
  synced.append(said(1));
  synced.append(said(2), true);
  expect(onDisk()).toEqual([0, 1, 2]);
  synced.close();
  path = join(root, "long.jsonl");
  const writer = open();
  writer.append(said(1));
  writer.append(said(2), true);
  writer.append(said(3, limits.transcript.waitingCharacters), true);
  expect(onDisk()).toEqual([0, 1, 2, 3]);
  writer.close();
});

test("where waiting lines do not fit, those that do are kept, and the next line is refused", async () => {
  let room = Infinity;
  const writer = open({ fs: small(() => room) });
  writer.append(said(1));
  const line = Buffer.byteLength(`${readFileSync(path, "utf8").split("\n")[1]}\n`);
  room = nodeFs.statSync(path).size + Math.round(2.5 * line);
  for (const seq of [2, 3, 4]) writer.append(said(seq), true);
  await tick();
  expect(onDisk()).toEqual([0, 1, 2, 3]);
  expect(() => writer.append(said(5), true)).toThrow(/only \d+ of \d+ bytes/);
  expect(() => writer.append(ended(5))).toThrow(/only \d+ of \d+ bytes/);
  expect(onDisk().slice(0, 4)).toEqual([0, 1, 2, 3]);
  writer.close();
});

test("a failure that nobody was told of is told at closing", async () => {
  let room = Infinity;
  const writer = open({ fs: small(() => room) });
  writer.append(said(1));
  room = nodeFs.statSync(path).size;
  writer.append(said(2), true);
  await tick();
  await expect(writer.finish()).rejects.toThrow(/only 0 of \d+ bytes/);
});
