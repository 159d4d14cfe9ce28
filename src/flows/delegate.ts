// One task to one agent of a manager, and its answer back as a delivery: read, checked, repaired
// once, never trusted unread.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RetinueError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { countTokens } from "../base/text/tokens.ts";
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import {
  decisionOf,
  readOutcome,
  worstOutcome,
  type Outcome,
  type Trust,
} from "../contract/axes.ts";
import {
  checkRequest,
  checkResponse,
  type CheckedResponse,
} from "../contract/handoff/check-response.ts";
import { fitSummary } from "../contract/handoff/fit-summary.ts";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff/handoff.ts";
import { jsonInText } from "../contract/handoff/json-in-text.ts";
import { parseReport } from "../contract/report/parse-report.ts";
import type { AgentResult } from "../manager/session/agent-result.ts";
import type { Manager } from "../manager/agents/manager.ts";
import type { Delegate, Delivery } from "../patterns/flow.ts";
import { renderHandoff } from "./render-handoff.ts";
import { verdictOf, type AnswerVerdict } from "./verdict-of.ts";

export type DelegateParts = {
  manager: Pick<Manager, "spawn" | "resume">;
  /** Where texts go that are too long to be passed on. */ spillDir: string;
  onStart?: (agent: string, agentId: string, phase: string) => void;
};

/** Throws for a request that must not be sent; everything an agent does wrong is in the delivery. */
export function delegateOver({ manager, spillDir, onStart }: DelegateParts): Delegate {
  return async (agent, request) => {
    const checked = checkRequest(request);
    if (!checked.ok)
      throw new RetinueError(
        "usage",
        `handoff to ${agent}: ${checked.problems.map(({ field, message }) => `${field}: ${message}`).join("; ")}`,
      );
    const run = manager.spawn({
      subagent_type: agent,
      description: `${request.phase}: ${request.context.feature}`.slice(0, 100),
      prompt: renderHandoff(request),
    });
    onStart?.(agent, run.id, request.phase);
    const first = await run.done;
    const read = readAnswer(first, request);
    // One repair: what the verifier has sent back already is not sent back again for its words.
    const hadItsChance = first.verification?.["repair"] != null;
    const fits = hadItsChance ? readAnswer(first, request, spillDir) : read;
    if (fits.ok || (hadItsChance && fits.is_unreadable) || first.state !== "completed")
      return delivery(agent, request, { result: first, read: fits });
    const second = await manager.resume(run.id, repairPrompt(fits.problems)).done;
    const earlierTokens = first.metrics.tokens_used;
    // After the one repair a summary that is too long is fitted, its own before the first answer's.
    const again = readAnswer(second, request, spillDir);
    const fitted = readAnswer(first, request, spillDir);
    if (!again.ok && fitted.ok)
      return delivery(agent, request, {
        result: { ...first, metrics: second.metrics },
        read: fitted,
        earlierTokens,
      });
    return delivery(agent, request, { result: second, read: again, earlierTokens });
  };
}

const sayShorter = "are passed on: say it shorter, and keep the paths and names";
const sendAgain = "Send it again, complete and in the form that was asked for, and nothing else.";

function repairPrompt(problems: readonly { field: string; message: string }[]): string {
  const listed = problems.map(({ field, message }) => `- ${field}: ${message}`).join("\n");
  return `Your answer could not be used:\n${listed}\n${sendAgain}`;
}

/**
 * JSON where it is there, else a report in the contract's form. A summary over the budget is a
 * problem, unless there is a folder for its full text.
 */
function readAnswer(
  result: AgentResult,
  request: HandoffRequest,
  spillDir?: string,
): CheckedResponse {
  const facts = {
    task_id: request.task_id,
    phase: request.phase,
    tokens_used: result.metrics.tokens_used,
  };
  const found = jsonInText(result.content);
  const read = found.ok
    ? checkResponse(found.value, facts)
    : fromReport(result.content, facts, found.problem);
  if (!read.ok) return read;
  const { context_summary } = read.response;
  if (spillDir !== undefined)
    return {
      ...read,
      response: {
        ...read.response,
        context_summary: fittedSummary(context_summary, { spillDir, taskId: request.task_id }),
      },
    };
  const tokens = countTokens(context_summary);
  return tokens <= limits.report.summaryTokens
    ? read
    : {
        ok: false,
        is_unreadable: false,
        problems: [
          {
            field: "context_summary",
            message: `${tokens} tokens, at most ${limits.report.summaryTokens} ${sayShorter}`,
          },
        ],
      };
}

/** Summary to context_summary, Issues to issues, Findings to findings. */
function fromReport(
  text: string,
  facts: { task_id: string; phase: string; tokens_used: number },
  problem: string,
): CheckedResponse {
  const report = parseReport(text);
  const outcome = report.outcome;
  if (outcome === null || report.summary === "")
    return {
      ok: false,
      problems: [{ field: "answer", message: problem }],
      is_unreadable: false,
    };
  const critical = report.issues.some(({ severity }) => severity === "critical");
  return checkResponse(
    {
      status: outcome,
      decision:
        report.decision ??
        report.decision_words ??
        decisionOf(outcome, { critical, answerable: report.questions.length > 0 }),
      ...(report.questions.length > 0 ? { questions: report.questions } : {}),
      findings: {
        findings: report.findings.map(({ id, title, location, severity }) => ({
          id,
          title,
          location,
          severity,
        })),
        ...(report.file_claims.length > 0
          ? { files_changed: report.file_claims.map(({ path }) => path) }
          : {}),
      },
      context_summary: report.summary,
      issues: report.issues.map(({ title, description }) =>
        description ? `${title}: ${description}` : title,
      ),
      blockers: report.blockers,
      ...(report.error ? { error: report.error } : {}),
    },
    facts,
  );
}

/** A summary over the budget keeps its first whole sentences; the full text goes to a file that it names. */
function fittedSummary(
  summary: string,
  { spillDir, taskId }: { spillDir: string; taskId: string },
): string {
  const path = join(spillDir, `summary-${taskId.replace(/[^\w-]/g, "_")}.txt`);
  const fitted = fitSummary(summary, path);
  if (!fitted.cut) return summary;
  mkdirSync(spillDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, summary, { mode: 0o600 });
  return fitted.text;
}

function delivery(
  agent: string,
  request: HandoffRequest,
  {
    result,
    read,
    earlierTokens = 0,
  }: { result: AgentResult; read: CheckedResponse; earlierTokens?: number },
): Delivery {
  const found = verdictOf(result, read.ok ? read.response.decision : null, request);
  const response: HandoffResponse | null =
    read.ok && result.state === "completed"
      ? {
          ...read.response,
          tokens_used: read.response.tokens_used + earlierTokens,
          ...found.override,
        }
      : null;
  return {
    task_id: request.task_id,
    agent,
    run_ids: [result.agent_id],
    state: result.state,
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    outcome: worstOutcome([outcomeOf(result, read), ...found.outcome]),
    response,
    partial: result.content,
    ...(read.ok
      ? {}
      : {
          problem: read.problems
            .map(({ field, message }) => `${field}: ${message}`)
            .join("; ")
            .slice(0, 500),
          is_unreadable: read.is_unreadable,
        }),
    ...overriddenIn(read, found),
    trust: found.trust,
    verification: result.verification,
    ...(response
      ? reportOf(response, {
          result,
          outcome: worstOutcome([outcomeOf(result, read), ...found.outcome]),
          trust: found.trust,
        })
      : {}),
  };
}

/** The agent's word, where the contract or the evidence has another one. */
function overriddenIn(read: CheckedResponse, found: AnswerVerdict): Pick<Delivery, "overridden"> {
  if (!read.ok) return {};
  const { claimed, overridden, failed_checks = found.failedChecks } = read.settled;
  const why = overridden ?? found.override.reason;
  if (why === undefined) return {};
  return { overridden: { claimed, why, ...(failed_checks.length > 0 ? { failed_checks } : {}) } };
}

/** What the verifier left of the findings, as aggregation takes it; our own data, so its shape is known. */
function reportOf(
  response: HandoffResponse,
  { result, outcome, trust }: { result: AgentResult; outcome: Outcome; trust: Trust },
): Pick<Delivery, "report"> {
  const { findings, assertions, tests, model } = (result.verification ?? {}) as unknown as Partial<
    Pick<VerifiedReport, "findings" | "assertions" | "tests" | "model">
  >;
  if (!Array.isArray(findings)) return {};
  return {
    report: {
      task_id: response.task_id,
      agent_id: result.agent_id,
      agent_type: result.agent_type,
      model: model ?? null,
      required: true,
      outcome,
      decision: response.decision,
      trust,
      findings,
      assertions: assertions ?? [],
      tests: tests ?? null,
      issues: response.issues,
    },
  };
}

function outcomeOf(result: AgentResult, read: CheckedResponse): Outcome {
  if (result.state === "completed") return read.ok ? read.outcome : "INVALID";
  return read.ok || readOutcome(parseReport(result.content).status_words ?? "") !== null
    ? "PARTIAL"
    : "INVALID";
}
