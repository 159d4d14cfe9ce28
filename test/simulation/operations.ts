// What a parent does with its agents, in any order and at any time, and what it may expect of every answer.
import { existsSync, readFileSync } from "node:fs";
import { inBackground } from "../../src/app/host/move-to-host.ts";
import { RetinueError } from "../../src/base/errors.ts";
import type { AgentResult } from "../../src/manager/session/agent-result.ts";
import type { AgentRun } from "../../src/manager/agents/agent-run.ts";
import type { Manager } from "../../src/manager/agents/manager.ts";
import { checkAnswer } from "./check-answer.ts";
import {
  agentTypes,
  maxConcurrent,
  newAgent,
  type Minds,
  type OpenProcess,
} from "./open-process.ts";
import type { Random } from "./random.ts";
import { firstLines, readTranscript } from "./read-disk.ts";
import { count, note, problem, step, type Agent, type AgentLife, type World } from "./world.ts";

export type Parent = {
  world: World;
  minds: Minds;
  open: OpenProcess;
  random: Random;
  /** What was begun and not waited for. */ pending: Promise<unknown>[];
};

type Operation = (parent: Parent) => void | Promise<void>;

const operations: readonly (readonly [number, Operation])[] = [
  [10, spawn],
  [4, stop],
  [4, getOutput],
  [5, resume],
  [3, send],
  [2, toBackground],
  [2, moveAway],
  [1, rival],
  [1, race],
  [1, strangers],
  [4, ({ world, random }) => world.time.pause(random.int(5_000))],
  [1, ({ world, random }) => world.time.pause(random.int(120_000))],
];

export async function operate(parent: Parent): Promise<void> {
  const { world, open, random } = parent;
  await random.weighted(operations)(parent);
  if (open.manager.list().length > maxConcurrent)
    problem(world, `${open.manager.list().length} runs at once, the limit is ${maxConcurrent}`);
  await world.time.pause(random.int(random.pick([2, 50, 2_000])));
  step(world, open.life, "parent");
}

function spawn({ world, minds, open, random, pending }: Parent): void {
  const { manager } = open;
  const isFull = manager.list().length >= maxConcurrent;
  const type = random.pick(agentTypes);
  const agent = newAgent(world, minds, type);
  const input = {
    description: `agent ${agent.index}`,
    prompt: `do the task number ${agent.index}`,
    subagent_type: type,
    model: agent.model,
    name: `name-${agent.index}`,
    ...(random.chance(0.4) ? { run_in_background: random.chance(0.7) } : {}),
    ...(random.chance(0.2) ? { max_turns: 1 + random.int(5) } : {}),
    ...(random.chance(0.2)
      ? { mode: random.pick(["plan", "dontAsk", "acceptEdits", "bypassPermissions"]) }
      : {}),
  };
  const run = attempt(world, () => manager.spawn(input), ["limit", "no_tools"]);
  if (isFull && run) problem(world, `agent ${agent.index} was started over the limit`);
  if (!run) return;
  count(world, "spawn");
  agent.id = run.id;
  follow(run, { world, open, agent, manager, pending });
  if (random.chance(0.2)) pending.push(watch(run, { world, agent, open }));
}

/** Runs what may be refused with one of these codes, and with nothing else. */
export function attempt<T>(world: World, act: () => T, codes: readonly string[]): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof RetinueError) || !codes.includes(error.code))
      problem(
        world,
        `an unexpected refusal: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`,
      );
    else count(world, `refused:${error.code}`);
    return undefined;
  }
}

type Following = {
  world: World;
  open: OpenProcess;
  agent: Agent;
  manager: Manager;
  pending: Promise<unknown>[];
  isContested?: boolean;
};

export function follow(run: AgentRun, following: Following): AgentLife {
  const { world, open, agent, manager, pending } = following;
  const live = manager.running(run.id);
  if (!live) problem(world, `agent ${agent.index} was started and is not running`);
  const life: AgentLife = {
    runId: live?.spec.runId ?? "",
    process: open.life,
    manager,
    faults: [],
    ends: 0,
    isBackground: live?.isBackground === true,
    isContested: following.isContested === true || isContested(agent),
    isStopped: false,
    contract: live?.spec.contract ?? "none",
    answers: [],
    isRepairing: false,
  };
  agent.lives.push(life);
  agent.firstTools ??= live?.spec.tools;
  note(world, `agent ${agent.index} begins life ${agent.lives.length}`);
  pending.push(
    run.done.then(
      (result) =>
        open.life.isAlive &&
        (ended(result, { world, open, agent, manager, life }),
        result.reason === "moved" && goOnElsewhere(life, { ...following, left: live })),
    ),
  );
  return life;
}

function ended(
  result: AgentResult,
  at: { world: World; open: OpenProcess; agent: Agent; manager: Manager; life: AgentLife },
): void {
  const { world, open, agent, manager, life } = at;
  note(
    world,
    `agent ${agent.index} ended ${result.state} ${result.reason ?? ""} ${result.error ?? ""}`,
  );
  count(world, `end:${result.state} ${result.reason ?? ""}`);
  if (life.result) problem(world, `agent ${agent.index} ended twice`);
  life.result = result;
  if (manager.list().some((status) => status.agent_id === agent.id))
    problem(world, `agent ${agent.index} has ended and is still listed`);
  if (result.agent_id !== agent.id)
    problem(world, `the result of agent ${agent.index} names ${result.agent_id}`);
  if (
    life.faults.length > 0 &&
    !life.isContested &&
    !(result.state === "failed" && result.reason === "storage")
  )
    problem(
      world,
      `P3: agent ${agent.index} ended ${result.state} ${result.reason ?? ""} after ${life.faults.join(", ")}`,
    );
  if (life.faults.length === 0 && result.reason === "storage" && !life.isContested)
    problem(
      world,
      `agent ${agent.index} ended with ${result.error ?? "storage"}, and nothing was wrong with the disk`,
    );
  if (result.content.length > 33_000)
    problem(world, `P6: a content of ${result.content.length} characters`);
  if (life.isStopped && !life.isContested && result.state === "completed")
    problem(world, `P11: agent ${agent.index} was stopped and completed all the same`);
  // Only while its last lines are on their way to the disk a stop may come too late for a move.
  if (result.reason === "moved" && world.time.now() - (life.stopAskedAtMs ?? Infinity) > 20)
    problem(world, `P11: agent ${agent.index} was stopped and moved all the same`);
  if (result.state === "completed") checkAnswer(result, at);
  if (
    life.carried &&
    (result.metrics.tokens_used < life.carried.tokens_used ||
      result.metrics.tool_uses < life.carried.tool_uses) &&
    result.reason !== "storage" &&
    result.reason !== "error"
  )
    problem(world, `agent ${agent.index} has lost count of what it used before it was moved`);
  if (
    result.output_file !== undefined &&
    !life.isContested &&
    result.reason !== "moved" &&
    !lastLine(result.output_file).startsWith(`[retinue] state=${result.state}`)
  )
    problem(
      world,
      `the output file of agent ${agent.index} ends with ${lastLine(result.output_file)}`,
    );
  step(world, open.life, "told");
}

const lastLine = (path: string): string =>
  existsSync(path) ? (readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") : "(no file)";

/** Reads the events to their end; there is exactly one, or none where the run never came to its first fact. */
async function watch(
  run: AgentRun,
  { world, agent, open }: { world: World; agent: Agent; open: OpenProcess },
): Promise<void> {
  let ends = 0;
  for await (const event of run.events()) if (event.type === "run-end") ends += 1;
  if (open.life.isAlive && ends > 1)
    problem(world, `agent ${agent.index}: ${ends} ends were heard`);
}

const known = (world: World): Agent[] => world.agents.filter((agent) => agent.id !== "");
const isRunning = (manager: Manager, agent: Agent): boolean =>
  manager.list().some((status) => status.agent_id === agent.id);
/** By its id or by its name. */
const handle = (agent: Agent, random: Random): string =>
  random.chance(0.7) ? agent.id : `name-${agent.index}`;

async function stop(parent: Parent): Promise<void> {
  const agents = known(parent.world);
  if (agents.length > 0) await stopOne(parent, parent.random.pick(agents));
}

async function stopOne({ world, open, random, pending }: Parent, agent: Agent): Promise<void> {
  const wasRunning = isRunning(open.manager, agent);
  if (!wasRunning && !isResumable(open.transcript(agent.id))) return;
  const life = agent.lives.at(-1)!;
  const wasElsewhere =
    isElsewhere(open, agent) && !isContested(agent) && !hasEnded(open, agent, life);
  const from = world.time.now();
  if (wasRunning && !hasEnded(open, agent, life))
    Object.assign(life, { isStopped: true, stopAskedAtMs: life.stopAskedAtMs ?? from });
  const stopping = open.manager.stop(agent.id).then((answer) => {
    if (!open.life.isAlive) return;
    count(world, wasRunning ? "stop" : "stop of an ended one");
    note(world, `agent ${agent.index} stop: ${answer.message}`);
    if (world.time.now() - from > 2_100)
      problem(world, `P11: a stop took ${Math.round(world.time.now() - from)} ms`);
    if (wasRunning && agent.lives.at(-1) === life && isRunning(open.manager, agent))
      problem(world, `P11: agent ${agent.index} is listed after its stop`);
    // One whose disk has failed is as good as over: it has given its file back, and only its hooks are still being told.
    const last = agent.lives.at(-1)!;
    if (wasElsewhere && answer.state !== "running" && !last.result && last.faults.length === 0)
      problem(world, `agent ${agent.index} runs elsewhere and is said to be ${answer.state}`);
    if (answer.stopped && life.result?.reason === "moved")
      problem(world, `P11: agent ${agent.index} was said to be stopped and goes on elsewhere`);
    if (!wasRunning && answer.stopped)
      problem(world, `P11: agent ${agent.index} had ended and was stopped`);
    if (answer.stopped && answer.state !== "stopped")
      problem(world, `P11: agent ${agent.index} was stopped and is ${answer.state}`);
  });
  if (random.chance(0.5)) await stopping;
  else pending.push(stopping);
}

/** Its end is on disk, although not told yet. */
function hasEnded(open: OpenProcess, agent: Agent, life: AgentLife): boolean {
  const path = open.transcript(agent.id);
  return (
    existsSync(path) &&
    readTranscript(path).lines.some(
      (line) => line.runId === life.runId && line.subtype === "run_end",
    )
  );
}

async function getOutput({ world, open, random, pending }: Parent): Promise<void> {
  const agents = known(world).filter(
    (agent) => isRunning(open.manager, agent) || isResumable(open.transcript(agent.id)),
  );
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  const timeoutMs = random.pick([0, 10, 1_000, 30_000]);
  const from = world.time.now();
  const asking = open.manager
    .getOutput(handle(agent, random), { block: random.chance(0.7), timeoutMs })
    .then((output) => {
      if (!open.life.isAlive) return;
      count(world, `output:${output.state}`);
      if (world.time.now() - from > timeoutMs + 100)
        problem(
          world,
          `getOutput took ${world.time.now() - from} ms with a timeout of ${timeoutMs}`,
        );
      if (output.content.length > 33_000)
        problem(world, `P6: an output of ${output.content.length} characters`);
    });
  if (random.chance(0.3)) await asking;
  else pending.push(asking);
}

function resume(parent: Parent): void {
  const { world, open, random } = parent;
  const agents = known(world);
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  const wasRunning = isRunning(open.manager, agent);
  const wasElsewhere =
    isElsewhere(open, agent) && !isContested(agent) && !hasEnded(open, agent, agent.lives.at(-1)!);
  const run = attempt(
    world,
    () =>
      open.manager.resume(
        agent.id,
        "go on",
        random.chance(0.3) ? { background: random.chance(0.5) } : {},
      ),
    refusals(wasRunning, agent, open),
  );
  if ((wasRunning || wasElsewhere) && run)
    problem(world, `P4: agent ${agent.index} was resumed while it ran`);
  if (!run) return;
  count(world, "resume");
  follow(run, { ...parent, agent, manager: open.manager });
}

/** A running agent is refused, also one that runs elsewhere; one whose first lines never reached the disk cannot go on; everything else can, if there is a place. */
function refusals(wasRunning: boolean, agent: Agent, open: OpenProcess): string[] {
  if (wasRunning) return ["running"];
  return [
    "limit",
    "no_tools",
    ...(isContested(agent) || isElsewhere(open, agent) ? ["running"] : []),
    ...(isResumable(open.transcript(agent.id)) ? [] : ["unknown_task", "usage"]),
  ];
}

/** Another process has it, and it has not ended there. */
const isElsewhere = (open: OpenProcess, agent: Agent): boolean =>
  agent.lives.at(-1)?.manager !== open.manager &&
  agent.lives.at(-1)?.process === open.life &&
  !agent.lives.at(-1)?.result;

const isContested = (agent: Agent): boolean =>
  agent.lives.some((life) => life.isContested && !life.result);

/** Its header and its spawn line are whole. */
export function isResumable(path: string): boolean {
  const [header, spawned] = existsSync(path) ? firstLines(path) : [];
  return (
    header?.includes('"subtype":"retinue_session"') === true &&
    spawned?.includes('"subtype":"spawn"') === true
  );
}

function send(parent: Parent): void {
  const { world, open, random } = parent;
  const agents = known(world);
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  const wasRunning = isRunning(open.manager, agent);
  const sent = attempt(
    world,
    () => open.manager.send(handle(agent, random), "a message"),
    wasRunning ? [] : refusals(false, agent, open),
  );
  if (!sent) return;
  count(world, sent.delivered ? "message" : "message that resumes");
  if (sent.delivered !== wasRunning)
    problem(
      world,
      `a message to agent ${agent.index}, which was ${wasRunning ? "" : "not "}running, was ${sent.delivered ? "" : "not "}delivered`,
    );
  if (!sent.delivered) follow(sent.run, { ...parent, agent, manager: open.manager });
}

function toBackground({ world, open, random }: Parent): void {
  const agents = known(world).filter((agent) => isRunning(open.manager, agent));
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  attempt(world, () => open.manager.background(agent.id), []);
  count(world, "background");
  if (open.manager.list().find((status) => status.agent_id === agent.id)?.background !== true)
    problem(world, `agent ${agent.index} was moved to the background and is not there`);
}

/** From its next turn on it runs in another process that is alive; or it stays, where that one does not come up. */
async function moveAway(parent: Parent): Promise<void> {
  const { world, open, random } = parent;
  const agents = known(world).filter(
    (agent) =>
      isRunning(open.manager, agent) &&
      open.manager.runOf(agent.id)!.phase !== "moving" &&
      !isContested(agent),
  );
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  attempt(world, () => open.manager.background(agent.id), []);
  count(world, "move");
  const pid = random.chance(0.2) ? undefined : process.pid;
  open.manager.runOf(agent.id)?.moveTo(world.time.pause(random.int(800)).then(() => pid));
  if (random.chance(0.7)) return;
  await world.time.pause(random.int(600));
  if (open.life.isAlive) await stopOne(parent, agent);
}

/** What the command does with a run that ended here as moved: the host takes it, with what it has used so far. */
function goOnElsewhere(
  before: AgentLife,
  from: Following & { left: ReturnType<Manager["running"]> },
): void {
  const { world, open, left } = from;
  count(world, "moved");
  const manager = open.rival({ isHeard: true });
  const run = attempt(world, () => manager.take(inBackground(left!.spec, left!.left!)), []);
  if (!run) return;
  const life = follow(run, { ...from, manager });
  Object.assign(life, {
    ends: before.ends,
    faults: before.faults,
    carried: before.result!.metrics,
  });
}

/** Another living process wants the transcript of a run that is being written. It may try in the moment of its end; then the lock decides. */
function rival(parent: Parent): void {
  const { world, open, random } = parent;
  const agents = known(world).filter(
    (agent) =>
      isRunning(open.manager, agent) && open.disk.open().includes(open.transcript(agent.id)),
  );
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  const manager = open.rival();
  count(world, "rival");
  const run = attempt(world, () => manager.resume(agent.id, "mine"), ["running", "unknown_task"]);
  if (!run) return;
  if (!hasEnded(open, agent, agent.lives.at(-1)!))
    problem(world, `P4: a second process took agent ${agent.index}`);
  for (const life of agent.lives) life.isContested = true;
  follow(run, { ...parent, agent, manager, isContested: true });
}

/** Two processes resume the same agent in the same moment: one of them writes. */
function race(parent: Parent): void {
  const { world, open, random } = parent;
  const agents = known(world).filter(
    (agent) =>
      !isRunning(open.manager, agent) &&
      !isElsewhere(open, agent) &&
      isResumable(open.transcript(agent.id)),
  );
  if (agents.length === 0) return;
  const agent = random.pick(agents);
  const managers = [open.manager, open.rival()];
  count(world, "race");
  for (const manager of managers) {
    const run = attempt(world, () => manager.resume(agent.id, "me first"), [
      "limit",
      "no_tools",
      "running",
    ]);
    if (run) follow(run, { ...parent, agent, manager, isContested: true });
  }
}

/** Ids that name nothing, and words that are no ids. */
function strangers({ world, open, random }: Parent): void {
  const id = random.pick(["a0123456789abcdef", "name-9999", "../../etc", "", "A0123456789ABCDEF"]);
  const run = attempt(world, () => open.manager.resume(id, "hello"), ["unknown_task"]);
  if (run) problem(world, `something was resumed under ${JSON.stringify(id)}`);
}
