// The one exception class: a person's mistake. Other failures (network, tools, files) are values.

/** Which kind of mistake a `RetinueError` reports. */
export type ErrorCode =
  | "usage"
  | "config"
  | "limit"
  | "unknown_agent"
  | "unknown_task"
  | "denied"
  | "no_tools"
  | "disabled"
  | "unknown_model"
  | "missing_key"
  | "unsafe_name"
  | "running"
  | "untrusted"
  | "sandbox"
  | "storage"
  | "platform";

/**
 * Thrown only for mistakes of people. The message says what was given, what was expected and what
 * to do.
 */
export class RetinueError extends Error {
  readonly code: ErrorCode;
  /**
   * The name of the wrong option, with which the message begins; the command replaces it with the
   * name of its flag.
   */
  readonly option: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { option, ...options }: ErrorOptions & { option?: string } = {},
  ) {
    super(message, options);
    this.name = "RetinueError";
    this.code = code;
    this.option = option;
  }
}

/** The message of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
