// `retinue run`: one agent as main thread, watched live, as one JSON object, or as a stream of JSON
// lines.
import { requirements, type Requirement } from "../../contract/trust/requirement.ts";
import { resolve } from "node:path";
import { Option } from "commander";
import { counted } from "../../base/text/grouped.ts";
import { printable } from "../../base/text/printable.ts";
import { hideValues, secretValues } from "../../base/secrets/find-secrets.ts";
import { cleanNowAndThen } from "../../app/runs/clean-now-and-then.ts";
import type { HostSession } from "../../app/host/host-job.ts";
import { openSession, type OpenedSession } from "../../app/session/open-session.ts";
import type { EarlierMain } from "../../app/main/resume-main.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../manager/background/background-disabled.ts";
import { backgroundStarted } from "../../manager/background/background-started.ts";
import type { MainInput, MainRun } from "../../app/main/run-main-thread.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import { positive, wholeNumber } from "../whole-number.ts";
import { addOutputFormat, type OutputFormat } from "../output-format.ts";
import type { Io } from "../io.ts";
import { readPrompt } from "../running/read-prompt.ts";
import { denialLines } from "../render/denial-lines.ts";
import { liveText } from "../render/live/live-text.ts";
import { agentRow, runResult, type AgentRow, type RunResult } from "../render/run-result.ts";
import { judgedWords, refusedBy, trustLines } from "../render/trust-words.ts";
import { addSessionFlags, sessionOptionsFromFlags, type SessionFlags } from "../session-flags.ts";
import { showRun } from "../running/foreground-run.ts";
import type { Keyboard } from "../asking/keyboard.ts";

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
        "the lowest trust that gives exit code 0 (default: any but CONTRADICTED)",
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
        "Exit code 1 when the run failed, when the answer is contradicted, INVALID, FAILED or BLOCKED, or when",
        "its trust is below --require.",
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
  const kept = earlier?.begun?.limits;
  const input: MainInput = {
    prompt,
    agent: earlier?.begun?.agent ?? flags.agent,
    model: flags.model ?? earlier?.begun?.model,
    mode,
    name: flags.name,
    contract: flags.contract ?? earlier?.begun?.contract,
    require: flags.require ?? earlier?.begun?.require,
    agentId: earlier?.agentId,
    limits: {
      ...kept,
      maxTurns: flags.maxTurns ?? kept?.maxTurns,
      maxUsd: flags.maxBudgetUsd ?? kept?.maxUsd,
      timeoutMs: flags.timeout ?? kept?.timeoutMs,
    },
  };
  const isDisabled = flags.background === true && backgroundDisabled(io.env);
  const slash = prompt.startsWith("/")
    ? (await import("../instead-of-flag.ts")).slashCommandNotice(prompt, session)
    : undefined;
  const notices = [
    ...(isDisabled ? [backgroundDisabledText] : []),
    ...(slash === undefined ? [] : [slash]),
  ];
  if (flags.background && !isDisabled && slash !== undefined)
    io.err(`${io.paintErr("yellow", "!")} ${printable(slash)}`);
  if (flags.background && !isDisabled)
    return (await import("../running/run-background.ts")).runInBackground(session, input, {
      io,
      format: flags.outputFormat,
    });
  return runHere(session, input, { flags, io, notices, earlier });
}

async function earlierRun(
  { resume, continue: goesOn, permissionMode, cwd }: RunFlags,
  io: Io,
): Promise<{ earlier: EarlierMain | undefined; mode: string | undefined }> {
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
    if (run.outcome.reason !== "moved") return report(run, opened, { flags, io, notices });
    io.out(backgroundStarted(run.agentId, run.outputFile ?? ""));
    return 0;
  } finally {
    live?.close();
    await opened.close();
    await cleanNowAndThen(io.env, io.cwd);
  }
}

/** What goes on keeps its folder and every deny and ask rule that it began with. */
function sessionOf(
  flags: RunFlags,
  io: Io,
  { earlier, mode }: { earlier: EarlierMain | undefined; mode: string | undefined },
): HostSession {
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

function report(
  run: MainRun,
  { session }: OpenedSession,
  { flags, io, notices }: Omit<Here, "earlier">,
): ExitCode {
  const { outcome, agentId, agentType, transcript, agents, totalCostUsd, verification } = run;
  const { tokens_used, tool_uses, duration_ms } = outcome.metrics;
  const main = {
    agent_id: agentId,
    agent_type: agentType,
    state: outcome.state,
    ...judgedWords(verification),
    tokens_used,
    tool_uses,
    duration_ms,
    transcript,
  };
  const result = runResult(outcome, {
    sessionId: session.id,
    agents: [main, ...agents.map(agentRow)],
    totalCostUsd,
    verification,
  });
  const refusal = session.verify ? refusedBy(verification, flags.require ?? null) : undefined;
  if (flags.outputFormat === "text") {
    printText(result, main, io);
    for (const line of trustLines(verification, session.verify))
      io.err(io.paintErr("dim", printable(line)));
    if (refusal !== undefined)
      io.err(`${io.paintErr("red", "not accepted")} ${printable(refusal)}`);
  } else io.out(JSON.stringify(notices.length > 0 ? { ...result, notices } : result));
  return result.is_error || refusal !== undefined ? 1 : 0;
}

function printText(result: RunResult, { agent_id, transcript }: AgentRow, io: Io): void {
  if (result.result) io.out(printable(result.result));
  const cost = result.total_cost_usd === null ? "" : ` · $${result.total_cost_usd.toFixed(4)}`;
  // Of the whole tree, as the cost is.
  const tokens = result.agents.reduce((sum, agent) => sum + agent.tokens_used, 0);
  if (result.is_error)
    io.err(`${io.paintErr("red", result.subtype)} ${printable(result.error ?? "")}`);
  // Where the disk refused there may be nothing to go on with.
  if (result.is_error && result.reason !== "storage")
    io.err(io.paintErr("dim", `to go on with it: retinue resume ${agent_id} PROMPT`));
  for (const line of denialLines(result.permission_denials, io)) io.err(line);
  io.err(
    io.paintErr(
      "dim",
      `${counted(result.num_turns, "turn")} · ${counted(tokens, "token")}${cost} · ` +
        `${(result.duration_ms / 1000).toFixed(1)} s · ${transcript}`,
    ),
  );
}
