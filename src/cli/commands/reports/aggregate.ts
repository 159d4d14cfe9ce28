// `retinue aggregate` merges reports into one: each is verified first, agreement counts,
// contradictions are named.
import { createHash } from "node:crypto";
import { basename, extname, resolve } from "node:path";
import { version } from "../../../app/version.ts";
import { RetinueError } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { printable } from "../../../base/text/printable.ts";
import { aggregateReports, type Aggregate } from "../../../contract/aggregate/aggregate-reports.ts";
import { aggregateSarif } from "../../../contract/aggregate/aggregate-sarif.ts";
import type { ConfidencePolicy } from "../../../contract/aggregate/pool-confidence.ts";
import { renderAggregate } from "../../../contract/aggregate/render-aggregate.ts";
import type { VerifiedReport } from "../../../contract/aggregate/verified-report.ts";
import { assessReport } from "../../../verify/assess-report.ts";
import type { Repository } from "../../../source/repository.ts";
import { toVerifiedReport } from "../../../verify/report/to-verified-report.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openRepository } from "../../reports/open-repository.ts";
import { readReport } from "../../reports/read-report.ts";
import { aggregateText } from "../../render/aggregate-text.ts";

type Options = { root?: string; format: string; json?: boolean; policy: string };

const formats = ["text", "json", "markdown", "sarif"] as const;
const policies = ["pool", "seed-mean", "seed-max"] as const satisfies ConfidencePolicy[];

export const endsAtOnce: CommandModule["endsAtOnce"] = () => true;

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("aggregate", io);
  command
    .description(
      "merge several reports into one: equal findings become one, contradictions are named",
    )
    .argument("<files...>", "reports; - is standard input")
    .option("--root <dir>", "the folder that the reports' paths are relative to (default: here)")
    .option("--format <format>", formats.join(", "), "text")
    .option("--json", "the same as --format json")
    .option(
      "--policy <policy>",
      "how the confidence of agreeing agents is combined: pool, seed-mean, seed-max",
      "pool",
    )
    .addHelpText(
      "after",
      "\nThe exit code is 1 if the decision is not PROCEED.\n\nExample:\n  retinue aggregate " +
        "security.md qa.md --root ../shop --format markdown",
    )
    .action(async (files: string[]) => finish(await aggregate(files, command.opts<Options>(), io)));
  return command;
};

async function aggregate(files: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const format = known(formats, options.json ? "json" : options.format, "--format");
  const confidence = known(policies, options.policy, "--policy");
  const repository = openRepository(resolve(io.cwd, options.root ?? "."), {
    reports: files.filter((file) => file !== "-").map((file) => resolve(io.cwd, file)),
  });
  const reports: VerifiedReport[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const text = await readReport(file, io);
    // The same report under two names is one report.
    const key = createHash("sha256").update(text).digest("hex");
    if (!seen.has(key)) reports.push(await verified(text, file, repository));
    seen.add(key);
  }
  const folded = aggregateReports(reports, { confidence });
  io.out(rendered(folded, format, io));
  return folded.decision === "PROCEED" ? 0 : 1;
}

function known<T extends string>(list: readonly T[], given: string, flag: string): T {
  const found = list.find((one) => one === given);
  if (found === undefined)
    throw new RetinueError(
      "usage",
      `${flag} "${given}" is not known; give ${list.slice(0, -1).join(", ")} or ${list.at(-1)}`,
    );
  return found;
}

/** A file's title says who wrote it; two reports of one agent count once. */
async function verified(
  text: string,
  file: string,
  repository: Repository,
): Promise<VerifiedReport> {
  const assessment = await assessReport(text, { reader: repository, contract: "report" });
  const name = file === "-" ? "stdin" : basename(file, extname(file));
  const agent =
    (assessment.report.agent ?? name)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || name;
  return toVerifiedReport(assessment, {
    task_id: file,
    agent_id: agent,
    agent_type: agent,
    model: null,
    required: true,
  });
}

function rendered(folded: Aggregate, format: (typeof formats)[number], io: Io): string {
  if (format === "json") return toJson(folded);
  if (format === "sarif") return toJson(aggregateSarif(folded, version));
  return format === "markdown" ? printable(renderAggregate(folded)) : aggregateText(folded, io);
}
