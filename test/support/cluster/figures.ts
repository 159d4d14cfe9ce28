// Figures of a cluster on this machine, beside the same work in one process: each is measured here
// and now, says what it was measured on, and is given up after a while.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createManager, type AgentManager } from "../../../src/app/create-manager.ts";
import { newAgentId, newUuid } from "../../../src/base/ids.ts";
import type { AgentRun } from "../../../src/manager/agents/agent-run.ts";
import { openGateway } from "../../../src/restate/client/gateway-client.ts";
import { runSpec } from "../run-spec.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import type { Account } from "./failures.ts";
import { meter, spentColumns } from "./spent.ts";
import { failureNames, tryFailure } from "./try-failure.ts";

export type Figure = Record<string, string | number>;

/** How much of each; 0 leaves it out. */
export type Sizes = {
  /** Runs of so many turns, beside local. */
  runs: number;
  turns: number;
  /** Runs with a model that takes two seconds; then once more with as many as `runs`. */
  slow: number;
  /** Kills of a worker, and a fifth as many of the engine. */
  kills: number;
  live: number;
  /** Turns that are replayed. */
  replay: number;
  queued: number;
  /** Times that each failure happens. */
  failures: number;
  /** Minutes after which one figure is given up. */
  minutes: number;
};

export type Bench = {
  sizes: Sizes;
  /** Part of the names of the failures that happen; empty: all of them. */
  only: string;
  tell: (figure: Figure) => void;
  /** How far it is, for whoever waits. */
  progress: (text: string) => void;
};

const many = {
  limits: { maxConcurrent: 1_000 },
  agents: { marathon: { description: "runs long", prompt: "You run.", maxTurns: 1_000 } },
};

const files = { "notes.txt": "one\n" };
const look = (turn: number) => ({
  tools: [{ id: `t${turn}`, name: "Read", input: { file_path: "notes.txt" } }],
});

/** Turns that read a line: what they cost is the machinery. */
function tellTurns(cluster: Cluster, word: string, turns: number, delayMs = 0): void {
  cluster.thinker.tell(word, ({ turn }) => ({
    ...(turn < turns ? look(turn) : { text: "done" }),
    ...(delayMs > 0 ? { delayMs } : {}),
  }));
}

function localManager(cluster: Cluster): AgentManager {
  const project = cluster.project(files);
  return createManager({
    cwd: project.root,
    watch: false,
    contract: "none",
    model: cluster.thinker.model,
    executor: "local",
    ...many,
    env: { PATH: process.env["PATH"], HOME: project.home, ...cluster.thinker.env },
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const start = (manager: AgentManager, prompt: string): AgentRun =>
  manager.spawn({ description: prompt, prompt, subagent_type: "marathon" });

async function all(manager: AgentManager, prompt: string, count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => start(manager, prompt));
  for (const { state, error } of await Promise.all(runs.map(({ done }) => done)))
    if (state !== "completed") throw new Error(`${prompt}: ${state}: ${error}`);
}

async function turnFigure(cluster: Cluster): Promise<Figure> {
  const turns = 100;
  tellTurns(cluster, "turns", turns);
  const there = cluster.manager(cluster.project(files), many);
  const here = localManager(cluster);
  await all(there, "turns", 1);
  await all(here, "turns", 1);
  const remote = await timed(() => all(there, "turns", 1));
  const local = await timed(() => all(here, "turns", 1));
  await here.close();
  return {
    figure: "ms a turn, one run",
    restate: round(remote / turns),
    local: round(local / turns),
  };
}

async function manyFigure(cluster: Cluster, { runs, turns }: Sizes): Promise<Figure> {
  tellTurns(cluster, "many", turns);
  const there = cluster.manager(cluster.project(files), many);
  const here = localManager(cluster);
  const spent = meter(cluster);
  const remote = await timed(() => all(there, "many", runs));
  const columns = spentColumns(spent(), runs * turns);
  const local = await timed(() => all(here, "many", runs));
  await here.close();
  return {
    figure: `s for ${runs} x ${turns} turns`,
    restate: round(remote / 1_000),
    local: round(local / 1_000),
    ratio: round(remote / local),
    ...columns,
  };
}

async function slowModelFigure(
  cluster: Cluster,
  { runs, turns }: Pick<Sizes, "runs" | "turns">,
): Promise<Figure> {
  const modelMs = 2_000;
  tellTurns(cluster, "slow", turns, modelMs);
  const there = cluster.manager(cluster.project(files), many);
  const here = localManager(cluster);
  const first = await timed(() => all(there, "slow", runs));
  const spent = meter(cluster);
  const again = await timed(() => all(there, "slow", runs));
  const columns = spentColumns(spent(), runs * turns);
  const local = await timed(() => all(here, "slow", runs));
  await here.close();
  const ideal = turns * modelMs;
  return {
    figure: `s for ${runs} x ${turns} turns with a model of 2 s`,
    ideal: ideal / 1_000,
    "restate, just started": round(first / 1_000),
    restate: round(again / 1_000),
    local: round(local / 1_000),
    ratio: round(again / ideal),
    ...columns,
  };
}

async function progressFigure(
  cluster: Cluster,
  name: string,
  { times, progress }: { times: number; progress: Bench["progress"] },
): Promise<Figure> {
  const found: number[] = [];
  let interrupted = 0;
  for (let time = 0; time < times; time += 1) {
    const account = await tryFailure(cluster, name);
    found.push(account.progressMs ?? Infinity);
    interrupted += account.interrupted;
    progress(`${name}: ${time + 1} of ${times}`);
  }
  found.sort((a, b) => a - b);
  return {
    figure: `ms to the first progress, ${name} x ${times}`,
    median: found[found.length >> 1]!,
    "9 of 10": found[Math.floor(found.length * 0.9)]!,
    most: found.at(-1)!,
    "calls that were under way": interrupted,
  };
}

const rssKilobytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

async function memoryFigure(cluster: Cluster, { live }: Sizes): Promise<Figure> {
  tellTurns(cluster, "waits", 2, 600_000);
  const there = cluster.manager(cluster.project(files), many);
  const memory = (): number => cluster.workers.reduce((sum, { pid }) => sum + rssKilobytes(pid), 0);
  // What a worker takes once, however many runs it has, is no part of a run.
  tellTurns(cluster, "short", 2);
  await all(there, "short", live);
  const before = memory();
  const waiting = Array.from({ length: live }, () => start(there, "waits"));
  while (cluster.thinker.asked("waits").length < live) await sleep(100);
  const after = memory();
  await Promise.all(waiting.map(({ id }) => there.stop(id)));
  return { figure: `KB a live run, ${live} of them`, workers: round((after - before) / live) };
}

async function replayFigure(cluster: Cluster, { replay: turns }: Sizes): Promise<Figure> {
  cluster.thinker.tell("long", ({ turn }) =>
    turn < turns ? look(turn) : { text: "done", delayMs: 1_500 },
  );
  let lastAt = 0;
  const there = cluster.manager(cluster.project(files), {
    ...many,
    onEvent: () => void (lastAt = performance.now()),
  });
  const run = start(there, "long");
  // What the model was asked is never lost, as a signal of the run may be.
  while (!cluster.thinker.asked("long").includes(turns)) await sleep(20);
  const worker = await cluster.workerOf(run.id);
  const killedAt = performance.now();
  await cluster.removeWorker(worker);
  const { state } = await run.done;
  await cluster.addWorker();
  return {
    figure: `ms from a kill at turn ${turns} to the end (model: 1,500)`,
    restate: Math.round(lastAt - killedAt),
    state,
  };
}

/** Handed in by one client, 50 at a time; nobody follows them. */
async function queueFigure({ sizes: { queued }, progress }: Omit<Bench, "only">): Promise<Figure> {
  const most = 50;
  const cluster = await startCluster({ tenants: { busy: { maxRuns: most } } });
  try {
    tellTurns(cluster, "queued", 2, 5_000);
    const gateway = openGateway({ url: cluster.gateway, token: cluster.tokens["busy"]! });
    const { root } = cluster.project();
    const never = new AbortController().signal;
    const submit = (): Promise<boolean> => {
      const given = runSpec({
        runId: newUuid(),
        agentId: newAgentId(),
        session: { id: newUuid() },
        startedAt: Date.now(),
        place: { cwd: root },
        model: cluster.thinker.model,
        prompt: "queued",
        tools: ["Read"],
        limits: { maxTurns: 5, timeoutMs: 3_600_000 },
      });
      return gateway.submit({ spec: given, approvals: [], approved: [], hasHooks: false }, never);
    };
    const took = await timed(async () => {
      for (let done = 0; done < queued; done += 50) {
        await Promise.all(Array.from({ length: 50 }, submit));
        progress(`queued: ${done + 50} of ${queued}`);
      }
    });
    const [{ n } = { n: 0 }] = await cluster.engine.sql(
      "select count(*) as n from sys_invocation where target_service_name = 'RetinueRun' and target_handler_name = 'run' and status <> 'completed'",
    );
    return {
      figure: `${queued} runs of a tenant with a limit of ${most}`,
      "submits a second": Math.round(queued / (took / 1_000)),
      "under way": Number(n),
      "turns meanwhile": cluster.thinker.asked("queued").length,
      "turns at most": Math.floor((took / 5_000) * most),
    };
  } finally {
    await cluster.close();
  }
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Gives a figure up when its time is over: what it has begun ends with its cluster. */
async function bounded(minutes: number, name: string, work: Promise<Figure>): Promise<Figure> {
  const over = new AbortController();
  const late = sleep(minutes * 60_000, undefined, { signal: over.signal }).then(() => ({
    figure: name,
    "given up after minutes": minutes,
  }));
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** False where a figure was given up. */
export async function clusterFigures({ sizes, tell, progress }: Bench): Promise<boolean> {
  const kill = (name: string, times: number) => (cluster: Cluster) =>
    progressFigure(cluster, name, { times, progress });
  const slowly = (runs: number) => (cluster: Cluster) =>
    slowModelFigure(cluster, { runs, turns: sizes.turns });
  const { kills } = sizes;
  const figures: [string, number, (cluster: Cluster) => Promise<Figure>][] = [
    ["one run", sizes.runs, turnFigure],
    ["many runs", sizes.runs, (cluster) => manyFigure(cluster, sizes)],
    ["a slow model", sizes.slow, slowly(sizes.slow)],
    ["a slow model, many runs", sizes.slow && sizes.runs, slowly(sizes.runs)],
    ["a worker's death", kills, kill("kill -9 of the worker", kills)],
    ["the engine's death", kills, kill("kill -9 of the engine", Math.ceil(kills / 5))],
    ["live runs", sizes.live, (cluster) => memoryFigure(cluster, sizes)],
    ["a replay", sizes.replay, (cluster) => replayFigure(cluster, sizes)],
    ["a queue", sizes.queued, () => queueFigure({ sizes, tell, progress })],
  ];
  let isWhole = true;
  for (const [name, size, measure] of figures) {
    if (size === 0) continue;
    progress(name);
    const cluster = await startCluster();
    try {
      const figure = await bounded(sizes.minutes, name, measure(cluster));
      isWhole &&= !("given up after minutes" in figure);
      tell(figure);
    } finally {
      await cluster.close();
    }
  }
  return isWhole;
}

/** A run that has not ended by then is stuck. */
const stuckMs = 180_000;

async function triedFailure(cluster: Cluster, name: string): Promise<Account | "stuck"> {
  const over = new AbortController();
  const late = sleep(stuckMs, "stuck" as const, { signal: over.signal });
  try {
    return await Promise.race([tryFailure(cluster, name), late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}

const openInvocations =
  "select id, target, status, retry_count, last_failure, last_start_at, next_retry_at " +
  "from sys_invocation where status <> 'completed'";

type Tries = { accounts: Account[]; stuck: number };

/** On a cluster of its own, and on a new one after a run that is stuck. */
async function triesAt(name: string, { sizes, progress }: Bench): Promise<Tries> {
  const tries: Tries = { accounts: [], stuck: 0 };
  const until = performance.now() + sizes.minutes * 60_000;
  let cluster = await startCluster();
  try {
    while (tries.accounts.length + tries.stuck < sizes.failures && performance.now() < until) {
      const account = await triedFailure(cluster, name);
      progress(`${name}: ${tries.accounts.length + 1} of ${sizes.failures}`);
      if (account !== "stuck") {
        tries.accounts.push(account);
        continue;
      }
      tries.stuck += 1;
      // What the engine knows of it, for whoever looks for the cause.
      console.error(await cluster.engine.sql(openInvocations).catch(String));
      await cluster.close();
      cluster = await startCluster();
    }
  } finally {
    await cluster.close();
  }
  return tries;
}

/** Every failure so many times; false where one of them broke a promise. */
export async function countFailures(bench: Bench): Promise<boolean> {
  const { sizes, only, tell } = bench;
  let isKept = true;
  const names = failureNames.filter((name) => name.includes(only));
  for (const name of sizes.failures === 0 ? [] : names) {
    const { accounts, stuck } = await triesAt(name, bench);
    const sum = (of: (account: Account) => number): number =>
      accounts.reduce((total, account) => total + of(account), 0);
    const progress = accounts.flatMap(({ progressMs }) => progressMs ?? []).sort((a, b) => a - b);
    const row = {
      failure: name,
      runs: accounts.length + stuck,
      calls: sum(({ calls }) => calls),
      twice: sum(({ twice }) => twice),
      interrupted: sum(({ interrupted }) => interrupted),
      untold: sum(({ untold }) => untold),
      stuck,
      problems: sum(({ problems }) => problems.length),
      ...(progress.length > 0
        ? {
            "ms to the first progress": progress[progress.length >> 1]!,
            "at most": progress.at(-1)!,
          }
        : {}),
    };
    const broken = row.twice + row.untold + row.problems + stuck;
    isKept &&= broken === 0 && row.runs === sizes.failures;
    tell(row);
    for (const { problems } of accounts) for (const problem of problems) console.error(problem);
  }
  return isKept;
}
