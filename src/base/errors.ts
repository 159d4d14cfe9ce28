// The one exception of the house: a person's mistake. Everything the world does wrong is a value
// instead.

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

/** Thrown for mistakes only; the message says what was given, what was expected and what to do. */
export class RetinueError extends Error {
  readonly code: ErrorCode;
  /**
   * The option that was given wrong, by the words with which the message begins: the command puts
   * its flag in their place.
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

/** The words of anything that was thrown, for messages and results. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
