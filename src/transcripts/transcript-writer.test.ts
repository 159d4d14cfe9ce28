import * as fs from "node:fs";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  appendFileSync,
  truncateSync,
  existsSync,
  readdirSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fact, RecordedFact } from "../events/event.ts";
import { noUsage } from "../model/model.ts";
import { sessionPaths } from "./paths.ts";
import { StorageFailure } from "./storage-failure.ts";
import type { TranscriptFs } from "./transcript-file.ts";
import { noKnownSecrets } from "../base/secrets/find-secrets.ts";
import { runSpec } from "../../test/support/run-spec.ts";
import { openTranscript, type TranscriptOptions } from "./transcript-writer.ts";

const sessionId = "11111111-2222-4333-8444-555555555555";
const agentId = "a0123456789abcdef";
let dir: string;
let path: string;
let seq: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "retinue-writer-"));
  path = sessionPaths(dir, sessionId).agent(agentId);
  seq = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const options = (more: Partial<TranscriptOptions> = {}): TranscriptOptions => {
  let uuid = 0;
  return {
    path,
    sessionId,
    agentId,
    isMain: false,
    cwd: "/project",
    version: "0.1.0",
    secrets: noKnownSecrets,
    fsync: "end",
    now: () => 0,
    newUuid: () => `u${++uuid}`,
    ...more,
  };
};
const stamped = (fact: Fact): RecordedFact => ({
  ...fact,
  agentId,
  runId: "r1",
  seq: ++seq,
  time: 1_000 * seq,
});
const said = (text: string): RecordedFact =>
  stamped({ type: "message", origin: "prompt", message: { role: "user", content: text } });
const ended = (): RecordedFact =>
  stamped({
    type: "run-end",
    outcome: {
      state: "completed",
      content: "",
      metrics: {
        turns: 1,
        tool_uses: 0,
        tokens_used: 0,
        duration_ms: 1,
        cost_usd: null,
        usage: noUsage,
      },
      permission_denials: [],
    },
  });
const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("writes Claude Code's envelope after a header of our own", () => {
  const writer = openTranscript(options({ gitBranch: "main" }));
  writer.append(stamped({ type: "run-start", spec: runSpec({ prompt: "go" }) }));
  writer.append(said("Find it."));
  const usage = { ...noUsage, input_tokens: 7 };
  writer.append(
    stamped({
      type: "message",
      origin: "reply",
      message: { role: "assistant", content: [{ type: "text", text: "Found." }] },
      reply: { id: "msg_1", model: "m", stop_reason: "end_turn", usage },
    }),
  );
  writer.close();
  const [header, spawn, user, assistant] = linesOf(path);
  expect(header).toMatchObject({
    type: "system",
    subtype: "retinue_session",
    version: 1,
    sessionId,
    agentId,
    cwd: "/project",
    isSidechain: true,
  });
  expect(spawn).toMatchObject({
    type: "system",
    subtype: "spawn",
    spec: { prompt: "go" },
    seq: 1,
    runId: "r1",
  });
  expect(user).toMatchObject({
    type: "user",
    parentUuid: null,
    isSidechain: true,
    agentId,
    message: { role: "user", content: "Find it." },
    timestamp: "1970-01-01T00:00:02.000Z",
    userType: "external",
    cwd: "/project",
    sessionId,
    version: "0.1.0",
    gitBranch: "main",
    seq: 2,
    runId: "r1",
    origin: "prompt",
  });
  expect(assistant).toMatchObject({
    type: "assistant",
    parentUuid: user!["uuid"],
    promptId: user!["promptId"],
    message: {
      id: "msg_1",
      role: "assistant",
      content: [{ type: "text", text: "Found." }],
      model: "m",
      stop_reason: "end_turn",
      usage,
    },
  });
});

test("writes each other fact as a system line with its subtype", () => {
  const writer = openTranscript(options());
  writer.append(said("a"));
  writer.append(
    stamped({
      type: "permission-decision",
      toolUseId: "t1",
      tool: "Bash",
      behavior: "deny",
      layer: "deny",
      rule: "Bash",
      reason: "no",
    }),
  );
  writer.append(
    stamped({ type: "hook-end", event: "Stop", hook: "x", outcome: "ok", durationMs: 3 }),
  );
  writer.append(
    stamped({ type: "compaction", trigger: "auto", preTokens: 9, summary: "short", kept: 1 }),
  );
  writer.append(
    stamped({ type: "verification", result: { trust: "VERIFIED", report: null, content: "" } }),
  );
  writer.append(stamped({ type: "interruption", toolUseIds: ["t1"] }));
  writer.append(ended());
  writer.append(said("b"));
  writer.close();
  const lines = linesOf(path);
  expect(lines.slice(2, 8).map((line) => line["subtype"])).toEqual([
    "permission_decision",
    "hook",
    "compact_boundary",
    "verification",
    "interrupted",
    "run_end",
  ]);
  expect(lines[4]).toMatchObject({
    compactMetadata: { trigger: "auto", preTokens: 9, kept: 1 },
    summary: "short",
    parentUuid: null,
    logicalParentUuid: lines[1]!["uuid"],
  });
  expect(lines[8]!["parentUuid"]).toBe(lines[4]!["uuid"]);
});

test("continues an existing file where it ended, without a second header", () => {
  const first = openTranscript(options());
  first.append(said("a"));
  first.close();
  const second = openTranscript(options({ newUuid: () => "later" }));
  second.append(said("b"));
  second.close();
  const lines = linesOf(path);
  expect(lines).toHaveLength(3);
  expect(lines[2]!["parentUuid"]).toBe(lines[1]!["uuid"]);
});

test("leaves agentId off the lines of a main thread and keeps it in the header", () => {
  const writer = openTranscript(options({ path: sessionPaths(dir, sessionId).main, isMain: true }));
  writer.append(said("a"));
  writer.close();
  const [header, line] = linesOf(sessionPaths(dir, sessionId).main);
  expect(header!["agentId"]).toBe(agentId);
  expect(line).not.toHaveProperty("agentId");
  expect(line!["isSidechain"]).toBe(false);
});

test("keeps folders and files closed to others", () => {
  openTranscript(options()).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test("TRANS-11 writes valid UTF-8 JSON for lone surrogates, NUL and text that only looks escaped", () => {
  const writer = openTranscript(options());
  writer.append(said("a\ud800b\u0000c\\ud800 \udc00 😀 \u2028"));
  writer.close();
  const bytes = readFileSync(path);
  const text = new TextDecoder("utf8", { fatal: true }).decode(bytes);
  expect(bytes.includes(0)).toBe(false);
  expect(text).not.toMatch(/[^\\]\\ud/);
  expect(linesOf(path)[1]!["message"]).toEqual({
    role: "user",
    content: "a\ufffdb\u0000c\\ud800 \ufffd 😀 \u2028",
  });
});

const failing = (broken: Partial<TranscriptFs>): TranscriptFs => ({
  ...(fs as unknown as TranscriptFs),
  ...broken,
});

test("TRANS-03 cuts a short write back to the last good line and refuses everything afterwards", () => {
  let short = false;
  const writer = openTranscript(
    options({
      fs: failing({
        writeSync: (fd, bytes, offset, length) =>
          fs.writeSync(fd, bytes, offset, short ? length - 5 : length),
      }),
    }),
  );
  writer.append(said("kept"));
  const good = readFileSync(path);
  short = true;
  expect(() => writer.append(said("lost"))).toThrow(StorageFailure);
  expect(readFileSync(path)).toEqual(good);
  short = false;
  expect(() => writer.append(said("later"))).toThrow(/only \d+ of \d+ bytes/);
  writer.close();
  expect(readFileSync(path)).toEqual(good);
});

test.each(["ENOSPC", "EIO", "EDQUOT"])(
  "TRANS-03 a write that fails with %s is a typed stop and leaves whole lines",
  (code) => {
    let broken = false;
    const writeSync: TranscriptFs["writeSync"] = (...args) => {
      if (broken) throw Object.assign(new Error(`${code}: write`), { code });
      return fs.writeSync(...args);
    };
    const writer = openTranscript(options({ fs: failing({ writeSync }) }));
    writer.append(said("kept"));
    broken = true;
    expect(() => writer.append(said("lost"))).toThrow(new RegExp(code));
    writer.close();
    expect(linesOf(path)).toHaveLength(2);
  },
);

test("TRANS-04 an fsync error is fatal for the transcript and is not tried again", () => {
  let calls = 0;
  const fsyncSync = (): void => {
    calls++;
    throw Object.assign(new Error("EIO: fsync"), { code: "EIO" });
  };
  const writer = openTranscript(options({ fs: failing({ fsyncSync }) }));
  writer.append(said("before"));
  expect(() =>
    writer.append(
      stamped({ type: "compaction", trigger: "auto", preTokens: 1, summary: "", kept: 0 }),
    ),
  ).toThrow(StorageFailure);
  expect(() => writer.append(said("after"))).toThrow(/fsync failed/);
  expect(() => writer.sync()).toThrow(/fsync failed/);
  writer.close();
  expect(calls).toBe(1);
});

/** The sync of a run's first line is put off for some milliseconds. */
const untilSyncedInBackground = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 30));

test("a run that goes on is synced soon after its first line", async () => {
  let calls = 0;
  const writer = openTranscript(
    options({ fs: failing({ fsync: (_fd, done) => done((calls++, null)) }) }),
  );
  writer.append(stamped({ type: "run-start", spec: runSpec() }));
  expect(calls).toBe(0);
  await untilSyncedInBackground();
  expect(calls).toBe(1);
  writer.close();
});

test("TRANS-04 an fsync error in the background is told by the next line", async () => {
  const writer = openTranscript(
    options({ fs: failing({ fsync: (_fd, done) => done(new Error("EIO: fsync")) }) }),
  );
  writer.append(stamped({ type: "run-start", spec: runSpec() }));
  await untilSyncedInBackground();
  expect(() => writer.append(said("after"))).toThrow(/fsync failed/);
  writer.close();
});

test("TRANS-04 finish tells an fsync error that nobody heard of, closes all the same, and gives the lock back", async () => {
  const writer = openTranscript(
    options({
      fs: failing({ fsync: (_fd, done) => void setTimeout(done, 5, new Error("EIO: fsync")) }),
    }),
  );
  writer.append(said("last"));
  await expect(writer.finish()).rejects.toThrow(/fsync failed/);
  await writer.finish();
  openTranscript(options()).close();
});

test.each(["finish", "close"] as const)(
  "TRANS-04 an fsync error in the background that no line came to tell is told by %s",
  async (way) => {
    const writer = openTranscript(
      options({ fs: failing({ fsync: (_fd, done) => done(new Error("EIO: fsync")) }) }),
    );
    writer.append(stamped({ type: "run-start", spec: runSpec() }));
    await untilSyncedInBackground();
    await expect((async () => writer[way]())()).rejects.toThrow(/fsync failed/);
    openTranscript(options()).close();
  },
);

test("finish leaves everything on disk and the file free for the next writer", async () => {
  const writer = openTranscript(options());
  writer.append(stamped({ type: "run-start", spec: runSpec() }));
  writer.append(said("a"));
  await writer.finish();
  expect(() => writer.append(said("b"))).toThrow(/closed/);
  openTranscript(options()).close();
  expect(linesOf(path)).toHaveLength(3);
});

test.each([
  ["end", 2],
  ["turn", 4],
  ["never", 0],
] as const)(
  "syncs with the policy %s %i times in a short run of three messages",
  (fsync, expected) => {
    let calls = 0;
    const writer = openTranscript(
      options({
        fsync,
        fs: failing({ fsyncSync: () => void calls++, fsync: (_fd, done) => done((calls++, null)) }),
      }),
    );
    writer.append(stamped({ type: "run-start", spec: runSpec() }));
    writer.append(said("a"));
    writer.append(said("b"));
    writer.append(
      stamped({ type: "compaction", trigger: "auto", preTokens: 1, summary: "", kept: 0 }),
    );
    writer.append(said("c"));
    writer.close();
    expect(calls).toBe(expected);
  },
);

test.each([
  ["shrinks", () => truncateSync(path, 10)],
  ["grows", () => appendFileSync(path, "x")],
])("TRANS-07 refuses to write when the file %s under it", (_, change) => {
  const writer = openTranscript(options());
  writer.append(said("a"));
  change();
  expect(() => writer.append(said("b"))).toThrow(/something else changed it/);
  writer.close();
});

test("TRANS-14 a removed folder is a typed stop, not a silent loss", () => {
  const writer = openTranscript(options());
  writer.append(said("a"));
  rmSync(dir, { recursive: true });
  expect(() => writer.append(said("b"))).toThrow(/removed while/);
  writer.close();
});

test("TRANS-14 what happens to the file between two quick lines is noticed at the latest when the run ends", () => {
  const writer = openTranscript(options());
  const first = said("a");
  writer.append(first);
  rmSync(dir, { recursive: true });
  writer.append({ ...said("b"), time: first.time + 1 });
  expect(() => writer.append({ ...ended(), time: first.time + 2 })).toThrow(/removed while/);
  writer.close();
});

test("a new transcript is empty or says what runs: its header and its first fact are one write", () => {
  const writes: string[] = [];
  const writer = openTranscript(
    options({
      fs: failing({
        writeSync: (fd, bytes, offset, length) => (
          writes.push(Buffer.from(bytes.subarray(offset, offset + length)).toString()),
          fs.writeSync(fd, bytes, offset, length)
        ),
      }),
    }),
  );
  expect(statSync(path).size).toBe(0);
  writer.append(stamped({ type: "run-start", spec: runSpec() }));
  writer.append(said("a"));
  writer.close();
  expect(writes.map((text) => text.split("\n").length - 1)).toEqual([2, 1]);
  expect(linesOf(path).map(({ subtype, type }) => subtype ?? type)).toEqual([
    "retinue_session",
    "spawn",
    "user",
  ]);
});

test("TRANS-14 a place that cannot be written is a StorageFailure when opening", () => {
  expect(() => openTranscript(options({ path: "/proc/retinue/none.jsonl" }))).toThrow(
    StorageFailure,
  );
});

test("TRANS-12 moves long text of a line to a side file before the line is written", () => {
  const long = "öl\n".repeat(200_000);
  const writer = openTranscript(options());
  writer.append(
    stamped({
      type: "message",
      origin: "tool_results",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: long },
          { type: "text", text: "short" },
        ],
      },
    }),
  );
  writer.close();
  const raw = readFileSync(path, "utf8").trimEnd().split("\n")[1]!;
  expect(Buffer.byteLength(raw)).toBeLessThan(256 * 1024);
  const spill = sessionPaths(dir, sessionId).spill;
  const [file] = readdirSync(spill);
  expect(readFileSync(join(spill, file!), "utf8")).toBe(long);
  expect(statSync(join(spill, file!)).mode & 0o777).toBe(0o600);
  expect(raw).toContain(`spill/${file}`);
  expect(raw).toContain("short");
});

test("TRANS-12 a line whose size comes from many small values is spilled as a whole", () => {
  const input = Object.fromEntries(
    Array.from({ length: 40_000 }, (_, index) => [`key${index}`, index]),
  );
  const writer = openTranscript(options());
  writer.append(
    stamped({
      type: "message",
      origin: "reply",
      message: { role: "assistant", content: [{ type: "tool_use", id: "t", name: "X", input }] },
    }),
  );
  writer.close();
  expect(Buffer.byteLength(readFileSync(path))).toBeLessThan(256 * 1024);
  expect(existsSync(sessionPaths(dir, sessionId).spill)).toBe(true);
});

test("no line holds a secret: neither one of a known form nor a value that was named", () => {
  const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
  const writer = openTranscript(options({ secrets: ["correct-horse-battery"] }));
  writer.append(stamped({ type: "run-start", spec: runSpec({ prompt: `with ${token}` }) }));
  writer.append(said(`${token} and correct-horse-battery`));
  writer.append(
    stamped({
      type: "permission-decision",
      toolUseId: "t1",
      tool: "Bash",
      behavior: "deny",
      layer: "rule",
      reason: `curl -H "token: ${token}"`,
    }),
  );
  writer.close();
  const text = readFileSync(path, "utf8");
  expect(text).not.toMatch(/aB3dE5|correct-horse/);
  expect(text.match(/\[masked /g)).toHaveLength(4);
});
