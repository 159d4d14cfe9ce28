import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Fact, RecordedFact } from "../../events/event.ts";
import type { Message } from "../../model/message.ts";
import { noUsage } from "../../model/model.ts";
import { iterateLines } from "./iterate-lines.ts";
import { loadTranscript } from "./load-transcript.ts";
import { lockTranscript } from "../lock/lock.ts";
import { sessionPaths } from "../paths.ts";
import { noKnownSecrets } from "../../base/secrets/find-secrets.ts";
import { runSpec } from "../../../test/support/run-spec.ts";
import { openTranscript } from "../transcript-writer.ts";

const sessionId = "11111111-2222-4333-8444-555555555555";
const agentId = "a0123456789abcdef";
let dir: string;
let path: string;
let seq: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "retinue-load-"));
  path = sessionPaths(dir, sessionId).agent(agentId);
  seq = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = () =>
  openTranscript({
    path,
    sessionId,
    agentId,
    isMain: false,
    cwd: "/project",
    version: "0.1.0",
    secrets: noKnownSecrets,
    fsync: "never",
    now: () => 0,
    newUuid,
  });
const stamped = (fact: Fact, time = 1_000): RecordedFact => ({
  ...fact,
  agentId,
  runId: "r1",
  seq: ++seq,
  time,
});
const user = (text: string): Fact => ({
  type: "message",
  origin: "prompt",
  message: { role: "user", content: text },
});
const reply = (text: string): Fact => ({
  type: "message",
  origin: "reply",
  message: { role: "assistant", content: [{ type: "text", text }] },
  reply: { model: "m", stop_reason: "end_turn", usage: noUsage },
});
const hook: Fact = { type: "hook-end", event: "Stop", hook: "x", outcome: "ok", durationMs: 1 };
const boundary = (summary: string, kept: number): Fact => ({
  type: "compaction",
  trigger: "auto",
  preTokens: 5,
  summary,
  kept,
});
const ended: Fact = {
  type: "run-end",
  outcome: {
    state: "completed",
    content: "done",
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
};

function write(...facts: Fact[]): void {
  const writer = open();
  for (const fact of facts) writer.append(stamped(fact));
  writer.close();
}
const texts = (messages: Message[]) =>
  messages.map(({ content }) =>
    typeof content === "string"
      ? content
      : content.map((block) => ("text" in block ? block.text : block.type)).join(),
  );
const lineCount = () => readFileSync(path, "utf8").trimEnd().split("\n").length;

test("gives back what was written: header, spec, messages, sequence, ending", async () => {
  write({ type: "run-start", spec: runSpec({ prompt: "go" }) }, user("a"), hook, reply("b"), ended);
  const loaded = await loadTranscript(path);
  expect(loaded.header).toMatchObject({ subtype: "retinue_session", version: 1, agentId });
  expect(loaded.spec).toEqual(runSpec({ prompt: "go" }));
  expect(loaded.messages).toEqual([
    { role: "user", content: "a" },
    { role: "assistant", content: [{ type: "text", text: "b" }] },
  ]);
  expect(loaded).toMatchObject({
    lastSeq: 5,
    ended: { state: "completed", content: "done" },
    openToolUses: [],
    problems: [],
  });
  expect(loaded.runs).toMatchObject([{ runId: "r1", seq: 1, outcome: { state: "completed" } }]);
});

test("a run without its end has not ended, and the newest run counts", async () => {
  write(
    { type: "run-start", spec: runSpec({ name: "1" }) },
    user("a"),
    ended,
    { type: "run-start", spec: runSpec({ name: "2" }) },
    user("b"),
  );
  const again = readFileSync(path, "utf8")
    .split("\n")
    .map((line) =>
      line.includes('"seq":4') || line.includes('"seq":5')
        ? line.replace('"runId":"r1"', '"runId":"r2"')
        : line,
    );
  writeFileSync(path, again.join("\n"));
  const loaded = await loadTranscript(path);
  expect(loaded.spec).toEqual(runSpec({ name: "2" }));
  expect(loaded.ended).toBeUndefined();
  expect(loaded.runs.map((run) => [run.runId, run.outcome?.state])).toEqual([
    ["r1", "completed"],
    ["r2", undefined],
  ]);
});

test("the conversation is the last boundary's summary, what it kept, and what followed", async () => {
  write(
    user("1"),
    reply("2"),
    boundary("S1", 1),
    user("3"),
    hook,
    reply("4"),
    hook,
    user("5"),
    boundary("S2", 2),
    hook,
    reply("6"),
  );
  expect(texts((await loadTranscript(path)).messages)).toEqual(["S2", "4", "5", "6"]);
});

test("what a boundary keeps can reach over an earlier boundary and its summary", async () => {
  write(user("1"), reply("2"), boundary("S1", 1), user("3"), boundary("S2", 3), reply("4"));
  expect(texts((await loadTranscript(path)).messages)).toEqual(["S2", "S1", "2", "3", "4"]);
});

test("calls that were decided about stay known when a boundary has left them behind", async () => {
  const decision = (toolUseId: string): Fact => ({
    type: "permission-decision",
    toolUseId,
    tool: "Bash",
    behavior: "allow",
    layer: "allow",
    reason: "a rule",
  });
  write(user("go"), decision("t1"), reply("one"), boundary("summary", 0), decision("t2"));
  expect([...(await loadTranscript(path)).decidedToolUses]).toEqual(["t1", "t2"]);
});

test("neighbours of one role count as one of the kept, so that a resumed run that held them merged loses none", async () => {
  write(user("1"), reply("2"), user("3a"), user("3b"), reply("4"), boundary("S", 3));
  expect(texts((await loadTranscript(path)).messages)).toEqual(["S", "2", "3a", "3b", "4"]);
});

test("names the tool calls that have no result", async () => {
  const use = { type: "tool_use" as const, id: "t2", name: "Bash", input: { command: "x" } };
  write(
    user("a"),
    {
      type: "message",
      origin: "reply",
      message: { role: "assistant", content: [{ ...use, id: "t1" }, use] },
    },
    {
      type: "message",
      origin: "tool_results",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }],
      },
    },
  );
  expect((await loadTranscript(path)).openToolUses).toEqual([use]);
});

test("TRANS-01 a torn last line is reported, and with the lock it is set aside and cut off", async () => {
  write(user("a"), reply("b"));
  const whole = readFileSync(path);
  appendFileSync(path, '{"type":"user","message":{"ro');
  const looked = await loadTranscript(path);
  expect(looked.problems).toMatchObject([{ code: "torn", line: 4 }]);
  expect(existsSync(`${path}.torn`)).toBe(false);
  const lock = lockTranscript(path);
  const repaired = await loadTranscript(path, { repairTail: lock });
  lock.release();
  expect(texts(repaired.messages)).toEqual(["a", "b"]);
  expect(repaired.problems).toMatchObject([{ code: "torn" }]);
  expect(readFileSync(path)).toEqual(whole);
  expect(readFileSync(`${path}.torn`, "utf8")).toBe('{"type":"user","message":{"ro\n');
  expect((await loadTranscript(path)).problems).toEqual([]);
});

test("TRANS-01 at every length of the last line the earlier ones load and the writer goes on", async () => {
  write(user("a"), reply("ö😀"));
  const whole = readFileSync(path);
  const lastStart = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (let length = lastStart; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    write(user("next"));
    const loaded = await loadTranscript(path);
    expect(loaded.problems.filter((problem) => problem.code !== "order")).toEqual([]);
    expect(texts(loaded.messages)).toEqual(
      length === whole.length - 1 ? ["a", "ö😀", "next"] : ["a", "next"],
    );
  }
});

test("TRANS-02 a malformed line in the middle is skipped with its number and every later line stays", async () => {
  write(user("a"), user("b"), user("c"));
  const lines = readFileSync(path, "utf8").split("\n");
  for (const [bad, at] of [
    ["garbage", 2],
    ['{"type":"user"', 2],
    ['{"type":"us{"type":"user","x":1}', 3],
    ["\u0000\u0000\u0000", 1],
    ["[1,2]", 2],
    ["null", 4],
  ] as const) {
    writeFileSync(path, [...lines.slice(0, at), bad, ...lines.slice(at)].join("\n"));
    const loaded = await loadTranscript(path);
    expect(texts(loaded.messages)).toEqual(["a", "b", "c"]);
    expect(loaded.problems).toMatchObject([{ line: at + 1, code: "malformed" }]);
  }
});

test("TRANS-08 a file that is not ours is neither deleted nor overwritten, whatever it holds", async () => {
  write(user("a"));
  for (const content of ["", "\u0000".repeat(5_000), "{}\n{}\n", "not a transcript\n", "\n\n\n"]) {
    writeFileSync(path, content);
    const loaded = await loadTranscript(path);
    expect(loaded.messages).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe(content);
  }
});

test("TRANS-10 the order is that of the sequence, whatever the clock did", async () => {
  const writer = open();
  const day = 86_400_000;
  for (const [text, time] of [
    ["a", 50 * day],
    ["b", 50 * day - 3_600_000],
    ["c", 90 * day],
    ["d", 0],
  ] as const)
    writer.append(stamped(user(text), time));
  writer.close();
  const loaded = await loadTranscript(path);
  expect(texts(loaded.messages)).toEqual(["a", "b", "c", "d"]);
  expect(loaded.problems).toEqual([]);
});

test("TRANS-12 a line over the cap is passed over in bounded memory, and later lines stay", async () => {
  write(user("a"));
  const filler = Buffer.alloc(8 * 1024 * 1024, "x");
  appendFileSync(path, '{"type":"user","message":{"role":"user","content":"');
  for (let index = 0; index < 5; index++) appendFileSync(path, filler);
  appendFileSync(path, '"}}\n');
  seq = 1;
  write(user("b"));
  const loaded = await loadTranscript(path);
  expect(texts(loaded.messages)).toEqual(["a", "b"]);
  expect(loaded.problems).toMatchObject([{ line: 3, code: "oversize" }]);
});

test("TRANS-12 spilled text comes back whole; a damaged or missing side file leaves the beginning and a problem", async () => {
  const long = "grün\n".repeat(100_000);
  const many = Object.fromEntries(
    Array.from({ length: 40_000 }, (_, index) => [`key${index}`, index]),
  );
  const use: Message = {
    role: "assistant",
    content: [{ type: "tool_use", id: "t", name: "X", input: many }],
  };
  write(user(long), { type: "message", origin: "reply", message: use });
  const loaded = await loadTranscript(path);
  expect(loaded.messages).toEqual([{ role: "user", content: long }, use]);
  expect(loaded.problems).toEqual([]);
  const spill = sessionPaths(dir, sessionId).spill;
  for (const file of readdirSync(spill)) truncateSync(join(spill, file), 5);
  const damaged = await loadTranscript(path);
  expect(damaged.problems).toMatchObject([
    { line: 2, code: "spill" },
    { line: 3, code: "spill" },
  ]);
  expect(texts(damaged.messages)[0]).toMatch(/^grün\n[\s\S]*bytes in spill/);
});

test("a spill pointer from a hostile file reads nothing outside the spill folder", async () => {
  write(user("a"));
  const secret = join(dir, "secret");
  writeFileSync(secret, "secret");
  const spill = sessionPaths(dir, sessionId).spill;
  execFileSync("mkdir", ["-p", spill]);
  const link = `${"0".repeat(64)}.txt`;
  symlinkSync(secret, join(spill, link));
  const pointers = [
    { path: ["message", "content"], file: "../../../secret", bytes: 1 },
    { path: ["message", "content"], file: link, bytes: 1 },
    { path: ["__proto__", "polluted"], file: link, bytes: 1 },
    7,
  ];
  appendFileSync(
    path,
    `${JSON.stringify({ type: "user", message: { role: "user", content: "kept" }, isSidechain: true, spill: pointers })}\n`,
  );
  const loaded = await loadTranscript(path);
  expect(texts(loaded.messages)).toEqual(["a", "kept"]);
  expect(loaded.problems).toHaveLength(4);
});

test("TRANS-13 a conversation over the cap keeps its newest lines and says what is left out", async () => {
  write(user("first"));
  const line = `${JSON.stringify({ type: "user", isSidechain: true, message: { role: "user", content: "y".repeat(1024 * 1024) } })}\n`;
  const count = limits.transcript.conversationBytes / (1024 * 1024) + 20;
  for (let index = 0; index < count; index++) appendFileSync(path, line);
  const loaded = await loadTranscript(path);
  expect(loaded.header).toBeDefined();
  expect(loaded.messages.length).toBeGreaterThan(100);
  expect(loaded.messages.length).toBeLessThan(count);
  expect(loaded.problems).toMatchObject([{ code: "left_out" }]);
});

test("reads a foreign Claude Code transcript: any key order, unknown types, sub-agent lines of older versions left out", async () => {
  const foreign = [
    { type: "queue-operation", operation: "enqueue" },
    {
      parentUuid: null,
      isSidechain: false,
      type: "user",
      message: { role: "user", content: "hi" },
      uuid: "1",
    },
    {
      parentUuid: "1",
      isSidechain: false,
      message: { role: "assistant", content: [{ type: "text", text: "yo" }] },
      type: "assistant",
      uuid: "2",
    },
    {
      parentUuid: null,
      isSidechain: true,
      type: "user",
      message: { role: "user", content: "side" },
      uuid: "3",
    },
    { type: "attachment", message: 5 },
    {
      parentUuid: null,
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: "auto", preTokens: 9 },
      isSidechain: false,
    },
    {
      parentUuid: "2",
      isSidechain: false,
      type: "user",
      isCompactSummary: true,
      message: { role: "user", content: "summary" },
    },
    { type: "user", message: { role: "user", content: 7 } },
    { type: "user" },
  ];
  const spaced = foreign.map((line) => JSON.stringify(line, null, 1).replaceAll("\n", ""));
  for (const lines of [foreign.map((line) => JSON.stringify(line)), spaced]) {
    const file = join(dir, "foreign.jsonl");
    writeFileSync(file, `\ufeff${lines.join("\r\n")}\r\n`);
    const loaded = await loadTranscript(file);
    expect(loaded.header).toBeUndefined();
    expect(texts(loaded.messages)).toEqual(["summary"]);
    expect(loaded.problems).toMatchObject([
      { line: 8, code: "bad_message" },
      { line: 9, code: "bad_message" },
    ]);
    writeFileSync(file, lines.slice(0, 5).join("\n"));
    expect(texts((await loadTranscript(file)).messages)).toEqual(["hi", "yo"]);
  }
});

test("a file that cannot be read is a problem, not an exception", async () => {
  const link = join(dir, "link.jsonl");
  write(user("a"));
  symlinkSync(path, link);
  const fifo = join(dir, "fifo.jsonl");
  execFileSync("mkfifo", [fifo]);
  for (const bad of [join(dir, "none.jsonl"), dir, link, fifo])
    expect((await loadTranscript(bad)).problems).toMatchObject([{ code: "unreadable" }]);
});

test("a hostile file cannot fill memory with problems", async () => {
  writeFileSync(join(dir, "bad.jsonl"), "x\n".repeat(50_000));
  expect((await loadTranscript(join(dir, "bad.jsonl"))).problems).toHaveLength(
    limits.transcript.problems,
  );
});

test("follows a growing file from where it stopped", async () => {
  write(user("a"));
  let from = 0;
  for await (const line of iterateLines(path)) from = line.end;
  write(user("b"));
  appendFileSync(path, '{"type":"us');
  const more = [];
  for await (const line of iterateLines(path, { from })) more.push(line);
  expect(
    more.map((line) => line.problem ?? (line.value!["message"] as { content: string }).content),
  ).toEqual(["b", "torn"]);
  expect(statSync(path).size).toBe(more[1]!.end);
});

test("any bytes put anywhere into a file load without a throw, and every intact line stays", async () => {
  write(user("one"), reply("zwei ö"), user("three 😀"), reply("four"));
  const whole = readFileSync(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index);
  const count = lineCount();
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.uint8Array({ maxLength: 300 }), async (at, bytes) => {
      writeFileSync(path, Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)]));
      const seen: string[] = [];
      for await (const line of iterateLines(path))
        if (typeof line.value?.["uuid"] === "string") seen.push(line.value["uuid"]);
      const loaded = await loadTranscript(path);
      // Only the line that was hit may be lost: lines whose bytes stand as they stood are all
      // there.
      const hit =
        bytes.length === 0 || ends.some((end) => end + 1 === at) || at === 0
          ? -1
          : ends.findIndex((end) => end >= at);
      const intact =
        count -
        (hit >= 0 ? 1 : 0) -
        (hit < 0 && bytes.length > 0 && at < whole.length && bytes.at(-1) !== 10 ? 1 : 0);
      expect(seen.length).toBeGreaterThanOrEqual(intact);
      expect(loaded.messages.length).toBeGreaterThanOrEqual(intact - 1);
    }),
    { numRuns: 300 },
  );
  unlinkSync(path);
});
