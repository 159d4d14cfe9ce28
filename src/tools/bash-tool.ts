// Bash: one command in the working directory, in a process group of its own, with capped output and
// an end that leaves nothing running.
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { maskStream } from "../base/secrets/mask-stream.ts";
import { hideValues } from "../base/secrets/find-secrets.ts";
import { createCapture, type Capture, type CaptureOptions } from "../process/capture.ts";
import { scrubEnvironment } from "../process/sandbox/scrub-environment.ts";
import { writesGitState } from "../permissions/bash/git-state.ts";
import { endOf, type WrappedCommand } from "../process/sandbox/wrapped-command.ts";
import { spawnGroup, type ProcessGroup } from "../process/spawn-group.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import { errorResult, type Tool, type ToolContext, type ToolResult } from "../tool/tool.ts";
import { commandResult } from "./command-result.ts";
import type { ShellKeeper } from "./shells.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

const input = z.object({
  command: z.string().min(1).describe("The command"),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe(
      `Milliseconds after which it is ended (default ${limits.bash.timeoutMs}, at most ${limits.bash.maxTimeoutMs})`,
    ),
  description: z.string().optional().describe("What the command does, in five to ten words"),
  run_in_background: z
    .boolean()
    .optional()
    .describe(
      "Start it and go on; its output is read later with TaskOutput, and it is ended with TaskStop",
    ),
});
type Input = z.output<typeof input>;

const description = `Runs a command with bash. Each command starts in the working directory with a clean \
environment: a cd, a variable or a function of one command is not seen by the next. There is no terminal and \
no input. \
Up to ${limits.bash.outputCharacters} characters of output are shown, head and tail; the full text is in a \
file then. Processes that a command leaves behind are ended with it: use run_in_background for servers. \
For reading, searching and editing files, use Read, Grep, Glob and Edit.`;

// The system's own, so that no folder of the PATH decides what bash is.
const shell = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "bash";

export function bashTool(environment: ToolEnvironment, shells: ShellKeeper): Tool {
  return defineZodTool({
    name: "Bash",
    description,
    input,
    readOnly: false,
    run: (given, context) => bash({ environment, shells, context }, given),
  });
}

type Parts = { environment: ToolEnvironment; shells: ShellKeeper; context: ToolContext };

async function bash(parts: Parts, given: Input): Promise<ToolResult> {
  const { environment, shells, context } = parts;
  const hasNul = given.command.includes("\0");
  const problem = hasNul ? "The command holds a NUL character." : folderProblem(environment);
  if (problem !== undefined) return errorResult(problem);
  const inBackground = given.run_in_background === true && environment.noBackground === undefined;
  const spill = spillPath(environment, randomBytes(8).toString("hex"));
  const command = await prepare(environment, given.command, context.toolUseId);
  if (typeof command === "string") return errorResult(command);
  const problems: string[] = [];
  const start = (
    capture: Capture,
    more: { timeoutMs?: number; signal?: AbortSignal },
  ): ProcessGroup =>
    spawn({ environment, command, text: given.command, capture, problems, ...more });
  if (inBackground && shells.running() >= limits.bash.backgroundShells) {
    command.handles.forEach((handle) => closeSync(handle));
    await command.finish();
    return errorResult(
      `${limits.bash.backgroundShells} background shells are running, which is the limit. ` +
        "Stop one with TaskStop first.",
    );
  }
  if (inBackground)
    return startShell(parts, { command: given.command, spawn: (capture) => start(capture, {}) });
  const timeoutMs = Math.min(given.timeout ?? limits.bash.timeoutMs, limits.bash.maxTimeoutMs);
  const capture = createCapture({
    characters: limits.bash.outputCharacters,
    spillPath: spill,
    spillBytes: limits.bash.spillBytes,
    filter: masking(environment),
  });
  const end = await start(capture, { timeoutMs, signal: context.signal }).done;
  const captured = capture.close();
  captured.text = withoutForeignSecrets(environment)(captured.text);
  return commandResult({
    command: given.command,
    // In a sandbox they end with it, and bubblewrap's own keeper may be seen for a moment.
    end: command.endsWithIt ? { ...end, leftBehind: 0 } : end,
    captured,
    timeoutMs,
    problems,
    ...(given.run_in_background ? { note: environment.noBackground } : {}),
  });
}

/** The command as it will be started, or why it cannot be. */
async function prepare(
  { sandbox, approved }: ToolEnvironment,
  text: string,
  toolUseId: string,
): Promise<WrappedCommand | string> {
  try {
    return await sandbox([shell, "--noprofile", "--norc", "-c", text], {
      approved: approved(toolUseId),
      gitState: writesGitState(text),
    });
  } catch (error) {
    return `The command was not run, because it could not be put into the sandbox: ${errorText(error)}`;
  }
}

type SpawnPlan = {
  environment: ToolEnvironment;
  command: WrappedCommand;
  text: string;
  capture: Capture;
  /** Told why the command has failed, whatever its exit code. */
  problems: string[];
  timeoutMs?: number;
  signal?: AbortSignal;
};

function spawn(plan: SpawnPlan): ProcessGroup {
  const { environment, command, capture, timeoutMs, signal } = plan;
  const group = spawnGroup({
    argv: command.argv,
    handles: command.handles,
    cwd: environment.cwd,
    env: { ...scrubEnvironment(process.env), ...environment.env },
    mark: environment.mark,
    mergeStderr: true,
    limits: { fileBytes: limits.bash.fileBytes, memoryBytes: limits.bash.memoryBytes },
    graceMs: limits.bash.graceMs,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal ? { signal } : {}),
    onOutput: (chunk) => {
      capture.write(chunk);
      return capture.overflowing();
    },
  });
  if (group.pid !== undefined) command.started(group.pid, () => void group.stop());
  const done = group.done.then(async (end) => (await noteDown(plan), end));
  return { pid: group.pid, done, stop: () => (void group.stop(), done) };
}

/**
 * What the sandbox undid, and why a write failed, stands at the end of the output, where whoever
 * reads it learns of it.
 */
async function noteDown({ environment, command, text, capture, problems }: SpawnPlan) {
  const output = capture.snapshot().text;
  const end = await endOf(command, { command: text, output, cwd: environment.cwd });
  problems.push(...end.problems);
  for (const note of [...end.problems, ...end.notes])
    capture.write(Buffer.from(`\n[retinue sandbox] ${note}\n`));
}

function startShell(
  { environment, shells }: Parts,
  plan: { command: string; spawn: (capture: Capture) => ProcessGroup },
): ToolResult {
  const shell = shells.start({
    ...plan,
    characters: limits.bash.outputCharacters,
    spillBytes: limits.bash.spillBytes,
    filter: masking(environment),
    shown: withoutForeignSecrets(environment),
    outputFile: (id) => spillPath(environment, id),
  });
  return {
    content:
      `The command runs in the background.\ntask_id: ${shell.id}\noutput_file: ` +
      `${shell.outputFile}\nRead its output with TaskOutput, end it with TaskStop.`,
    summary: `background ${shell.id}`,
    facts: {
      command: plan.command,
      taskId: shell.id,
      background: true,
      outputFile: shell.outputFile,
    },
  };
}

/**
 * What the command was not given, it does not get to show: the keys of this process stand in files
 * of the system that a program can read.
 */
function withoutForeignSecrets({ secrets, env }: ToolEnvironment): (text: string) => string {
  const own = new Set(Object.values({ ...scrubEnvironment(process.env), ...env }));
  const foreign = secrets().filter((value) => !own.has(value));
  return (text) => hideValues(text, foreign);
}

const masking =
  ({ secrets }: ToolEnvironment): NonNullable<CaptureOptions["filter"]> =>
  (pass) =>
    maskStream(secrets(), pass);

function spillPath(environment: ToolEnvironment, name: string): string {
  mkdirSync(environment.spillDir, { recursive: true, mode: 0o700 });
  return join(environment.spillDir, `${name}.output`);
}

function folderProblem({ cwd }: ToolEnvironment): string | undefined {
  try {
    if (!statSync(cwd).isDirectory())
      return `The working directory ${cwd} is not a directory; no command can run in it.`;
    accessSync(cwd, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    return `The working directory ${cwd} ${absent ? "does not exist" : "cannot be entered"}; no command can run in it.`;
  }
}
