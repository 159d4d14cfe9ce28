// A tool call as the orchestrator's rules read it: its path settled, its lines and its command named.
import { relative } from "node:path";
import type { ToolCall } from "../loop/ports.ts";
import type { GuardedCall } from "../permissions/orchestrator-guard.ts";
import { isWithin } from "../permissions/path-text.ts";
import type { FactsOf, Policy } from "../permissions/policy.ts";

export function guardedCall({ tool, input }: Pick<ToolCall, "tool" | "input">, { facts, workspace }: { facts: FactsOf; workspace: Policy["workspace"] }): GuardedCall {
  const { file_path: path, command, offset, limit } = input;
  const call: GuardedCall = { tool, ...(typeof command === "string" ? { command } : {}) };
  if (typeof path !== "string") return call;
  const { real, kind } = facts(path);
  const place = relative(facts(workspace.cwd).real, real);
  const own = [`${workspace.cwd}/.retinue/progress`, ...(workspace.memoryDirectory === undefined ? [] : [workspace.memoryDirectory])];
  const lines = typeof offset === "number" || typeof limit === "number" ? { lines: { offset: Number(offset ?? 1) || 1, limit: Number(limit ?? Infinity) } } : {};
  return { ...call, ...lines, file: { real, shown: place.startsWith("..") ? real : place, exists: kind === "file", isOwn: own.some((folder) => isWithin(real, facts(folder).real)) } };
}
