// A parsed report on the wire: the JSON Schema of what `parseReport` returns, for programs in other
// languages.
import * as z from "zod";
import type { JsonObject } from "../../base/data/json.ts";
import { axes } from "../axes.ts";
import { blockerSchema, errorDetailsSchema } from "../failure.ts";
import { sectionNames } from "./section-names.ts";

const text = z.string();
const severity = z.enum(axes.severities).nullable();
const number = z.number().nullable();

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text }),
  z.object({ type: z.literal("fence"), info: text, code: text }),
  z.object({ type: z.literal("table"), columns: z.array(text), rows: z.array(z.array(text)) }),
]);
const sectionSchema = z.object({
  heading: text,
  name: z.enum(sectionNames).nullable(),
  blocks: z.array(blockSchema),
  get sections() {
    return z.array(sectionSchema);
  },
});

const findingSchema = z.object({
  id: text,
  title: text,
  location: text,
  category: text.nullable(),
  severity,
  severity_word: text.nullable(),
  confidence: number,
  quotes: z.array(text),
  is_assumed: z.boolean(),
});

const reportSchema = z.object({
  agent: text.nullable(),
  preamble: z.array(blockSchema),
  sections: z.array(sectionSchema),
  outcome: z.enum(axes.outcomes).nullable(),
  status_words: text.nullable(),
  decision: z.enum(axes.decisions).nullable(),
  decision_words: text.nullable(),
  summary: text,
  findings: z.array(findingSchema),
  key_references: z.array(z.object({ item: text, location: text, relevance: text })),
  confidence: z.object({
    score: number,
    words: text.nullable(),
    justification: text.nullable(),
    verified: number,
    inferred: number,
    combined: number,
  }),
  issues: z.array(
    z.object({ title: text, description: text, severity, severity_word: text.nullable() }),
  ),
  next_steps: z.array(text),
  blockers: z.array(blockerSchema),
  error: errorDetailsSchema.nullable(),
  questions: z.array(text),
  file_claims: z.array(
    z.object({
      path: text,
      action: z.enum(["create", "modify", "delete", "change"]),
      purpose: text,
      is_done: z.boolean(),
    }),
  ),
  ticks: z.array(z.object({ label: text, ticked: z.boolean() })),
  severity_summary: z.partialRecord(z.enum(axes.severities), z.number()).nullable(),
});

export const reportJsonSchema = (): JsonObject =>
  z.toJSONSchema(reportSchema, { io: "output" }) as JsonObject;
