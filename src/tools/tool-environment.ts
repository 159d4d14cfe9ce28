// What the tools of one run are given: where they work, what they may see, what the model accepts.
import type { Wrap } from "../process/sandbox/wrapped-command.ts";

export type FetchAllowances = {
  /** For tests: loopback addresses may be used. */
  allowLoopback?: boolean;
  /** All addresses of a name, asked once per redirect; DNS by default. */
  resolve?: (host: string) => Promise<string[]>;
  /** For the whole fetch, redirects included. */
  timeoutMs?: number;
};

/** No person has allowed anything. */
export const nothingApproved = (): readonly string[] => [];

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
   * The read policy on real paths: what it denies is neither opened nor named. `approved` says what
   * the gate has let pass already: this very file, or the folder outside the workspace that is
   * searched.
   */
  mayRead: (realPath: string, approved?: "file" | "root") => boolean;
  /**
   * The write policy on real paths, asked again right before the file is replaced. Whatever it
   * says, a link that leads out of the workspace is refused.
   */
  mayWrite: (realPath: string) => boolean;
  /** Puts a command into the sandbox, or holds protected paths; `noSandbox` does neither. */
  sandbox: Wrap;
  /** Protected paths that a person allowed this call to write, by tool_use id. */
  approved: (toolUseId: string) => readonly string[];
  /** Why no command goes to the background; absent where one may. */
  noBackground?: string;
  takesImages: boolean;
  takesDocuments: boolean;
  fetch?: FetchAllowances;
  /** The ripgrep to use; false for the built-in search. Searched for if absent. */
  ripgrep?: string | false;
};
