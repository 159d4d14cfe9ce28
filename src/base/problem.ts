// What is said about a file that somebody wrote: where, how bad, why, and what to do.

export type Problem = {
  path: string;
  line: number;
  /** `error`: the file, or the part that the code names, is not used. */
  severity: "error" | "warning";
  code: string;
  message: string;
  suggestion?: string;
};

/** `path:line: message (suggestion)`, for people. */
export function problemText({ path, line, message, suggestion }: Problem): string {
  return `${path}:${line}: ${message}${suggestion === undefined ? "" : ` (${suggestion})`}`;
}
