// The engine's side of a run: a workflow whose one long handler drives it, and short handlers that
// reach it. What comes in is checked before anything begins; what the engine keeps is sealed.
import type * as Sdk from "@restatedev/restate-sdk";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { ClusterKey } from "../cluster-key.ts";
import { lifeKey, readSignedJob, signedJob, type RunJob, type SignedJob } from "../run-job.ts";
import { services, type Asking, type LifeEnd } from "../services.ts";
import { storeBelow, type ObjectStore } from "../store/object-store.ts";
import { stepSpill } from "../store/step-spill.ts";
import type { EventHub, ShownRun } from "./event-hub.ts";
import { retryPolicy } from "./place-service.ts";
import { Pump } from "./pump.ts";
import { RestateJournal, answerName, mailName, stopName } from "./restate-journal.ts";

/** What an attempt at a run gets from its surroundings. */
export type Attempt = {
  journal: RestateJournal;
  shown: ShownRun;
  /** Higher than that of every attempt before. */
  number: number;
  /** The tenant's part of the store. */
  store: ObjectStore;
  /** Aborts when the attempt is over: whatever it holds is let go. */
  signal: AbortSignal;
  /** Called once with what ends the run when it is told to. */
  onEnd(stop: () => void): void;
};

/** Runs a job on this machine. Never rejects. */
export type DriveRun = (job: RunJob, attempt: Attempt) => Promise<RunOutcome>;

export type LifeParts = {
  sdk: typeof Sdk;
  key: ClusterKey;
  store: ObjectStore;
  hub: EventHub;
  drive: DriveRun;
  /** Says where the run is shown from now on; its number comes back. */
  begin: (job: RunJob, life: string) => Promise<number>;
  counts: { started: number; ended: number; refused: number; driven: number };
};

type RunContext = Sdk.WorkflowContext & Sdk.internal.ContextInternal;

export function runService(parts: LifeParts) {
  const { sdk } = parts;
  return sdk.workflow({
    name: services.run,
    handlers: {
      run: (ctx: Sdk.WorkflowContext, input: SignedJob): Promise<LifeEnd> =>
        driveLife(ctx as RunContext, input, parts),
      stop: async (ctx: Sdk.WorkflowSharedContext): Promise<void> => {
        if ((await ctx.promise<boolean>(stopName).peek()) === undefined)
          await ctx.promise<boolean>(stopName).resolve(true);
      },
      message: sendMail,
      answer: async (
        ctx: Sdk.WorkflowSharedContext,
        { toolUseId, said }: { toolUseId: string; said: unknown },
      ): Promise<boolean> => {
        const promise = ctx.promise<unknown>(answerName(toolUseId));
        if ((await promise.peek()) !== undefined) return false;
        await promise.resolve(said ?? null);
        return true;
      },
      asking: async (ctx: Sdk.WorkflowSharedContext): Promise<Asking | null> =>
        ctx.get<Asking>("asking"),
    },
    options: {
      inactivityTimeout: limits.restate.inactivityMs,
      abortTimeout: limits.restate.abortMs,
      journalRetention: limits.restate.retentionMs,
      workflowRetention: limits.restate.retentionMs,
      explicitCancellation: true,
      onJournalMismatchErrors: "pause",
      retryPolicy,
    },
  });
}

/** Under the first number that nobody has taken: the run reads them in this order. */
async function sendMail(ctx: Sdk.WorkflowSharedContext, text: string): Promise<void> {
  for (let number = 1; ; number += 1) {
    const promise = ctx.promise<string>(mailName(number));
    if ((await promise.peek()) !== undefined) continue;
    try {
      return await promise.resolve(text);
    } catch {
      // Another message was faster.
    }
  }
}

async function driveLife(ctx: RunContext, input: SignedJob, parts: LifeParts): Promise<LifeEnd> {
  const { sdk, key, hub, drive, begin, counts } = parts;
  const life = ctx.key;
  const read = readSignedJob(input, life, key);
  if (!read.ok) {
    counts.refused += 1;
    throw new sdk.TerminalError(`this run is refused: ${read.problem}`, { errorCode: 403 });
  }
  const { job } = read;
  const shown = hub.open(life);
  const attempt = openAttempt(ctx, job, { ...parts, shown });
  counts.started += 1;
  counts.driven += 1;
  try {
    const number = await begin(job, life);
    const outcome = await drive(job, { ...attempt, number });
    if (outcome.reason !== "moved" || attempt.signal.aborted) return { outcome };
    return { next: goOn(ctx, job, { outcome, key }) };
  } finally {
    counts.driven -= 1;
    counts.ended += 1;
    hub.end(life, shown, attempt.signal.aborted ? "left" : "end");
  }
}

function openAttempt(
  ctx: RunContext,
  job: RunJob,
  { sdk, key, store, shown }: LifeParts & { shown: ShownRun },
): Omit<Attempt, "number"> {
  const { attemptCompletedSignal: signal } = ctx.request();
  let isEnded = false;
  let end = (): void => undefined;
  const pump = new Pump({
    race: (promises) => sdk.RestatePromise.race(promises),
    ends: [ctx.promise<boolean>(stopName).get(), ctx.cancellation()],
    onEnd: () => {
      isEnded = true;
      end();
    },
  });
  signal.addEventListener("abort", () => pump.fail(new Error("the attempt is over")), {
    once: true,
  });
  const below = storeBelow(store, `${job.tenant}/`);
  const journal = new RestateJournal({
    context: ctx,
    pump,
    spill: stepSpill({ store: below, sessionId: job.spec.session.id, seal: key }),
    attempt: newUuid(),
    terminal: (message) => new sdk.TerminalError(message),
    show: (toolUseId, question) => shown.show(toolUseId, question),
  });
  return {
    journal,
    shown,
    store: below,
    signal,
    onEnd(stop) {
      end = stop;
      if (isEnded) stop();
    },
  };
}

/** Sends the run on to a journal of its own. */
function goOn(
  ctx: RunContext,
  job: RunJob,
  { outcome, key }: { outcome: RunOutcome; key: ClusterKey },
): string {
  const { metrics, permission_denials } = outcome;
  const spec = { ...job.spec, carried: { metrics, permission_denials } };
  const next = lifeKey(job.tenant, spec);
  const definition = { name: services.run } as unknown as ReturnType<typeof runService>;
  ctx.workflowSendClient(definition, next).run(signedJob({ ...job, spec }, key));
  return next;
}
