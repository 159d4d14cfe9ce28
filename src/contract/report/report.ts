// A report as data: the sections as they stand, and the views on them that the rest of the system works with.
import type { Decision, Outcome, Severity } from "../axes.ts";
import type { Blocker, ErrorDetails } from "../failure.ts";
import type { Block, Section } from "./section-tree.ts";

export type Finding = {
  /** Its own id ("SEC-001"), else `F1`, `F2`… in order of appearance. */
  id: string;
  title: string;
  /** The text that carries its place: a cell, or the list item. */
  location: string;
  category: string | null;
  severity: Severity | null;
  /** The word that the agent used for it. */
  severityWord: string | null;
  confidence: number | null;
  /** Code that the agent quoted for it, under its id or heading. */
  quotes: string[];
  /** Labelled "uncertain" or "assumed" by the agent: counts as inferred. */
  isAssumed: boolean;
};

export type KeyReference = { item: string; location: string; relevance: string };
export type Issue = {
  title: string;
  description: string;
  severity: Severity | null;
  severityWord: string | null;
};
/** `isDone`: "Files Created", "Modified"; a plan says Create. `change` is any of the others. */
export type FileClaim = {
  path: string;
  action: "create" | "modify" | "delete" | "change";
  purpose: string;
  isDone: boolean;
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

export type Report = {
  agent: string | null;
  /** What stands before the first section. */
  preamble: Block[];
  sections: Section[];
  outcome: Outcome | null;
  statusWords: string | null;
  decision: Decision | null;
  /** What the section Decision says, whether or not it is one of the three words. */
  decisionWords: string | null;
  summary: string;
  findings: Finding[];
  keyReferences: KeyReference[];
  confidence: Confidence;
  issues: Issue[];
  nextSteps: string[];
  blockers: Blocker[];
  /** Of the section Error Details; null without one. */
  error: ErrorDetails | null;
  questions: string[];
  fileClaims: FileClaim[];
  ticks: Tick[];
  severitySummary: Partial<Record<Severity, number>> | null;
};

export const isEmptyReport = (report: Report): boolean =>
  report.outcome === null && report.summary === "" && report.findings.length === 0;
