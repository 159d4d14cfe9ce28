// `retinue verify` checks a report by anyone against a working tree or a commit, and against the
// transcript of its run where there is one.
import { existsSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { projectRoot } from "../../../base/files/project-folders.ts";
import { errorText, RetinueError } from "../../../base/errors.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { writeFileAtomic } from "../../../base/files/write-file-atomic.ts";
import { version } from "../../../app/version.ts";
import { assessReport } from "../../../verify/assess-report.ts";
import { faultsOf, type Assessment } from "../../../verify/assessment.ts";
import { assessmentSarif } from "../../../verify/report/assessment-sarif.ts";
import type { NamedRunner } from "../../../verify/claims/runs/tools-for.ts";
import { readLedger, type Ledger } from "../../../verify/evidence/ledger.ts";
import { gradeLegend, grades } from "../../../contract/grades.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openRepository } from "../../reports/open-repository.ts";
import { readReport, refuseEmpty } from "../../reports/read-report.ts";
import {
  printVerification,
  verificationMarkdown,
  verificationWire,
} from "../../render/verification.ts";
import { verifyBatch } from "../../reports/verify-batch.ts";

type Options = {
  root?: string;
  commit?: string;
  base?: string;
  transcript?: string;
  rerun?: string[];
  format: string;
  json?: boolean;
  fix?: boolean;
  batch?: boolean;
};

const formats = ["text", "json", "sarif", "markdown"] as const;
type Format = (typeof formats)[number];

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("verify", io);
  command
    .description(
      "check every file reference, symbol, quotation, file claim, test result and command of a report",
    )
    .argument("[file]", "the report; without it, or with -, standard input")
    .option("--root <dir>", "the folder that the report's paths are relative to (default: here)")
    .option("--commit <rev>", "check against this commit instead of the working tree")
    .option(
      "--base <rev>",
      "an older commit; what was right there and is wrong now is reported as stale",
    )
    .option(
      "--transcript <file>",
      "the run's transcript, of Retinue or Claude Code: what the agent saw and did is " +
        "checked too. Without a file, the final message of the transcript is checked",
    )
    .option(
      "--rerun <commands...>",
      "run these commands of the transcript again and compare the results; write each exactly as there",
    )
    .option("--format <format>", formats.join(", "), "text")
    .option("--json", "the same as --format json")
    .option(
      "--fix",
      "correct line numbers in the report if only one place fits; the original is kept as FILE.orig",
    )
    .option(
      "--batch",
      "JSON lines {id, root, report} in, {id, checks, trust, confidence, counts, …} out",
    )
    .addHelpText(
      "after",
      `\nThe exit code is 1 if anything is shown with ✗, 0 if nothing is, and 2 for wrong usage or an ` +
        `empty report.\n\nWhat stands behind a line: ${gradeLegend(grades)}.\n` +
        "\nExamples:\n  retinue verify " +
        "report.md\n  retinue verify - --root ../shop --commit v1.2.0 --json < report.md\n  " +
        "retinue verify --transcript ~/.claude/projects/-home-me-shop/1b2c….jsonl\n  retinue " +
        "verify --batch < reports.jsonl",
    )
    .action(async (file: string | undefined) =>
      finish(await verify(file, command.opts<Options>(), io)),
    );
  return command;
};

/** A command that is run again is ended first. */
export const endsAtOnce: CommandModule["endsAtOnce"] = (args) =>
  !args.some((word) => word.startsWith("--rerun"));

/** What is checked: the text, where it came from, and the record that goes with it. */
type Material = {
  text: string;
  /** What the report is called: its file, the transcript that it ends, or "-". */ name: string;
  /** The report's own file, where it has one. */ path: string | undefined;
  root: string;
  ledger: Ledger | undefined;
};

async function verify(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const format = formatOf(options);
  if (options.batch) return verifyBatch(file, options, io);
  const material = await readMaterial(file, options, io);
  refuseEmpty(material.text);
  const isLong = material.text.length >= longText;
  const megabytes = Math.round(material.text.length / 1_000_000);
  if (isLong) io.status?.write(`checking a report of ${megabytes} MB …`);
  const assessed = await assess(material, options, io);
  if (isLong) io.status?.write("\r\u001b[K");
  if (options.fix) return fix(assessed, material.path, io);
  io.out(rendered(assessed, { format, name: material.name, io }));
  return faultsOf(assessed).count > 0 ? 1 : 0;
}

/** From here on the work takes seconds, and a person is told of it. */
const longText = 1_000_000;

/** Without a file the last message of the transcript, checked where its run took place. */
async function readMaterial(
  file: string | undefined,
  { root: folder, transcript }: Options,
  io: Io,
): Promise<Material> {
  const root = resolve(io.cwd, folder ?? ".");
  const record = transcript === undefined ? undefined : resolve(io.cwd, transcript);
  const ledger = record === undefined ? undefined : await openLedger(record, root);
  if (file !== undefined || record === undefined || ledger === undefined) {
    const path = file === undefined || file === "-" ? undefined : resolve(io.cwd, file);
    return { text: await readReport(file, io), name: file ?? "-", path, root, ledger };
  }
  const text = finalReport(ledger, transcript!);
  const own = folder === undefined ? (folderOf(ledger.final.cwd) ?? root) : root;
  return {
    text,
    name: transcript!,
    path: undefined,
    root: own,
    ledger: own === root ? ledger : await openLedger(record, own),
  };
}

async function assess(
  { text, path, root, ledger }: Material,
  { commit, base, rerun }: Options,
  io: Io,
): Promise<Assessment> {
  const reports = path === undefined ? [] : [path];
  const repo = openRepository(root, { commit, reports });
  const again =
    rerun &&
    (await import("../../reports/rerun-named.ts")).rerunNamed(rerun, { ledger, root, io, repo });
  return assessReport(text, {
    reader: repo,
    ...documentOf(path, root),
    ...(base === undefined ? {} : { base: openRepository(root, { commit: base, reports }) }),
    ...(ledger ? { ledger, runners: await runnersOf(root, io) } : {}),
    ...(again ? { rerun: again } : {}),
  });
}

/** Settings are read only where there is a record to compare with. */
const runnersOf = async (root: string, { env }: Io): Promise<readonly NamedRunner[]> =>
  (await import("../../../app/project/named-runners.ts")).namedRunners(root, env);

/** Links in a document of the tree are read from its own folder. */
function documentOf(file: string | undefined, root: string): { document?: string } {
  const path = file === undefined ? "" : relative(root, file);
  return path === "" || path.startsWith("..") || isAbsolute(path)
    ? {}
    : { document: path.split(sep).join("/") };
}

function formatOf({ json, format }: Options): Format {
  const wanted = json ? "json" : format;
  const known = formats.find((one) => one === wanted);
  if (!known)
    throw new RetinueError(
      "usage",
      `--format "${wanted}" is not known; give text, json, sarif or markdown`,
    );
  return known;
}

function rendered(
  assessed: Assessment,
  { format, name, io }: { format: Format; name: string; io: Io },
): string {
  if (format === "json") return toJson(verificationWire(assessed));
  if (format === "sarif")
    return toJson(assessmentSarif(assessed, { uri: name === "-" ? "report.md" : name, version }));
  return format === "markdown" ? verificationMarkdown(assessed) : printVerification(assessed, io);
}

async function openLedger(transcript: string, root: string): Promise<Ledger> {
  try {
    return await readLedger(transcript, { root });
  } catch (error) {
    throw new RetinueError(
      "usage",
      `the transcript cannot be read: ${errorText(error)}. Give the .jsonl file of a session or of a sub-agent.`,
    );
  }
}

function finalReport({ final }: Ledger, transcript: string): string {
  if (final.text === "")
    throw new RetinueError(
      "usage",
      `${transcript} has no final report: no reply of an agent with text in it. Give the ` +
        "transcript (.jsonl) of a session or of a sub-agent.",
    );
  return final.text;
}

/** The repository where the run took place. */
const folderOf = (path: string | null): string | undefined =>
  path !== null && existsSync(path) && statSync(path).isDirectory() ? projectRoot(path) : undefined;

/** The corrected report: in its file, with the original beside it, or on standard output. */
function fix(assessed: Assessment, path: string | undefined, io: Io): ExitCode {
  const changes = assessed.checks.filter((check) => check.corrected !== undefined);
  const open = faultsOf(assessed).count - changes.length;
  if (path === undefined) io.out(assessed.corrected ?? assessed.text);
  else if (assessed.corrected !== null) {
    if (!existsSync(`${path}.orig`))
      writeFileAtomic(`${path}.orig`, assessed.text, { mode: statSync(path).mode & 0o777 });
    writeFileAtomic(path, assessed.corrected, { mode: statSync(path).mode & 0o777 });
  }
  const say = path === undefined ? io.err : io.out;
  for (const check of changes) say(`corrected ${check.text} → ${check.corrected}`);
  say(`${changes.length} corrected, ${open} left`);
  return open > 0 ? 1 : 0;
}
