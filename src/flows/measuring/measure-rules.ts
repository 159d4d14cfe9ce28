// The contract's rules for orchestrators and their agents as far as a flow can be measured against
// them: a number, its limit, and whether it holds.
import { limits } from "../../base/limits.ts";
import { countTokens } from "../../base/text/tokens.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import type { ContextReport } from "../context-report.ts";
import type { RunContext } from "../run-context.ts";

export type Measure = {
  level: "L1" | "L2" | "L3";
  rule: string;
  value: number;
  /** At most, or for `at_least` at least. */ limit: number;
  at_least?: true;
  holds: boolean;
  detail: string;
};

export type Measured = {
  phases: readonly PhaseRecord[];
  context: ContextReport;
  runs: readonly (RunContext & { agent: string })[];
  /** Phases that ask for nothing of one another. */
  independent: number;
  /** The most agents that were at work at the same time. */
  mostAtOnce: number;
  /** Agents that were at work when the flow had its result. */
  stillRunning: number;
  /** Phases that were told before the next one started, and that are in the progress file. */
  told: number;
  noted: number;
  warnings: readonly string[];
};

export function measureRules(flow: Measured): Measure[] {
  return [...orchestratorMeasures(flow), ...agentMeasures(flow)];
}

const most = (
  level: Measure["level"],
  rule: string,
  { value, limit, detail }: { value: number; limit: number; detail: string },
): Measure => ({ level, rule, value, limit, holds: value <= limit, detail });
const least = (
  level: Measure["level"],
  rule: string,
  { value, limit, detail }: { value: number; limit: number; detail: string },
): Measure => ({ level, rule, value, limit, at_least: true, holds: value >= limit, detail });

function orchestratorMeasures({
  phases,
  context,
  runs,
  independent,
  mostAtOnce,
  stillRunning,
  told,
  noted,
  warnings,
}: Measured): Measure[] {
  const largest = context.rows.reduce(
    (worst, row) => (row.orchestrator > worst.orchestrator ? row : worst),
    { phase: "no phase", orchestrator: 0 },
  );
  const unfinished = phases.filter(({ status }) => status !== "done");
  return [
    most("L1", "wait-for-agents", {
      value: stillRunning,
      limit: 0,
      detail: "agents at work when the result was put together",
    }),
    most("L1", "orchestrator-context", {
      value: largest.orchestrator,
      limit: limits.orchestrator.phaseTokens,
      detail: `tokens that one phase added to the orchestrator (${largest.phase})`,
    }),
    least("L2", "parallel-agents", {
      value: mostAtOnce,
      limit: independent > 1 ? Math.min(2, independent) : 0,
      detail: "agents at work at the same time",
    }),
    least("L2", "results-presented", {
      value: told,
      limit: phases.length,
      detail: "phases shown before the next one started",
    }),
    least("L2", "progress-updated", {
      value: noted,
      limit: phases.length,
      detail: "phases written to the progress file",
    }),
    least("L2", "model-per-task", {
      value: new Set(runs.map(({ model }) => model)).size,
      limit: Math.min(1, runs.length),
      detail: modelsOf(runs),
    }),
    least("L3", "split-work", {
      value: runs.length,
      limit: Math.min(1, phases.length),
      detail: `delegations: ${countsOf(phases.map(({ phase, run_ids }) => [phase, run_ids.length]))}`,
    }),
    least("L3", "failures-documented", {
      value: warnings.filter((warning) => warning.includes("results may be incomplete")).length,
      limit: unfinished.filter(({ status }) => status === "skipped").length,
      detail: "agents that failed and are named in the warnings",
    }),
  ];
}

function agentMeasures({ phases, runs }: Measured): Measure[] {
  const summaries = phases.map(({ phase, context_summary }) => ({
    phase,
    tokens: countTokens(context_summary),
  }));
  const longest = summaries.reduce((worst, one) => (one.tokens > worst.tokens ? one : worst), {
    phase: "no phase",
    tokens: 0,
  });
  const broken = new Map<string, { level: Measure["level"]; rule: string; agents: string[] }>();
  for (const { agent, lint } of runs) {
    for (const { level, rule } of lint) {
      if (level !== "L1" && level !== "L2" && level !== "L3") continue;
      const known = broken.get(rule) ?? { level, rule, agents: [] };
      known.agents.push(agent);
      broken.set(rule, known);
    }
  }
  return [
    most("L1", "summary-budget", {
      value: longest.tokens,
      limit: limits.report.summaryTokens,
      detail: `tokens of the longest summary (${longest.phase})`,
    }),
    ...[...broken.values()].map(({ level, rule, agents }) =>
      most(level, rule, {
        value: agents.length,
        limit: 0,
        detail: `reports that break it: ${[...new Set(agents)].join(", ")}`,
      }),
    ),
  ];
}

function modelsOf(runs: Measured["runs"]): string {
  const names = [...new Set(runs.map(({ agent, model }) => `${agent} ${model ?? "unknown"}`))];
  return names.length > 0 ? `runs by model: ${names.join(", ")}` : "no model was used";
}

const countsOf = (pairs: readonly (readonly [string, number])[]): string =>
  pairs.map(([name, count]) => `${name} ${count}`).join(", ") || "none";
