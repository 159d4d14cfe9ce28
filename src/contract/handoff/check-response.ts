// Judges handoffs: a request before it is sent, a response before anyone reads it. Names the
// problem, never a secret's value.
import type { z } from "zod";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { findSecrets, maskSecrets } from "../../base/secrets/find-secrets.ts";
import { oneLine } from "../../base/text/printable.ts";
import { countTokens } from "../../base/text/tokens.ts";
import { decisionOf, readDecision, readOutcome, readSeverity, type Outcome } from "../axes.ts";
import { readFailure } from "../failure.ts";
import { settleDecision, type Settled } from "../trust/settle-decision.ts";
import {
  findingsSchemas,
  handoffRequestSchema,
  handoffResponseSchema,
  type HandoffRequest,
  type HandoffResponse,
} from "./handoff.ts";
import { readChecks, type CheckTeller } from "./read-checks.ts";

export type HandoffProblem = { field: string; message: string };
export type CheckedRequest =
  | { ok: true; request: HandoffRequest }
  | { ok: false; problems: HandoffProblem[] };
export type CheckedResponse =
  | {
      ok: true;
      /** With the decision as it is settled. */
      response: HandoffResponse;
      outcome: Outcome;
      notes: string[];
      /** What the agent said, and why that does not stand. */
      settled: Settled;
    }
  | {
      ok: false;
      problems: HandoffProblem[];
      /** A decision, a status or checks are there and cannot be read: nobody may go on past that. */
      is_unreadable: boolean;
    };

/**
 * Checks a handoff that goes to an agent. A request over its budget or with a secret in it is
 * refused.
 */
export function checkRequest(value: unknown): CheckedRequest {
  const parsed = handoffRequestSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) };
  const { context } = parsed.data;
  const tokens = context.previous_findings === null ? 0 : countTokens(context.previous_findings);
  const budget = limits.report.summaryTokens;
  const problems = [
    ...(tokens > budget
      ? [
          {
            field: "context.previous_findings",
            message: `${tokens} tokens, at most ${budget} are passed on: send the summary, not the findings`,
          },
        ]
      : []),
    ...secretsIn(parsed.data).map(({ field, kind }) => ({
      field,
      message: `contains a secret (${kind}): name where it is kept instead`,
    })),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, request: parsed.data };
}

/** What the runtime knows and fills in. */
export type ResponseFacts = {
  task_id: string;
  phase: string;
  tokens_used: number;
  /** An agent, where it is left out. */
  teller?: CheckTeller;
};

const refused = (problems: HandoffProblem[], is_unreadable: boolean): CheckedResponse => ({
  ok: false,
  problems,
  is_unreadable,
});

/**
 * Checks the answer to a handoff. Fills what is absent, moves what stands in the wrong place,
 * derives status and decision from each other, settles the decision, masks secrets. Another task's
 * id, and what is present and cannot be read, is refused.
 */
export function checkResponse(
  value: Record<string, unknown>,
  facts: ResponseFacts,
): CheckedResponse {
  if (value["task_id"] !== undefined && value["task_id"] !== facts.task_id)
    return refused(
      [
        {
          field: "task_id",
          message: `${JSON.stringify(value["task_id"])} is another task; this one is ${JSON.stringify(facts.task_id)}`,
        },
      ],
      false,
    );
  const checks = readChecks(value, facts.teller ?? "agent");
  const unreadable = [...unreadableWords(value), ...checks.unreadable.slice(0, 20)];
  if (unreadable.length > 0) return refused(unreadable, true);
  const derived = deriveStatus(value);
  if (!derived)
    return refused(
      [
        {
          field: "status",
          message:
            "neither a status (complete, partial, blocked) nor a decision (PROCEED, STOP, CLARIFY)",
        },
      ],
      false,
    );
  const { status, decision: claimed, outcome } = derived;
  const settled = settledBy(claimed, { failedChecks: checks.failed, outcome, facts });
  const phase = value["phase"] ?? facts.phase;
  const findings = gatherFindings(value);
  const { blockers: _blockers, error: _error, ...said } = value;
  const parsed = handoffResponseSchema.safeParse({
    ...said,
    ...readFailure(value),
    ...(settled.overridden === undefined
      ? {}
      : { reason: [settled.overridden, value["reason"]].filter(isWords).join("; ") }),
    phase,
    task_id: facts.task_id,
    tokens_used: facts.tokens_used,
    findings,
    status,
    decision: settled.decision,
  });
  if (!parsed.success) return refused(problemsOf(parsed.error), false);
  const wrong = phaseProblems(facts.phase, findings);
  if (wrong.length > 0) return refused(wrong, false);
  const secrets = secretsIn(parsed.data);
  const response = secrets.length > 0 ? masked(parsed.data, secrets) : parsed.data;
  return {
    ok: true,
    response,
    outcome,
    notes: secrets.map(({ field, kind }) => `${field}: a secret (${kind}) was masked`),
    settled,
  };
}

const isWords = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** The runtime's own validator may ask a person although something did not pass: it was not allowed to run it. */
function settledBy(
  claimed: HandoffResponse["decision"],
  {
    failedChecks,
    outcome,
    facts,
  }: { failedChecks: readonly string[]; outcome: Outcome; facts: ResponseFacts },
): Settled {
  return claimed === "CLARIFY" && facts.teller === "runtime"
    ? { decision: claimed, claimed }
    : settleDecision(claimed, {
        failedChecks,
        contradictions: [],
        outcome,
        trust: null,
        require: null,
      });
}

const noDecision =
  "is none of PROCEED, STOP, CLARIFY: give one of the three words alone, the rest under reason";

/** A status or a decision that is there and says none of the contract's words. */
export function unreadableWords({ status, decision }: Record<string, unknown>): HandoffProblem[] {
  const given = (value: unknown): string => oneLine(JSON.stringify(value) ?? "", 200);
  const problems: HandoffProblem[] = [];
  if (decision !== undefined && readDecision(decision) === null)
    problems.push({ field: "decision", message: `${given(decision)} ${noDecision}` });
  if (status !== undefined && (typeof status !== "string" || readOutcome(status) === null))
    problems.push({
      field: "status",
      message: `${given(status)} is none of complete, partial, blocked`,
    });
  return problems;
}

/** The findings of a phase that has a form of its own. */
function phaseProblems(phase: string, findings: Record<string, unknown>): HandoffProblem[] {
  const schema = Object.hasOwn(findingsSchemas, phase) ? findingsSchemas[phase] : undefined;
  const parsed = schema?.safeParse(findings);
  return parsed && !parsed.success
    ? problemsOf(parsed.error).map(({ field, message }) => ({
        field: field === "handoff" ? "findings" : `findings.${field}`,
        message,
      }))
    : [];
}

const moved = ["files_changed", "tests_written", "checks"];

/** Phase data at top level is accepted and moved to its place. */
export function gatherFindings(value: Record<string, unknown>): Record<string, unknown> {
  const own = value["findings"];
  const base =
    typeof own === "object" && own !== null && !Array.isArray(own)
      ? own
      : own === undefined
        ? {}
        : { items: own };
  const top = Object.fromEntries(
    moved.filter((key) => key in value).map((key) => [key, value[key]]),
  );
  const below = "checks" in base ? base.checks : undefined;
  return {
    ...base,
    ...top,
    ...(isObject(top["checks"]) && isObject(below)
      ? { checks: { ...below, ...top["checks"] } }
      : {}),
  };
}

type Derived = {
  status: HandoffResponse["status"];
  decision: HandoffResponse["decision"];
  outcome: Outcome;
};

function deriveStatus(value: Record<string, unknown>): Derived | undefined {
  const claimed = typeof value["status"] === "string" ? readOutcome(value["status"]) : null;
  const decision = readDecision(value["decision"]);
  if (!claimed && !decision) return undefined;
  const answerable = Array.isArray(value["questions"]) && value["questions"].length > 0;
  const outcome: Outcome =
    claimed ??
    (decision === "PROCEED" ? "SUCCESS" : decision === "CLARIFY" ? "BLOCKED" : "SUCCESS");
  const status = outcome === "SUCCESS" ? "complete" : outcome === "PARTIAL" ? "partial" : "blocked";
  return {
    status,
    outcome,
    decision: decision ?? decisionOf(outcome, { critical: isCriticalOpen(value), answerable }),
  };
}

/** An issue that begins with the word, or anything in its lists that is graded so. */
function isCriticalOpen({ issues, findings }: Record<string, unknown>): boolean {
  const lists = [issues, findings, ...(isObject(findings) ? Object.values(findings) : [])].filter(
    (list): list is unknown[] => Array.isArray(list),
  );
  return lists
    .flat()
    .some((item) =>
      typeof item === "string"
        ? /^\W*(?:severity\W+)?critical\b/i.test(item)
        : isObject(item) &&
          typeof item["severity"] === "string" &&
          readSeverity(item["severity"]) === "critical",
    );
}

function problemsOf(error: z.ZodError): HandoffProblem[] {
  return error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.join(".") || "handoff",
    message: issue.message.endsWith("received undefined") ? "is missing" : issue.message,
  }));
}

type FoundSecret = { field: string; kind: string };

function secretsIn(value: unknown, field = ""): FoundSecret[] {
  if (typeof value === "string")
    return [...new Set(findSecrets(value).map(({ kind }) => kind))].map((kind) => ({
      field,
      kind,
    }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    secretsIn(item, field ? `${field}.${key}` : key),
  );
}

function masked(response: HandoffResponse, secrets: FoundSecret[]): HandoffResponse {
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") return maskSecrets(value);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mask(item)]));
    return value;
  };
  const clean = mask(response) as HandoffResponse;
  return {
    ...clean,
    issues: [
      ...clean.issues,
      ...secrets.map(({ field, kind }) => `a secret (${kind}) stood in ${field} and was masked`),
    ],
  };
}
