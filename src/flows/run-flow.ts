// Runs a flow over a manager: journal first, then the pattern; every phase is on record and in the
// progress file before the next one starts.
import { RetinueError } from "../base/errors.ts";
import type { MayRun } from "../checks/validate-project.ts";
import type { Aggregate } from "../contract/aggregate/aggregate-reports.ts";
import type { FoldedChecks } from "../contract/aggregate/fold-checks.ts";
import type { Decision } from "../contract/axes.ts";
import type { Manager } from "../manager/agents/manager.ts";
import { branch } from "../patterns/branch.ts";
import {
  usualPolicy,
  type Delegate,
  type FlowPorts,
  type LookResult,
  type PhaseRecord,
} from "../patterns/flow.ts";
import { parallel } from "../patterns/parallel.ts";
import { sequence } from "../patterns/sequence.ts";
import { delegateOver } from "./delegate.ts";
import type { ContextReport } from "./context-report.ts";
import {
  continueJournal,
  createJournal,
  type FlowHeader,
  type FlowPattern,
  type Journal,
} from "./journal.ts";
import type { LoadedJournal } from "./load-journal.ts";
import { measureFlow, type FlowCounts } from "./measuring/measure-flow.ts";
import type { Measure } from "./measuring/measure-rules.ts";
import { analyzerPhase, branchPaths } from "./phases.ts";
import { keepHistory, withValidator, type KeptHistory } from "./with-validator.ts";
import { writeProgress } from "./progress.ts";

export type FlowParts = {
  manager: Pick<Manager, "spawn" | "resume" | "definitions" | "list">;
  root: string;
  journalPath: string;
  spillDir: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Asked before a command of the project runs. */
  mayRun: MayRun;
  ask?: FlowPorts["ask"];
  confirm?: FlowPorts["confirm"];
  maxConcurrent?: number;
  /** The flow can be continued by this id from now on. */
  onOpen?: (flowId: string) => void;
  onPhase?: (entry: PhaseRecord) => void;
  /** A phase begins, or another try of it. */
  onPhaseStart?: (phase: string, agent: string) => void;
  onStart?: (agent: string, agentId: string, phase: string) => void;
  transcriptOf: (agentId: string) => string;
};

/** What a flow came back with: its decision, its phases, and what they cost. */
export type FlowOutcome = {
  flow_id: string;
  pattern: FlowPattern;
  decision: Decision;
  phases: PhaseRecord[];
  /** Of parallel tasks: decision and findings of each, by task id. */ checks?: FoldedChecks["checks"];
  issues: string[];
  warnings: string[];
  reason?: string;
  suggestion?: string;
  questions?: string[];
  /** All findings folded into one; absent where nobody had any. */ aggregate?: Aggregate;
  second_looks: LookResult[];
  /** The contract's rules, as far as the flow can be measured against them. */ measures: Measure[];
  /** Context by phase. */ context: ContextReport;
};

/** What is new in a flow that goes on. */
export type Continued = { journal: LoadedJournal; answers: readonly string[] };

/** A new flow, or the rest of one whose journal was loaded. */
export async function runFlow(
  header: FlowHeader,
  parts: FlowParts,
  earlier?: Continued,
): Promise<FlowOutcome> {
  const journal = earlier
    ? continueJournal(parts.journalPath, earlier.journal)
    : createJournal(parts.journalPath, header);
  let hasBegun = earlier !== undefined;
  try {
    return await runWith(journal, header, {
      parts: noting(parts, () => (hasBegun = true)),
      ...(earlier ? { earlier } : {}),
    });
  } catch (error) {
    // Without a key, say, no agent ever started: that is no interrupted flow.
    if (!hasBegun && error instanceof RetinueError) journal.discard();
    throw error;
  } finally {
    journal.close();
  }
}

/** Tells when the first agent started, or the first phase is on record. */
function noting(parts: FlowParts, onBegin: () => void): FlowParts {
  return {
    ...parts,
    onStart(...started) {
      onBegin();
      parts.onStart?.(...started);
    },
    onPhase(entry) {
      onBegin();
      parts.onPhase?.(entry);
    },
  };
}

async function runWith(
  journal: Journal,
  header: FlowHeader,
  { parts, earlier }: { parts: FlowParts; earlier?: Continued },
): Promise<FlowOutcome> {
  const kept = keepHistory(parts, {
    hasValidator:
      header.pattern === "branch" || header.phases.some(({ agent }) => agent === "validator"),
    isNew: earlier === undefined,
  });
  let isDone = false;
  const finished = earlier?.journal.entries ?? [];
  const warnings: string[] = [...(earlier?.journal.problems ?? [])];
  try {
    if (earlier && earlier.answers.length > 0) journal.answers(earlier.answers);
    parts.onOpen?.(header.flowId);
    const seen: FlowCounts = {
      atOnce: 0,
      mostAtOnce: 0,
      told: finished.length,
      noted: finished.length,
    };
    const ports = portsOf(header, parts, {
      journal,
      entries: [...finished],
      warnings,
      finished,
      reports: earlier?.journal.reports,
      seen,
      history: kept.history,
    });
    const result = await runPattern(header, ports, { parts, warnings });
    const stillRunning = parts.manager.list().length;
    journal.end(result.decision, result.questions);
    isDone = result.decision === "PROCEED";
    const independent =
      header.pattern === "parallel"
        ? Math.min(header.phases.length, parts.maxConcurrent ?? header.phases.length)
        : 0;
    return {
      flow_id: header.flowId,
      pattern: header.pattern,
      ...result,
      ...(await measureFlow(result, {
        ...seen,
        stillRunning,
        independent,
        transcriptOf: parts.transcriptOf,
      })),
    };
  } finally {
    kept.close(isDone);
  }
}

type Live = {
  journal: Journal;
  entries: PhaseRecord[];
  warnings: string[];
  finished: readonly PhaseRecord[];
  reports?: LoadedJournal["reports"] | undefined;
  seen: FlowCounts;
  history: KeptHistory["history"];
};

function portsOf(
  header: FlowHeader,
  parts: FlowParts,
  { journal, entries, warnings, finished, reports, seen, history }: Live,
): FlowPorts {
  let tasks = entries.length;
  return {
    delegate: counted(withValidator(delegateOver(parts), parts, history), seen, parts),
    newTaskId: (phase) => `${header.flowId}-${phase}-${++tasks}`,
    finished,
    knows: (agent) => parts.manager.definitions().has(agent),
    ...(reports ? { reports } : {}),
    record(entry, report) {
      journal.record(entry, report);
      entries.push(entry);
      const left = header.phases
        .map(({ name }) => name)
        .filter((name) => !entries.some((done) => done.phase === name));
      const problem = writeProgress(parts.root, {
        flow: { id: header.flowId, pattern: header.pattern, feature: header.task.feature },
        phases: entries,
        todos: left,
        warnings: [...warnings, ...gapsOf(entries)],
      });
      if (problem === undefined) seen.noted += 1;
      else if (!warnings.includes(problem)) warnings.push(problem);
      parts.onPhase?.(entry);
      seen.told += 1;
    },
    ...(parts.ask ? { ask: parts.ask } : {}),
    ...(parts.confirm ? { confirm: parts.confirm } : {}),
  };
}

/**
 * Agents that gave nothing usable, in the contract's words; one that did in a later try is none.
 */
function gapsOf(entries: readonly PhaseRecord[]): string[] {
  const latest = new Map(entries.map((entry) => [`${entry.phase} ${entry.agent}`, entry]));
  return [
    ...new Set(
      [...latest.values()]
        .filter(({ status }) => status !== "done")
        .map(({ agent }) => `Agent ${agent} failed, results may be incomplete`),
    ),
  ];
}

async function runPattern(
  header: FlowHeader,
  ports: FlowPorts,
  { parts, warnings }: { parts: FlowParts; warnings: string[] },
): Promise<Omit<FlowOutcome, "flow_id" | "pattern" | "measures" | "context">> {
  const { task, phases, pattern } = header;
  const policy = { ...usualPolicy, secondLooks: header.secondLooks ?? usualPolicy.secondLooks };
  if (pattern === "parallel") {
    const {
      questions,
      warnings: more,
      ...folded
    } = await parallel({
      task,
      phases,
      ports,
      policy,
      ...(parts.maxConcurrent === undefined ? {} : { maxConcurrent: parts.maxConcurrent }),
    });
    return {
      ...folded,
      warnings: [...warnings, ...more],
      ...(questions.length > 0 ? { questions } : {}),
    };
  }
  const result =
    pattern === "branch"
      ? await branch({ task, analyzer: analyzerPhase, paths: branchPaths, ports, policy })
      : await sequence({ task, phases, ports, policy });
  const { reason, suggestion, questions, aggregate, second_looks } = result;
  return {
    decision: result.decision,
    phases: result.phases,
    issues: [],
    warnings: [...warnings, ...result.warnings],
    second_looks,
    ...(aggregate ? { aggregate } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(questions ? { questions } : {}),
  };
}

function counted(
  delegate: Delegate,
  seen: FlowCounts,
  { onPhaseStart }: Pick<FlowParts, "onPhaseStart">,
): Delegate {
  return async (agent, request) => {
    onPhaseStart?.(request.phase, agent);
    seen.atOnce += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
    try {
      return await delegate(agent, request);
    } finally {
      seen.atOnce -= 1;
    }
  };
}
