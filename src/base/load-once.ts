// Code that few runs need, loaded at its first use. The engine takes a tenth of a millisecond to find
// again what an `import()` has loaded before: what came is kept, and a failure is tried anew.

export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () =>
    (kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    }));
}
