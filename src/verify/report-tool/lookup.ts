// What was found for one entry of a report: its place and what it proves, or the problem to tell.
import type { Placed } from "../../contract/report-tool/finding-sections.ts";
import type { ReportProblem } from "../../contract/report-tool/report-input.ts";
import type { FileEvidence } from "../evidence/judge-files.ts";
import type { Ledger } from "../evidence/ledger.ts";
import type { Repository } from "../../source/repository.ts";
import type { Grade } from "../../contract/grades.ts";
import type { Verdict } from "../verdict.ts";

/** What an entry is compared with. */
export type ReportEvidence = {
  repo: Repository;
  /** What the agent saw and did; undefined where there is no record of it. */
  ledger: Ledger | undefined;
  files: FileEvidence;
};

/** An entry that was looked up. */
export type LookedUp = {
  placed: Placed;
  lines: [number, number] | null;
  /** Of the quoted lines as they stand, SHA-256 in hexadecimal. */
  hash: string | null;
  verdict: Verdict;
  grade: Grade;
  reason: string;
};

/** `doubt`: asked back once; sent again as it is, it stays and is marked. `isArgued`: it says why. */
export type LookupProblem = ReportProblem & { doubt?: LookedUp; isArgued?: boolean };

export type Lookup = LookedUp | { problem: LookupProblem };

export const isLookedUp = (lookup: Lookup): lookup is LookedUp => !("problem" in lookup);

/** An entry's place with what is usual: it is there, and nothing else is known of it. */
export function placedAt(
  path: string | null,
  rest: Partial<Placed> & Pick<Placed, "label">,
): Placed {
  return {
    path,
    excerpt: null,
    action: null,
    isFound: true,
    isQuoted: false,
    isProven: true,
    ...rest,
  };
}
