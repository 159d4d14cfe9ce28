// A run as it travels through the engine: a settled spec with what its session has approved, signed
// by a gateway for one tenant and one life. It holds no environment and no key.
import { isObject } from "../base/data/json.ts";
import { isAgentId, isUuid } from "../base/ids.ts";
import { readRunSpec } from "../events/read-run-spec.ts";
import type { RunSpec } from "../events/run-spec.ts";
import type { ClusterKey } from "./cluster-key.ts";

/** What a client hands in. */
export type RunOrder = {
  spec: RunSpec;
  /** What was answered with "always" in the session. */
  approvals: string[];
  /** Allow rules that a person gave this run before it started. */
  approved: string[];
  /** Its definition has hooks: a worker without the definition refuses it. */
  hasHooks: boolean;
};

export type RunJob = RunOrder & {
  version: 1;
  tenant: string;
  /** It has a place among its tenant's runs, which is free when it ends. */
  isCounted: boolean;
};

export type SignedJob = { job: string; signature: string };

const tenantPattern = /^[a-z0-9][a-z0-9-]{0,35}$/;

export const isTenant = (value: unknown): value is string =>
  typeof value === "string" && tenantPattern.test(value);

/** The engine's key of one life; a run that moved on has one for each of its parts. */
export const lifeKey = (tenant: string, { runId, carried }: Pick<RunSpec, "runId" | "carried">) =>
  `${tenant}.${runId}.${carried?.metrics.turns ?? 0}`;

export const signedJob = (job: RunJob, key: ClusterKey): SignedJob => {
  const text = JSON.stringify(job);
  return { job: text, signature: key.sign(text) };
};

export type ReadJob = { ok: true; job: RunJob } | { ok: false; problem: string };

/** A job that a gateway has signed for the life under this key. */
export function readSignedJob(value: unknown, life: string, key: ClusterKey): ReadJob {
  if (!isObject(value)) return { ok: false, problem: "it is no job" };
  const { job: text, signature } = value;
  if (typeof text !== "string" || typeof signature !== "string")
    return { ok: false, problem: "it has no signature" };
  if (!key.isSigned(text, signature))
    return { ok: false, problem: "its signature is not a gateway's" };
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed) || parsed["version"] !== 1 || !isTenant(parsed["tenant"]))
    return { ok: false, problem: "its version is not one that this worker reads" };
  const read = readOrder(parsed);
  if (!read.ok) return read;
  const { tenant, isCounted } = parsed;
  const job: RunJob = { ...read.order, version: 1, tenant, isCounted: isCounted === true };
  return lifeKey(job.tenant, job.spec) === life
    ? { ok: true, job }
    : { ok: false, problem: "it was signed for another run" };
}

export type ReadOrder = { ok: true; order: RunOrder } | { ok: false; problem: string };

/** What anybody may have sent: everything that is relied on is looked at. */
export function readOrder(value: unknown): ReadOrder {
  if (!isObject(value)) return { ok: false, problem: "expected an object with a spec" };
  const read = readRunSpec(value["spec"]);
  if (!read.ok) return read;
  const problem = specProblem(read.spec);
  if (problem !== undefined) return { ok: false, problem };
  const { approvals, approved, hasHooks } = value;
  if (!isTexts(approvals) || !isTexts(approved) || typeof hasHooks !== "boolean")
    return {
      ok: false,
      problem: "approvals and approved are lists of texts, hasHooks is a yes or no",
    };
  return {
    ok: true,
    order: { spec: read.spec as unknown as RunSpec, approvals, approved, hasHooks },
  };
}

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);

/** By field: what the spec must have there. */
const expectations: Readonly<Record<string, (value: unknown) => boolean>> = {
  runId: isUuid,
  agentId: isAgentId,
  startedAt: isNumber,
  agentType: (value) => typeof value === "string" && value.length <= 200,
  model: (value) => typeof value === "string",
  system: (value) => typeof value === "string",
  prompt: (value) => typeof value === "string",
  isMain: (value) => value === false,
  background: (value) => typeof value === "boolean",
  tools: isTexts,
  mcpServers: Array.isArray,
  session: (value) => isObject(value) && isUuid(value["id"]),
  place: (value) => isObject(value) && typeof value["cwd"] === "string",
  limits: (value) => isObject(value) && isNumber(value["maxTurns"]) && isNumber(value["timeoutMs"]),
  policy: (value) => isObject(value) && isObject(value["rules"]) && isObject(value["workspace"]),
};

function specProblem(spec: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = Object.entries(expectations).find(([field, isRight]) => !isRight(spec[field]));
  return wrong && `its spec has no usable ${wrong[0]}`;
}
