// What the tools of one run are given: where they work, what they may see, what the model can take.
import type { SandboxedCommand } from "../process/sandbox/sandbox.ts";

export type FetchAllowances = {
  /** For tests: loopback addresses may be dialled. */
  allowLoopback?: boolean;
  /** All addresses of a name, asked once per hop; DNS without it. */
  resolve?: (host: string) => Promise<string[]>;
  /** For the whole fetch, redirects included. */
  timeoutMs?: number;
};

export type CommandSandbox = ((argv: readonly string[]) => Promise<SandboxedCommand>) | null;

/** Commands run as they are. */
export const noSandbox: CommandSandbox = null;

/** No rule limits what is read or written. */
export const anyPath = (): boolean => true;

export type ToolEnvironment = {
  cwd: string;
  home: string;
  additionalDirectories?: readonly string[];
  /** A private folder for output that does not fit; made when needed. */
  spillDir: string;
  /** The mark of the run, from newMark(). */
  mark: string;
  /** Added to the scrubbed environment of commands; from trusted settings only. */
  env?: Record<string, string>;
  /** Values that are secret here and never reach a file of output. */
  secrets: () => readonly string[];
  /** The read policy on real paths: what it denies is neither opened nor named. `approved` says what the gate has let pass already: this very file, or the folder outside the workspace that is searched. */
  mayRead: (realPath: string, approved?: "file" | "root") => boolean;
  /** The write policy on real paths, asked again right before the file is replaced. Whatever it says, a link that leads out of the workspace is refused. */
  mayWrite: (realPath: string) => boolean;
  /** Puts a command into the sandbox. Rejects when it cannot: the command does not run then. */
  sandbox: CommandSandbox;
  /** Why no command goes to the background; absent where one may. */
  noBackground?: string;
  takesImages: boolean;
  takesDocuments: boolean;
  fetch?: FetchAllowances;
  /** The ripgrep to use; false for the built-in search. Looked for when absent. */
  ripgrep?: string | false;
};
