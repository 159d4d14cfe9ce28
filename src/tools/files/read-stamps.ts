// Remembers the content of each file that this run has seen, so that Write and Edit never overwrite
// unknown content.
import type { ToolResult } from "../../tool/tool.ts";

export type ReadStamps = {
  seen(real: string, sha256: string): void;
  /** What a call in another process has seen or written, by the facts of its result. */
  recall: (input: Record<string, unknown>, result: ToolResult) => void;
  /** The hash of the file when the run last saw it. */
  of(real: string): string | undefined;
};

export function createReadStamps(): ReadStamps {
  let hashes: Map<string, string> | undefined;
  const seen = (real: string, sha256: string): void =>
    void (hashes ??= new Map()).set(real, sha256);
  return {
    seen,
    recall(_input, { facts = {} }) {
      const { path, sha256, after } = facts;
      const hash = after ?? sha256;
      if (typeof path === "string" && typeof hash === "string") seen(path, hash);
    },
    of: (real) => hashes?.get(real),
  };
}
