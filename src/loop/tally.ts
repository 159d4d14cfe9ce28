// What a run has used so far, and whether its budgets still allow more.
import { counted } from "../base/text/grouped.ts";
import type { Carried, PermissionDenial, RunMetrics, StateReason } from "../events/outcome.ts";
import { addUsage, noUsage, totalTokens, type Price, type Usage } from "../model/model.ts";
import { costUsd } from "../model/prices.ts";
import type { LoopSpec } from "./ports.ts";

export type Tally = {
  startedAt: number;
  turns: number;
  toolUses: number;
  usage: Usage;
  /** USD; null if the price is unknown. */ cost: number | null;
  denials: PermissionDenial[];
};

/** Continues the count of a run that was moved here. */
export function newTally(now: number, carried?: Carried): Tally {
  if (!carried)
    return { startedAt: now, turns: 0, toolUses: 0, usage: noUsage, cost: 0, denials: [] };
  const { turns, tool_uses, usage, cost_usd, duration_ms } = carried.metrics;
  return {
    startedAt: now - duration_ms,
    turns,
    toolUses: tool_uses,
    usage,
    cost: turns === 0 ? 0 : cost_usd,
    denials: [...carried.permission_denials],
  };
}

/** Costs are added reply by reply: some prices depend on the length of the prompt. */
export function countReply(tally: Tally, usage: Usage, price: Price | undefined): void {
  tally.usage = addUsage(tally.usage, usage);
  const cost = costUsd(usage, price);
  tally.cost = tally.cost === null || cost === null ? null : tally.cost + cost;
}

/** The limit that is used up, with a sentence; undefined while the run may continue. */
export function spentLimit(
  tally: Tally,
  spec: LoopSpec,
): { reason: StateReason; error: string } | undefined {
  const { maxTurns, maxTokens, maxUsd } = spec.limits;
  if (tally.turns >= maxTurns)
    return {
      reason: "max_turns",
      error: `stopped after ${counted(tally.turns, "turn")}: the limit is ${maxTurns}`,
    };
  const tokens = totalTokens(tally.usage);
  if (maxTokens !== undefined && tokens >= maxTokens)
    return {
      reason: "budget",
      error: `stopped after ${counted(tokens, "token")}: the budget is ${maxTokens}`,
    };
  if (maxUsd !== undefined && tally.cost !== null && tally.cost >= maxUsd)
    return {
      reason: "budget",
      error: `stopped after $${tally.cost.toFixed(4)}: the budget is $${maxUsd}`,
    };
  return undefined;
}

export function metricsOf(tally: Tally, now: number): RunMetrics {
  return {
    turns: tally.turns,
    tool_uses: tally.toolUses,
    tokens_used: totalTokens(tally.usage),
    duration_ms: Math.round(now - tally.startedAt),
    cost_usd: tally.turns === 0 ? null : tally.cost,
    usage: tally.usage,
  };
}
