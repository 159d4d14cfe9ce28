// A run that is shown here: it can be stopped from another terminal, Ctrl+B sends it to the
// background, and agents that it leaves behind go on in a host.
import { moveToHost, type HostMove } from "../../app/host/move-to-host.ts";
import type { HostSession } from "../../app/host/host-job.ts";
import type { OpenedSession } from "../../app/session/open-session.ts";
import {
  runMainThread,
  settleMain,
  type MainInput,
  type MainRun,
} from "../../app/main/run-main-thread.ts";
import { errorText } from "../../base/errors.ts";
import { newAgentId } from "../../base/ids.ts";
import type { Listener } from "../../events/event.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../manager/background/background-disabled.ts";
import { watchBackgroundRequests } from "../../manager/background/background-requests.ts";
import { watchMessages } from "../../manager/background/leave-message.ts";
import { stopFolder, watchStopRequests } from "../../manager/background/stop-requests.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import type { RunHandle } from "../../manager/run/run-handle.ts";
import type { Session } from "../../manager/session/session.ts";
import type { Io } from "../io.ts";
import { hostProgram } from "../host-program.ts";
import { openKeyboard, type Keyboard } from "../../terminal/screen/keyboard.ts";

export type Shown = {
  io: Io;
  onEvent: Listener | undefined;
  options: HostSession;
  /** Somebody watches on a terminal. */ isWatched: boolean;
  onKeys: (keys: Keyboard) => void;
  /** A line for the person who watches. */ say: (text: string) => void;
};

/** The run as it stands while it is shown. */
export type ForegroundRun = {
  agentId: string;
  session: Session;
  move: HostMove;
  say: Shown["say"];
  /** There as soon as the run has been settled. */
  started?: { run: RunHandle; manager: Manager };
  /** Agents on their way to the host. */ handedOver: Map<string, Promise<void>>;
};

/**
 * With the reason `moved` the run goes on in the background; the outcome is then that of the part
 * that ran here.
 */
export async function showRun(
  opened: OpenedSession,
  input: MainInput,
  { io, onEvent, options, isWatched, onKeys, say }: Shown,
): Promise<MainRun> {
  const { session } = opened;
  const agentId = input.agentId ?? newAgentId();
  const move = moveToHost(session, { options, program: hostProgram(), cwd: io.cwd });
  const shown: ForegroundRun = { agentId, session, move, say, handedOver: new Map() };
  const stop = stopSignal(io, shown);
  const keys = isWatched
    ? openKeyboard(io, { onKey: (key) => onKeyWhileRunning(key, shown), keepsAlive: false })
    : undefined;
  if (keys) onKeys(keys);
  try {
    return await runMainThread(opened, await settleMain(opened, { ...input, agentId }), {
      signal: stop.signal,
      isResumed: input.agentId !== undefined,
      ...(onEvent ? { onEvent } : {}),
      onStart: (run, manager) => void (shown.started = { run, manager }),
      onOpenAgents: (run) => leaveToHost(shown, run, stop.signal),
    });
  } finally {
    keys?.close();
    stop.release();
    move.release();
  }
}

/** The terminal's own keys reach everything that was started in it, as they do elsewhere. */
function onKeyWhileRunning(key: string, shown: ForegroundRun): void {
  if (key === "ctrl-c") process.kill(0, "SIGINT");
  else if (key === "ctrl-|") process.kill(0, "SIGQUIT");
  else if (key === "ctrl-b") void sendToBackground(shown);
}

/**
 * Ctrl+B: from here on it runs by the settings for the background (by default nobody is asked); from
 * its next turn on the host goes on with it, and with the agents that it has at work.
 */
async function sendToBackground(shown: ForegroundRun): Promise<void> {
  const { agentId, session, say, started } = shown;
  if (!started || started.run.isBackground) return;
  if (backgroundDisabled(session.env)) return say(backgroundDisabledText);
  const { run, manager } = started;
  const agents = manager.list().map(({ agent_id }) => agent_id);
  for (const id of [agentId, ...agents]) manager.background(id);
  say(
    "going to the background at the end of this " +
      `turn${agents.length > 0 ? `, with ${agents.length} agent${agents.length === 1 ? "" : "s"}` : ""}; ` +
      "Ctrl+C stops it",
  );
  try {
    await handOverAgents(shown, agents, [run]);
  } catch (error) {
    run.returnToForeground();
    say(`it stays in the foreground: ${errorText(error)}`);
  }
}

/** Another terminal wants it in the background: the run that is shown here, or an agent of it. */
function moveIfHere(id: string, shown: ForegroundRun): boolean {
  const { started, agentId, session } = shown;
  if (!started) return false;
  if (id === agentId) {
    void sendToBackground(shown);
    return true;
  }
  if (!started.manager.running(id) || backgroundDisabled(session.env)) return false;
  started.manager.background(id);
  return true;
}

/**
 * The main thread is over or leaves: what is left goes to the host, each run at its next turn
 * boundary.
 */
async function leaveToHost(
  shown: ForegroundRun,
  run: RunHandle,
  signal: AbortSignal,
): Promise<void> {
  const { session, move, say, started } = shown;
  if (run.left) await move.give(run.spec, run.left);
  if (signal.aborted || backgroundDisabled(session.env)) return;
  const open = (started?.manager.list() ?? []).map(({ agent_id }) => agent_id);
  if (open.length > 0)
    say(
      `still at work, in a process of ${open.length === 1 ? "its" : "their"} own: ${open.join(", ")}`,
    );
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  try {
    await handOverAgents(shown, open, []);
    await Promise.race([Promise.all(shown.handedOver.values()), stopped]);
  } catch (error) {
    say(`not everything could be moved: ${errorText(error)}`);
  }
}

/** Moves these runs to the host; an agent is given to it as soon as it has left this process. */
async function handOverAgents(
  { handedOver, started, move }: ForegroundRun,
  agents: readonly string[],
  others: readonly RunHandle[],
): Promise<void> {
  const runs = agents.flatMap((id) => started?.manager.running(id) ?? []);
  for (const run of runs) {
    const { agentId } = run.spec;
    if (handedOver.has(agentId)) continue;
    const given = run.done.then(() =>
      run.left ? move.give(withApproved(run), run.left) : undefined,
    );
    given.catch(() => undefined);
    handedOver.set(agentId, given);
  }
  if (agents.length + others.length > 0) await move.begin([...others, ...runs]);
}

/** What a person approved up front for this agent goes along. */
function withApproved({ spec, approved }: RunHandle): RunHandle["spec"] {
  if (approved.length === 0) return spec;
  const { rules } = spec.policy;
  return {
    ...spec,
    policy: { ...spec.policy, rules: { ...rules, allow: [...rules.allow, ...approved] } },
  };
}

function stopSignal(io: Io, shown: ForegroundRun): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort("stop");
  if (io.signal.aborted) abort();
  io.signal.addEventListener("abort", abort, { once: true });
  const unwatch = watchStopRequests(stopFolder(shown.session.configDir), (id) => {
    if (id !== shown.agentId) return shown.started?.manager.stopIfRunning(id) === true;
    abort();
    return true;
  });
  const stopWatchingMessages = watchMessages(shown.session.configDir, (id) =>
    shown.started?.manager.runOf(id),
  );
  const stopWatchingRequests = watchBackgroundRequests(shown.session.configDir, (id) =>
    moveIfHere(id, shown),
  );
  return {
    signal: controller.signal,
    release() {
      unwatch();
      stopWatchingMessages();
      stopWatchingRequests();
      io.signal.removeEventListener("abort", abort);
    },
  };
}
