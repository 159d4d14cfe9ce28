// Judges handoffs: a request before it is sent, a response before anyone reads it. Names the problem, never a secret's value.
import type { z } from "zod";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { findSecrets, maskSecrets } from "../../base/secrets/secret-scan.ts";
import { countTokens } from "../../base/text/tokens.ts";
import { decisionOf, readDecision, readOutcome, readSeverity, type Outcome } from "../axes.ts";
import {
  handoffRequestSchema,
  handoffResponseSchema,
  type HandoffRequest,
  type HandoffResponse,
} from "./handoff.ts";

export type HandoffProblem = { field: string; message: string };
export type CheckedRequest =
  | { ok: true; request: HandoffRequest }
  | { ok: false; problems: HandoffProblem[] };
export type CheckedResponse =
  | { ok: true; response: HandoffResponse; outcome: Outcome; notes: string[] }
  | { ok: false; problems: HandoffProblem[] };

/** A request over its budget or with a secret in it is refused. */
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
export type ResponseFacts = { task_id: string; phase: string; tokens_used: number };

/** Fills what is absent, moves what stands in the wrong place, derives status and decision from each other, masks secrets. Another task's id is refused. */
export function checkResponse(
  value: Record<string, unknown>,
  facts: ResponseFacts,
): CheckedResponse {
  if (value["task_id"] !== undefined && value["task_id"] !== facts.task_id)
    return {
      ok: false,
      problems: [
        {
          field: "task_id",
          message: `${JSON.stringify(value["task_id"])} is another task; this one is ${JSON.stringify(facts.task_id)}`,
        },
      ],
    };
  const derived = deriveStatus(value);
  if (!derived)
    return {
      ok: false,
      problems: [
        {
          field: "status",
          message:
            "neither a status (complete, partial, blocked) nor a decision (PROCEED, STOP, CLARIFY)",
        },
      ],
    };
  const { status, decision, outcome } = derived;
  const parsed = handoffResponseSchema.safeParse({
    ...value,
    phase: value["phase"] ?? facts.phase,
    task_id: facts.task_id,
    tokens_used: facts.tokens_used,
    findings: gatherFindings(value),
    status,
    decision,
  });
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) };
  const secrets = secretsIn(parsed.data);
  const response = secrets.length > 0 ? masked(parsed.data, secrets) : parsed.data;
  return {
    ok: true,
    response,
    outcome,
    notes: secrets.map(({ field, kind }) => `${field}: a secret (${kind}) was masked`),
  };
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
  return {
    ...base,
    ...Object.fromEntries(moved.filter((key) => key in value).map((key) => [key, value[key]])),
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
