// `retinue run`: one agent as main thread, watched live, as one JSON object, or as a stream of JSON
// lines.
import { requirements, type Requirement } from "../../contract/trust/requirement.ts";
import { resolve } from "node:path";
import { Option } from "commander";
import { printable } from "../../base/text/printable.ts";
import { hideValues, secretValues } from "../../base/secrets/find-secrets.ts";
import { cleanNowAndThen } from "../../app/runs/clean-now-and-then.ts";
import type { HostSession } from "../../app/host/host-job.ts";
import { openSession } from "../../app/session/open-session.ts";
import type { EarlierMain } from "../../app/main/resume-main.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../manager/background/background-disabled.ts";
import { backgroundStarted } from "../../manager/background/background-started.ts";
import type { MainInput } from "../../app/main/run-main-thread.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import { positive, wholeNumber } from "../whole-number.ts";
import { addOutputFormat, type OutputFormat } from "../output-format.ts";
import type { Io } from "../io.ts";
import { readPrompt } from "../running/read-prompt.ts";
import { reportRun } from "../render/report-run.ts";
import { liveText } from "../../terminal/live/live-text.ts";
import { addSessionFlags, sessionOptionsFromFlags, type SessionFlags } from "../session-flags.ts";
import { showRun } from "../running/foreground-run.ts";
import type { Keyboard } from "../../terminal/screen/keyboard.ts";

export type RunFlags = SessionFlags & {
  agent?: string;
  model?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  timeout?: number;
  name?: string;
  contract?: "report" | "handoff" | "none";
  require?: Requirement;
  verify?: boolean;
  /** True without an id: the newest session of this folder. */
  resume?: string | true;
  continue?: boolean;
  background?: boolean;
  outputFormat: OutputFormat;
};

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("run", io)
    .description("run one agent on a task and watch it work")
    .argument("[prompt]", 'the task; "-" reads it from standard input')
    .option("--agent <name>", "the agent definition to run (default: general-purpose)")
    .option("--model <model>", "provider:id, or opus, sonnet, haiku; offline needs no key")
    .option("--max-turns <n>", "stop after this many replies of the model", wholeNumber);
  return addOutputFormat(addSessionFlags(command))
    .option("--max-budget-usd <usd>", "stop when the run has cost this much", positive)
    .option("--timeout <ms>", "stop after this many milliseconds", wholeNumber)
    .option("--name <name>", "a name for the run in lists")
    .addOption(
      new Option(
        "--contract <form>",
        "the form that the answer must have (default: what the definition names)",
      ).choices(["report", "handoff", "none"]),
    )
    .addOption(
      new Option(
        "--require <trust>",
        "the lowest trust that gives exit code 0 (default: any; what binds ends with 1)",
      ).choices(requirements),
    )
    .option("--no-verify", "do not check final answers against the files and the transcript")
    .option(
      "--background",
      "start the run in its own process and return at once; `retinue ps` and `retinue output` show it",
    )
    .option(
      "--resume [id]",
      "continue an earlier run: its session id, its agent id, or its name; without an id the newest",
    )
    .option("-c, --continue", "continue the newest session of this folder")
    .addHelpText(
      "after",
      [
        "",
        "While a run is on a terminal, Ctrl+B moves it to the background at the end of its turn, and Ctrl+C stops it.",
        "",
        "Exit code 1 when the run failed, when the answer is INVALID, FAILED or BLOCKED, when a verdict on it",
        "binds (docs/trust.md has the table), or when its trust is below --require. To end with 1 on every",
        "contradicted answer: --require UNVERIFIED.",
      ].join("\n"),
    )
    .action(async (words: string | undefined, flags: RunFlags) => {
      // `--resume "go on"` gives a prompt and no id: no id has a blank.
      const isPrompt = words === undefined && /\s/.test(String(flags.resume ?? ""));
      const prompt = await readPrompt(isPrompt ? String(flags.resume) : words, io, flags);
      finish(await run(prompt, isPrompt ? { ...flags, resume: true } : flags, io));
    });
};

/** Whatever an agent has come to know: the keys of this process are not printed. */
function hidingKeys(io: Io): Io {
  const known = secretValues(io.env);
  return known.length === 0
    ? io
    : {
        ...io,
        out: (text) => io.out(hideValues(text, known)),
        err: (text) => io.err(hideValues(text, known)),
      };
}

export async function run(prompt: string, flags: RunFlags, plainIo: Io): Promise<ExitCode> {
  const io = hidingKeys(plainIo);
  const { earlier, mode } = await earlierRun(flags, io);
  const session = sessionOf(flags, io, { earlier, mode });
  const input = inputOf(prompt, flags, { earlier, mode });
  const slash = prompt.startsWith("/")
    ? (await import("../instead-of-flag.ts")).slashCommandNotice(prompt, session)
    : undefined;
  const notices = slash === undefined ? [] : [slash];
  if (!flags.background) return runHere(session, input, { flags, io, notices, earlier });
  if (backgroundDisabled(io.env))
    return runHere(session, input, {
      flags,
      io,
      notices: [backgroundDisabledText, ...notices],
      earlier,
    });
  for (const notice of notices) io.err(`${io.paintErr("yellow", "!")} ${printable(notice)}`);
  return (await import("../running/run-background.ts")).runInBackground(session, input, {
    io,
    format: flags.outputFormat,
  });
}

type Earlier = { earlier: EarlierMain | undefined; mode: string | undefined };

/** What goes on keeps what it began with, unless a flag says otherwise. */
function inputOf(prompt: string, flags: RunFlags, { earlier, mode }: Earlier): MainInput {
  const { begun, agentId } = earlier ?? {};
  return {
    prompt,
    agent: begun?.agent ?? flags.agent,
    model: flags.model ?? begun?.model,
    mode,
    name: flags.name,
    contract: flags.contract ?? begun?.contract,
    require: flags.require ?? begun?.require,
    agentId,
    limits: limitsOf(flags, begun?.limits),
  };
}

const limitsOf = (
  { maxTurns, maxBudgetUsd, timeout }: RunFlags,
  kept: MainInput["limits"] = {},
): NonNullable<MainInput["limits"]> => ({
  ...kept,
  maxTurns: maxTurns ?? kept.maxTurns,
  maxUsd: maxBudgetUsd ?? kept.maxUsd,
  timeoutMs: timeout ?? kept.timeoutMs,
});

async function earlierRun(
  { resume, continue: goesOn, permissionMode, cwd }: RunFlags,
  io: Io,
): Promise<Earlier> {
  if (resume === undefined && !goesOn) return { earlier: undefined, mode: permissionMode };
  const { newestSession, resumedMain } = await import("../../app/main/resume-main.ts");
  const id =
    typeof resume === "string" ? resume : newestSession(resolve(io.cwd, cwd ?? "."), io.env);
  return resumedMain(id, permissionMode, io.env);
}

type Here = { flags: RunFlags; io: Io; notices: string[]; earlier: EarlierMain | undefined };

async function runHere(
  options: HostSession,
  input: MainInput,
  { flags, io, notices, earlier }: Here,
): Promise<ExitCode> {
  const live = flags.outputFormat === "text" ? liveText(io, io.status) : undefined;
  const isWatched = io.interactive && live !== undefined;
  let keys: Keyboard | undefined;
  // A question has the terminal to itself.
  const pause = (): (() => void) => {
    const resume = [live?.pause(), keys?.pause()];
    return () => resume.forEach((each) => each?.());
  };
  const say = (text: string): void => {
    const resume = live?.pause();
    io.err(io.paintErr("dim", printable(text)));
    resume?.();
  };
  // Each is loaded where it is needed: a start reads every file that it could need.
  const person = isWatched
    ? {
        ask: (await import("../asking/ask-terminal.ts")).askTerminal(io, pause),
        answer: (await import("../asking/answer-terminal.ts")).answerTerminal(io, pause),
      }
    : {};
  const stream =
    flags.outputFormat === "stream-json"
      ? (await import("../render/stream-json.ts")).streamJson
      : undefined;
  const opened = openSession({ ...options, ...person });
  if (earlier)
    notices.push(
      ...(await import("../../app/main/resume-main.ts")).lostAllowances(earlier, opened),
    );
  const warn = (warnings: readonly string[]): void =>
    warnings.forEach((warning) => io.err(`${io.paintErr("yellow", "!")} ${printable(warning)}`));
  warn([...opened.warnings, ...notices]);
  const told = opened.warnings.length;
  try {
    const onEvent = live?.onEvent ?? stream?.(io, { sessionId: opened.session.id });
    const run = await showRun(opened, input, {
      io,
      onEvent,
      options,
      isWatched,
      onKeys: (found) => (keys = found),
      say,
    });
    live?.close();
    warn(opened.warnings.slice(told));
    if (run.outcome.reason !== "moved") return reportRun(run, opened, { flags, io, notices });
    io.out(backgroundStarted(run.agentId, run.outputFile ?? ""));
    return 0;
  } finally {
    live?.close();
    await opened.close();
    await cleanNowAndThen(io.env, io.cwd);
  }
}

/** What goes on keeps its folder and every deny and ask rule that it began with. */
function sessionOf(flags: RunFlags, io: Io, { earlier, mode }: Earlier): HostSession {
  const given = {
    ...sessionOptionsFromFlags(flags, io),
    ...(mode === undefined ? {} : { mode }),
    ...(flags.verify === false ? { verify: false } : {}),
  };
  if (!earlier) return given;
  const { deny, ask } = earlier.begun ?? { deny: [], ask: [] };
  return {
    ...given,
    cwd: earlier.cwd,
    sessionId: earlier.sessionId,
    disallowedTools: [...deny, ...(given.disallowedTools ?? [])],
    askRules: ask,
  };
}
