// A tenant's runs as the engine and the tenant's queue know them.
import { limits } from "../../base/limits.ts";
import type { ClusterKey } from "../cluster-key.ts";
import type { Ingress } from "../ingress.ts";
import { lifeKey, signedJob, type RunOrder } from "../run-job.ts";
import { services } from "../services.ts";
import type { QueuedRun } from "../worker/queue-service.ts";
import { gatherCalls } from "./gathered-calls.ts";
import type { Tenant } from "./tenants.ts";

/** Hands runs in; those of one tenant, which wait for each other, together. */
export class TenantQueues {
  readonly #ingress: Ingress;
  readonly #submits = new Map<string, (run: QueuedRun) => Promise<boolean>>();

  constructor(ingress: Ingress) {
    this.#ingress = ingress;
  }

  /** False: it was handed in before. */
  submit(tenant: string, run: QueuedRun): Promise<boolean> {
    const known = this.#submits.get(tenant);
    const submit = known ?? this.#gathered(tenant);
    if (!known) this.#submits.set(tenant, submit);
    return submit(run);
  }

  #gathered(tenant: string): (run: QueuedRun) => Promise<boolean> {
    const call = { handler: "submit" };
    return gatherCalls({
      work: (input: QueuedRun[]) =>
        this.#ingress.call<boolean[]>(services.queue, tenant, { ...call, input }),
      sizeOf: ({ job }) => job.job.length,
      mostSize: limits.restate.submitCharacters,
    });
  }
}

type Door = { ingress: Ingress; key: ClusterKey; tenant: Tenant; queues: TenantQueues };

/** Signs an order that fits the tenant's ceiling. False: it was handed in before. */
export async function handIn(
  { ingress, key, tenant, queues }: Door,
  order: RunOrder,
): Promise<boolean> {
  const { name, maxRuns } = tenant;
  const isCounted = maxRuns !== "*";
  const { runId, startedAt, limits: most } = order.spec;
  const life = lifeKey(name, order.spec);
  const job = signedJob({ ...order, version: 1, tenant: name, isCounted }, key);
  if (!isCounted) return ingress.submit(life, job);
  if (await ingress.isKnown(life)) return false;
  const untilMs = startedAt + most.timeoutMs + limits.restate.retentionMs;
  const input: QueuedRun = { runId, life, job, maxRuns, atMs: Date.now(), untilMs };
  return queues.submit(name, input);
}

export class TenantRun {
  readonly #ingress: Ingress;
  readonly #tenant: Tenant;
  readonly #runId: string;

  constructor(ingress: Ingress, tenant: Tenant, runId: string) {
    this.#ingress = ingress;
    this.#tenant = tenant;
    this.#runId = runId;
  }

  get #first(): string {
    return lifeKey(this.#tenant.name, { runId: this.#runId });
  }

  /** The part of the run that lives now: the first one unless it has moved on. */
  async newest(): Promise<string> {
    const place = `${this.#tenant.name}.${this.#runId}`;
    const moved = await this.#ingress.call<string | null>(services.place, place, {
      handler: "life",
    });
    return moved ?? this.#first;
  }

  /** Whether it waits for a place among its tenant's runs, or has one. */
  async isQueued(): Promise<boolean> {
    return this.#tenant.maxRuns !== "*" && this.#queue<boolean>("has");
  }

  /** A life by which the engine knows it; undefined where the tenant has no such run. */
  async known(): Promise<string | undefined> {
    if (await this.#ingress.isKnown(this.#first)) return this.#first;
    const life = await this.newest();
    return life !== this.#first || (await this.isQueued()) ? life : undefined;
  }

  /** One that was told to stop need not wait for its turn. */
  async hurry(): Promise<void> {
    if (this.#tenant.maxRuns !== "*") await this.#queue("hurry");
  }

  #queue<T>(handler: string): Promise<T> {
    const input = this.#runId;
    return this.#ingress.call<T>(services.queue, this.#tenant.name, { handler, input });
  }
}
