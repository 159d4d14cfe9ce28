// A report as data: its sections as written, and the values that the rest of the system reads from
// them. The names are those of the JSON that users get.
import { isObject } from "../../base/data/json.ts";
import type { Decision, Outcome, Severity } from "../axes.ts";
import type { Blocker, ErrorDetails } from "../failure.ts";
import type { Block, Section } from "./section-tree.ts";

/** One finding of a report, as the agent wrote it. */
export type Finding = {
  /** Its own id ("SEC-001"), else `F1`, `F2`… in order of appearance. */
  id: string;
  title: string;
  /** The text that carries its place: a cell, or the list item. */
  location: string;
  category: string | null;
  severity: Severity | null;
  /** The word that the agent used for it. */
  severity_word: string | null;
  confidence: number | null;
  /** Code that the agent quoted for it, under its id or heading. */
  quotes: string[];
  /** Labelled "uncertain" or "assumed" by the agent: counts as inferred. */
  is_assumed: boolean;
};

export type KeyReference = { item: string; location: string; relevance: string };
export type Issue = {
  title: string;
  description: string;
  severity: Severity | null;
  severity_word: string | null;
};
/** `is_done`: "Files Created", "Modified"; a plan says Create. `change` is any of the others. */
export type FileClaim = {
  path: string;
  action: "create" | "modify" | "delete" | "change";
  purpose: string;
  is_done: boolean;
};
export type Tick = { label: string; ticked: boolean };

export type Confidence = {
  score: number | null;
  words: string | null;
  justification: string | null;
  verified: number | null;
  inferred: number | null;
  combined: number | null;
};

/** A parsed report. */
export type Report = {
  agent: string | null;
  /** What stands before the first section. */
  preamble: Block[];
  sections: Section[];
  outcome: Outcome | null;
  status_words: string | null;
  decision: Decision | null;
  /** What the section Decision says, whether or not it is one of the three words. */
  decision_words: string | null;
  summary: string;
  findings: Finding[];
  key_references: KeyReference[];
  confidence: Confidence;
  issues: Issue[];
  next_steps: string[];
  blockers: Blocker[];
  /** Of the section Error Details; null without one. */
  error: ErrorDetails | null;
  questions: string[];
  file_claims: FileClaim[];
  ticks: Tick[];
  severity_summary: Partial<Record<Severity, number>> | null;
};

const listFields = [
  "preamble",
  "sections",
  "findings",
  "key_references",
  "issues",
  "next_steps",
  "blockers",
  "questions",
  "file_claims",
  "ticks",
] as const satisfies (keyof Report)[];

/** For a report that was read from disk: another version may have written it in another form. */
export const isReport = (value: unknown): value is Report =>
  isObject(value) &&
  typeof value["summary"] === "string" &&
  isObject(value["confidence"]) &&
  listFields.every((name) => Array.isArray(value[name]));

export const isEmptyReport = (report: Report): boolean =>
  report.outcome === null && report.summary === "" && report.findings.length === 0;
