// One seed is one world: processes live, crash and follow each other on one disk, and when all is over every promise must have held.
import { mkdirSync, mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Loaded when a run needs them, and a file is not loaded in virtual time.
import "../../src/hooks/run-hooks.ts";
import "../../src/manager/run/report-verifier.ts";
import "../../src/manager/run/tools/report-tool.ts";
import "../../src/verify/claims/claim-checks.ts";
import "../../src/verify/evidence/ledger.ts";
import "../../src/verify/evidence/snapshot.ts";
import "../../src/verify/report-tool/submit-handoff.ts";
import type { Session } from "../../src/manager/session/session.ts";
import { checkDisk, checkNothingLeft, checkTold } from "./check-world.ts";
import {
  commonSession,
  maxConcurrent,
  newAgent,
  openProcess,
  type Minds,
  type OpenProcess,
} from "./open-process.ts";
import { attempt, follow, isResumable, operate, type Parent } from "./operations.ts";
import { readFilesAtOnce } from "./instant-files.ts";
import { seeded } from "./random.ts";
import { takeOverTime } from "./virtual-time.ts";
import { diskOf, note, problem, type World } from "./world.ts";

export type SeedReport = {
  seed: number;
  problems: string[];
  trace: string[];
  counts: Record<string, number>;
};

export type Simulation = { run(seed: number): Promise<SeedReport>; close(): void };

/** Worlds stand in memory where the system has such a place. */
export function openSimulation(): Simulation {
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "retinue-simulation-"),
  );
  const common = commonSession(folder);
  return {
    run: (seed) => runSeed(seed, { folder, common }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runSeed(
  seed: number,
  place: { folder: string; common: Session },
): Promise<SeedReport> {
  const base = join(place.folder, String(seed));
  const time = takeOverTime(1_800_000_000_000);
  const restoreFiles = readFilesAtOnce();
  const world: World = {
    seed,
    random: seeded(seed),
    time,
    base,
    process: { number: 0, dir: "", isAlive: false, steps: 0, crashAt: 0 },
    agents: [],
    isCalm: false,
    problems: [],
    trace: [],
    counts: {},
    acknowledged: [],
    executions: [],
    forbidden: new Map(),
    shrunk: new Map(),
    lostCalls: new Set(),
  };
  const unhandled = (reason: unknown): void =>
    problem(
      world,
      `an unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );
  process.on("unhandledRejection", unhandled);
  try {
    await time.until(live(world, place.common));
    if (time.pending() > 0) problem(world, `P6: ${time.pending()} timers are left`);
  } catch (error) {
    problem(world, error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    time.restore();
    restoreFiles();
    process.off("unhandledRejection", unhandled);
    rmSync(base, { recursive: true, force: true });
  }
  const { problems, trace, counts } = world;
  return { seed, problems, trace, counts };
}

async function live(world: World, common: Session): Promise<void> {
  const minds: Minds = new Map();
  const processes = 1 + world.random.int(3);
  mkdirSync(diskOf(world, 0), { recursive: true });
  for (let number = 0; number < processes; number++)
    await oneProcess(world, { minds, common, number });
  world.isCalm = true;
  await calmEnd(world, { minds, common });
}

type Around = { minds: Minds; common: Session };

function begin(world: World, { minds, common }: Around, crashAt: number): OpenProcess {
  const before = world.process;
  const crashed = before.steps > 0 && !before.isAlive;
  const number = crashed ? before.number + 1 : before.number;
  world.process = { number, dir: diskOf(world, number), isAlive: true, steps: 0, crashAt };
  note(world, `process ${number} begins`);
  return openProcess(world, minds, common);
}

async function oneProcess(world: World, around: Around & { number: number }): Promise<void> {
  const random = world.random.fork(`parent ${around.number}`);
  const open = begin(
    world,
    around,
    random.chance(0.65) ? 1 + random.int(random.pick([20, 100, 400])) : 0,
  );
  const parent: Parent = { world, minds: around.minds, open, random, pending: [] };
  const operations = 3 + random.int(20);
  for (let index = 0; index < operations && open.life.isAlive; index++) await operate(parent);
  if (open.life.isAlive && random.chance(0.5))
    for (const { agent_id } of open.manager.list()) await open.manager.running(agent_id)?.done;
  await open.manager.close();
  await Promise.all(parent.pending);
  if (!open.life.isAlive) return;
  checkNothingLeft(world, open);
  await checkDisk(world, open);
}

/** Nothing fails any more: whatever can be resumed goes on to its end, and every place is free. */
async function calmEnd(world: World, around: Around): Promise<void> {
  const open = begin(world, around, 0);
  await checkDisk(world, open);
  const parent: Parent = {
    world,
    minds: around.minds,
    open,
    random: world.random.fork("end"),
    pending: [],
  };
  for (const agent of world.agents.filter(
    (one) => one.id !== "" && isResumable(open.transcript(one.id)),
  )) {
    const before = await open.manager.getOutput(agent.id, { block: false });
    checkTold(world, agent, before);
    if (before.state === "running")
      problem(world, `agent ${agent.index} is said to run, and no process is left`);
    await resumeCalmly(parent, agent);
  }
  await everyPlace(parent);
  await open.manager.close();
  await Promise.all(parent.pending);
  checkNothingLeft(world, open);
  await checkDisk(world, open);
}

/** No place was lost on the way: as many agents as the limit says can run, and one more cannot. */
async function everyPlace(parent: Parent): Promise<void> {
  const { world, minds, open } = parent;
  const refused = Array.from({ length: maxConcurrent + 1 }, () => {
    const agent = newAgent(world, minds, "worker");
    try {
      const run = open.manager.spawn({
        description: "last",
        prompt: "one more",
        subagent_type: "worker",
        model: agent.model,
        mode: "default",
      });
      agent.id = run.id;
      follow(run, { ...parent, agent, manager: open.manager });
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  if (refused[0] === "no_tools") return;
  if (refused.slice(0, -1).some((code) => code !== undefined) || refused.at(-1) !== "limit")
    problem(world, `places are lost: ${refused.map((code) => code ?? "started").join(", ")}`);
  await Promise.all(parent.pending);
}

async function resumeCalmly(parent: Parent, agent: World["agents"][number]): Promise<void> {
  const { world, open } = parent;
  // The definitions of this process may leave it no tool at all.
  const run = attempt(world, () => open.manager.resume(agent.id, "finish"), ["no_tools"]);
  if (!run) return;
  follow(run, { ...parent, agent, manager: open.manager });
  const result = await run.done;
  if (result.state !== "completed" && result.reason !== "budget")
    problem(
      world,
      `P2: agent ${agent.index} could not be finished: ${result.state} ${result.reason ?? ""} ${result.error ?? ""}`,
    );
}
