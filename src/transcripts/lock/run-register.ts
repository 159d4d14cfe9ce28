// The agents that a process has begun in a folder and not ended yet: one file a process and folder,
// to which it appends a line when an agent begins and a line when it ends. So a new agent needs no
// lock file. The file's name says which process it is, so that no damage of its content hides that.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { fileMode } from "../paths.ts";
import { isAlive, processIdentity, type ProcessIdentity } from "./process-identity.ts";

type Register = {
  path: string;
  fd: number;
  bytes: number;
  live: Set<string>;
  /** Whether it was used since the last check. */ isUsed: boolean;
};

const idleMs = 1_000;
const largestBytes = 64 * 1024;
const registers = new Map<string, Register>();
const namePattern = /^\.(\d+)\.(\d+|-)\.([0-9a-f-]{36}|-)\.[0-9a-f]{8}\.runs$/;
const linePattern = /^([+-])(a[0-9a-f]{16})$/;
let isWatchingExit = false;

export const isRegisterName = (name: string): boolean => namePattern.test(name);

/**
 * Writes down that this process runs the agent; returns what writes down its end. Undefined where
 * the disk refuses the line, or it runs already.
 */
export function registerRun(folder: string, agentId: string): (() => void) | undefined {
  let register: Register;
  try {
    register = registerIn(folder);
    if (register.live.has(agentId)) return undefined;
    append(register, `+${agentId}\n`);
  } catch {
    return undefined;
  }
  register.live.add(agentId);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    end(folder, agentId);
  };
}

/** Never throws: an end that cannot be written down lasts until the process ends. */
function end(folder: string, agentId: string): void {
  const register = registers.get(folder);
  if (!register?.live.delete(agentId)) return;
  try {
    if (register.live.size === 0 && register.bytes > largestBytes) empty(register);
    else append(register, `-${agentId}\n`);
    if (register.bytes > largestBytes * 4) replace(folder, register);
  } catch {
    // The disk is full, or the file is gone together with its folder.
  }
}

function registerIn(folder: string): Register {
  const known = registers.get(folder);
  if (known && !isGone(known)) return known;
  if (known) forget(folder, known);
  makePrivateDir(folder);
  return open(folder, known?.live ?? new Set());
}

function open(folder: string, live: Set<string>): Register {
  const { pid, startTime, bootId } = processIdentity(process.pid);
  const token = randomBytes(4).toString("hex");
  const path = join(folder, `.${pid}.${startTime ?? "-"}.${bootId ?? "-"}.${token}.runs`);
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, fileMode);
  const register: Register = { path, fd, bytes: 0, live, isUsed: true };
  registers.set(folder, register);
  removeWhenIdle(folder, register);
  if (!isWatchingExit) process.once("exit", removeAll);
  isWatchingExit = true;
  for (const agentId of live) append(register, `+${agentId}\n`);
  return register;
}

function append(register: Register, line: string): void {
  register.isUsed = true;
  if (writeSync(register.fd, line) !== line.length) throw new Error("the line was cut");
  register.bytes += line.length;
}

function empty(register: Register): void {
  ftruncateSync(register.fd, 0);
  register.bytes = 0;
}

/** The new one is whole before the old one goes: at no moment is a running agent in neither. */
function replace(folder: string, old: Register): void {
  open(folder, old.live);
  drop(old);
}

function removeWhenIdle(folder: string, register: Register): void {
  const timer = setInterval(() => {
    if (registers.get(folder) !== register) return clearInterval(timer);
    const isIdle = register.live.size === 0 && !register.isUsed;
    register.isUsed = false;
    // With its folder everything is gone that it spoke of.
    if (!isIdle && !isGone(register)) return;
    clearInterval(timer);
    forget(folder, register);
  }, idleMs);
  timer.unref();
}

/** What cannot be asked is still there. */
function isGone({ fd }: Register): boolean {
  try {
    return fstatSync(fd).nlink === 0;
  } catch {
    return false;
  }
}

function removeAll(): void {
  for (const [folder, register] of registers) forget(folder, register);
}

function forget(folder: string, register: Register): void {
  if (registers.get(folder) === register) registers.delete(folder);
  drop(register);
}

function drop({ path, fd }: Register): void {
  try {
    closeSync(fd);
    unlinkSync(path);
  } catch {
    // It was removed together with its folder.
  }
}

/** Which live process has begun an agent of the folder and not ended it. */
export type RegisteredRuns = { holderOf(agentId: string): ProcessIdentity | undefined };

export function registeredRuns(folder: string): RegisteredRuns {
  const read = namesIn(folder)
    .map((name) => ({ name, process: processIn(name) }))
    .filter(({ process }) => process && isAlive(process))
    .map(({ name, process }) => ({ process: process!, ...contentOf(join(folder, name)) }));
  return {
    holderOf: (agentId) =>
      // What a damaged line said is not known: only an end on record frees an agent then.
      read.find(
        ({ live, ended, isDamaged }) => live.has(agentId) || (isDamaged && !ended.has(agentId)),
      )?.process,
  };
}

/** Of processes that are gone. Only for whoever takes over what they left. */
export function sweepRegisters(folder: string): void {
  for (const name of namesIn(folder)) {
    const process = processIn(name);
    if (!process || isAlive(process)) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // Somebody else has removed it.
    }
  }
}

function contentOf(path: string): { live: Set<string>; ended: Set<string>; isDamaged: boolean } {
  const found = { live: new Set<string>(), ended: new Set<string>(), isDamaged: false };
  const lines = textOf(path).split("\n");
  if (lines.pop() !== "") found.isDamaged = true;
  for (const line of lines) {
    const [, sign, agentId] = linePattern.exec(line) ?? [];
    if (agentId === undefined) {
      found.isDamaged = true;
      continue;
    }
    const [to, from] = sign === "+" ? [found.live, found.ended] : [found.ended, found.live];
    to.add(agentId);
    from.delete(agentId);
  }
  return found;
}

/** Empty where the process has just removed it, which it does when it runs nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    return "unreadable";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isRegisterName);
  } catch {
    return [];
  }
}

function processIn(name: string): ProcessIdentity | undefined {
  const [, pid, startTime, bootId] = namePattern.exec(name) ?? [];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    startTime: startTime === "-" ? null : startTime!,
    bootId: bootId === "-" ? null : bootId!,
  };
}
