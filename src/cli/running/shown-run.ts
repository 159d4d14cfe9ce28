// A run that is shown here: it can be stopped from another terminal, Ctrl+B sends it to the background, and agents that it leaves behind go on in a host.
import { moveToHost, type HostMove } from "../../app/host/move-to-host.ts";
import type { HostSession } from "../../app/host/host-job.ts";
import type { OpenedSession } from "../../app/session/open-session.ts";
import { runMain, type MainInput, type MainRun } from "../../app/main/run-main.ts";
import { errorText } from "../../base/errors.ts";
import { newAgentId } from "../../base/ids.ts";
import type { Listener } from "../../events/event.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import {
  backgroundDisabled,
  backgroundDisabledText,
} from "../../manager/background/background-disabled.ts";
import { lateOutput, type LateOutput } from "../../manager/background/late-output.ts";
import { stopFolder, watchStopRequests } from "../../manager/background/stop-requests.ts";
import type { Manager } from "../../manager/agents/manager.ts";
import type { Session } from "../../manager/session/session.ts";
import type { Io } from "../io.ts";
import { hostProgram } from "../host-program.ts";
import { ctrlB, terminalKeys, type TerminalKeys } from "../asking/terminal-keys.ts";

export type Shown = {
  io: Io;
  onEvent: Listener | undefined;
  options: HostSession;
  /** Somebody watches on a terminal. */ isWatched: boolean;
  onKeys: (keys: TerminalKeys) => void;
  /** A line for the person who watches. */ say: (text: string) => void;
};

/** The run as it stands while it is shown. */
type ForegroundRun = {
  agentId: string;
  session: Session;
  move: HostMove;
  output: LateOutput;
  say: Shown["say"];
  spec?: RunSpec;
  manager?: Manager;
  /** Agents on their way to the host. */ handedOver: Map<string, Promise<void>>;
};

/** With the reason `moved` the run goes on in the background; the outcome is then that of the part that ran here. */
export async function showRun(
  opened: OpenedSession,
  input: MainInput,
  { io, onEvent, options, isWatched, onKeys, say }: Shown,
): Promise<MainRun> {
  const { session } = opened;
  const agentId = input.agentId ?? newAgentId();
  const move = moveToHost(session, { options, program: hostProgram(), cwd: io.cwd });
  const shown: ForegroundRun = {
    agentId,
    session,
    move,
    say,
    handedOver: new Map(),
    output: lateOutput(session.paths.output(agentId), session.secrets),
  };
  const stop = stopSignal(io, shown);
  const hear: Listener = (event) => {
    if (event.agentId === agentId) {
      if (event.type === "run-start") shown.spec = event.spec;
      shown.output.onEvent(event);
    }
    onEvent?.(event);
  };
  const keys = isWatched
    ? terminalKeys(io, (key) => void (key === ctrlB && sendAway(shown)))
    : undefined;
  if (keys) onKeys(keys);
  const onManager = (manager: Manager): void => void (shown.manager = manager);
  try {
    const run = await runMain(
      opened,
      { ...input, agentId },
      {
        signal: stop.signal,
        onEvent: hear,
        onManager,
        onOpenAgents: (_manager, main) => handOver(shown, main, stop.signal),
      },
    );
    return run.outcome.reason === "moved" ? { ...run, outputFile: shown.output.path } : run;
  } finally {
    keys?.close();
    stop.release();
    move.release();
  }
}

/** Ctrl+B: from here on nobody is asked; from its next turn on the host goes on with it, and with the agents that it has at work. */
async function sendAway(shown: ForegroundRun): Promise<void> {
  const { agentId, session, say, output, manager } = shown;
  if (session.inBackground.has(agentId)) return;
  if (backgroundDisabled(session.env)) return say(backgroundDisabledText);
  session.inBackground.add(agentId);
  output.begin();
  const agents = manager?.list().map(({ agent_id }) => agent_id) ?? [];
  for (const id of agents) manager?.background(id);
  say(
    `going to the background at the end of this turn${agents.length > 0 ? `, with ${agents.length} agent${agents.length === 1 ? "" : "s"}` : ""}; Ctrl+C stops it`,
  );
  try {
    await handOverAgents(shown, agents, [agentId]);
  } catch (error) {
    session.inBackground.delete(agentId);
    say(`it stays in the foreground: ${errorText(error)}`);
  }
}

/** The main thread is over or leaves: what is left goes to the host, each run at its next turn boundary. */
async function handOver(
  shown: ForegroundRun,
  main: RunOutcome,
  signal: AbortSignal,
): Promise<void> {
  const { agentId, session, move, say, output, spec, manager } = shown;
  if (main.reason !== "moved") output.end(main, agentId);
  else if (spec) {
    output.close();
    await move.give(spec, main);
  }
  if (signal.aborted || backgroundDisabled(session.env)) return;
  const open = (manager?.list() ?? []).map(({ agent_id }) => agent_id);
  if (open.length > 0)
    say(
      `still at work, in a process of ${open.length === 1 ? "its" : "their"} own: ${open.join(", ")}`,
    );
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  try {
    await handOverAgents(shown, open);
    await Promise.race([Promise.all(shown.handedOver.values()), stopped]);
  } catch (error) {
    say(`not everything could be moved: ${errorText(error)}`);
  }
}

/** Sees agents off: whenever one leaves, the host gets it. */
async function handOverAgents(
  { handedOver, manager, move }: ForegroundRun,
  agents: readonly string[],
  others: readonly string[] = [],
): Promise<void> {
  for (const id of agents) {
    const run = manager?.running(id);
    if (!run || handedOver.has(id)) continue;
    const seenOff = run.done.then(() =>
      run.left ? move.give(withApproved(run.spec, run.approved), run.left) : undefined,
    );
    seenOff.catch(() => undefined);
    handedOver.set(id, seenOff);
  }
  if (agents.length + others.length > 0) await move.begin([...others, ...agents]);
}

/** What a person approved up front for this agent goes along. */
function withApproved(spec: RunSpec, approved: readonly string[]): RunSpec {
  const { rules } = spec.policy;
  return approved.length === 0
    ? spec
    : {
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
    if (id !== shown.agentId) return shown.manager?.stopIfRunning(id) === true;
    abort();
    return true;
  });
  return {
    signal: controller.signal,
    release() {
      unwatch();
      io.signal.removeEventListener("abort", abort);
    },
  };
}
