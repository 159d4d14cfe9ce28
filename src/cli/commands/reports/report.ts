// `retinue report check` and `retinue report render`: reports that any agent wrote as JSON. The
// agent quotes; lines are found here.
import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isObject } from "../../../base/data/json.ts";
import { toJson } from "../../../base/data/jsonl.ts";
import { projectRoot } from "../../../base/files/project-folders.ts";
import { errorText, RetinueError } from "../../../base/errors.ts";
import { jsonInText } from "../../../contract/handoff/json-in-text.ts";
import { reportInputJsonSchema } from "../../../contract/report-tool/report-input.ts";
import { finalText } from "../../../verify/trust/final-text.ts";
import { readLedger, type Ledger } from "../../../verify/evidence/ledger.ts";
import {
  checkReportInput,
  problemsText,
  type SubmittedReport,
} from "../../../verify/report-tool/submit-report.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openRepository } from "../../reports/open-repository.ts";
import { readReport } from "../../reports/read-report.ts";

type Options = {
  root?: string;
  transcript?: string;
  agent?: string;
  json?: boolean;
  withdraw?: boolean;
  hook?: boolean;
};

const examples = `
The JSON: {"status", "summary", "findings": [{"title", "kind", "statement", "path", "quote"}], "confidence"}.
\`retinue report schema\` prints all fields. Do not give line numbers: Retinue finds each quote in its file.

The exit code is 1 if something is wrong, 2 if the file cannot be read.

Examples:
  retinue report check report.json
  retinue report render report.json > report.md
  retinue report check report.json --transcript ~/.claude/projects/-home-me-shop/1b2c….jsonl`;

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("report", io).description(
    "check reports that agents write as JSON; Retinue finds each quotation and adds line numbers",
  );
  const check = command
    .command("check")
    .description(
      "name what is wrong in a report: quotations, changed files, results, statements of absence",
    )
    .argument("<file>", "the report as JSON; - is standard input")
    .option("--root <dir>", "the folder that the report's paths are relative to (default: here)")
    .option(
      "--transcript <file>",
      "the run's transcript: the report is also checked against what the agent saw and did",
    )
    .option("--json", "print {ok, problems, places, trust, counts}")
    .option(
      "--hook",
      "work as a SubagentStop hook of Claude Code: read its JSON from standard input, block once",
    )
    .addHelpText("after", examples)
    .action(async (file: string) => finish(await checkFile(file, check.opts<Options>(), io)));
  const render = command
    .command("render")
    .description("print the report as Markdown with line numbers")
    .argument("<file>", "the report as JSON; - is standard input")
    .option("--root <dir>", "the folder that the report's paths are relative to (default: here)")
    .option(
      "--transcript <file>",
      "the run's transcript: the report is also checked against what the agent saw and did",
    )
    .option("--agent <name>", "the agent's name, for the title", "agent")
    .option("--withdraw", "leave out what is wrong, and say so")
    .option("--json", "print {ok, markdown, problems, places, trust, counts}")
    .addHelpText("after", examples)
    .action(async (file: string) => finish(await renderFile(file, render.opts<Options>(), io)));
  command
    .command("schema")
    .description("print the JSON Schema of a report")
    .action(() => {
      io.out(JSON.stringify(reportInputJsonSchema(), null, 2));
      finish(0);
    });
  return command;
};

async function checkFile(file: string, options: Options, io: Io): Promise<ExitCode> {
  if (options.hook) return answerHook(file, options, io);
  const answer = await submitted(file, options, io);
  if (options.json) io.out(toJson(wire(answer)));
  else {
    const { paint } = io;
    if (answer.ok)
      io.out(
        `${paint("green", "✓")} ${counted(answer.places.length, "quotation")} found, ` +
          `trust ${answer.assessment.trust}`,
      );
    else {
      for (const { at, message } of answer.problems)
        io.out(`${paint("red", "✗")} ${at} ${message}`);
      io.out(counted(answer.problems.length, "problem"));
    }
  }
  return answer.ok ? 0 : 1;
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

async function renderFile(file: string, options: Options, io: Io): Promise<ExitCode> {
  const answer = await submitted(file, options, io);
  if (options.json)
    io.out(
      toJson({ ...wire(answer), ...(answer.ok ? { markdown: finalText(answer.assessment) } : {}) }),
    );
  else if (answer.ok) io.out(finalText(answer.assessment).trimEnd());
  else io.err(problemsText(answer.problems));
  return answer.ok ? 0 : 1;
}

function wire(answer: SubmittedReport): Record<string, unknown> {
  if (!answer.ok) return { ok: false, problems: answer.problems };
  const { assessment, places, withdrawn } = answer;
  const { trust, counts, confidence, outcome } = assessment;
  return { ok: true, problems: [], places, withdrawn, trust, outcome, counts, confidence };
}

async function submitted(file: string, options: Options, io: Io): Promise<SubmittedReport> {
  const text = await readReport(file, io);
  const parsed = jsonInText(text);
  if (!parsed.ok)
    throw new RetinueError(
      "usage",
      `${file} is no JSON object. Run \`retinue report schema\` for its fields.`,
    );
  const root = resolve(io.cwd, options.root ?? ".");
  const ledger =
    options.transcript === undefined
      ? undefined
      : await openLedger(resolve(io.cwd, options.transcript), root);
  const reports = file === "-" ? [] : [resolve(io.cwd, file)];
  return checkReportInput(
    parsed.value,
    {
      reader: openRepository(root, { reports }),
      agent: options.agent ?? "agent",
      ...(ledger ? { ledger: withoutReport(ledger, relative(root, reports[0] ?? root)) } : {}),
    },
    { withdraw: options.withdraw === true },
  );
}

/** Writing the report is no change that the report would have to declare. */
const withoutReport = (ledger: Ledger, report: string): Ledger => ({
  ...ledger,
  edits: ledger.edits.filter(({ path }) => path !== report),
});

async function openLedger(path: string, root: string): Promise<Ledger> {
  try {
    return await readLedger(path, { root });
  } catch (error) {
    throw new RetinueError(
      "usage",
      `the transcript cannot be read: ${errorText(error)}. Give the .jsonl file of a session or of a sub-agent.`,
    );
  }
}

const schemaText = (): string => JSON.stringify(reportInputJsonSchema());

/** Never fails its host: on errors of its own it says so and lets the agent go. */
async function answerHook(file: string, options: Options, io: Io): Promise<ExitCode> {
  try {
    const input: unknown = JSON.parse(await readReport("-", io));
    const given = isObject(input) ? input : {};
    const said = (key: string): string | undefined =>
      typeof given[key] === "string" && given[key] !== "" ? given[key] : undefined;
    if (given["stop_hook_active"] === true) return 0;
    const root = options.root ?? projectRoot(said("cwd") ?? io.cwd);
    const path = resolve(root, file);
    const transcript = options.transcript ?? said("agent_transcript_path");
    const reason =
      existsSync(path) && statSync(path).isFile()
        ? await objection(path, { ...options, root, ...(transcript ? { transcript } : {}) }, io)
        : `Write your report as JSON to ${file} before you stop. Its schema: ${schemaText()}`;
    if (reason !== undefined) io.out(toJson({ decision: "block", reason }));
  } catch (error) {
    io.err(`retinue: the report was not checked: ${errorText(error)}`);
  }
  return 0;
}

async function objection(path: string, options: Options, io: Io): Promise<string | undefined> {
  try {
    const answer = await submitted(path, options, io);
    return answer.ok
      ? undefined
      : problemsText(answer.problems).replace(
          "call Report again with the whole report",
          `write the whole report to ${path} again`,
        );
  } catch (error) {
    if (error instanceof RetinueError) return error.message;
    throw error;
  }
}
