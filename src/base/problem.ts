// A problem in a file that somebody wrote: where it is, how bad, why, and what to do.

/** A problem in a definition or in another file: where it is, how bad, and what to do. */
export type Problem = {
  path: string;
  line: number;
  /** `error`: the file, or the part that the code names, is not used. */
  severity: "error" | "warning";
  code: string;
  message: string;
  suggestion?: string;
};
