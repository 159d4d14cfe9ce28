// `retinue audit`: what the agents of this machine said last, checked against their projects and
// against what they did. Read-only; nothing leaves the machine.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { RetinueError } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { claudeConfigDir } from "../../../base/files/project-folders.ts";
import { counted } from "../../../base/text/grouped.ts";
import { oneLine } from "../../../base/text/printable.ts";
import {
  auditTranscripts,
  type TranscriptAudit,
  type AuditedReport,
} from "../../../verify/audit/audit-transcripts.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";

type Flags = { since: string; json?: boolean; folder?: string };

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("audit", io)
    .description(
      "check the last answers of your agents, in all transcripts of Claude Code and Retinue",
    )
    .option("--since <time>", "how far back: 12h, 30d, 8w, or all", "30d")
    .option(
      "--folder <dir>",
      "read the transcripts in this folder (default: projects in the Claude folder)",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nChanges nothing, asks no model, needs no key. References are compared with today's files, " +
        "and where they fail with the commits before and after the message: what held then has " +
        "moved since, and is not wrong. Test results and changed files are compared with the " +
        "transcript.\n\nThe exit code is 0 whatever is found, and 2 " +
        "for wrong usage. To have a program fail on one answer: retinue verify --transcript FILE.",
    )
    .action(async (flags: Flags) => {
      const folder = resolve(io.cwd, flags.folder ?? join(claudeConfigDir(io.env), "projects"));
      if (!existsSync(folder))
        throw new RetinueError(
          "usage",
          `there are no transcripts: ${folder} does not exist; give --folder`,
        );
      const started = Date.now();
      const audit = await auditTranscripts({
        folder,
        sinceMs: sinceMs(flags.since),
        signal: io.signal,
        onProgress: (done, all) => progress(io, done, all),
      });
      const seconds = (Date.now() - started) / 1000;
      if (flags.json) io.out(toJson({ ...audit, seconds }));
      else printAudit(audit, seconds, io);
      finish(0);
    });

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function sinceMs(given: string): number {
  if (given === "all") return 0;
  const found = /^(\d{1,5})([hdw])$/.exec(given);
  if (!found)
    throw new RetinueError("usage", `--since "${given}" is no time; give 12h, 30d, 8w or all`);
  return Date.now() - Number(found[1]) * units[found[2]!]!;
}

/** One line that is written over, on a terminal only. */
function progress({ status }: Io, done: number, all: number): void {
  if (!status || (done % 5 !== 0 && done !== all)) return;
  const width = 24;
  const filled = all === 0 ? width : Math.round((width * done) / all);
  const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)} ${done} of ${all} transcripts`;
  status.write(done === all ? "\r\u001b[K" : `\r\u001b[K${bar}`);
}

function printAudit(
  { reports, unjudged, skipped, totals }: TranscriptAudit,
  seconds: number,
  io: Io,
): void {
  const { paint, out } = io;
  out(
    paint("bold", `${counted(reports.length, "final message")} checked in ${seconds.toFixed(1)} s`),
  );
  const results = [
    `${totals.results_without_run} without a run`,
    `${totals.results_contradicted} contradicted`,
    `${totals.results_stale} older than the last edit`,
  ];
  out(`  results     ${totals.results}: ${results.join(", ")}`);
  const places = [
    `${totals.places_wrong} wrong`,
    `${totals.places_corrected} put right`,
    `${totals.places_moved} moved since`,
  ];
  out(`  places      ${totals.places}: ${places.join(", ")}`);
  out(`  absence     ${counted(totals.countered, "statement")} with counter-examples`);
  const open = `${counted(totals.not_judged, "statement")}, ${counted(unjudged.length, "transcript")}`;
  out(`  not judged  ${open}; ${skipped} older than asked for`);
  for (const [title, key] of [
    ["by agent", "agent_type"],
    ["by model", "model"],
  ] as const) {
    out(`\n${paint("bold", title)}`);
    for (const line of grouped(reports, key)) out(`  ${line}`);
  }
  const worst = reports
    .filter(({ flags }) => flags.length > 0)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, 10);
  if (worst.length > 0) out(`\n${paint("bold", "look at these first")}`);
  for (const report of worst) {
    out(`  ${report.agent_type} in ${report.project}`);
    for (const { verdict, text, reason } of report.flags.slice(0, 3))
      out(`    ${verdict}: ${oneLine(text, 90)} (${oneLine(reason, 140)})`);
    out(paint("dim", `    retinue verify --transcript ${report.transcript}`));
  }
  for (const reason of reasonsOf(unjudged)) out(paint("dim", `not judged: ${reason}`));
}

/** A false result weighs more than a place that moved. */
const weight = ({ counts }: AuditedReport): number =>
  10 * (counts.results_without_run + counts.results_contradicted) +
  5 * counts.countered +
  3 * counts.results_stale +
  counts.places_wrong;

function grouped(reports: readonly AuditedReport[], key: "agent_type" | "model"): string[] {
  const groups = new Map<string, AuditedReport[]>();
  for (const report of reports)
    groups.set(report[key], [...(groups.get(report[key]) ?? []), report]);
  const flagged = (list: AuditedReport[]): number =>
    list.filter(({ flags }) => flags.length > 0).length;
  return [...groups]
    .sort(([, a], [, b]) => flagged(b) - flagged(a))
    .slice(0, 12)
    .map(
      ([name, list]) =>
        `${name}: ${counted(list.length, "message")}, ${flagged(list)} with something wrong`,
    );
}

function reasonsOf(unjudged: TranscriptAudit["unjudged"]): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of unjudged) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([reason, count]) => `${counted(count, "transcript")}: ${oneLine(reason, 160)}`);
}
