// A real full disk: a tmpfs of 256 KB. Mounting needs root on Linux; elsewhere the injected
// failures of transcript-writer.test.ts stand in.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, rmdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newUuid } from "../base/ids.ts";
import type { RecordedFact } from "../events/event.ts";
import { noUsage } from "../model/model.ts";
import { loadTranscript } from "./reading/load-transcript.ts";
import { readTail } from "./reading/read-tail.ts";
import { StorageFailure } from "./storage-failure.ts";
import { noKnownSecrets } from "../base/secrets/find-secrets.ts";
import { openTranscript } from "./transcript-writer.ts";

const disk = mkdtempSync(join(tmpdir(), "retinue-disk-"));
const isMounted =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "none", disk]).status === 0;
const path = join(disk, "s.jsonl");
const open = () =>
  openTranscript({
    path,
    sessionId: "s",
    agentId: "a0123456789abcdef",
    isMain: true,
    cwd: "/p",
    version: "0",
    secrets: noKnownSecrets,
    fsync: "turn",
    now: () => 0,
    newUuid,
  });
const said = (seq: number, size: number): RecordedFact => ({
  type: "message",
  origin: "prompt",
  message: { role: "user", content: `${seq}${"x".repeat(size)}` },
  agentId: "a",
  runId: "r",
  seq,
  time: 0,
});

beforeAll(() => {
  if (!isMounted) rmdirSync(disk);
});
afterAll(() => {
  if (!isMounted) return;
  spawnSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true, force: true });
});

test.runIf(isMounted)(
  "TRANS-03 a full disk is a typed stop, every acknowledged line loads, and after room is made the run goes on",
  async () => {
    const filler = join(disk, "filler");
    writeFileSync(filler, Buffer.alloc(64 * 1024));
    const writer = open();
    let acknowledged = 0;
    const fill = (): void => {
      for (let seq = 1; seq < 100; seq++) {
        writer.append(said(seq, 30_000));
        acknowledged = seq;
      }
    };
    expect(fill).toThrow(StorageFailure);
    expect(acknowledged).toBeGreaterThan(2);
    expect(() => writer.append(said(50, 1))).toThrow(StorageFailure);
    writer.close();
    const size = statSync(path).size;
    const loaded = await loadTranscript(path);
    expect(loaded).toMatchObject({ lastSeq: acknowledged, problems: [] });
    expect(loaded.messages).toHaveLength(acknowledged);
    unlinkSync(filler);
    const again = open();
    again.append(said(acknowledged + 1, 100));
    again.close();
    expect(statSync(path).size).toBeGreaterThan(size);
    expect((await loadTranscript(path)).messages).toHaveLength(acknowledged + 1);
  },
);

test.runIf(isMounted)(
  "TRANS-12 a spill that does not fit is a typed stop and leaves no line that points nowhere",
  async () => {
    unlinkSync(path);
    const writer = open();
    writer.append(said(1, 10));
    expect(() => writer.append(said(2, 400_000))).toThrow(StorageFailure);
    writer.close();
    expect(await loadTranscript(path)).toMatchObject({ lastSeq: 1, problems: [] });
  },
);

test.runIf(isMounted)(
  "a run that the full disk ended says so in the room that its last line left, and is refused all the same",
  async () => {
    unlinkSync(path);
    const writer = open();
    writer.append(said(1, 10));
    expect(() => {
      for (let seq = 2; seq < 100; seq++) writer.append(said(seq, 30_000));
    }).toThrow(StorageFailure);
    const size = statSync(path).size;
    const outcome = {
      state: "completed" as const,
      content: "x".repeat(100_000),
      metrics: {
        turns: 7,
        tool_uses: 0,
        tokens_used: 9,
        duration_ms: 1,
        cost_usd: null,
        usage: noUsage,
      },
      permission_denials: [],
    };
    const end: RecordedFact = {
      type: "run-end",
      outcome,
      agentId: "a",
      runId: "r",
      seq: 50,
      time: 0,
    };
    expect(() => writer.append(end), "not acknowledged").toThrow(StorageFailure);
    expect(() => writer.append(said(51, 1)), "and nothing after it").toThrow(StorageFailure);
    writer.close();
    expect(statSync(path).size).toBeGreaterThan(size);
    expect(readTail(path).at(-1)).toMatchObject({
      subtype: "run_end",
      outcome: {
        state: "failed",
        reason: "storage",
        error: expect.stringContaining("cannot be written"),
        content: "",
        metrics: { turns: 7 },
      },
    });
    expect(await loadTranscript(path)).toMatchObject({ problems: [] });
  },
);
