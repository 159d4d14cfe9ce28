// A tenant's runs as the engine and the tenant's queue know them.
import { limits } from "../../base/limits.ts";
import type { ClusterKey } from "../cluster-key.ts";
import type { Ingress } from "../ingress.ts";
import { lifeKey, signedJob, type RunOrder } from "../run-job.ts";
import { services } from "../services.ts";
import type { QueuedRun } from "../worker/queue-service.ts";
import type { Tenant } from "./tenants.ts";

/** Signs an order that fits the tenant's ceiling. False: it was handed in before. */
export async function handIn(
  { ingress, key, tenant }: { ingress: Ingress; key: ClusterKey; tenant: Tenant },
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
  return ingress.call<boolean>(services.queue, name, { handler: "submit", input });
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
