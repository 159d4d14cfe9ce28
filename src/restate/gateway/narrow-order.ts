// Holds an order against its tenant's ceiling: what is wider is refused in words, numbers are
// lowered, and the tenant's deny rules are added.
import { resolve } from "node:path";
import { isInsideFolder } from "../../base/files/scan-folder.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunOrder } from "../run-job.ts";
import type { Tenant } from "./tenants.ts";

export type Narrowed = { ok: true; order: RunOrder } | { ok: false; problem: string };

export function narrowOrder(order: RunOrder, tenant: Tenant, now: number): Narrowed {
  const problem = tooWide(order, tenant) ?? tooLate(order.spec, now);
  if (problem !== undefined) return { ok: false, problem };
  const { spec } = order;
  const { policy, limits } = spec;
  const narrowed: RunSpec = {
    ...spec,
    limits: {
      ...limits,
      maxTurns: Math.min(limits.maxTurns, tenant.maxTurns),
      timeoutMs: Math.min(limits.timeoutMs, tenant.timeoutMs),
    },
    policy: {
      ...policy,
      rules: { ...policy.rules, deny: [...new Set([...policy.rules.deny, ...tenant.deny])] },
    },
  };
  return { ok: true, order: { ...order, spec: narrowed } };
}

function tooWide({ spec }: RunOrder, tenant: Tenant): string | undefined {
  const { name, modes } = tenant;
  const { policy, tools, model, mcpServers } = spec;
  if (!modes.includes(policy.mode))
    return `the mode ${policy.mode} is wider than ${name} may ask for (${modes.join(", ")})`;
  const tool = tools.find((one) => !isNamed(tenant.tools, one));
  if (tool !== undefined) return `${name} may not use the tool ${tool}`;
  if (!isNamed(tenant.models, model)) return `${name} may not use the model ${model}`;
  if (tenant.tools !== "*" && mcpServers.some(({ config }) => config !== undefined))
    return `${name} may not bring MCP servers of its own`;
  const outside = pathsOf(spec).find((path) => !isInFolders(tenant.folders, path));
  return outside === undefined ? undefined : `${outside} is outside of the folders of ${name}`;
}

const isNamed = (allowed: Tenant["tools"], name: string): boolean =>
  allowed === "*" || allowed.includes(name);

const isInFolders = (folders: Tenant["folders"], path: string): boolean =>
  folders === "*" ||
  (resolve(path) === path && folders.some((folder) => isInsideFolder(path, resolve(folder))));

const pathsOf = ({ place, policy: { workspace }, memoryDir }: RunSpec): string[] => [
  place.cwd,
  ...(place.from === undefined ? [] : [place.from]),
  workspace.cwd,
  workspace.root,
  ...workspace.additionalDirectories,
  ...(memoryDir === undefined ? [] : [memoryDir]),
  ...(workspace.memoryDirectory === undefined ? [] : [workspace.memoryDirectory]),
];

/** The clocks of two machines differ by no more than this. */
const skewMs = 300_000;

/** A submit that somebody has kept and sends again much later starts nothing. */
function tooLate({ startedAt, limits: { timeoutMs } }: RunSpec, now: number): string | undefined {
  if (startedAt > now + skewMs) return "it says that it was settled in the future";
  return startedAt + timeoutMs + skewMs < now ? "its time was over before it came" : undefined;
}
