// The face's edges in one object: where a command reads, writes and whether a person is there. Commands never touch `process` themselves.
import { styleText } from "node:util";

/** The reason of an interruption by a closed pipe. */
export const readerGone = "reader gone";

export type Style = Parameters<typeof styleText>[0];

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
  paint: (style: Style, text: string) => string;
  /** The same for standard error. */
  paintErr: (style: Style, text: string) => string;
  /** Columns of the terminal that results go to; absent where they go elsewhere. */
  width?: number;
  /** Aborts on Ctrl+C, SIGTERM, a closed window and a closed pipe. */
  signal: AbortSignal;
};

/** The real one. A reader that is gone (`head`) interrupts what runs, so that it is stopped and not lost; what only prints ends quietly. */
export function processIo(interrupt: AbortController): Io {
  const { signal } = interrupt;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") interrupt.abort(readerGone);
    });
  }
  return {
    out: (text) => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    err: (text) => void process.stderr.write(text.endsWith("\n") ? text : `${text}\n`),
    stdin: process.stdin,
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    paint: painter(process.stdout),
    paintErr: painter(process.stderr),
    // A terminal that does not say how wide it is says 0.
    ...(process.stdout.isTTY && process.stdout.columns > 0 && { width: process.stdout.columns }),
    signal,
  };
}

function painter(stream: NodeJS.WriteStream): Io["paint"] {
  const colours = stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}
