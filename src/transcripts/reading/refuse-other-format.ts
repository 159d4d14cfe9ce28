// A run is continued only from a transcript of the present format: parts of a newer format, such as
// a rule, might not be understood.
import { RetinueError } from "../../base/errors.ts";
import { oneLine } from "../../base/text/printable.ts";
import { formatVersion } from "../fact-line.ts";
import type { RunOnDisk } from "./list-runs.ts";

/** Throws for another format. Lists, logs and results show what they can of any format. */
export function refuseOtherFormat({
  agentId,
  header,
  transcript,
}: Pick<RunOnDisk, "agentId" | "header" | "transcript">): void {
  const { version, retinueVersion } = header;
  if (version === formatVersion) return;
  const writer =
    typeof retinueVersion === "string" ? ` by retinue ${oneLine(retinueVersion, 40)}` : "";
  throw new RetinueError(
    "usage",
    `${agentId} cannot be continued: its transcript was written${writer} in format ` +
      `${oneLine(String(version), 20)}, and this version continues format ` +
      `${formatVersion}. Use the version that wrote it, or start anew (${transcript}).`,
  );
}
