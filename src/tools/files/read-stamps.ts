// Remembers the content of each file that this run has seen, so that Write and Edit never overwrite
// unknown content.

export type ReadStamps = {
  seen(real: string, sha256: string): void;
  /** The hash of the file when the run last saw it. */
  of(real: string): string | undefined;
};

export function createReadStamps(): ReadStamps {
  let hashes: Map<string, string> | undefined;
  return {
    seen: (real, sha256) => void (hashes ??= new Map()).set(real, sha256),
    of: (real) => hashes?.get(real),
  };
}
