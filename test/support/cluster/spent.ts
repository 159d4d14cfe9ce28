// What a stretch of work took of the machine, by process: where cores are few or others are busy
// too, this says more than the clock.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Cluster } from "./cluster.ts";

export type Spent = {
  /** Milliseconds of the processor. The client's process holds the model and the balancer too. */
  ms: Record<"engine" | "gateway" | "workers" | "client", number>;
  /** Of all cores: the shares that these processes, and all others, have taken. */
  ownShare: number;
  otherShare: number;
};

const tickMs = 10;

const processMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** Of the whole machine, without what it waited. */
function busyMs(): number {
  const [user, nice, system, , , irq, softIrq] = readFileSync("/proc/stat", "utf8")
    .split("\n")[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return sumOf([user!, nice!, system!, irq!, softIrq!]) * tickMs;
}

/** Begins to count; what it returns tells what was spent since. No process may change in between. */
export function meter(cluster: Cluster): () => Spent {
  const look = (): { ms: Spent["ms"]; busy: number; at: number } => {
    const { engine, gateway, workers } = cluster.processes();
    const of = (pids: readonly number[]): number => sumOf(pids.map(processMs));
    const ms = {
      engine: of(engine),
      gateway: of(gateway),
      workers: of(workers),
      client: of([process.pid]),
    };
    return { ms, busy: busyMs(), at: performance.now() };
  };
  const before = look();
  return () => {
    const after = look();
    const ms = Object.fromEntries(
      Object.entries(after.ms).map(([name, now]) => [name, now - before.ms[name as never]]),
    ) as Spent["ms"];
    const whole = (after.at - before.at) * cpus().length;
    const own = sumOf(Object.values(ms));
    const other = Math.max(0, after.busy - before.busy - own);
    return { ms, ownShare: own / whole, otherShare: other / whole };
  };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** As columns of a figure, for so many turns. */
export function spentColumns({ ms, ownShare, otherShare }: Spent, turns: number) {
  const perTurn = (spent: number): string => (spent / turns).toFixed(1);
  return {
    "ms of the processor a turn":
      `${perTurn(sumOf(Object.values(ms)))} (engine ${perTurn(ms.engine)}, workers ` +
      `${perTurn(ms.workers)}, gateway ${perTurn(ms.gateway)}, client with model and balancer ` +
      `${perTurn(ms.client)})`,
    [`of ${cpus().length} cores`]: `${percent(ownShare)}, other programs ${percent(otherShare)}`,
  };
}
