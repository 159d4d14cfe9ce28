import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeAll, afterAll, beforeEach, expect, test } from "vitest";
import { newAgentId } from "../../base/ids.ts";
import { lockHolder, lockNewTranscript, lockPathOf, lockTranscript } from "./lock.ts";
import { isRegisterName } from "./run-register.ts";

let built: string;
let dir: string;
let path: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), "retinue-register-"));
  buildSync({
    entryPoints: [join(import.meta.dirname, "lock.ts")],
    outfile: join(built, "lock.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "retinue-register-"));
  path = transcript();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const transcript = (): string => join(dir, `agent-${newAgentId()}.jsonl`);
const registers = () => readdirSync(dir).filter(isRegisterName);
const running = expect.objectContaining({ code: "running" }) as Error;

/** Another process that has begun the agent and goes on until it is killed. */
async function begunElsewhere(transcripts = [path]): Promise<ChildProcess> {
  const code = `import { writeFileSync } from "node:fs";
    import { lockNewTranscript } from ${JSON.stringify(join(built, "lock.mjs"))};
    for (const path of ${JSON.stringify(transcripts)}) { lockNewTranscript(path); writeFileSync(path, ""); }
    process.stdout.write("begun"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

test("an agent that begins has no lock file, and is held all the same until it ends", () => {
  const lock = lockNewTranscript(path);
  writeFileSync(path, "");
  expect(existsSync(lockPathOf(path))).toBe(false);
  expect(lockHolder(path)?.pid).toBe(process.pid);
  expect(() => lockTranscript(path)).toThrow(running);
  expect(() => lockNewTranscript(path)).toThrow(running);
  lock.release();
  lock.release();
  expect(lockHolder(path)).toBeUndefined();
  lockTranscript(path).release();
});

test("many agents of a process share one register", () => {
  const locks = Array.from({ length: 50 }, () => lockNewTranscript(transcript()));
  expect(registers()).toHaveLength(1);
  const [first] = locks;
  first!.release();
  expect(lockHolder(first!.transcript)).toBeUndefined();
  expect(locks.slice(1).every((one) => lockHolder(one.transcript)?.pid === process.pid)).toBe(true);
  for (const lock of locks) lock.release();
});

test("what another process has begun is refused, and free when that process is killed", async () => {
  const child = await begunElsewhere();
  expect(lockHolder(path)?.pid).toBe(child.pid);
  expect(() => lockTranscript(path)).toThrow(new RegExp(`process ${child.pid}`));
  expect(() => lockNewTranscript(path)).toThrow(running);
  await kill(child);
  expect(lockHolder(path)).toBeUndefined();
  const lock = lockNewTranscript(path);
  expect(lock.isNew).toBeUndefined();
  expect(readdirSync(dir).filter((name) => name.startsWith(`.${child.pid}.`))).toEqual([]);
  lock.release();
});

test("a damaged line frees nobody while the process lives: only an end on record does", async () => {
  const [other] = [transcript()];
  const child = await begunElsewhere([path, other]);
  const register = join(dir, registers()[0]!);
  const whole = readFileSync(register);
  for (const at of whole.keys()) {
    const damaged = Buffer.from(whole);
    damaged[at] = 0x01;
    writeFileSync(register, damaged);
    expect([lockHolder(path)?.pid, lockHolder(other)?.pid], `byte ${at}`).toEqual([
      child.pid,
      child.pid,
    ]);
  }
  for (let length = 1; length < whole.length; length++) {
    if (whole[length - 1] === 0x0a) continue;
    writeFileSync(register, whole.subarray(0, length));
    expect(lockHolder(path)?.pid, `cut at ${length}`).toBe(child.pid);
  }
  const id = /agent-(.*)\.jsonl/.exec(other)![1];
  writeFileSync(register, `+damaged\n-${id}\n`);
  expect(lockHolder(other)).toBeUndefined();
  expect(lockHolder(path)?.pid).toBe(child.pid);
  await kill(child);
  appendFileSync(register, "+damaged");
  expect(lockHolder(path)).toBeUndefined();
});

test("an agent that is handed over is the other process's at once, and leaves the register", async () => {
  const child = await begunElsewhere([transcript()]);
  const lock = lockNewTranscript(path);
  writeFileSync(path, "");
  lock.handTo(child.pid!);
  expect(lockHolder(path)).toMatchObject({ pid: child.pid, handed: true });
  expect(() => lockTranscript(path)).toThrow(running);
  const own = lockNewTranscript(transcript());
  writeFileSync(own.transcript, "");
  own.handTo(process.pid);
  const taken = lockTranscript(own.transcript);
  expect(lockHolder(own.transcript)?.handed).toBeUndefined();
  taken.release();
});

test("of two that begin one agent at once, at most one goes on; a lock file counts as well", () => {
  const held = lockTranscript(path);
  expect(() => lockNewTranscript(path)).toThrow(running);
  held.release();
  lockNewTranscript(path).release();
});

test("a register that was removed with its folder is made again, with what still runs", () => {
  const first = lockNewTranscript(path);
  rmSync(dir, { recursive: true });
  const second = lockNewTranscript(transcript());
  expect(lockHolder(path)?.pid).toBe(process.pid);
  expect(lockHolder(second.transcript)?.pid).toBe(process.pid);
  first.release();
  second.release();
});

test("a register stays small however many agents come and go", () => {
  const stays = lockNewTranscript(path);
  for (let count = 0; count < 20_000; count++) lockNewTranscript(transcript()).release();
  const [name, ...more] = registers();
  expect(more).toEqual([]);
  expect(readFileSync(join(dir, name!)).length).toBeLessThan(512 * 1024);
  expect(lockHolder(path)?.pid).toBe(process.pid);
  stays.release();
  expect(lockHolder(path)).toBeUndefined();
});
