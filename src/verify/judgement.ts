// What judging one claim gives, and the words for files that cannot be compared.
import type { Trial } from "./judging/trial.ts";
import type { Unreadable } from "../source/reader.ts";
import type { ClaimKind, Place, Verdict } from "./verdict.ts";

export type Judgement = {
  verdict: Verdict;
  kind: ClaimKind;
  reason: string;
  /** The file that was compared, where one was found. */
  path?: string;
  suggestion?: Place;
  /** The suggestion is the only place there is. */
  unique?: boolean;
  actual?: string;
  /** The line where the content was found. */
  line?: number;
  /** The name or quotation that failed. */
  trial?: Trial;
  /** How sure the weakest part of the reading is by which a name or quotation is flagged. */
  strength?: number;
  /** What makes that reading doubtful. */
  against?: readonly string[];
  /** What a document could be accused of by a doubtful reading. */
  suspected?: Judgement;
  /** What is said stands there, but does not show that the place is the one that is meant. */
  isUnproven?: true;
  /** It was flagged, and the second look took that back. */
  doubted?: true;
};

/** What is said of it stands there, whether or not that proves the place. */
export const holds = ({ verdict, isUnproven }: Judgement): boolean =>
  verdict === "verified" || isUnproven === true;

const unreadableWords: Record<Unreadable, string> = {
  binary: "is binary and cannot be compared",
  too_large: "is over 1 MiB and was not compared",
  denied: "may not be read in this run and was not opened",
  secret: "usually holds secrets: it exists and was not opened",
  outside: "leads outside the root and was not opened",
  special: "is not a regular file and was not opened",
  gone: "could not be read",
};

/** The verdict on a file that is there but has no text to compare. */
export function unreadable(
  why: Unreadable,
  { path, kind }: { path: string; kind: ClaimKind },
): Judgement {
  const reason = `${path} ${unreadableWords[why]}`;
  if (why === "outside") return { verdict: "outside_root", kind, reason };
  if (why === "secret") return { verdict: "exists_only", kind, reason, path };
  return { verdict: why === "gone" ? "missing" : "unverifiable", kind, reason, path };
}
