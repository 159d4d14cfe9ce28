// Reads single keys while a run is shown on a terminal. The terminal's own keys (Ctrl+C, Ctrl+Z,
// Ctrl+\) still work.
import type { Io } from "../io.ts";

export type TerminalKeys = {
  /** Leaves the keyboard to another reader until the returned function is called. */ pause(): () => void;
  close(): void;
};

const signals: Readonly<Record<string, NodeJS.Signals>> = {
  "\u0003": "SIGINT",
  "\u001a": "SIGTSTP",
  "\u001c": "SIGQUIT",
};

export const ctrlB = "\u0002";

export function terminalKeys(io: Io, onKey: (key: string) => void): TerminalKeys {
  const { stdin } = io;
  const listen = (): void => {
    stdin.setRawMode(true);
    stdin.on("data", onData);
    stdin.resume();
    // Must not keep the program alive after the run.
    stdin.unref();
  };
  const stop = (): void => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const onData = (data: Buffer | string): void => {
    for (const key of data.toString()) {
      const signal = signals[key];
      if (signal === "SIGTSTP") suspend();
      else if (signal) process.kill(0, signal);
      else onKey(key);
    }
  };
  const suspend = (): void => {
    stop();
    process.once("SIGCONT", listen);
    process.kill(0, "SIGTSTP");
  };
  listen();
  return {
    pause() {
      stop();
      return listen;
    },
    close: stop,
  };
}
