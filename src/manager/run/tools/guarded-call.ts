// A tool call as the orchestrator's rules read it: its path settled, its lines and its command
// named.
import { relative } from "node:path";
import { limits } from "../../../base/limits.ts";
import type { RequestedCall } from "../../../loop/ports.ts";
import type { GuardedCall } from "../../../permissions/orchestrator/orchestrator-rules.ts";
import { isWithin } from "../../../permissions/paths/written-path.ts";
import type { FactsOf, Policy } from "../../../permissions/policy.ts";

export function guardedCall(
  { tool, input }: Pick<RequestedCall, "tool" | "input">,
  { facts, workspace }: { facts: FactsOf; workspace: Policy["workspace"] },
): GuardedCall {
  const { file_path: path, command, offset, limit } = input;
  const call: GuardedCall = { tool, ...(typeof command === "string" ? { command } : {}) };
  if (typeof path !== "string") return call;
  const { real, kind } = facts(path);
  const root = facts(workspace.cwd).real;
  const place = relative(root, real);
  // The folder for progress files is not followed: a link in its place would make everything behind
  // it the agent's own.
  const own = [
    `${root}/.retinue/progress`,
    ...(workspace.memoryDirectory === undefined ? [] : [facts(workspace.memoryDirectory).real]),
  ];
  const lines = {
    offset: typeof offset === "number" ? Math.max(1, offset) : 1,
    limit: typeof limit === "number" ? limit : limits.read.lines,
  };
  return {
    ...call,
    lines,
    file: {
      real,
      shown: place.startsWith("..") ? real : place,
      exists: kind === "file",
      isOwn: own.some((folder) => isWithin(real, folder)),
    },
  };
}
