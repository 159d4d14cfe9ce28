// The edges of a run's files, through the manager and the command: what is damaged, moved, unreadable or refused by the disk is told, and nothing is lost.
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createManager, type AgentManager } from "../src/app/index.ts";
import { createJournal, continueJournal, type FlowHeader } from "../src/flows/journal.ts";
import { runRows } from "../src/app/runs/run-status.ts";
import { stopRun } from "../src/app/runs/stop-run.ts";
import { lockHolder, lockTranscript } from "../src/transcripts/lock/lock.ts";
import { openTranscript } from "../src/transcripts/transcript-writer.ts";
import { listRuns } from "../src/transcripts/reading/list-runs.ts";
import { noKnownSecrets } from "../src/base/secrets/find-secrets.ts";
import { newAgentId, newUuid } from "../src/base/ids.ts";
import { noUsage } from "../src/model/model.ts";
import { scriptedModel, tempProject, type TempProject } from "../src/testing/index.ts";
import { runSpec } from "./support/run-spec.ts";
import * as nodeFs from "node:fs";

let project: TempProject;
beforeEach(() => void (project = tempProject({ "src/a.ts": "export const a = 1;\n" })));
afterEach(() => project.remove());

type Replies = Parameters<typeof scriptedModel>[0];

const open = (replies: Replies, more: Parameters<typeof createManager>[0] = {}): AgentManager =>
  createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    contract: "none",
    watch: false,
    model: scriptedModel(replies),
    ...more,
  });

const task = { description: "look", prompt: "Where is a?" };

describe("a damaged byte in the first line", () => {
  test("hides nothing: the agent is read and resumed", async () => {
    const manager = open([{ text: "one" }, { text: "two" }]);
    const { agent_id, transcript } = await manager.spawn(task).done;
    const bytes = readFileSync(transcript);
    const end = bytes.indexOf(0x0a);
    for (const at of [0, 20, Math.floor(end / 2), end]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = 0x01;
      writeFileSync(transcript, damaged);
      expect(await manager.getOutput(agent_id), `byte ${at}`).toMatchObject({
        state: "completed",
        content: "one",
      });
    }
    expect((await manager.resume(agent_id, "go on").done).content).toBe("two");
    await manager.close();
  });
});

test("a transcript that cannot be read is told as such, not as an unknown id", async () => {
  const manager = open([{ text: "one" }]);
  const { agent_id, transcript } = await manager.spawn(task).done;
  rmSync(transcript);
  // A link to itself cannot be opened by anybody, root included.
  nodeFs.symlinkSync(transcript, transcript);
  expect(() => manager.resume(agent_id, "go on")).toThrow(/unknown task_id|cannot be read/);
  rmSync(transcript);
  writeFileSync(transcript, "x");
  chmodSync(transcript, 0);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot)
    expect(() => manager.resume(agent_id, "go on")).toThrow(
      /transcript of .* cannot be read .*EACCES/,
    );
  await manager.close();
});

test("a transcript that is moved away while it runs is a failure of the storage", async () => {
  const manager = open([
    () => {
      renameSync(transcriptOf(run.id), `${transcriptOf(run.id)}.away`);
      return { text: "done" };
    },
  ]);
  const transcriptOf = (id: string): string =>
    manager.list().length === 0
      ? ""
      : join(
          project.home,
          ".claude",
          "projects",
          projectFolder(),
          manager.sessionId,
          "subagents",
          `agent-${id}.jsonl`,
        );
  const projectFolder = (): string => project.root.replace(/[^A-Za-z0-9]/g, "-");
  const run = manager.spawn(task);
  expect(await run.done).toMatchObject({
    state: "failed",
    reason: "storage",
    error: expect.stringContaining("moved away"),
  });
  await manager.close();
});

test("a lock whose folder is gone is given back without an error", () => {
  const path = join(project.home, "gone", "t.jsonl");
  const lock = lockTranscript(path);
  rmSync(dirname(path), { recursive: true });
  writeFileSync(dirname(path), "a file now");
  expect(() => lock.release()).not.toThrow();
});

test("a journal that cannot be continued gives its lock back", () => {
  const path = join(project.home, "flows", "f.jsonl");
  const header = { type: "retinue_flow", version: 1, flowId: "f" } as FlowHeader;
  createJournal(path, header).close();
  appendFileSync(path, "torn");
  rmSync(path);
  nodeFs.symlinkSync("/dev/full", path);
  expect(() => continueJournal(path, { lines: 1, isTorn: true })).toThrow(/cannot be written/);
  expect(lockHolder(path)).toBeUndefined();
});

test("an input nested five thousand levels deep is an error result, and the run goes on", async () => {
  let input: object = {};
  for (let depth = 0; depth < 5_000; depth++) input = { a: input };
  const manager = open([{ tools: [{ name: "Read", input }] }, { text: "done" }]);
  expect(await manager.spawn(task).done).toMatchObject({ state: "completed", content: "done" });
  await manager.close();
});

test("a last sync that fails is what the transcript says too", async () => {
  const agentId = newAgentId();
  const sessionId = newUuid();
  const path = join(project.home, "p", sessionId, "subagents", `agent-${agentId}.jsonl`);
  const writer = openTranscript({
    path,
    sessionId,
    agentId,
    isMain: false,
    cwd: "/p",
    version: "0",
    secrets: noKnownSecrets,
    fsync: "end",
    now: Date.now,
    newUuid,
    fs: { ...nodeFs, fsync: (_fd: number, done: (error: Error) => void) => done(new Error("EIO")) },
  });
  const stamp = { agentId, runId: "r", time: Date.now() };
  writer.append({ type: "run-start", spec: runSpec(), ...stamp, seq: 1 });
  const metrics = {
    turns: 1,
    tool_uses: 0,
    tokens_used: 0,
    duration_ms: 1,
    cost_usd: null,
    usage: noUsage,
  };
  const outcome = { state: "completed" as const, content: "x", metrics, permission_denials: [] };
  writer.append({ type: "run-end", outcome, ...stamp, seq: 2 });
  await expect(writer.finish()).rejects.toThrow(/fsync failed/);
  expect(listRuns(project.home, { project: "p" })).toMatchObject([
    { agentId, state: "failed", reason: "storage" },
  ]);
});

describe.skipIf(process.platform !== "linux")("host and watchdog that died together", () => {
  test("leave processes that a stop ends by the run's id on disk", async () => {
    const agentId = newAgentId();
    const sessionId = newUuid();
    const runId = newUuid();
    const projects = join(project.home, ".claude", "projects");
    const path = join(projects, "-p", sessionId, "subagents", `agent-${agentId}.jsonl`);
    const writer = openTranscript({
      path,
      sessionId,
      agentId,
      isMain: false,
      cwd: "/p",
      version: "0",
      secrets: noKnownSecrets,
      fsync: "never",
      now: Date.now,
      newUuid,
    });
    writer.append({ type: "run-start", spec: runSpec(), agentId, runId, time: 0, seq: 1 });
    writer.close();
    const left = spawn("sleep", ["300"], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, RETINUE_MARK: `ab12:${runId.replaceAll("-", "")}:cd34` },
    });
    const gone = new Promise((resolve) => left.once("exit", resolve));
    const [run] = listRuns(projects);
    expect(run).toMatchObject({ agentId, reason: "lost", runId });
    expect(await stopRun(run!, { HOME: project.home })).toMatchObject({ result: "stopped" });
    await gone;
    expect(await stopRun(run!, { HOME: project.home })).toMatchObject({ result: "over" });
  });
});

/** One answer of the provider's protocol that says hello. */
const hello = [
  {
    type: "message_start",
    message: { id: "m", model: "x", usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join("");

async function saysHello(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const manager = open([], {
    model: "anthropic:claude-sonnet-4-5",
    env: {
      HOME: project.home,
      PATH: process.env["PATH"],
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    },
  });
  for (const _ of [1, 2])
    expect(await manager.spawn(task).done).toMatchObject({ state: "completed", content: "hello" });
  await manager.close();
}

test("a compressed answer is read", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.end(gzipSync(hello));
  });
  await saysHello(server);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["in one piece with the answer", (text: string) => [text]],
  ["before it", (text: string) => text.split(/(?<=\r\n\r\n)(?=HTTP)/)],
  ["in single bytes", (text: string) => [...text.slice(0, 60).split(""), text.slice(60)]],
])("100 Continue %s is passed over", async (_how, cut) => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
  const answer = `HTTP/1.1 100 Continue\r\nx: y\r\n\r\n${head}content-length: ${hello.length}\r\n\r\n${hello}`;
  const sockets = new Set<Socket>();
  const say = async (socket: Socket): Promise<void> => {
    for (const piece of cut(answer)) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const server = createSocketServer((socket) => {
    sockets.add(socket.setNoDelay());
    // The body of a request is JSON: it ends with a brace.
    socket.on("data", (bytes) => void (String(bytes).endsWith("}") && say(socket)));
  });
  await saysHello(server);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test("two thousand agents that are started at once do not hold up the event loop", async () => {
  const manager = open((() => ({ text: "done" })) as unknown as Replies, {
    persist: false,
    limits: { maxConcurrent: 5_000 },
    model: {
      name: "quick",
      contextWindow: 100_000,
      maxOutputTokens: 1_000,
      takesImages: false,
      takesDocuments: false,
      hasWebSearch: false,
      send: async () => ({
        ok: true,
        reply: {
          model: "quick",
          content: [{ type: "text", text: "done" }],
          stop_reason: "end_turn",
          usage: noUsage,
        },
      }),
    },
  });
  await manager.spawn(task).done;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const runs = Array.from({ length: 2_000 }, () => manager.spawn(task));
  delay.enable();
  const states = await Promise.all(runs.map(async ({ done }) => (await done).state));
  delay.disable();
  expect(new Set(states)).toEqual(new Set(["completed"]));
  // Much for a busy machine; in one go it was 3.7 seconds.
  expect(delay.percentile(99) / 1e6).toBeLessThan(250);
  await manager.close();
});

test("a transcript with a quarter of a gigabyte of zeros behind its last line is read, listed and resumed, and the zeros are gone", async () => {
  const manager = open([{ text: "one" }, { text: "two" }]);
  const { agent_id, transcript } = await manager.spawn(task).done;
  const { size } = nodeFs.statSync(transcript);
  const zeros = 256 * 1024 ** 2;
  nodeFs.truncateSync(transcript, size + zeros);
  const reading = performance.now();
  const fd = nodeFs.openSync(transcript, "r");
  const chunk = Buffer.alloc(64 * 1024);
  for (let at = 0; at < zeros; at += chunk.length) nodeFs.readSync(fd, chunk, 0, chunk.length, at);
  nodeFs.closeSync(fd);
  const onceMs = performance.now() - reading;
  expect(await manager.getOutput(agent_id)).toMatchObject({ state: "completed", content: "one" });
  const resuming = performance.now();
  expect((await manager.resume(agent_id, "go on").done).content).toBe("two");
  // Copied aside, it was some thirty times as long.
  expect((performance.now() - resuming) / onceMs).toBeLessThan(10);
  expect(nodeFs.statSync(transcript).size).toBeLessThan(size * 4);
  expect(nodeFs.existsSync(`${transcript}.torn`)).toBe(false);
  await manager.close();
});

test("a list of running agents parses little of their transcripts: what tools gave back is passed over", async () => {
  const projects = join(project.home, ".claude", "projects", "-p");
  const paths = Array.from({ length: 20 }, () => longTranscript(projects));
  const written = paths.reduce((sum, path) => sum + nodeFs.statSync(path).size, 0);
  const parsing = vi.spyOn(JSON, "parse");
  const rows = await runRows({ HOME: project.home });
  const parsed = parsing.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  parsing.mockRestore();
  expect(rows.map(({ status }) => [status.state, status.metrics.turns])).toEqual(
    paths.map(() => ["running", 100]),
  );
  // It was more than all of them: the newest half megabyte of each was parsed three times.
  expect(parsed / written).toBeLessThan(0.3);
});

/** Of an agent that runs in this process. */
function longTranscript(folder: string): string {
  const [sessionId, agentId, runId] = [newUuid(), newAgentId(), newUuid()];
  const path = join(folder, `${sessionId}.jsonl`);
  const place = { path, sessionId, agentId, isMain: true, cwd: "/p", version: "0" };
  const writer = openTranscript({
    ...place,
    secrets: noKnownSecrets,
    fsync: "never",
    now: Date.now,
    newUuid,
  });
  const stamp = { agentId, runId, time: Date.now() };
  writer.append({ type: "run-start", spec: runSpec(), ...stamp, seq: 1 });
  for (let turn = 0; turn < 100; turn++) {
    const content = [{ type: "text" as const, text: "Looking." }];
    const reply = { id: "m", model: "x", stop_reason: "tool_use" as const, usage: noUsage };
    const found = { type: "tool_result" as const, tool_use_id: "t", content: "y".repeat(4_000) };
    writer.append({
      type: "message",
      origin: "reply",
      message: { role: "assistant", content },
      reply,
      ...stamp,
      seq: 2 + 2 * turn,
    });
    writer.append({
      type: "message",
      origin: "tool_results",
      message: { role: "user", content: [found] },
      ...stamp,
      seq: 3 + 2 * turn,
    });
  }
  return path;
}
