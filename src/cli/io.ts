// The face's edges in one object: where a command reads, writes and whether a person is there. Commands never touch `process` themselves.
import { styleText } from "node:util";

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
  /** Aborts on Ctrl+C and SIGTERM. */
  signal: AbortSignal;
};

/** The real one. A closed pipe ends the program quietly, as `head` expects. */
export function processIo(signal: AbortSignal): Io {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
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
    signal,
  };
}

function painter(stream: NodeJS.WriteStream): Io["paint"] {
  const colours = stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}
