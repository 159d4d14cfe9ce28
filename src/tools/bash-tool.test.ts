import { noSandbox } from "../process/sandbox/wrapped-command.ts";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../test/support/tool-bench.ts";

let bench: ToolBench;
beforeEach(() => void (bench = toolBench()));
afterEach(async () => {
  await bench.set.close();
  expect(bench.alive()).toEqual([]);
  await bench.close();
});

const bash = (command: string, more = {}, signal?: AbortSignal) =>
  bench.call("Bash", { command, ...more }, signal);

test("runs in the workspace, and a cd does not leak into the next command", async () => {
  expect((await bash("cd / && pwd")).text).toBe("/");
  expect((await bash("pwd")).text).toBe(bench.ws);
});

test("shows both streams in order, and tells the ledger what ran", async () => {
  const result = await bash("echo one; echo two >&2; echo three");
  expect(result).toMatchObject({ text: "one\ntwo\nthree", summary: "exit code 0" });
  expect(result.facts).toMatchObject({
    command: "echo one; echo two >&2; echo three",
    exitCode: 0,
    timedOut: false,
    outputBytes: 14,
    outputSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    durationMs: expect.any(Number),
  });
  expect((await bash("true")).text).toBe("(no output)");
});

test.each([
  ["exit 3", "Exit code 3", 3],
  ["no-such-command-here", "Exit code 127 (command not found)", 127],
  ["touch f; ./f", "Exit code 126 (the command cannot be executed)", 126],
  ["kill -9 $$", "Killed by SIGKILL", null],
  ["sh -c 'kill -9 $$'; exit $?", "Exit code 137 (ended by SIGKILL)", 137],
  ["if then", "Exit code 2", 2],
])("says how `%s` ended", async (command, words, exitCode) => {
  const result = await bash(command);
  expect(result.isError).toBe(true);
  expect(result.text.startsWith(words)).toBe(true);
  expect(result.facts).toMatchObject({ exitCode });
});

test("TOOLS-04: reads no profile, has a clean environment and no input", async () => {
  process.env["TEST_API_KEY"] = "secret-value";
  const result = await bash(
    "env; shopt -q login_shell && echo login; cat; read -p 'password: ' x || echo no input",
  );
  delete process.env["TEST_API_KEY"];
  expect(result.text).not.toContain("secret-value");
  expect(result.text).not.toContain("login\n");
  expect(result.text).toMatch(/no input$/);
  expect(
    (
      await bench
        .again({ env: { FROM_SETTINGS: "yes" } })
        .call("Bash", { command: "echo $FROM_SETTINGS" })
    ).text,
  ).toBe("yes");
});

test("TOOLS-01: ends a command at its time, however it resists, with the output so far", async () => {
  const started = performance.now();
  const result = await bash("trap '' TERM INT; echo begun; while :; do sleep 0.05; done", {
    timeout: 300,
  });
  expect(performance.now() - started).toBeLessThan(4_000);
  expect(result).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Timed out after 300 ms; .*\nbegun$/),
    facts: { timedOut: true },
  });
});

test("stops with the run", async () => {
  const abort = new AbortController();
  const running = bash("echo begun; sleep 60", {}, abort.signal);
  await sleep(200);
  abort.abort();
  expect(await running).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Stopped; .*\nbegun$/),
    facts: { stopped: true },
  });
});

test("TOOLS-02: does not wait for a child that holds stdout, and says that it was ended", async () => {
  const started = performance.now();
  const result = await bash("sleep 60 & setsid sleep 60 & echo done");
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(result.text).toMatch(
    /^done\n\(\d process(es)? left behind by the command were ended; use run_in_background to keep one\)$/,
  );
});

test("TOOLS-03: a program that prints forever is capped: head and tail to the model, the rest in a private file, memory bounded", async () => {
  const before = process.memoryUsage().rss;
  const result = await bash("seq 1 1000; yes", { timeout: 1_500 });
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  expect(result.text.length).toBeLessThan(31_000);
  expect(result.text).toContain("\n1\n2\n3\n");
  const { spillPath } = result.facts as { spillPath: string };
  expect(result.text).toContain(spillPath);
  expect(statSync(spillPath).mode & 0o777).toBe(0o600);
  expect(statSync(bench.environment.spillDir).mode & 0o777).toBe(0o700);
  expect(statSync(spillPath).size).toBeGreaterThan(10 * 1024 * 1024 - 1);
  expect(statSync(spillPath).size).toBeLessThan(10 * 1024 * 1024 + 200);
});

test("shows output that is not UTF-8 as far as it can", async () => {
  expect((await bash("printf 'gr\\xfcn\\n'")).text).toBe("gr\uFFFDn");
});

test("leaves no file for short output", async () => {
  await bash("echo short");
  expect(
    existsSync(bench.environment.spillDir) ? readdirSync(bench.environment.spillDir) : [],
  ).toEqual([]);
});

test("says what is wrong with the working directory", async () => {
  const gone = join(bench.root, "gone");
  mkdirSync(gone);
  const lost = bench.again({ cwd: gone });
  rmSync(gone, { recursive: true });
  expect(await lost.call("Bash", { command: "true" })).toMatchObject({
    isError: true,
    text: `The working directory ${gone} does not exist; no command can run in it.`,
  });
  const file = bench.write("file", "");
  expect((await bench.again({ cwd: file }).call("Bash", { command: "true" })).text).toContain(
    "is not a directory",
  );
});

test("refuses input that is no command", async () => {
  expect((await bash("")).isError).toBe(true);
  expect((await bash("echo a\0b")).text).toContain("NUL");
  expect((await bash("echo", { timeout: -5 })).isError).toBe(true);
});

test("wraps the command for a sandbox where there is one", async () => {
  const sandboxed = bench.again({
    sandbox: async (argv) => ({
      ...(await noSandbox(["env", "WRAPPED=1", ...argv], { approved: [], gitState: false })),
      finish: async () => ({ problems: [], notes: ["something was undone"] }),
    }),
  });
  expect((await sandboxed.call("Bash", { command: "echo $WRAPPED" })).text).toBe(
    "1\n\n[retinue sandbox] something was undone",
  );
  const { taskId } = (
    await sandboxed.call("Bash", { command: "echo $WRAPPED", run_in_background: true })
  ).facts as { taskId: string };
  expect((await sandboxed.set.shells.ended(taskId))!.text).toContain(
    "1\n\n[retinue sandbox] something was undone",
  );
});

test("runs nothing when the sandbox cannot be made", async () => {
  const refused = bench.again({ sandbox: () => Promise.reject(new Error("no")) });
  expect(await refused.call("Bash", { command: "touch ran" })).toMatchObject({
    isError: true,
    text: "The command was not run, because it could not be put into the sandbox: no",
  });
  expect(existsSync(join(bench.root, "ran"))).toBe(false);
});

test("a background shell has an id, an output file that grows, and an end", async () => {
  const started = await bash("echo first; sleep 0.4; echo second; exit 4", {
    run_in_background: true,
  });
  const { taskId, outputFile } = started.facts as { taskId: string; outputFile: string };
  expect(started.text).toContain(`task_id: ${taskId}`);
  while (!bench.set.shells.output(taskId)!.text.includes("first")) await sleep(20);
  expect(bench.set.shells.output(taskId)).toMatchObject({
    state: "running",
    exitCode: null,
    text: "first\n",
  });
  expect(readFileSync(outputFile, "utf8")).toBe("first\n");
  expect(await bench.set.shells.ended(taskId)).toMatchObject({
    state: "exited",
    exitCode: 4,
    text: "first\nsecond\n",
  });
  expect(bench.set.shells.output("b00000000")).toBeUndefined();
});

test("stopping a background shell leaves nothing, stopping it twice changes nothing", async () => {
  const started = await bash("trap '' TERM; setsid sleep 60 & (setsid sleep 60 &); yes", {
    run_in_background: true,
  });
  const { taskId } = started.facts as { taskId: string };
  await sleep(300);
  const stopping = performance.now();
  expect(await bench.set.shells.stop(taskId)).toMatchObject({ state: "stopped" });
  expect(performance.now() - stopping).toBeLessThan(2_500);
  expect(bench.alive()).toEqual([]);
  expect(await bench.set.shells.stop(taskId)).toMatchObject({ state: "stopped" });
  expect(await bench.set.shells.stop("b00000000")).toBeUndefined();
});

test("close ends all background shells, and their number is limited", async () => {
  const results = await Promise.all(
    Array.from({ length: 21 }, () => bash("tail -f /dev/null", { run_in_background: true })),
  );
  expect(results.filter((result) => result.isError).map((result) => result.text)).toEqual([
    expect.stringContaining("20 background shells are running, which is the limit"),
  ]);
  expect(bench.set.shells.list().filter((shell) => shell.state === "running")).toHaveLength(20);
  await bench.set.close();
  expect(bench.alive()).toEqual([]);
});

test("limits the size of files that a command writes", async () => {
  const result = await bash("ulimit -f; ulimit -c; ulimit -d");
  expect(result.text.split("\n")).toEqual([String(2 * 1024 ** 2), "0", String(8 * 1024 ** 2)]);
});

test("no secret stands in a file of output: neither in the full text of a long one nor in that of a background shell", async () => {
  const token = `ghp_${"aB3dE6gH9j".repeat(4)}`;
  const own = "pl4in-but-known-here";
  const masked = bench.again({ secrets: () => [own] });
  // In two pieces, with time between them.
  const print = `printf 'begin ghp_aB3dE6gH9jaB3dE6gH9j'; sleep 0.2; printf 'aB3dE6gH9jaB3dE6gH9j end\\n${own.slice(0, 6)}'; sleep 0.2; printf '${own.slice(6)}\\n'`;
  const long = await masked.call("Bash", {
    command: `${print}; head -c 200000 /dev/zero | tr '\\0' 'x'`,
  });
  expect(long.text).toContain(token);
  const spilled = readFileSync(long.facts!["spillPath"] as string, "utf8");
  expect(spilled).toMatch(/^begin \[masked github-token\] end\n\[masked environment\]\nx{200000}$/);
  const shell = await masked.call("Bash", {
    command: `${print}; echo over`,
    run_in_background: true,
  });
  const file = shell.facts!["outputFile"] as string;
  while (!(existsSync(file) && readFileSync(file, "utf8").includes("over"))) await sleep(20);
  expect(readFileSync(file, "utf8")).toBe(
    "begin [masked github-token] end\n[masked environment]\nover\n",
  );
  await masked.set.close();
});

test("a key of this process that a command was not given does not get to the model through what it prints; one that it was given does", async () => {
  const [foreign, given] = ["f0reign-key-of-the-process", "g1ven-key-of-the-settings"];
  const masked = bench.again({ secrets: () => [foreign, given], env: { GIVEN: given } });
  // Put together by the command, as if it had come from a file of the system.
  const print = `printf '%s%s\\n' ${foreign.slice(0, 8)} ${foreign.slice(8)}; echo "$GIVEN"`;
  expect((await masked.call("Bash", { command: print })).text).toBe(
    `[masked environment]\n${given}`,
  );
  await masked.set.close();
});
