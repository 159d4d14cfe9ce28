// `retinue verify` checks a report by anyone against a working tree or a commit: for people as text, for programs as JSON, many at once as JSON lines.
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { errorText, RetinueError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { toJson } from "../../base/jsonl.ts";
import { limits } from "../../base/limits.ts";
import { oneLine, printable } from "../../base/printable.ts";
import { readLines } from "../../base/read-lines.ts";
import { maskSecrets } from "../../base/secret-scan.ts";
import { assessReport, type Assessment } from "../../verify/assess-report.ts";
import { commitReader } from "../../verify/commit-reader.ts";
import { Repository } from "../../verify/repository.ts";
import { treeReader } from "../../verify/tree-reader.ts";
import { isFlagged, type Check } from "../../verify/verdict.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import type { Io } from "../io.ts";

type Options = { root?: string; commit?: string; base?: string; format: string; json?: boolean; batch?: boolean };

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("verify", io);
  command
    .description("check every file reference, symbol and quotation of a report against the files")
    .argument("[file]", "the report; standard input without it or with -")
    .option("--root <dir>", "the folder that the report's paths are relative to (default: here)")
    .option("--commit <rev>", "check against this commit instead of the working tree")
    .option("--base <rev>", "an older commit: what was right there and is wrong now is stale")
    .option("--format <format>", "text or json", "text")
    .option("--json", "the same as --format json")
    .option("--batch", "JSON lines {id, root, report} in, {id, checks, trust, confidence, counts} out")
    .addHelpText("after", "\nExit code 1 when something is flagged.\n\nExamples:\n  retinue verify report.md\n  retinue verify - --root ../shop --commit v1.2.0 --json < report.md\n  retinue verify --batch < reports.jsonl")
    .action(async (file: string | undefined) => finish(await verify(file, command.opts<Options>(), io)));
  return command;
};

async function verify(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const format = options.json ? "json" : options.format;
  if (format !== "text" && format !== "json") throw new RetinueError("usage", `--format "${format}" is not known; give text or json`);
  if (options.batch) return batch(file, options, io);
  const root = resolve(io.cwd, options.root ?? ".");
  const repository = openRepository(root, options.commit);
  const base = options.base === undefined ? {} : { base: openRepository(root, options.base) };
  const assessed = assessReport(await readReport(file, io), { reader: repository, ...base });
  if (format === "json") io.out(toJson(wire(assessed)));
  else printText(assessed, io);
  return assessed.counts.flagged > 0 ? 1 : 0;
}

function openRepository(root: string, commit: string | undefined): Repository {
  return new Repository(commit === undefined ? treeReader(root) : commitReader(root, commit));
}

/** What leaves the program: no secret of a checked file goes with it. */
function wire({ report, checks, trust, confidence, counts, truncated }: Assessment) {
  return { report, checks: checks.map(masked), trust, confidence, counts, ...(truncated ? { truncated } : {}) };
}

function masked(check: Check): Check {
  return { ...check, reason: maskSecrets(check.reason), ...(check.actual === undefined ? {} : { actual: maskSecrets(check.actual) }) };
}

async function readReport(file: string | undefined, io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source(file, io)) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > limits.verify.reportBytes) throw new RetinueError("usage", `the report is longer than ${limits.verify.reportBytes / 1024 / 1024} MiB; give a shorter one, or several with --batch`);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function source(file: string | undefined, io: Io): AsyncIterable<Uint8Array | string> {
  return file === undefined || file === "-" ? io.stdin : readable(resolve(io.cwd, file));
}

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new RetinueError("usage", `the report cannot be read: ${errorText(error)}`);
  }
}

const openRoots = 4;

/** One answer a line, in order; a bad line is answered with its error and the rest goes on. */
async function batch(file: string | undefined, options: Options, io: Io): Promise<ExitCode> {
  const repositories = new Map<string, Repository>();
  let flagged = false;
  for await (const line of readLines(source(file, io), { maxCharacters: limits.verify.reportBytes })) {
    if (io.signal.aborted) return 130;
    if ("text" in line && line.text.trim() === "") continue;
    let id: unknown = null;
    try {
      const { root, report, ...given } = readCase("text" in line ? line.text : undefined, line.number);
      id = given.id;
      const folder = resolve(io.cwd, root ?? options.root ?? ".");
      const assessed = assessReport(report, { reader: repositoryOf(folder, options.commit, repositories) });
      flagged ||= assessed.counts.flagged > 0;
      io.out(toJson({ id, ...wire(assessed), report: undefined }));
    } catch (error) {
      if (!(error instanceof RetinueError)) throw error;
      flagged = true;
      io.out(toJson({ id, line: line.number, error: error.message }));
    }
  }
  return flagged ? 1 : 0;
}

/** The last few roots stay indexed; a batch usually speaks of one. */
function repositoryOf(root: string, commit: string | undefined, open: Map<string, Repository>): Repository {
  const known = open.get(root);
  if (known) return known;
  const made = openRepository(root, commit);
  if (open.size >= openRoots) open.delete(open.keys().next().value!);
  open.set(root, made);
  return made;
}

function readCase(text: string | undefined, number: number): { id: unknown; root?: string; report: string } {
  const expected = 'expected {"id": …, "root": "folder", "report": "text"}';
  if (text === undefined) throw new RetinueError("usage", `line ${number} is too long; ${expected}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RetinueError("usage", `line ${number} is not JSON (${errorText(error)}); ${expected}`);
  }
  if (!isObject(value) || typeof value["report"] !== "string" || (value["root"] !== undefined && typeof value["root"] !== "string")) throw new RetinueError("usage", `line ${number} has no report; ${expected}`);
  return { id: value["id"] ?? number, report: value["report"], ...(typeof value["root"] === "string" ? { root: value["root"] } : {}) };
}

const signs = { good: "✓", bad: "✗", open: "·" };

function printText({ checks, counts, trust, confidence, truncated }: Assessment, io: Io): void {
  for (const check of checks) {
    const bad = isFlagged(check.verdict);
    const style = bad ? "red" : check.verdict === "verified" ? "green" : "dim";
    const sign = bad ? signs.bad : check.verdict === "verified" ? signs.good : signs.open;
    io.out(`${io.paint(style, `${sign} ${check.verdict.padEnd(12)}`)} ${oneLine(check.text, 100)}`);
    io.out(io.paint("dim", `    ${printable(maskSecrets(check.reason))}`));
    if (bad && check.suggestion) io.out(`    ${io.paint("cyan", `→ ${printable(check.suggestion.path)}:${check.suggestion.line}`)}`);
  }
  if (truncated) io.err("the report has more references than are checked; the rest was left out");
  const score = confidence.combined === null ? "" : `, confidence ${confidence.claimed ?? "–"} claimed → ${confidence.combined} computed`;
  io.out(`${checks.length === 0 ? "no references" : `${counts.total} references: ${counts.verified} verified, ${counts.flagged} flagged, ${counts.total - counts.verified - counts.flagged} undecided`}; trust ${trust}${score}`);
}
