// A run that is shown here: it can be stopped from another terminal, and on a terminal of its own Ctrl+B sends it to the background.
import { moveToHost, type HostMove } from "../app/move-to-host.ts";
import type { HostSession } from "../app/host-job.ts";
import type { OpenedSession } from "../app/open-session.ts";
import { runMain, type MainInput, type MainRun } from "../app/run-main.ts";
import { errorText } from "../base/errors.ts";
import { newAgentId } from "../base/ids.ts";
import type { Listener } from "../events/event.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import { backgroundDisabled, backgroundDisabledText } from "../manager/background/background-disabled.ts";
import { lateOutput, type LateOutput } from "../manager/background/late-output.ts";
import type { Session } from "../manager/session.ts";
import { stopFolder, watchStopRequests } from "../manager/background/stop-requests.ts";
import type { Io } from "./io.ts";
import { hostProgram } from "./run-background.ts";
import { ctrlB, terminalKeys, type TerminalKeys } from "./terminal-keys.ts";

export type Shown = { io: Io; onEvent: Listener | undefined; options: HostSession; /** Somebody watches on a terminal. */ isWatched: boolean; onKeys: (keys: TerminalKeys) => void; /** A line for the person who watches. */ say: (text: string) => void };

/** `outputFile` is there when the run went on in the background; the outcome is then that of the part that ran here. */
export type ShownRun = MainRun & { outputFile?: string };

export async function showRun(opened: OpenedSession, input: MainInput, { io, onEvent, options, isWatched, onKeys, say }: Shown): Promise<ShownRun> {
  const { session } = opened;
  const agentId = input.agentId ?? newAgentId();
  const output = lateOutput(session.paths.output(agentId));
  const stop = stopSignal(io, { folder: stopFolder(session.configDir), agentId });
  const move = moveToHost(session, { options, program: hostProgram(), cwd: io.cwd });
  let spec: RunSpec | undefined;
  const hear: Listener = (event) => {
    if (event.type === "run-start") spec = event.spec as unknown as RunSpec;
    output.onEvent(event);
    onEvent?.(event);
  };
  const leave = (): void => void sendAway(agentId, { session, move, say, output });
  const keys = isWatched ? terminalKeys(io, (key) => void (key === ctrlB && leave())) : undefined;
  if (keys) onKeys(keys);
  try {
    const run = await runMain(opened, { ...input, agentId }, { signal: stop.signal, onEvent: hear });
    if (run.outcome.reason !== "moved" || !spec) {
      output.end(run.outcome, agentId);
      return run;
    }
    output.close();
    await move.give(spec, run.outcome);
    return { ...run, outputFile: output.path };
  } finally {
    keys?.close();
    stop.release();
    move.release();
  }
}

/** From here on nobody is asked; from the next turn on the host goes on with it. */
async function sendAway(agentId: string, { session, move, say, output }: { session: Session; move: HostMove; say: Shown["say"]; output: LateOutput }): Promise<void> {
  if (session.inBackground.has(agentId)) return;
  if (backgroundDisabled(session.env)) return say(backgroundDisabledText);
  session.inBackground.add(agentId);
  output.begin();
  say("going to the background at the end of this turn; Ctrl+C stops it");
  try {
    await move.begin([agentId]);
  } catch (error) {
    session.inBackground.delete(agentId);
    say(`it stays in the foreground: ${errorText(error)}`);
  }
}

function stopSignal(io: Io, { folder, agentId }: { folder: string; agentId: string }): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort("stop");
  if (io.signal.aborted) abort();
  io.signal.addEventListener("abort", abort, { once: true });
  const unwatch = watchStopRequests(folder, (id) => {
    if (id === agentId) abort();
    return id === agentId;
  });
  return {
    signal: controller.signal,
    release() {
      unwatch();
      io.signal.removeEventListener("abort", abort);
    },
  };
}
