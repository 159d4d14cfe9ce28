// `retinue flow`: the patterns of work as commands, live, as JSON, or as a stream; a flow that
// stopped goes on with `flow resume`.
import { Option, type Command } from "commander";
import { continueFlow, beginFlow, type FlowWatch } from "../../app/flows/begin-flow.ts";
import type { SessionOptions } from "../../app/session/session-options.ts";
import { RetinueError } from "../../base/errors.ts";
import { printable } from "../../base/text/printable.ts";
import type { FlowPattern } from "../../flows/journal.ts";
import { taskPhase } from "../../flows/phases.ts";
import type { FlowOutcome } from "../../flows/run-flow.ts";
import { contextTable, lookLines, flowMeasureLines } from "../render/flow-measures.ts";
import { liveText, type LiveText } from "../../terminal/live/live-text.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import type { Io } from "../io.ts";
import { addOutputFormat, type OutputFormat } from "../output-format.ts";
import { readPrompt } from "../running/read-prompt.ts";
import {
  addSessionFlags,
  resumeFlagNames,
  sessionOptionsFromFlags,
  type SessionFlags,
} from "../session-flags.ts";
import { showFlows } from "./flow-list.ts";
import { askQuestions, confirmPhase } from "../asking/ask-questions.ts";
import { askTerminal } from "../asking/ask-terminal.ts";

type Flags = SessionFlags & {
  model?: string;
  task?: string[];
  confirm?: boolean;
  answer?: string[];
  report?: "context";
  secondLooks?: number;
  outputFormat: OutputFormat;
};

const patterns: [FlowPattern, string][] = [
  ["sequence", "research, write, validate; each phase gets only the summary of the phase before"],
  ["parallel", "run independent checks side by side; without --task, the four usual ones"],
  ["branch", "one agent rates the task; then the short or the long sequence runs"],
];

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("flow", io).description("run several agents as one piece of work");
  for (const [pattern, description] of patterns)
    withFlags(addPattern(command, pattern, description)).action(
      async (prompt: string | undefined, flags: Flags) => {
        const feature = await readPrompt(prompt, io, flags);
        const { model, secondLooks } = flags;
        const request = { pattern, feature, model, tasks: tasksOf(flags.task ?? []), secondLooks };
        finish(await watched(flags, io, (options, watch) => beginFlow(options, request, watch)));
      },
    );
  withFlags(addResume(command)).action(async (flowId: string, flags: Flags) => {
    const request = { flowId, answers: answersOf(flags.answer ?? []), model: flags.model };
    finish(await watched(flags, io, (options, watch) => continueFlow(options, request, watch)));
  });
  command
    .command("list")
    .description("list your flows, how far each is, and the command that continues it")
    .option("--json", "print JSON")
    .action((flags: { json?: boolean }) => finish(showFlows(io, flags)));
  return command;
};

function addPattern(command: Command, pattern: FlowPattern, description: string): Command {
  const sub = addSessionFlags(
    command
      .command(pattern)
      .description(description)
      .argument("[prompt]", 'the task; "-" reads it from standard input'),
  ).addOption(
    new Option(
      "--second-looks <n>",
      "let a second agent check at most this many findings; 0 for none",
    ).argParser(wholeNumber),
  );
  return pattern === "parallel"
    ? sub.option("--task <agent=prompt...>", "an agent and what it is to do; repeat it")
    : sub;
}

const addResume = (command: Command): Command =>
  addSessionFlags(
    command
      .command("resume")
      .description("continue a flow that was interrupted, or that has questions")
      .argument("<id>", "the flow's id"),
    resumeFlagNames,
  ).option("--answer <question=answer...>", "the answer to a question; may be given several times");

function withFlags(command: Command): Command {
  return addOutputFormat(command)
    .option(
      "--model <model>",
      "the model for agents that name no model, or one without a key; offline is used for all agents",
    )
    .addOption(
      new Option(
        "--report <what>",
        "context: print how many tokens each phase read, compared with one conversation",
      ).choices(["context"]),
    )
    .option("--confirm", "ask for a yes after each phase");
}

function wholeNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text))
    throw new RetinueError(
      "usage",
      `--second-looks ${JSON.stringify(text)}: give a number from 0 on`,
    );
  return Number(text);
}

function tasksOf(tasks: readonly string[]): ReturnType<typeof taskPhase>[] {
  return tasks.map((text, index) => {
    const at = text.indexOf("=");
    if (at < 1 || at === text.length - 1)
      throw new RetinueError("usage", `--task ${JSON.stringify(text)}: write it as AGENT=PROMPT`);
    return taskPhase(text.slice(0, at), text.slice(at + 1), index);
  });
}

function answersOf(answers: readonly string[]): readonly string[] {
  const bare = answers.find((text) => !/\S\s*=\s*\S/.test(text));
  if (bare !== undefined)
    throw new RetinueError(
      "usage",
      `--answer ${JSON.stringify(bare)}: write it as QUESTION=ANSWER`,
    );
  return answers;
}

/** Runs a flow with somebody or something that watches it, and reports what it came to. */
async function watched(
  flags: Flags,
  io: Io,
  run: (options: SessionOptions, watch: FlowWatch) => Promise<FlowOutcome>,
): Promise<ExitCode> {
  const asks = io.interactive && flags.outputFormat === "text";
  if (flags.confirm && !asks)
    throw new RetinueError(
      "usage",
      "--confirm waits for a person's yes after each phase, and nobody can be asked here: " +
        "it needs a terminal and --output-format text.",
    );
  const live = flags.outputFormat === "text" ? liveText(io, io.status) : undefined;
  const pause = live?.pause ?? (() => () => undefined);
  const options = {
    ...sessionOptionsFromFlags(flags, io),
    ...(asks ? { ask: askTerminal(io, pause) } : {}),
  };
  try {
    const outcome = await run(options, {
      signal: io.signal,
      ...(live ? liveWatch(io, live) : {}),
      ...(flags.outputFormat === "stream-json" ? streamWatch(io) : {}),
      onWarnings: (warnings) =>
        warnings.forEach((warning) =>
          io.err(`${io.paintErr("yellow", "!")} ${printable(warning)}`),
        ),
      ...(asks
        ? { ask: (questions, phase) => quietly(pause, () => askQuestions(io, phase, questions)) }
        : {}),
      ...(flags.confirm
        ? { confirm: (entry) => quietly(pause, () => confirmPhase(io, entry)) }
        : {}),
    });
    live?.close();
    return await report(outcome, flags, io);
  } finally {
    live?.close();
  }
}

/** A question has the terminal to itself. */
async function quietly<T>(pause: () => () => void, ask: () => Promise<T>): Promise<T> {
  const resume = pause();
  try {
    return await ask();
  } finally {
    resume();
  }
}

const liveWatch = (io: Io, live: LiveText): FlowWatch => ({
  // Told at once: after a crash this line is what `flow resume` needs.
  onOpen: (flowId) => io.err(io.paintErr("dim", `flow ${flowId}`)),
  onEvent: live.onEvent,
  onPhaseStart: (phase, agent) =>
    live.onStep({ type: "phase-start", phase, agent, time: Date.now() }),
  onStart: (_agent, agentId, phase) => live.onStep({ type: "agent-start", phase, agentId }),
  onPhase: (entry) => live.onStep({ type: "phase-end", entry }),
});

const streamWatch = (io: Io): FlowWatch => ({
  onOpen: (flowId) => io.out(JSON.stringify({ type: "flow_started", flow_id: flowId })),
  onStart: (agent, agentId) =>
    io.out(JSON.stringify({ type: "task_started", agent, agent_id: agentId })),
  onPhase: (entry) => io.out(JSON.stringify({ type: "phase", ...entry })),
});

async function report(outcome: FlowOutcome, flags: Flags, io: Io): Promise<ExitCode> {
  const { context, ...rest } = outcome;
  if (flags.outputFormat === "text") printText(outcome, io);
  else
    io.out(
      JSON.stringify({
        type: "result",
        ...rest,
        ...(flags.report === "context" ? { context } : {}),
      }),
    );
  if (flags.outputFormat === "text" && flags.report === "context")
    for (const line of contextTable(context, io)) io.out(line);
  return outcome.decision === "PROCEED" ? 0 : 1;
}

function printText(
  {
    flow_id,
    decision,
    reason,
    suggestion,
    questions,
    issues,
    warnings,
    measures,
    second_looks,
  }: FlowOutcome,
  io: Io,
): void {
  io.out(
    `${io.paint(decision === "PROCEED" ? "green" : "red", decision)}${reason ? ` ${printable(reason)}` : ""}`,
  );
  for (const issue of issues.filter((one) => !reason?.includes(one)))
    io.out(`  - ${printable(issue)}`);
  for (const question of questions ?? []) io.out(`  ? ${printable(question)}`);
  if (suggestion) io.out(`  → ${printable(suggestion)}`);
  for (const line of lookLines(second_looks, io)) io.out(line);
  for (const warning of warnings) io.err(`${io.paintErr("yellow", "!")} ${printable(warning)}`);
  for (const line of flowMeasureLines(measures, io)) io.err(line);
  if (decision !== "PROCEED")
    io.err(
      io.paintErr(
        "dim",
        `continue with: retinue flow resume ${flow_id}${questions?.length ? ' --answer "QUESTION=ANSWER"' : ""}`,
      ),
    );
}
