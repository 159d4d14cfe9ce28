// A report as data: what an agent gives to the Report tool. It quotes; lines, ticks and form are
// the runtime's. Small enough for small models: one sentence a field.
import * as z from "zod";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { countTokens, mayExceed } from "../../base/text/tokens.ts";
import { axes, readSeverity } from "../axes.ts";

const text = z.string().max(20_000);
const words = z.string().min(1).max(2_000);
const percent = z.number().min(0).max(100);

const findingSchema = z.object({
  title: words.describe("What was found, in a few words."),
  kind: z
    .enum(["present", "absent", "did", "result", "plan"])
    .describe(
      "present: it stands in a file. absent: it stands nowhere. did: you changed it. " +
        "result: a command that you ran shows it. plan: you propose it.",
    ),
  statement: text.min(1).describe("What it means, in one or two sentences, without line numbers."),
  path: words
    .optional()
    .describe("The file, from the working directory; for absent the file or folder to search."),
  quote: text
    .min(1)
    .optional()
    .describe(
      "The line or lines exactly as they stand in the file; for absent the words that stand nowhere.",
    ),
  near: z
    .union([words, z.number()])
    .optional()
    .describe(
      "Where the quote stands several times: the name of the definition around it, or a line.",
    ),
  severity: z.enum(axes.severities).optional().describe("For a problem only: how bad it is."),
  category: words.optional().describe("A word to group by, such as security."),
  confidence: percent.optional().describe("How sure you are of this finding, 0 to 100."),
  evidence: text
    .min(1)
    .optional()
    .describe(
      "For did and result the command as you ran it; for absent why hits do not count against it.",
    ),
});

export const referenceSchema = z.object({
  item: words.describe("The name of what stands there."),
  path: words.describe("The file, from the working directory."),
  quote: text.min(1).describe("The line exactly as it stands in the file."),
  near: z
    .union([words, z.number()])
    .optional()
    .describe("Where the quote stands several times: the definition around it, or a line."),
  relevance: text.min(1).describe("Why the reader should look there."),
});

const issueSchema = z.object({
  title: words.describe("The issue in a few words."),
  description: text.describe("What it is about."),
  severity: z.enum(axes.severities).describe("How bad it is."),
});

const blockerSchema = z.object({
  description: text.min(1).describe("What keeps you from finishing, or what is still open."),
  resolution: text.optional().describe("What would remove it."),
});

const confidenceSchema = z.object({
  verified: percent.describe("How sure you are of what you read or ran, 0 to 100."),
  inferred: percent.describe("How sure you are of what you conclude from it, 0 to 100."),
  justification: text.min(1).describe("Why, in one sentence."),
  blind_spots: text.optional().describe("What you may have missed."),
});

const errorSchema = z.object({
  type: words.describe("The kind of failure."),
  message: text.min(1).describe("What the failure says."),
  occurred_at: words.describe("The step, command or file where it happened."),
  recoverable: z.boolean().describe("Whether another attempt may succeed."),
  attempted: z.array(text).min(1).max(50).describe("What you tried, in order."),
  root_cause: text.min(1).describe("Why it failed."),
  recovery_options: z.array(text).max(50).default([]).describe("What could be done next."),
});

export const reportInputSchema = z.object({
  status: z
    .enum(["SUCCESS", "PARTIAL", "FAILED"])
    .describe("Whether you did your job, not whether the code is good."),
  summary: text
    .min(1)
    .describe("Two or three sentences: what you did or found, at most 500 tokens."),
  findings: z.array(findingSchema).describe("One entry for each finding, the worst first."),
  key_references: z
    .array(referenceSchema)
    .max(50)
    .default([])
    .describe("Places that the reader should look at."),
  issues: z.array(issueSchema).max(100).default([]).describe("What is wrong or in doubt."),
  next_steps: z
    .array(text)
    .max(50)
    .default([])
    .describe("What should be done next; a question, where you need an answer."),
  blockers: z
    .array(blockerSchema)
    .max(50)
    .default([])
    .describe("With PARTIAL or FAILED: what is open."),
  trade_offs: z
    .array(text)
    .max(50)
    .default([])
    .describe("With plans: what you considered and why you rejected it."),
  confidence: confidenceSchema.describe("How sure you are."),
  error: errorSchema.optional().describe("With FAILED only: what went wrong."),
});

/** A report as data, as agents give it with the Report tool. */
export type ReportInput = z.output<typeof reportInputSchema>;
export type ReportFinding = ReportInput["findings"][number];
export type ReportReference = ReportInput["key_references"][number];

/** What models and other programs are given: the same schema as JSON. */
export function reportInputJsonSchema(): JsonObject {
  return z.toJSONSchema(reportInputSchema, { io: "input" }) as JsonObject;
}

/** One thing that keeps a report from being taken: the field, what is wrong, what to do. */
export type ReportProblem = { at: string; message: string };

export type ReadReport =
  | { ok: true; report: ReportInput }
  | { ok: false; problems: ReportProblem[] };

/** Checks what needs no file: fields, budgets, and what each status and score asks for. */
export function readReportInput(value: unknown): ReadReport {
  const parsed = reportInputSchema.safeParse(tolerated(value));
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) };
  const problems = [
    ...overBudget(parsed.data),
    ...missingFor(parsed.data),
    ...parsed.data.findings.flatMap(missingInFinding),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, report: parsed.data };
}

/** `combined_confidence` of the contract. */
export const combinedConfidence = ({
  verified,
  inferred,
}: Pick<ReportInput["confidence"], "verified" | "inferred">): number =>
  Math.round((verified + inferred) * 5) / 10;

/** What models send that has one reading only: JSON as text, other words for a severity. */
function tolerated(value: unknown): unknown {
  const given = unquoted(value);
  if (!isObject(given)) return given;
  const all = Object.fromEntries(
    Object.entries(given)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, key === "summary" ? item : unquoted(item)]),
  );
  if (typeof all["status"] === "string") all["status"] = all["status"].trim().toUpperCase();
  for (const key of ["findings", "issues"])
    if (Array.isArray(all[key])) all[key] = all[key].map(graded);
  return all;
}

export function unquoted(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function graded(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { severity } = entry;
  const known = typeof severity === "string" ? readSeverity(severity) : null;
  return {
    ...Object.fromEntries(Object.entries(entry).filter(([, item]) => item !== null && item !== "")),
    ...(known === null ? {} : { severity: known }),
  };
}

export function problemsOf(error: z.ZodError): ReportProblem[] {
  return error.issues.slice(0, 20).map(({ path, message }) => ({
    at: fieldName(path),
    message: message.endsWith("received undefined") ? "is missing" : message,
  }));
}

const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === "number"
        ? `${name}[${part}]`
        : `${name}${name === "" ? "" : "."}${String(part)}`,
    "",
  ) || "the report";

function overBudget({ summary, findings }: ReportInput): ReportProblem[] {
  const { summaryTokens, findings: most } = limits.report;
  const tokens = mayExceed(summary, summaryTokens) ? countTokens(summary) : 0;
  return [
    ...(tokens > summaryTokens
      ? [
          {
            at: "summary",
            message: `has ${tokens} tokens, at most ${summaryTokens} are passed on: say it shorter`,
          },
        ]
      : []),
    ...(findings.length > most
      ? [
          {
            at: "findings",
            message:
              `has ${findings.length} entries, at most ${most} are taken: ` +
              "put those of one cause together, or keep the most important",
          },
        ]
      : []),
  ];
}

function missingFor(report: ReportInput): ReportProblem[] {
  const { status, blockers, error, confidence, next_steps } = report;
  const score = combinedConfidence(confidence);
  const asks = next_steps.some((step) => step.includes("?"));
  return [
    ...(status === "PARTIAL" && blockers.length === 0
      ? [{ at: "blockers", message: "is missing: PARTIAL says what is open" }]
      : []),
    ...(status === "FAILED" && error === undefined
      ? [{ at: "error", message: "is missing: FAILED says what went wrong" }]
      : []),
    ...((score >= 85 || score < 70) && !confidence.blind_spots?.trim()
      ? [
          {
            at: "confidence.blind_spots",
            message: `is missing: a confidence of ${score} says what may have been missed`,
          },
        ]
      : []),
    ...(score < 60 && !asks
      ? [
          {
            at: "next_steps",
            message: `has no question: a confidence of ${score} asks for what would settle it`,
          },
        ]
      : []),
  ];
}

/** Which fields a kind cannot do without; the first that is missing is named. */
const neededBy: Readonly<Record<ReportFinding["kind"], readonly (readonly string[])[]>> = {
  present: [["path"], ["quote"]],
  absent: [["quote"]],
  did: [["path", "evidence"]],
  result: [["evidence"]],
  plan: [["path"]],
};

function missingInFinding(finding: ReportFinding, index: number): ReportProblem[] {
  return neededBy[finding.kind]
    .filter((names) => names.every((name) => finding[name as "path"] === undefined))
    .map((names) => ({
      at: `findings[${index}].${names[0]!}`,
      message: `is missing: a finding of the kind ${finding.kind} has \`${names.join("` or `")}\``,
    }));
}
