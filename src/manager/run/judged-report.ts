// A checked report, as the verifier leaves it for whoever makes the run's result. Plain data and one function, so that a run without a contract loads nothing of the verifier.
import type { JsonObject } from "../../base/data/json.ts";
import type { RunVerification } from "../session/agent-result.ts";

export type HeaderFacts = { agentId: string; tokens: number; toolUses: number; durationMs: number };

export type JudgedReport = {
  /** The text as it should be read: corrected, with what was withdrawn. */
  content: string;
  /** The parsed report. */
  report: JsonObject;
  verification: RunVerification;
  /** What the parent sees before the text. */
  header: (facts: HeaderFacts) => string;
};
