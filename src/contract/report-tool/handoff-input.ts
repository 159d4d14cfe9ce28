// A handoff's answer as data: what an agent in a flow gives to the Report tool. Places are
// quotations; the runtime adds their lines.
import * as z from "zod";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { countTokens } from "../../base/text/tokens.ts";
import { readDecision } from "../axes.ts";
import { blockerSchema, errorDetailsSchema } from "../failure.ts";
import { handoffStatuses } from "../handoff/handoff.ts";
import { problemsOf, referenceSchema, unquoted, type ReportProblem } from "./report-input.ts";

const line = z.string().max(10_000);

export const handoffInputSchema = z.object({
  status: z.enum(handoffStatuses).describe("Whether you did your part of the work."),
  decision: z
    .enum(["PROCEED", "STOP", "CLARIFY"])
    .describe("Whether the work goes on, ends here, or needs an answer first."),
  reason: line.optional().describe("With STOP: why."),
  questions: z.array(line).max(50).optional().describe("With CLARIFY: what you need to know."),
  context_summary: z
    .string()
    .min(1)
    .describe("All that the next agent will see of your work, at most 500 tokens."),
  findings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("What your task asks for, without line numbers."),
  references: z
    .array(referenceSchema)
    .max(100)
    .default([])
    .describe("Places that your findings speak of, as quotations."),
  issues: z.array(line).max(1_000).default([]).describe("What is wrong or in doubt."),
  blockers: z
    .array(blockerSchema)
    .max(100)
    .optional()
    .describe("What keeps you from finishing, and what would remove it."),
  error: errorDetailsSchema
    .optional()
    .describe("Where your work broke off: what happened, and whether another try may succeed."),
});

export type HandoffInput = z.output<typeof handoffInputSchema>;

export type ReadHandoff =
  | { ok: true; handoff: HandoffInput }
  | { ok: false; problems: ReportProblem[] };

export function handoffInputJsonSchema(): JsonObject {
  return z.toJSONSchema(handoffInputSchema, { io: "input" }) as JsonObject;
}

/** Checks what needs no file: fields, the budget, and what each decision asks for. */
export function readHandoffInput(value: unknown): ReadHandoff {
  const parsed = handoffInputSchema.safeParse(tolerated(value));
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) };
  const { decision, reason, questions = [], context_summary } = parsed.data;
  const tokens = countTokens(context_summary);
  const { summaryTokens } = limits.report;
  const problems = [
    ...(tokens > summaryTokens
      ? [
          {
            at: "context_summary",
            message: `has ${tokens} tokens, at most ${summaryTokens} are passed on: say it shorter`,
          },
        ]
      : []),
    ...(decision === "STOP" && !reason?.trim()
      ? [{ at: "reason", message: "is missing: STOP says why" }]
      : []),
    ...(decision === "CLARIFY" && questions.length === 0
      ? [{ at: "questions", message: "is missing: CLARIFY says what has to be answered" }]
      : []),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, handoff: parsed.data };
}

function tolerated(value: unknown): unknown {
  const given = unquoted(value);
  if (!isObject(given)) return given;
  const all = Object.fromEntries(
    Object.entries(given)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, key === "context_summary" ? item : unquoted(item)]),
  );
  const decision = readDecision(all["decision"]);
  return {
    ...all,
    ...(decision === null ? {} : { decision }),
    ...(typeof all["status"] === "string" ? { status: all["status"].trim().toLowerCase() } : {}),
  };
}
