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
  secrets?: () => readonly string[];
  /** The read policy on real paths: what it denies is neither opened nor named. `approved` says what the gate has let pass already: this very file, or the folder outside the workspace that is searched. */
  mayRead?: (realPath: string, approved?: "file" | "root") => boolean;
  /** The real path that the gate judged for a call, by tool_use id: a path that leads elsewhere by the time of the call is refused. */
  judged?: (toolUseId: string) => string | undefined;
  /** The write policy on real paths, asked again right before the file is replaced. Without it a link that leads out of the workspace is refused. */
  mayWrite?: (realPath: string) => boolean;
  /** Puts a command into the sandbox; it runs as it is without one. Rejects when it cannot: the command does not run then. */
  sandbox?: (argv: readonly string[]) => Promise<SandboxedCommand>;
  /** Why no command goes to the background; absent where one may. */
  noBackground?: string;
  takesImages: boolean;
  takesDocuments: boolean;
  fetch?: FetchAllowances;
  /** The ripgrep to use; false for the built-in search. Looked for when absent. */
  ripgrep?: string | false;
};
