// What a run has used so far, and whether its budgets still hold.
import type { PermissionDenial, RunMetrics, StateReason } from "../events/outcome.ts";
import { addUsage, noUsage, totalTokens, type Price, type Usage } from "../model/model.ts";
import type { LoopSpec } from "./ports.ts";

export type Tally = { startedAt: number; turns: number; toolUses: number; usage: Usage; denials: PermissionDenial[] };

export const newTally = (now: number): Tally => ({ startedAt: now, turns: 0, toolUses: 0, usage: noUsage, denials: [] });

export function countReply(tally: Tally, usage: Usage): void {
  tally.usage = addUsage(tally.usage, usage);
}

/** USD, or null where the price is not known. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const micro = input_tokens * price.input + output_tokens * price.output + cache_read_input_tokens * price.cacheRead + cache_creation_input_tokens * price.cacheWrite;
  return micro / 1_000_000;
}

/** The limit that is used up, with a sentence; undefined while the run may go on. */
export function spentLimit(tally: Tally, spec: LoopSpec): { reason: StateReason; error: string } | undefined {
  const { maxTurns, maxTokens, maxUsd } = spec.limits;
  if (tally.turns >= maxTurns) return { reason: "max_turns", error: `stopped after ${tally.turns} turns: the limit is ${maxTurns}` };
  const tokens = totalTokens(tally.usage);
  if (maxTokens !== undefined && tokens >= maxTokens) return { reason: "budget", error: `stopped after ${tokens} tokens: the budget is ${maxTokens}` };
  const cost = costOf(tally.usage, spec.price);
  if (maxUsd !== undefined && cost !== null && cost >= maxUsd) return { reason: "budget", error: `stopped after $${cost.toFixed(4)}: the budget is $${maxUsd}` };
  return undefined;
}

export function metricsOf(tally: Tally, spec: LoopSpec, now: number): RunMetrics {
  return {
    turns: tally.turns,
    tool_uses: tally.toolUses,
    tokens_used: totalTokens(tally.usage),
    duration_ms: Math.round(now - tally.startedAt),
    cost_usd: costOf(tally.usage, spec.price),
    usage: tally.usage,
  };
}
