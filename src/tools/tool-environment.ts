// What the tools of one run are given: where they work, what they may see, what the model accepts.
import type { SandboxedCommand } from "../process/sandbox/sandbox.ts";

export type FetchAllowances = {
  /** For tests: loopback addresses may be used. */
  allowLoopback?: boolean;
  /** All addresses of a name, asked once per redirect; DNS by default. */
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
  /** A private folder for output that is too long to show; created when needed. */
  spillDir: string;
  /** The mark of the run, from newMark(). */
  mark: string;
  /** Added to the scrubbed environment of commands; from trusted settings only. */
  env?: Record<string, string>;
  /** Secret values that must not reach an output file. */
  secrets: () => readonly string[];
  /**
   * The read policy on real paths: a denied path is neither opened nor named. `approved` is what
   * the gate has allowed already: this file, or the outside folder that is searched.
   */
  mayRead: (realPath: string, approved?: "file" | "root") => boolean;
  /**
   * The write policy on real paths, asked again just before the file is replaced. A link that leads
   * out of the workspace is refused in any case.
   */
  mayWrite: (realPath: string) => boolean;
  /**
   * Puts a command into the sandbox. Rejects if that is impossible; then the command does not run.
   */
  sandbox: CommandSandbox;
  /** Why no command may run in the background; absent if one may. */
  noBackground?: string;
  takesImages: boolean;
  takesDocuments: boolean;
  fetch?: FetchAllowances;
  /** The ripgrep to use; false for the built-in search. Searched for if absent. */
  ripgrep?: string | false;
};
