// Reads from a transcript what the verifier found in the newest run.
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { axes } from "../../contract/axes.ts";
import { isReport, type Report } from "../../contract/report/report.ts";
import { spillDirOf } from "../../transcripts/paths.ts";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { restoreSpilled } from "../../transcripts/spill.ts";
import type { RunVerification } from "./agent-result.ts";

export type VerificationOnDisk = {
  /** The answer as it was corrected. */ content?: string;
  report: Report | null;
  verification: RunVerification | null;
  /** Where the agent owed data. */ output?: unknown;
};

/**
 * It stands near the end, behind the reply that it judges: one before the last reply belongs to an
 * answer that a hook sent back.
 */
export function verificationOnDisk(transcript: string): VerificationOnDisk {
  const line = readTail(transcript).findLast(
    ({ type, subtype }) =>
      type === "assistant" || subtype === "verification" || subtype === "spawn",
  );
  if (line?.["subtype"] !== "verification") return { report: null, verification: null };
  restoreSpilled(line, spillDirOf(transcript), { bytes: limits.transcript.spillBytes });
  const result = line["result"];
  if (!isObject(result)) return { report: null, verification: null };
  const { report, content, ...verification } = result as JsonObject;
  if ("output" in verification)
    return {
      ...(typeof content === "string" ? { content } : {}),
      report: null,
      verification: null,
      output: verification["output"],
    };
  if (!axes.trusts.some((one) => one === verification["trust"])) delete verification["trust"];
  return {
    ...(typeof content === "string" ? { content } : {}),
    report: isReport(report) ? report : null,
    verification,
  };
}
