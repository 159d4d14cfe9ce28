// Runs one command hook: JSON on stdin, bounded output, a deadline; no process of it is left when
// it returns.
import { existsSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { scrubEnvironment } from "../process/sandbox/scrub-environment.ts";
import { spawnGroup } from "../process/spawn-group.ts";
import { answerOfCommand, failure, type HookAnswer } from "./hook-answer.ts";
import type { CommandHook } from "./hook.ts";
import type { HookInput } from "./hook-event.ts";

export type HookSurroundings = {
  /** The project's root, which hooks find as CLAUDE_PROJECT_DIR; they run in the input's `cwd`. */
  projectDir: string;
  /** The environment from which only allow-listed names reach the hook. */
  environment: NodeJS.ProcessEnv;
  /** Variables that a trusted settings file sets; all of them reach the hook. */
  settingsEnv?: Record<string, string>;
  /** The mark of the run, by which left-over processes are found. */
  mark: string;
  signal?: AbortSignal;
};

const stderrBytes = limits.hook.stderrBytes;

/**
 * Never rejects. The command is the text from the settings: no part of the input is put into it or
 * into the environment.
 */
export async function runCommandHook(
  hook: CommandHook,
  input: HookInput,
  around: HookSurroundings,
): Promise<HookAnswer> {
  const event = input.hook_event_name;
  const timeoutMs = hook.timeoutMs ?? limits.hook.timeoutMs;
  const stdout = collector(limits.hook.outputBytes);
  const stderr = collector(stderrBytes);
  const group = spawnGroup({
    argv: argvOf(hook, around.projectDir),
    cwd: input.cwd,
    env: {
      ...scrubEnvironment(around.environment),
      ...around.settingsEnv,
      CLAUDE_PROJECT_DIR: around.projectDir,
    },
    mark: around.mark,
    stdin: `${JSON.stringify(input)}\n`,
    timeoutMs,
    graceMs: 100,
    onOutput: (chunk, stream) => (stream === "stdout" ? stdout : stderr).add(chunk),
    ...(around.signal === undefined ? {} : { signal: around.signal }),
  });
  const end = await group.done;
  if (end.ended === "not-started")
    return failure(event, `the hook did not start: ${end.problem ?? "no reason given"}`);
  if (end.ended === "timeout")
    return failure(
      event,
      `the hook did not answer within ${timeoutMs / 1000} s and was ended`,
      "timeout",
    );
  if (end.ended === "stopped")
    return failure(event, "the run was stopped before the hook answered");
  return answerOfCommand(event, {
    code: end.exitCode,
    signal: end.signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.isOver(),
  });
}

/**
 * A program with `args` is started without a shell, so CLAUDE_PROJECT_DIR is filled in here. A line
 * runs in bash, as in Claude Code: many lines use `[[`.
 */
function argvOf({ command, args }: CommandHook, projectDir: string): string[] {
  if (args)
    return [command, ...args].map((word) =>
      word.replaceAll("${CLAUDE_PROJECT_DIR}", () => projectDir),
    );
  return existsSync("/bin/bash")
    ? ["/bin/bash", "--noprofile", "--norc", "-c", command]
    : ["/bin/sh", "-c", command];
}

type Collector = { add(chunk: Buffer): boolean; text(): string; isOver(): boolean };

function collector(maxBytes: number): Collector {
  const chunks: Buffer[] = [];
  let kept = 0;
  let over = false;
  return {
    add(chunk) {
      const part = chunk.subarray(0, maxBytes - kept);
      over ||= part.length < chunk.length;
      kept += part.length;
      if (part.length > 0) chunks.push(Buffer.from(part));
      return over;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
    isOver: () => over,
  };
}
