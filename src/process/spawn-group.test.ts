import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newMark } from "./mark.ts";
import { findProcesses } from "./find-processes.ts";
import { scrubEnvironment } from "./sandbox/scrub-environment.ts";
import { spawnGroup, type GroupOptions } from "./spawn-group.ts";

const mark = newMark("feed");
const onLinux = test.runIf(process.platform === "linux");
let cwd = "";
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), "spawn-group-"))));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
afterEach(() => expect(findProcesses({ mark })).toEqual([]));

function start(command: string, more: Partial<GroupOptions> = {}) {
  let out = "";
  let err = "";
  const onOutput = (chunk: Buffer, stream: string) =>
    void (stream === "stdout" ? (out += chunk.toString()) : (err += chunk.toString()));
  const group = spawnGroup({
    argv: ["bash", "--noprofile", "--norc", "-c", command],
    cwd,
    env: scrubEnvironment(process.env),
    mark,
    graceMs: 300,
    onOutput,
    ...more,
  });
  const finished = group.done.then((end) => ({ ...end, out, err }));
  return { ...group, finished };
}
const run = (command: string, more: Partial<GroupOptions> = {}) => start(command, more).finished;

test("tells both streams, the exit code and the time", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
    ended: "exit",
    exitCode: 3,
    out: "out\n",
    err: "err\n",
    leftBehind: 0,
  });
});

test("merges the streams in the order of writing", async () => {
  expect((await run("echo 1; echo 2 >&2; echo 3", { mergeStderr: true })).out).toBe("1\n2\n3\n");
});

test("feeds stdin where it is given, and gives /dev/null where it is not", async () => {
  expect((await run("cat", { stdin: "hello" })).out).toBe("hello");
  expect(await run("cat; read -p 'password: ' x; echo $?")).toMatchObject({
    out: "1\n",
    ended: "exit",
  });
  expect((await run("exit 0", { stdin: "x".repeat(1_000_000) })).exitCode).toBe(0);
});

test("has no terminal", async () => {
  expect((await run("tty; : </dev/tty || echo none")).out).toMatch(/not a tty\n(.*\n)*none/);
});

test("a program that cannot be started is a value", async () => {
  expect(await run("true", { cwd: join(cwd, "absent") })).toMatchObject({
    ended: "not-started",
    problem: expect.stringContaining("ENOENT"),
  });
  expect(await run("true", { argv: ["no-such-program-here"] })).toMatchObject({
    ended: "exit",
    exitCode: 127,
  });
});

test("ends a program that ignores SIGTERM, at its time", async () => {
  const end = await run("trap '' TERM; echo ready; while :; do sleep 0.1; done", {
    timeoutMs: 300,
  });
  expect(end).toMatchObject({ ended: "timeout", out: "ready\n" });
  expect(end.durationMs).toBeLessThan(3_000);
});

test("stops on a signal, also when it comes before the start", async () => {
  const abort = new AbortController();
  const running = run("sleep 60", { signal: abort.signal });
  await sleep(100);
  abort.abort();
  expect(await running).toMatchObject({ ended: "stopped", signal: "SIGTERM" });
  expect(await run("sleep 60", { signal: AbortSignal.abort() })).toMatchObject({
    ended: "stopped",
  });
});

onLinux.each([
  ["a child that holds stdout", "sleep 60 & echo done"],
  ["a child in a session of its own", "setsid sleep 60 & echo done"],
  ["a double fork", "(setsid sleep 60 &) ; echo done"],
  ["a child without its environment", "env -i sleep 60 & echo done"],
  [
    "a child in a job of its own that ignores SIGTERM",
    "set -m; (trap '' TERM; sleep 60) & echo done",
  ],
])("returns at once and leaves nothing of %s", async (_what, command) => {
  const started = performance.now();
  const end = await run(command);
  expect(end).toMatchObject({ ended: "exit", exitCode: 0, out: "done\n" });
  expect(end.leftBehind).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(2_000);
});

onLinux("stopping ends background, double-forked and setsid children", async () => {
  const group = start(
    "sleep 60 & setsid sleep 60 & (setsid bash -c 'trap \"\" TERM; sleep 60; sleep 60' &); echo ready; wait",
  );
  await sleep(300);
  expect(findProcesses({ mark }).length).toBeGreaterThan(3);
  const started = performance.now();
  expect(await group.stop()).toMatchObject({ ended: "stopped" });
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("a flood is held back: bounded memory, the end comes at its time", async () => {
  const before = process.memoryUsage().rss;
  let bytes = 0;
  const end = await run("yes", {
    timeoutMs: 1_000,
    onOutput: (chunk) => ((bytes += chunk.length), true),
  });
  expect(end.ended).toBe("timeout");
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

test("limits the size of files", async () => {
  const end = await run("head -c 3000000 /dev/zero > big; echo $?", {
    limits: { fileBytes: 1_000_000 },
  });
  expect(end.out).not.toBe("0\n");
  expect(statSync(join(cwd, "big")).size).toBeLessThanOrEqual(1_000_448);
});

onLinux("limits memory", async () => {
  const program =
    "const all = []; for (let i = 0; i < 600; i++) all.push(Buffer.alloc(1048576, 1)); console.log('got it')";
  expect((await run(`'${process.execPath}' -e "${program}"`)).out).toBe("got it\n");
  expect(
    (
      await run(`'${process.execPath}' -e "${program}"`, {
        limits: { memoryBytes: 400 * 1024 * 1024 },
      })
    ).out,
  ).toBe("");
});

test("the command sees the scrubbed environment and its mark", async () => {
  const { out } = await run("env", { env: { PATH: process.env["PATH"]!, ONLY: "this" } });
  const names = out
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(new Set(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name!)))).toEqual(
    new Set(["ONLY", "PATH", "RETINUE_MARK"]),
  );
});

onLinux(
  "passes on no open file that the host itself was started with, and reads no startup file for it",
  async () => {
    const program = join(cwd, "strays.mjs");
    writeFileSync(join(cwd, ".bashrc"), "echo the startup file was read\n");
    buildSync({
      stdin: {
        contents:
          'import { spawnGroup } from "./spawn-group.ts"; spawnGroup({ argv: ["sh", "-c", "ls /proc/self/fd; echo $POSIXLY_CORRECT"], cwd: "/", env: { PATH: process.env.PATH, HOME: process.env.HOME }, stdin: "x", mark: "feed", graceMs: 100, onOutput: (chunk) => void process.stdout.write(chunk) });',
        resolveDir: import.meta.dirname,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: program,
      logLevel: "silent",
    });
    const out = execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        `exec 17</etc/passwd 200</etc/hosts; exec '${process.execPath}' '${program}'`,
      ],
      { encoding: "utf8", env: { PATH: process.env["PATH"], HOME: cwd } },
    );
    expect(out.trim().split("\n").sort()).toEqual(["0", "1", "2", "3"]);
  },
);
