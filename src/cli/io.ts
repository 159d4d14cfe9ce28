// The face's edges in one object: where a command reads, writes and whether a person is there.
// Commands never touch `process` themselves.
import { styleText } from "node:util";
import type { Paint } from "../terminal/paint.ts";
import { isFileOrDevice, resultWriter, type ResultWriter } from "./running/result-writer.ts";

/** The reason of an interruption by a closed pipe. */
export const readerGone = "reader gone";

export type Io = {
  /** Results. */
  out: (text: string) => void;
  /** Progress, warnings, errors. */
  err: (text: string) => void;
  stdin: NodeJS.ReadStream;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** A person can be asked: standard input and standard error are terminals. */
  interactive: boolean;
  /** Colours `text` on a terminal, leaves it alone elsewhere. */
  paint: Paint;
  /** The same for standard error. */
  paintErr: Paint;
  /** Columns of the terminal that results go to, at this moment; undefined where they go elsewhere. */
  width: () => number | undefined;
  /**
   * Standard error where a line can be written over: a terminal that moves its cursor and says how
   * wide it is.
   */
  status?: NodeJS.WriteStream;
  /** Aborts on Ctrl+C, SIGTERM, a closed window and a closed pipe. */
  signal: AbortSignal;
  /** What Ctrl+C does, for whoever reads the keyboard and gets it as a key. */
  interrupt: () => void;
};

/** With why results are missing where they were to go: undefined while all is well. */
export type ProcessIo = Io & { outFailure: ResultWriter["failure"] };

/**
 * The real one. A reader that is gone (`head`) interrupts what runs, so that it is stopped and not
 * lost; what only prints ends quietly.
 */
export function processIo(interrupt: AbortController): ProcessIo {
  const { signal } = interrupt;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") interrupt.abort(readerGone);
    });
  }
  const results = isFileOrDevice(process.stdout)
    ? resultWriter(process.stdout.fd)
    : streamWriter(process.stdout);
  return {
    // What is piped is data for a program and stays as it is.
    out: (text) => results.write(line(process.stdout.isTTY ? withoutControls(text) : text)),
    outFailure: results.failure,
    err: (text) => void process.stderr.write(line(withoutControls(text))),
    stdin: process.stdin,
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    paint: painter(process.stdout),
    paintErr: painter(process.stderr),
    // A terminal that does not say how wide it is says 0.
    width: () =>
      process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined,
    ...(process.stderr.isTTY &&
      process.stderr.columns > 0 &&
      process.env["TERM"] !== "dumb" && { status: process.stderr }),
    signal,
    interrupt: () => interrupt.abort("SIGINT"),
  };
}

const streamWriter = (stream: NodeJS.WriteStream): ResultWriter => ({
  write: (text) => void stream.write(text),
  failure: () => undefined,
});

const line = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/**
 * Removes control characters from names and messages before they reach a terminal. The colours that
 * commands use stay; everything that moves, hides or reorders text is removed.
 */
export function withoutControls(text: string): string {
  return text.replace(
    /(\u001b\[(?:[0-2]|22|3[1-9]|9[0-7])m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (_all, colour: string | undefined) => colour ?? "",
  );
}

function painter(stream: NodeJS.WriteStream): Paint {
  const colours = stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}
