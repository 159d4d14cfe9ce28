// A checked answer, as it travels in a run's outcome and stands on record: plain data, so that a
// run on another machine brings it back as well as one in this process.
import type { JsonObject } from "../base/data/json.ts";
import type { Outcome, Trust } from "../contract/axes.ts";
import type { Report } from "../contract/report/report.ts";
import type { Settled } from "../contract/trust/settle-decision.ts";

/** What the verifier found, as JSON. A transcript of another version may have less of it. */
export type VerificationSummary = JsonObject & {
  /** Read it before the answer. Null: it has no form, and nothing in it could be checked. */
  trust?: Trust | null;
  /** It was asked for in no form and has none: its outcome and its decision are nobody's claim. */
  is_free?: boolean;
  /** What a parent reads before the answer. */
  header?: string;
  /** Whether the agent did its job: what it claims, and what the evidence leaves of that. */
  outcome?: { claimed: Outcome | null; value: Outcome; reasons: string[] };
  decision?: Settled;
  /** Claimed results whose only run may be a command that nobody recognises. */
  unrecognised?: { check: string; command: string; subject: string }[];
};

export type JudgedAnswer = {
  /** The text as it should be read: corrected, with what was withdrawn. */
  content: string;
  /** The parsed report. */
  report: Report | null;
  verification: VerificationSummary | null;
  /** Where the agent owed data: the value, by the caller's schema. */
  output?: unknown;
};
