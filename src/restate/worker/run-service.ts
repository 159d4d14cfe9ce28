// The engine's side of a run: a workflow whose one long handler drives it, and short handlers that
// reach it. What comes in is checked before anything begins; what the engine keeps is sealed.
import type * as Sdk from "@restatedev/restate-sdk";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { ClusterKey } from "../cluster-key.ts";
import { lifeKey, readSignedJob, signedJob, type RunJob, type SignedJob } from "../run-job.ts";
import { services, type Asking, type LifeEnd, type ShownAt } from "../services.ts";
import { storeBelow, type ObjectStore } from "../store/object-store.ts";
import { stepSpill } from "../store/step-spill.ts";
import type { EventHub, ShownRun } from "./event-hub.ts";
import { retryPolicy, type placeService } from "./place-service.ts";
import { Pump } from "./pump.ts";
import type { queueService } from "./queue-service.ts";
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
  /** Says that the life is shown here from now on; which try at it this is comes back. */
  begin: (life: string) => Promise<number>;
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
      ...shortHandlers(sdk),
    },
    options: {
      inactivityTimeout: limits.restate.inactivityMs,
      abortTimeout: limits.restate.abortMs,
      journalRetention: limits.restate.retentionMs,
      workflowRetention: limits.restate.retentionMs,
      idempotencyRetention: limits.restate.keptEventsMs,
      explicitCancellation: true,
      onJournalMismatchErrors: "pause",
      retryPolicy,
    },
  });
}

/** What reaches a run from outside. Nobody asks how one of these went: the engine forgets it at once. */
function shortHandlers(sdk: typeof Sdk) {
  const brief = <I, O>(work: (ctx: Sdk.WorkflowSharedContext, input: I) => Promise<O>) =>
    sdk.handlers.workflow.shared({ journalRetention: 0 }, work);
  return {
    stop: brief(async (ctx: Sdk.WorkflowSharedContext): Promise<void> => {
      if ((await ctx.promise<boolean>(stopName).peek()) === undefined)
        await ctx.promise<boolean>(stopName).resolve(true);
    }),
    message: brief((ctx, text: string): Promise<number> => inFirstFree(ctx, mailName, () => text)),
    begin: brief((ctx, url: string): Promise<number> =>
      inFirstFree(ctx, placeName, (attempt): ShownAt => ({ url, attempt })),
    ),
    where: brief((ctx, after: number): Promise<ShownAt | null> => newestPlace(sdk, ctx, after)),
    answer: brief(
      async (ctx, { toolUseId, said }: { toolUseId: string; said: unknown }): Promise<boolean> => {
        const promise = ctx.promise<unknown>(answerName(toolUseId));
        if ((await promise.peek()) !== undefined) return false;
        await promise.resolve(said ?? null);
        return true;
      },
    ),
    asking: brief(async (ctx: Sdk.WorkflowSharedContext): Promise<Asking | null> =>
      ctx.get<Asking>("asking"),
    ),
  };
}

/** Under the first number that nobody has taken: whoever reads them does so in this order. */
async function inFirstFree(
  ctx: Sdk.WorkflowSharedContext,
  name: (number: number) => string,
  value: (number: number) => unknown,
): Promise<number> {
  for (let number = 1; ; number += 1) {
    try {
      await ctx.promise<unknown>(name(number)).resolve(value(number));
      return number;
    } catch {
      // It is taken.
    }
  }
}

const placeName = (attempt: number): string => `place-${attempt}`;
const overName = "over";

/** Waits for a try after this one. Null: the life is over. */
async function newestPlace(
  sdk: typeof Sdk,
  ctx: Sdk.WorkflowSharedContext,
  after: number,
): Promise<ShownAt | null> {
  let newest: ShownAt | undefined;
  for (let attempt = after + 1; ; attempt += 1) {
    const known = await ctx.promise<ShownAt>(placeName(attempt)).peek();
    if (known === undefined) break;
    newest = known;
  }
  if (newest) return newest;
  const next = ctx.promise<ShownAt | null>(placeName(after + 1)).get();
  return sdk.RestatePromise.race([next, ctx.promise<null>(overName).get()]);
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
  const leave = (): void => hub.end(life, shown, "left");
  if (attempt.signal.aborted) leave();
  attempt.signal.addEventListener("abort", leave, { once: true });
  try {
    const number = attemptsBefore(job) + (await begin(life));
    const outcome = await drive(job, { ...attempt, number });
    // Nothing that an attempt asks of the engine after its end is ever answered.
    if (attempt.signal.aborted) return { outcome };
    const isMoved = outcome.reason === "moved";
    if (!isMoved && job.spec.carried) forgetPlace(sdk, ctx, job);
    if (!isMoved && job.isCounted) ctx.objectSendClient(queues, job.tenant).over(job.spec.runId);
    const end = isMoved ? { next: goOn(ctx, job, { outcome, key }) } : { outcome };
    await ctx.promise<null>(overName).resolve(null);
    return end;
  } finally {
    counts.driven -= 1;
    counts.ended += 1;
    if (!attempt.signal.aborted) hub.end(life, shown, "end");
  }
}

/** Tries at a life that moved here count on from those at the lives before it. */
const attemptsBefore = ({ spec: { carried } }: RunJob): number =>
  (carried?.metrics.turns ?? 0) * 1_000;

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
  ctx.objectSendClient(places, placeKey(job)).moved(next);
  ctx.workflowSendClient(definition, next).run(signedJob({ ...job, spec }, key));
  return next;
}

const places = { name: services.place } as unknown as ReturnType<typeof placeService>;
const queues = { name: services.queue } as unknown as ReturnType<typeof queueService>;
const placeKey = ({ tenant, spec }: RunJob): string => `${tenant}.${spec.runId}`;

/** As long as the engine knows the run, it is found. */
function forgetPlace(sdk: typeof Sdk, ctx: RunContext, job: RunJob): void {
  const later = sdk.rpc.sendOpts<string>({ delay: limits.restate.retentionMs });
  ctx.objectSendClient(places, placeKey(job)).forget(lifeKey(job.tenant, job.spec), later);
}
