// A place that is wrong today may have been right when it was written: the commits around the message
// tell. Only messages with a wrong place cost anything here.
import { commitReader } from "../../source/commit-reader.ts";
import { assessReport, type AssessOptions } from "../assess-report.ts";
import type { AssessedCheck, Assessment } from "../assessment.ts";
import { gitText } from "../claims/project/history-of.ts";

export type MessageFacts = {
  root: string;
  /** When the message was written; null where the transcript does not say. */
  at: string | null;
  options: Omit<AssessOptions, "reader">;
};

const claimKinds: ReadonlySet<string> = new Set(["test", "command", "file_claim"]);

/** A reference or quotation; results and deeds are compared with the record instead. */
export const isPlace = ({ kind }: AssessedCheck): boolean => !claimKinds.has(kind);

/** The checks that fail today and held in the commit before or the commit after the message. */
export async function placesRightThen(
  { text, checks }: Assessment,
  { root, at, options }: MessageFacts,
): Promise<ReadonlySet<AssessedCheck>> {
  const moved = new Set<AssessedCheck>();
  const wrong = checks.filter((check) => isPlace(check) && hasFailed(check));
  if (wrong.length === 0 || at === null || Number.isNaN(Date.parse(at))) return moved;
  for (const commit of commitsAround(root, new Date(at))) {
    const then = await assessReport(text, { ...options, reader: commitReader(root, commit) });
    const failed = new Set(then.checks.filter(hasFailed).map(placeOf));
    for (const check of wrong) if (!failed.has(placeOf(check))) moved.add(check);
  }
  return moved;
}

const hasFailed = ({ grade, corrected }: AssessedCheck): boolean =>
  grade === "X" || corrected !== undefined;

const placeOf = ({ span }: AssessedCheck): string => span.join("-");

/** What was committed last before `at`, and first after it: work that was not committed yet is in the latter. */
function commitsAround(root: string, at: Date): string[] {
  const time = at.toISOString();
  const before = gitText(root, ["rev-list", "-n1", `--before=${time}`, "HEAD"]);
  const after = gitText(root, ["rev-list", "--reverse", `--since=${time}`, "HEAD"]);
  return [before, after?.split("\n")[0]]
    .map((commit) => commit?.trim() ?? "")
    .filter((commit) => commit !== "");
}
