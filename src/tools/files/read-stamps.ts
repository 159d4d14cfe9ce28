// Remembers what this run has seen of each file, so that Write and Edit never overwrite what the agent does not know.

export type ReadStamps = {
  seen(real: string, sha256: string): void;
  /** The hash of the file as the run last saw it. */
  of(real: string): string | undefined;
};

export function createReadStamps(): ReadStamps {
  let hashes: Map<string, string> | undefined;
  return {
    seen: (real, sha256) => void (hashes ??= new Map()).set(real, sha256),
    of: (real) => hashes?.get(real),
  };
}
