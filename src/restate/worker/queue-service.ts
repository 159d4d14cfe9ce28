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
  /** When its place is free again even if nobody says so (epoch milliseconds). */
  untilMs: number;
};

type Started = Pick<QueuedRun, "runId" | "untilMs">;

/** As much of the service of runs as is called here. */
type RunHandlers = { run: (ctx: Sdk.WorkflowContext, job: SignedJob) => Promise<unknown> };
const runs = { name: services.run } as unknown as Sdk.WorkflowDefinition<string, RunHandlers>;

export function queueService(sdk: typeof Sdk) {
  return sdk.object({
    name: services.queue,
    handlers: {
      /** False: it was handed in before. */
      submit: async (ctx: Sdk.ObjectContext, run: QueuedRun): Promise<boolean> => {
        const { running, isWaiting } = await lookAt(ctx, run.runId);
        if (isWaiting || running.some(({ runId }) => runId === run.runId)) return false;
        const last = (await ctx.get<number>("last")) ?? 0;
        ctx.set("last", last + 1);
        ctx.set(`run-${last + 1}`, run);
        ctx.set(`number-${run.runId}`, last + 1);
        ctx.set("maxRuns", run.maxRuns);
        await startNext(ctx, running);
        return true;
      },
      over: async (ctx: Sdk.ObjectContext, runId: string): Promise<void> => {
        const { running } = await lookAt(ctx, runId);
        await startNext(
          ctx,
          running.filter((run) => run.runId !== runId),
        );
      },
      /** Out of its turn: it has been told to stop, and ends as soon as it has begun. */
      hurry: async (ctx: Sdk.ObjectContext, runId: string): Promise<void> => {
        const number = await ctx.get<number>(`number-${runId}`);
        const run = number === null ? null : await ctx.get<QueuedRun>(`run-${number}`);
        if (run)
          ctx.set("running", [...(await lookAt(ctx, runId)).running, start(ctx, run, number!)]);
      },
      /** Waiting, or started and not over: the engine may not know it yet. */
      has: sdk.handlers.object.shared(
        async (ctx: Sdk.ObjectSharedContext, runId: string): Promise<boolean> =>
          (await ctx.get<number>(`number-${runId}`)) !== null ||
          ((await ctx.get<Started[]>("running")) ?? []).some((run) => run.runId === runId),
      ),
    },
    // A long queue does not travel to the worker with every call.
    options: { journalRetention: 0, retryPolicy, enableLazyState: true },
  });
}

async function lookAt(
  ctx: Sdk.ObjectContext,
  runId: string,
): Promise<{ running: Started[]; isWaiting: boolean }> {
  const known = (await ctx.get<Started[]>("running")) ?? [];
  const now = await ctx.date.now();
  return {
    running: known.filter(({ untilMs }) => untilMs > now),
    isWaiting: (await ctx.get<number>(`number-${runId}`)) !== null,
  };
}

/** As many as there are places. */
async function startNext(ctx: Sdk.ObjectContext, before: readonly Started[]): Promise<void> {
  const running = [...before];
  const maxRuns = (await ctx.get<number>("maxRuns")) ?? 1;
  const last = (await ctx.get<number>("last")) ?? 0;
  let first = (await ctx.get<number>("first")) ?? 1;
  for (; first <= last && running.length < maxRuns; first += 1) {
    const run = await ctx.get<QueuedRun>(`run-${first}`);
    if (run) running.push(start(ctx, run, first));
  }
  ctx.set("first", first);
  ctx.set("running", running);
}

function start(ctx: Sdk.ObjectContext, run: QueuedRun, number: number): Started {
  const { runId, untilMs } = run;
  ctx.clear(`run-${number}`);
  ctx.clear(`number-${runId}`);
  ctx.workflowSendClient(runs, run.life).run(run.job);
  return { runId, untilMs };
}
