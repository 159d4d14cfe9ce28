// Context by phase, measured: what each agent had in front of it, what one conversation doing the
// same work would have held, and by how much the orchestrator's own context grew.
import { limits } from "../base/limits.ts";
import { countTokens } from "../base/text/tokens.ts";
import { readRunContext, type RunContext } from "./run-context.ts";

/**
 * A phase as it was run: its transcripts, or, where no model was at work, the tokens of what was
 * looked at. `handedBack`: all that the orchestrator keeps of it.
 */
export type PhaseContext = {
  phase: string;
  agent: string;
  transcripts: readonly string[];
  contextTokens?: number;
  handedBack: string;
};

export type ContextRow = {
  phase: string;
  agent: string;
  /** The fullest context of the phase's own runs. */
  sub_agent: number;
  /** One conversation that has done this phase and all before it. */
  single_context: number;
  saved_percent: number;
  /** What the phase adds to the orchestrator. */
  orchestrator: number;
};

export type ContextReport = {
  rows: ContextRow[];
  total: { sub_agents: number; largest: number; single_context: number; orchestrator: number };
  limit: { orchestrator_per_phase: number; holds: boolean };
};

export async function contextReport(
  phases: readonly PhaseContext[],
): Promise<{ report: ContextReport; runs: (RunContext & { agent: string })[] }> {
  const rows: ContextRow[] = [];
  const runs: (RunContext & { agent: string })[] = [];
  const seen = new Set<string>();
  let single = 0;
  for (const { phase, agent, transcripts, contextTokens = 0, handedBack } of phases) {
    const own = await Promise.all(transcripts.map(readRunContext));
    // One conversation has one system prompt, the first.
    if (runs.length === 0) single += own[0]?.systemTokens ?? 0;
    runs.push(...own.map((run) => ({ ...run, agent })));
    single += contextTokens;
    for (const { tokens, key } of own.flatMap(({ pieces }) => pieces)) {
      if (key !== undefined && seen.has(key)) continue;
      if (key !== undefined) seen.add(key);
      single += tokens;
    }
    const used = Math.max(contextTokens, ...own.map(({ tokens }) => tokens));
    rows.push({
      phase,
      agent,
      sub_agent: used,
      single_context: single,
      saved_percent: single > 0 ? Math.round(100 * (1 - used / single)) : 0,
      orchestrator: countTokens(handedBack),
    });
  }
  return { report: { rows, ...totals(rows) }, runs };
}

function totals(rows: readonly ContextRow[]): Pick<ContextReport, "total" | "limit"> {
  const sum = (key: "sub_agent" | "orchestrator"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    total: {
      sub_agents: sum("sub_agent"),
      largest: Math.max(0, ...rows.map((row) => row.sub_agent)),
      single_context: rows.at(-1)?.single_context ?? 0,
      orchestrator: sum("orchestrator"),
    },
    limit: {
      orchestrator_per_phase: limits.orchestrator.phaseTokens,
      holds: rows.every((row) => row.orchestrator <= limits.orchestrator.phaseTokens),
    },
  };
}
