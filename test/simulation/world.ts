// One world: its seed, its disk, and everything that was seen to happen in it. Nothing here is decided by the code under test.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/events/event.ts";
import type { AgentResult } from "../../src/manager/session/agent-result.ts";
import { isRegisterName } from "../../src/transcripts/lock/run-register.ts";
import type { Manager } from "../../src/manager/agents/manager.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One life of one agent: from a spawn or a resume to its end. */
export type AgentLife = {
  runId: string;
  process: ProcessLife;
  /** Who runs it: with two of them over one agent, each hears its own model. */
  manager: Manager;
  result?: AgentResult;
  /** Faults of the disk that hit its transcript. */
  faults: string[];
  /** SubagentStop hooks that were called. */
  ends: number;
  isBackground: boolean;
  /** Two managers tried at once. */
  isContested: boolean;
  /** Somebody wanted it to stop before its end was on disk. */
  isStopped: boolean;
  stopAskedAtMs?: number;
  /** What its model said last. */
  lastWord?: LastWord;
  contract: string;
  /** Everything that could be its answer, in order. */
  answers: string[];
  /** Its report went back to it: until its next answer it may only look. */
  isRepairing: boolean;
  /** What it had used when it came here from another process. */
  carried?: AgentResult["metrics"];
};

/** `text`: what was cut and continued before belongs to it. */
export type LastWord = {
  kind: "answer" | "cut" | "calls" | "nothing" | "refusal" | "paused" | "failure";
  text: string;
};

export type Agent = {
  index: number;
  /** `sim:INDEX`: the name by which its mind is found in every life. */
  model: string;
  id: string;
  type: string;
  lives: AgentLife[];
  /** Tools of its first life. */
  firstTools?: readonly string[] | undefined;
};

/** A line that somebody was told is on disk. */
export type Acknowledged = {
  agent: Agent;
  runId: string;
  seq: number;
  type: string;
  message?: string;
  /** Size of the file when it was told. */ size: number;
};

export type Execution = { toolUseId: string; tool: string; isSideEffect: boolean };

/** One process: it ends by itself or in a crash, and whatever still moves after the crash is a ghost whose acts do not count. */
export type ProcessLife = {
  number: number;
  dir: string;
  isAlive: boolean;
  steps: number;
  crashAt: number;
};

export type World = {
  seed: number;
  random: Random;
  time: VirtualTime;
  base: string;
  process: ProcessLife;
  agents: Agent[];
  /** From here on nothing fails any more. */
  isCalm: boolean;
  problems: string[];
  trace: string[];
  counts: Record<string, number>;
  acknowledged: Acknowledged[];
  executions: Execution[];
  /** Calls that must never run, and why. */
  forbidden: Map<string, string>;
  /** Files that somebody else cut, with the smallest size they ever had since. */
  shrunk: Map<string, number>;
  /** Calls that such a cut took away: nothing on disk knows of them any more, so one call may come under each of these ids. */
  lostCalls: Set<string>;
};

export function problem(world: World, text: string): void {
  world.problems.push(`seed ${world.seed}: ${text}`);
  note(world, `PROBLEM ${text}`);
}

export function note(world: World, text: string): void {
  world.trace.push(`${Math.round(world.time.now())} ${text}`);
}

export function count(world: World, what: string): void {
  world.counts[what] = (world.counts[what] ?? 0) + 1;
}

/** A moment at which the process may die. After it, `process.isAlive` tells whether it did. */
export function step(
  world: World,
  process: ProcessLife,
  where: string,
  beforeCopy?: () => void,
): void {
  if (!process.isAlive || ++process.steps !== process.crashAt) return;
  note(world, `crash of process ${process.number} at ${where}`);
  count(world, `crash:${where}`);
  beforeCopy?.();
  process.isAlive = false;
  copyDisk(process.dir, diskOf(world, process.number + 1));
}

export const diskOf = (world: World, number: number): string => join(world.base, `disk-${number}`);

/** What the dead process left, with locks that name a process which no longer is. */
function copyDisk(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const name = isRegisterName(entry.name) ? deadRegister(entry.name) : entry.name;
    const [source, target] = [join(from, entry.name), join(to, name)];
    if (entry.isDirectory()) copyDisk(source, target);
    else if (/\.lock(\.next)*$/.test(entry.name))
      writeFileSync(target, deadLock(readFileSync(source, "utf8")));
    else copyFileSync(source, target);
  }
}

/** The same for the register of a process, whose name says which one it is. */
const deadRegister = (name: string): string =>
  name.length % 2 === 0
    ? name.replace(/^\.\d+/, ".2147483646")
    : name.replace(/^(\.\d+\.\d+)/, "$19");

/** A process that is gone: no such id, or the id has gone to another one since. */
function deadLock(text: string): string {
  const lock = JSON.parse(text) as { pid: number; startTime: string };
  return JSON.stringify(
    text.length % 2 === 0
      ? { ...lock, pid: 2_147_483_646 }
      : { ...lock, startTime: `${lock.startTime}9` },
  );
}

export function currentLife(world: World, agentId: string): AgentLife | undefined {
  return world.agents.find((agent) => agent.id === agentId)?.lives.at(-1);
}

export const agentOf = (world: World, agentId: string): Agent | undefined =>
  world.agents.find((agent) => agent.id === agentId);

/** How the verifier begins when it gives a report back. */
export const repairMark = " was checked against the files and against what you did";

const factTypes = new Set([
  "run-start",
  "message",
  "permission-decision",
  "hook-end",
  "compaction",
  "verification",
  "interruption",
  "run-end",
]);

/** Every fact that is heard of counts as acknowledged. */
export function hear(
  world: World,
  process: ProcessLife,
  { event, sizeOf }: { event: RunEvent; sizeOf: (agentId: string) => number },
): void {
  if (!process.isAlive || !factTypes.has(event.type)) return;
  const agent = agentOf(world, event.agentId);
  if (!agent) return;
  note(
    world,
    `agent ${agent.index} ${event.type} ${event.seq}${event.type === "run-end" ? ` ${event.outcome.state} ${event.outcome.reason ?? ""}` : event.type === "message" ? ` ${event.origin}` : ""}`,
  );
  const message =
    event.type === "message"
      ? JSON.stringify({ role: event.message.role, content: event.message.content })
      : undefined;
  world.acknowledged.push({
    agent,
    runId: event.runId,
    seq: event.seq,
    type: event.type,
    ...(message === undefined ? {} : { message }),
    size: sizeOf(event.agentId),
  });
  const life = agent.lives.findLast((one) => one.runId === event.runId);
  if (
    life &&
    event.type === "message" &&
    event.origin === "hook" &&
    message?.includes(repairMark)
  ) {
    life.isRepairing = true;
    count(world, "repair");
  }
  step(world, process, "heard");
}
