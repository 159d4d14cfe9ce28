// Handoffs on the wire: the request that goes in and the response that comes out. The schemas are
// published as types and as JSON Schema.
import * as z from "zod";
import { blockerSchema, errorDetailsSchema } from "../failure.ts";

/** `research`, `write` and `validate` have findings of their own; other phases are free. */
const phase = z.string().min(1).max(100);
const line = z.string().max(10_000);

export const handoffRequestSchema = z.object({
  task_id: z.string().min(1).max(200),
  phase,
  context: z.object({
    feature: z.string().min(1).max(20_000),
    spec_path: z.string().max(4_096).nullable().default(null),
    relevant_files: z.array(z.string().max(4_096)).max(1_000).default([]),
    constraints: z.array(line).max(200).default([]),
    previous_findings: z.string().max(100_000).nullable().default(null),
  }),
  instructions: z.string().min(1).max(100_000),
  expected_output: z
    .enum(["structured_findings", "files_changed", "validation_result"])
    .default("structured_findings"),
});
/** A task for an agent as JSON. */
export type HandoffRequest = z.output<typeof handoffRequestSchema>;

export const handoffStatuses = ["complete", "partial", "blocked"] as const;

export const handoffResponseSchema = z.object({
  task_id: z.string().min(1).max(200),
  phase,
  status: z.enum(handoffStatuses),
  decision: z.enum(["PROCEED", "STOP", "CLARIFY"]),
  /** With STOP. */
  reason: line.optional(),
  /** With CLARIFY. */
  questions: z.array(line).max(50).optional(),
  findings: z.record(z.string(), z.unknown()).default({}),
  context_summary: z.string(),
  /** The runtime's measure, never the model's. */
  tokens_used: z.number().int().nonnegative(),
  issues: z.array(line).max(1_000).default([]),
  /** What keeps it from finishing, and what would remove that. */
  blockers: z.array(blockerSchema).max(100).optional(),
  /** With a failure: what went wrong, and whether another try may succeed. */
  error: errorDetailsSchema.optional(),
});
/** An agent's answer to a handoff as JSON. */
export type HandoffResponse = z.output<typeof handoffResponseSchema>;

const entries = z.array(z.union([z.string(), z.record(z.string(), z.unknown())]));

export const researchFindingsSchema = z.object({
  existing_implementations: entries.default([]),
  conflicts: entries.default([]),
  patterns_found: entries.default([]),
  recommendations: entries.default([]),
});
export const writeFindingsSchema = z.object({
  files_changed: entries.default([]),
  tests_written: entries.default([]),
});

const check = z.object({
  passed: z.boolean(),
  skipped: z.boolean().optional(),
  reason: z.string().optional(),
});
export const validateFindingsSchema = z.object({
  checks: z
    .record(z.string(), check.loose())
    .refine((checks) => Object.keys(checks).length > 0, "names no check: nothing was validated"),
});

/** The findings of the built-in phases; other phases bring what they like. */
export const findingsSchemas: Readonly<Record<string, z.ZodType>> = {
  research: researchFindingsSchema,
  write: writeFindingsSchema,
  validate: validateFindingsSchema,
};

/** The JSON Schema files that the package ships. */
export function handoffJsonSchemas(): Record<"handoff-request" | "handoff-response", unknown> {
  return {
    "handoff-request": z.toJSONSchema(handoffRequestSchema, { io: "input" }),
    "handoff-response": z.toJSONSchema(handoffResponseSchema, { io: "input" }),
  };
}
