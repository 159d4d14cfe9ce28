// Figures of a cluster on this machine, beside the same work in one process: each is measured here
// and now, and says what it was measured on.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createManager, type AgentManager } from "../../../src/app/create-manager.ts";
import { newAgentId, newUuid } from "../../../src/base/ids.ts";
import type { AgentRun } from "../../../src/manager/agents/agent-run.ts";
import { openGateway } from "../../../src/restate/client/gateway-client.ts";
import { runSpec } from "../run-spec.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { afterCalls, failureNames, tryFailure, type Account } from "./failures.ts";

export type Figure = Record<string, string | number>;

const many = {
  limits: { maxConcurrent: 1_000 },
  agents: { marathon: { description: "runs long", prompt: "You run.", maxTurns: 1_000 } },
};

/** Turns that look at nothing: what they cost is the machinery. */
function tellTurns(cluster: Cluster, word: string, turns: number, delayMs = 0): void {
  cluster.thinker.tell(word, ({ turn }) => ({
    ...(turn < turns
      ? { tools: [{ id: `t${turn}`, name: "Glob", input: { pattern: "*.none" } }] }
      : { text: "done" }),
    ...(delayMs > 0 ? { delayMs } : {}),
  }));
}

function localManager(cluster: Cluster): AgentManager {
  const project = cluster.project();
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
  const there = cluster.manager(cluster.project(), many);
  const here = localManager(cluster);
  await all(there, "turns", 1);
  const remote = await timed(() => all(there, "turns", 1));
  const local = await timed(() => all(here, "turns", 1));
  await here.close();
  return {
    figure: "ms a turn, one run",
    restate: round(remote / turns),
    local: round(local / turns),
  };
}

async function manyFigure(cluster: Cluster, runs: number): Promise<Figure> {
  tellTurns(cluster, "ten", 10);
  const there = cluster.manager(cluster.project(), many);
  const here = localManager(cluster);
  const remote = await timed(() => all(there, "ten", runs));
  const local = await timed(() => all(here, "ten", runs));
  await here.close();
  const ratio = round(remote / local);
  return {
    figure: `s for ${runs} x 10 turns`,
    restate: round(remote / 1_000),
    local: round(local / 1_000),
    ratio,
  };
}

async function slowModelFigure(cluster: Cluster, runs: number): Promise<Figure> {
  const [turns, modelMs] = [5, 2_000];
  tellTurns(cluster, "slow", turns, modelMs);
  const there = cluster.manager(cluster.project(), many);
  const took = await timed(() => all(there, "slow", runs));
  return {
    figure: `s for ${runs} x ${turns} turns with a model of 2 s`,
    restate: round(took / 1_000),
    ideal: (turns * modelMs) / 1_000,
    ratio: round(took / (turns * modelMs)),
  };
}

async function progressFigure(cluster: Cluster, name: string, times: number): Promise<Figure> {
  const found: number[] = [];
  for (let time = 0; time < times; time += 1)
    found.push((await tryFailure(cluster, name)).progressMs ?? Infinity);
  found.sort((a, b) => a - b);
  return {
    figure: `ms to the first progress, ${name} x ${times}`,
    median: found[found.length >> 1]!,
    most: found.at(-1)!,
  };
}

const rssKilobytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

async function memoryFigure(cluster: Cluster, runs: number): Promise<Figure> {
  tellTurns(cluster, "waits", 2, 60_000);
  const there = cluster.manager(cluster.project(), many);
  const memory = (): number => cluster.workers.reduce((sum, { pid }) => sum + rssKilobytes(pid), 0);
  const before = memory();
  const waiting = Array.from({ length: runs }, () => start(there, "waits"));
  while (cluster.thinker.asked("waits").length < runs) await sleep(100);
  const after = memory();
  await Promise.all(waiting.map(({ id }) => there.stop(id)));
  return { figure: `KB a live run, ${runs} of them`, workers: round((after - before) / runs) };
}

async function replayFigure(cluster: Cluster, turns: number): Promise<Figure> {
  cluster.thinker.tell("long", ({ turn }) =>
    turn < turns
      ? { tools: [{ id: `t${turn}`, name: "Glob", input: { pattern: "*.none" } }] }
      : { text: "done", delayMs: 1_500 },
  );
  let lastAt = 0;
  const there = cluster.manager(cluster.project(), {
    ...many,
    onEvent: () => void (lastAt = performance.now()),
  });
  const run = start(there, "long");
  await afterCalls(run, turns - 1);
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

async function queueFigure(count: number): Promise<Figure> {
  const cluster = await startCluster({ concurrent: 50 });
  try {
    tellTurns(cluster, "queued", 2, 5_000);
    const gateway = openGateway({ url: cluster.gateway, token: cluster.tokens["web"]! });
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
        tools: ["Glob"],
        limits: { maxTurns: 5, timeoutMs: 3_600_000 },
      });
      return gateway.submit({ spec: given, approvals: [], approved: [], hasHooks: false }, never);
    };
    const took = await timed(async () => {
      for (let done = 0; done < count; done += 50)
        await Promise.all(Array.from({ length: 50 }, submit));
    });
    const [{ n } = { n: 0 }] = await cluster.engine.sql(
      "select count(*) as n from sys_invocation where target_service_name = 'RetinueRun' and target_handler_name = 'run' and status <> 'completed'",
    );
    return {
      figure: `${count} runs under a limit of 50`,
      "submits a second": Math.round(count / (took / 1_000)),
      "not ended": Number(n),
      "asked at once": cluster.thinker.asked("queued").length,
    };
  } finally {
    await cluster.close();
  }
}

const round = (value: number): number => Math.round(value * 100) / 100;

export async function clusterFigures(tell: (figure: Figure) => void, size: number): Promise<void> {
  const cluster = await startCluster();
  try {
    tell(await turnFigure(cluster));
    tell(await manyFigure(cluster, size));
    tell(await slowModelFigure(cluster, Math.min(size, 50)));
    tell(await progressFigure(cluster, "kill -9 of the worker", 10));
    tell(await progressFigure(cluster, "kill -9 of the engine", 4));
    tell(await memoryFigure(cluster, size));
    tell(await replayFigure(cluster, 300));
  } finally {
    await cluster.close();
  }
  tell(await queueFigure(size * 50));
}

/** Every failure so many times; false where one of them broke a promise. */
export async function countFailures(times: number, tell: (row: Figure) => void): Promise<boolean> {
  const cluster = await startCluster();
  let isKept = true;
  try {
    for (const name of failureNames) {
      const accounts: Account[] = [];
      for (let time = 0; time < times; time += 1) accounts.push(await tryFailure(cluster, name));
      const sum = (of: (account: Account) => number): number =>
        accounts.reduce((total, account) => total + of(account), 0);
      const row = {
        failure: name,
        runs: times,
        calls: sum(({ calls }) => calls),
        twice: sum(({ twice }) => twice),
        interrupted: sum(({ interrupted }) => interrupted),
        untold: sum(({ untold }) => untold),
        problems: sum(({ problems }) => problems.length),
      };
      isKept &&= row.twice + row.untold + row.problems === 0;
      tell(row);
      for (const { problems } of accounts) for (const problem of problems) console.error(problem);
    }
  } finally {
    await cluster.close();
  }
  return isKept;
}
