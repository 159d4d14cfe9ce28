// A command as it is started: in the sandbox, with protected paths read-only, or unchanged. Code
// that runs commands need not know which of the three it is.
import { relative } from "node:path";

export type WrappedCommand = {
  argv: readonly string[];
  /** Open files that the command inherits as 3, 4, …; closed by whoever starts it. */
  handles: readonly number[];
  /** Protected paths that the command finds read-only. */
  held: readonly string[];
  /** Whatever the command starts ends with it, and nobody need look for what was left behind. */
  endsWithIt: boolean;
  /**
   * Once it runs: where no control group keeps the caps, it is watched, and stopped when it exceeds
   * them.
   */
  started(pid: number, stop: () => void): void;
  /** After its end: undoes what could only be seen afterwards, and says so. */
  finish(): Promise<WrappedEnd>;
};

export type WrappedEnd = {
  /** Why the command has failed, whatever its exit code. */
  problems: readonly string[];
  notes: readonly string[];
};

/** What is left open for one command. */
export type LeftOpen = {
  /** Absolute paths that a person allowed this command to write. */
  approved: readonly string[];
  /** Git's settings and the state of a rebase: the command's own work is to write them. */
  gitState: boolean;
};

/** Rejects when the command cannot be wrapped: it does not run then. */
export type Wrap = (argv: readonly string[], open: LeftOpen) => Promise<WrappedCommand>;

/** Where nothing holds anything: no bubblewrap, or a system that does not let it work. */
export const noSandbox: Wrap = async (argv) => ({
  argv,
  handles: [],
  held: [],
  endsWithIt: false,
  started: () => undefined,
  finish: async () => ({ problems: [], notes: [] }),
});

export type Said = { command: string; output: string; cwd: string };

/** What is to be said after the command, why a write failed included. Never rejects. */
export async function endOf(command: WrappedCommand, said: Said): Promise<WrappedEnd> {
  const refused = refusedWrite(command.held, said);
  const more = refused === undefined ? [] : [refused];
  try {
    const { problems, notes } = await command.finish();
    return { problems, notes: [...notes, ...more] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      problems: [`What the command left could not be looked through: ${why}.`],
      notes: more,
    };
  }
}

/** What programs print when a mount stops them; some print the name of the error alone. */
const signs =
  /read-only file ?system|\bEROFS\b|device or resource busy|\bEBUSY\b|cross-device link|\bEXDEV\b/i;
const shown = 5;

/**
 * Tells the model why a write failed: "Read-only file system" sounds like a broken disk, and a model
 * that does not know better tries again in ten other ways. Undefined where nothing points there.
 */
function refusedWrite(held: readonly string[], said: Said): string | undefined {
  if (held.length === 0 || !signs.test(said.output)) return undefined;
  const text = `${said.command}\n${said.output}`;
  const named = [...new Set(held)]
    .filter((path) => text.includes(path) || text.includes(relative(said.cwd, path)))
    .filter((path, _at, all) => !all.some((other) => path.startsWith(`${other}/`)));
  const list = named.slice(0, shown).join(", ");
  return `protected paths are read-only for commands, whatever the mode${
    list === "" ? "" : `: ${list}${named.length > shown ? " and others" : ""}`
  }. Do not try other ways: a person can allow it, when the command or an Edit names the path.`;
}
