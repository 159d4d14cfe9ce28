// A tenant's runs in the order in which they came, and never more of them at once than its ceiling
// says: the others wait here and hold nothing on any worker.
import type * as Sdk from "@restatedev/restate-sdk";
import type { SignedJob } from "../run-job.ts";
import { services } from "../services.ts";
import { retryPolicy } from "./place-service.ts";

/** A run that a gateway hands in. */
export type QueuedRun = {
  runId: string;
  life: string;
  job: SignedJob;
  /** The tenant's ceiling, as the gateway reads it now. */
  maxRuns: number;
  /** When it was handed in, by the gateway's clock (epoch milliseconds). */
  atMs: number;
  /** When its place is free again even if nobody says so (epoch milliseconds). */
  untilMs: number;
};

type Started = Pick<QueuedRun, "runId" | "untilMs">;

/** One value, because each look at the state is a round trip for which the whole tenant waits. */
type Line = {
  /** Numbers of the first and the last run that wait; those between may be gone. */
  first: number;
  last: number;
  maxRuns: number;
  running: Started[];
};

const emptyLine: Line = { first: 1, last: 0, maxRuns: 1, running: [] };

/** As much of the service of runs as is called here. */
type RunHandlers = { run: (ctx: Sdk.WorkflowContext, job: SignedJob) => Promise<unknown> };
const runs = { name: services.run } as unknown as Sdk.WorkflowDefinition<string, RunHandlers>;

export function queueService(sdk: typeof Sdk) {
  return sdk.object({
    name: services.queue,
    handlers: {
      /** For each of them; false: it was handed in before. */
      submit: async (ctx: Sdk.ObjectContext, runs: QueuedRun[]): Promise<boolean[]> => {
        const line = await lineOf(ctx);
        const known = new Set(line.running.map(({ runId }) => runId));
        // All of them in one round trip, for which the whole tenant waits.
        const numbers = await sdk.RestatePromise.all(
          runs.map(({ runId }) => ctx.get(`number-${runId}`) as Sdk.RestatePromise<number | null>),
        );
        const newest = new Map<number, QueuedRun>();
        const areNew = runs.map((run, index) => {
          if (numbers[index] !== null || known.has(run.runId)) return false;
          known.add(run.runId);
          newest.set(line.last + newest.size + 1, run);
          return true;
        });
        const { maxRuns, atMs } = runs.at(-1)!;
        const running = line.running.filter(({ untilMs }) => untilMs > atMs);
        const last = line.last + newest.size;
        await startNext(ctx, { ...line, last, maxRuns, running }, newest);
        return areNew;
      },
      over: async (ctx: Sdk.ObjectContext, runId: string): Promise<void> => {
        const line = await lineOf(ctx);
        const now = await ctx.date.now();
        const running = line.running.filter((run) => run.runId !== runId && run.untilMs > now);
        await startNext(ctx, { ...line, running });
      },
      /** Out of its turn: it has been told to stop, and ends as soon as it has begun. */
      hurry: async (ctx: Sdk.ObjectContext, runId: string): Promise<void> => {
        const number = await ctx.get<number>(`number-${runId}`);
        const run = number === null ? null : await ctx.get<QueuedRun>(`run-${number}`);
        if (!run) return;
        const line = await lineOf(ctx);
        ctx.set("line", {
          ...line,
          running: [...line.running, start(ctx, run, number ?? undefined)],
        });
      },
      /** Waiting, or started and not over: the engine may not know it yet. */
      has: sdk.handlers.object.shared(
        async (ctx: Sdk.ObjectSharedContext, runId: string): Promise<boolean> =>
          (await ctx.get<number>(`number-${runId}`)) !== null ||
          (await lineOf(ctx)).running.some((run) => run.runId === runId),
      ),
    },
    // A long queue does not travel to the worker with every call.
    options: { journalRetention: 0, retryPolicy, enableLazyState: true },
  });
}

const lineOf = async (ctx: Sdk.ObjectSharedContext): Promise<Line> =>
  (await ctx.get<Line>("line")) ?? emptyLine;

const noRuns: ReadonlyMap<number, QueuedRun> = new Map();

/** As many as there are places. The newest ones, which nothing is kept of yet, wait if there is none. */
async function startNext(ctx: Sdk.ObjectContext, line: Line, newest = noRuns): Promise<void> {
  const { last, maxRuns } = line;
  const running = [...line.running];
  let { first } = line;
  for (; first <= last && running.length < maxRuns; first += 1) {
    const run = newest.get(first) ?? (await ctx.get<QueuedRun>(`run-${first}`));
    if (run) running.push(start(ctx, run, newest.has(first) ? undefined : first));
  }
  for (const [number, run] of newest) {
    if (number < first) continue;
    ctx.set(`run-${number}`, run);
    ctx.set(`number-${run.runId}`, number);
  }
  ctx.set("line", { ...line, first, running });
}

/** `number`: under which it is kept. */
function start(ctx: Sdk.ObjectContext, run: QueuedRun, number?: number): Started {
  const { runId, untilMs } = run;
  if (number !== undefined) {
    ctx.clear(`run-${number}`);
    ctx.clear(`number-${runId}`);
  }
  ctx.workflowSendClient(runs, run.life).run(run.job);
  return { runId, untilMs };
}
