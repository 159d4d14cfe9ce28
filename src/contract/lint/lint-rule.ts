// A rule of the contract for reports, and what it says of one that breaks it.
import type { Report } from "../report/report.ts";

export type Level = "L1" | "L2" | "L3";
/** A rule of the contract that a report breaks. */
export type Violation = { level: Level; rule: string; message: string };

/** What the runtime knows of the run that wrote the report. */
export type RunFacts = {
  toolUses: number;
  deniedCalls: number;
  failedCalls: number;
  openTodos?: number;
  failedAgents?: number;
  failedCommand?: { command: string; exitCode: number } | undefined;
};

export type LintRule = {
  level: Level;
  rule: string;
  check: (report: Report, run: RunFacts | undefined) => string | undefined;
};
