// "A command shows it": the command must be on record, and how it ended is told from the record.
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import { inLine } from "../../contract/report-tool/marked-text.ts";
import type { ReportFinding } from "../../contract/report-tool/report-input.ts";
import type { CommandRun } from "../evidence/command-runs.ts";
import type { Lookup, ReportEvidence } from "./lookup.ts";

const shownCommands = 5;

export function judgeRun(
  { kind, evidence: command = "" }: ReportFinding,
  at: string,
  { ledger }: ReportEvidence,
): Lookup {
  const written = inLine(command).replace(/^[`$\s]+|[`\s]+$/g, "");
  const lookedUp = (label: string, isProven: boolean) => ({
    placed: {
      label: maskSecrets(label),
      path: null,
      excerpt: null,
      action: null,
      isFound: true,
      isQuoted: false,
      isProven,
    },
    lines: null,
    hash: null,
  });
  if (!ledger)
    return {
      ...lookedUp(`\`${written}\`, no record of the run was given`, false),
      verdict: "unverifiable",
      grade: "E0",
      reason: "there is no record of the run to compare with",
    };
  const run = ledger.ran(written).at(-1);
  if (!run || run.run.exitCode === null)
    return { problem: { at: `${at}.evidence`, message: notRun(written, ledger.commands) } };
  const how = `\`${written}\` ended with exit code ${run.run.exitCode}${numbersOf(run.run)}`;
  const isProven = run.proven && (kind === "result" || run.run.exitCode === 0);
  return {
    ...lookedUp(how, isProven),
    verdict: isProven ? "verified" : "exists_only",
    grade: isProven ? "E4" : "E1",
    reason: `recorded: ${how}`,
  };
}

function numbersOf({ tests }: CommandRun): string {
  return tests === null ? "" : `, ${tests.passed ?? 0} passed, ${tests.failed ?? 0} failed`;
}

function notRun(command: string, commands: readonly CommandRun[]): string {
  const ran = [...new Set(commands.map((run) => inLine(run.command).slice(0, 80)))];
  const known =
    ran.length === 0
      ? "no command is on record"
      : `on record: ${ran
          .slice(-shownCommands)
          .map((one) => `\`${one}\``)
          .join(", ")}`;
  return (
    `no finished run of \`${command.slice(0, 120)}\` is on record; ${known}. ` +
    "Run it, name the command as you ran it, or take the finding back"
  );
}
