// What a check says: the verdicts, the grades of evidence and the wire shape of one check.
import type { Place } from "../source/repository.ts";
import type { Grade } from "../contract/grades.ts";

/** What was found about one claim. */
export type Verdict =
  | "verified"
  | "relocated"
  | "stale"
  | "altered"
  | "missing"
  | "out_of_range"
  | "wrong_symbol"
  | "outside_root"
  | "ambiguous"
  | "exists_only"
  | "unverifiable"
  | "unsupported"
  | "weakened"
  | "countered"
  | "not_judged";

export type ClaimKind =
  | "path"
  | "location"
  | "symbol"
  | "quote"
  | "file_claim"
  | "test"
  | "command";

export type { Place } from "../source/repository.ts";

export type Check = {
  id: string;
  /** UTF-16 offsets of the reference in the report. */
  span: [number, number];
  kind: ClaimKind;
  /** The reference as it was written. */
  text: string;
  path: string | null;
  lines: [number, number] | null;
  symbol?: string;
  quote?: string;
  verdict: Verdict;
  grade: Grade;
  reason: string;
  suggestion?: Place;
  /** The line that really stands at the place (or at the suggestion), never from a secret file. */
  actual?: string;
  unrecognised?: UnrecognisedRun;
  cause?: RecordState;
  /** From 0 to 1: how plainly the message says what is held against it. */
  plain?: number;
  /** Something spoke against it, too doubtful to accuse: no VERIFIED stands above it. */
  doubted?: true;
};

/** How the record stands to a claim that it does not bear out, where that is plain. */
export type RecordState = "never_run" | "failed_run" | "failed_write" | "not_there";

/** The command that may have been the claimed run, and that nobody recognises. */
export type UnrecognisedRun = { command: string; subject: string };

const flagged = new Set<Verdict>([
  "relocated",
  "stale",
  "altered",
  "missing",
  "out_of_range",
  "wrong_symbol",
  "outside_root",
  "unsupported",
]);

/** Whether the verdict says that the reference is wrong as written. */
export function isFlagged(verdict: Verdict): boolean {
  return flagged.has(verdict);
}

/** Whether it is shown with ✗: wrong as written, or the tree or the record speaks against it. */
export const isFault = (verdict: Verdict): boolean =>
  isFlagged(verdict) || verdict === "countered" || verdict === "weakened";

/** `seen`: the agent's ledger shows these lines; `repaired`: a unique correction stands in for what was written. */
export function gradeOf(
  verdict: Verdict,
  { seen, repaired }: { seen: boolean; repaired: boolean },
): Grade {
  if (verdict === "verified" || (verdict === "relocated" && repaired)) return seen ? "E3" : "E2";
  if (verdict === "exists_only" || verdict === "stale" || verdict === "weakened") return "E1";
  return isFlagged(verdict) ? "X" : "E0";
}
