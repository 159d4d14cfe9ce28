// The background shells of one run: each has an id and an output file that grows as it prints; when
// a shell ends, no process of it is left.
import { randomBytes } from "node:crypto";
import { createCapture, type Capture, type CaptureOptions } from "../process/capture.ts";
import type { ProcessGroup, GroupEnd } from "../process/spawn-group.ts";

export type ShellState = "running" | "exited" | "stopped";

export type ShellView = {
  id: string;
  command: string;
  state: ShellState;
  exitCode: number | null;
  /** Head and tail of everything printed so far. */
  text: string;
  bytes: number;
  outputFile: string;
};

export type Shells = {
  list(): ShellView[];
  output(id: string): ShellView | undefined;
  /** Resolves when the shell has ended by itself; undefined for an unknown id. */
  ended(id: string): Promise<ShellView> | undefined;
  /** Returns when no process of the shell is left; stopping an ended shell changes nothing. */
  stop(id: string): Promise<ShellView | undefined>;
};

export type ShellStart = {
  command: string;
  characters: number;
  spillBytes: number;
  filter: NonNullable<CaptureOptions["filter"]>;
  /** Masks the text that is shown. */ shown: (text: string) => string;
  outputFile: (id: string) => string;
  spawn: (capture: Capture) => ProcessGroup;
};

export type ShellKeeper = Shells & {
  start(plan: ShellStart): ShellView;
  running(): number;
  close(): Promise<void>;
};

type Shell = {
  id: string;
  command: string;
  capture: Capture;
  group: ProcessGroup;
  outputFile: string;
  shown: ShellStart["shown"];
  end?: GroupEnd;
  done: Promise<void>;
};

const keptEnded = 50;

export function createShells(): ShellKeeper {
  const shells = new Map<string, Shell>();

  const start = (plan: ShellStart): ShellView => {
    const id = `b${randomBytes(4).toString("hex")}`;
    const outputFile = plan.outputFile(id);
    const capture = createCapture({
      characters: plan.characters,
      spillPath: outputFile,
      spillBytes: plan.spillBytes,
      filter: plan.filter,
      eager: true,
    });
    const group = plan.spawn(capture);
    const shell: Shell = {
      id,
      command: plan.command,
      capture,
      group,
      outputFile,
      shown: plan.shown,
      done: Promise.resolve(),
    };
    shell.done = group.done.then((end) => {
      shell.end = end;
      capture.close();
      forgetOldest(shells);
    });
    shells.set(id, shell);
    return view(shell);
  };
  const find = (id: string): Shell | undefined => shells.get(id);
  const ended = (id: string): Promise<ShellView> | undefined => {
    const shell = find(id);
    return shell?.done.then(() => view(shell));
  };
  const stop = async (id: string): Promise<ShellView | undefined> => {
    const shell = find(id);
    if (!shell) return undefined;
    await shell.group.stop();
    await shell.done;
    return view(shell);
  };
  return {
    start,
    ended,
    stop,
    list: () => [...shells.values()].map(view),
    output: (id) => {
      const shell = find(id);
      return shell && view(shell);
    },
    running: () => [...shells.values()].filter((shell) => !shell.end).length,
    close: async () => void (await Promise.all([...shells.keys()].map(stop))),
  };
}

function view({ id, command, capture, end, outputFile, shown }: Shell): ShellView {
  const { text, bytes } = capture.snapshot();
  const state = !end
    ? "running"
    : end.ended === "exit" || end.ended === "not-started"
      ? "exited"
      : "stopped";
  return {
    id,
    command,
    state,
    exitCode: end?.exitCode ?? null,
    text: shown(text),
    bytes,
    outputFile,
  };
}

/** Ended shells are forgotten, the oldest first; their output files stay. */
function forgetOldest(shells: Map<string, Shell>): void {
  const ended = [...shells.values()].filter((shell) => shell.end);
  for (const shell of ended.slice(0, Math.max(0, ended.length - keptEnded)))
    shells.delete(shell.id);
}
