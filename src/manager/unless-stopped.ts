// Waiting that ends with the run: for promises of people, callbacks and tools that may never settle.

/** Rejects as soon as the signal aborts; what the promise does later is nobody's concern. */
export function unlessStopped<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("the run was stopped"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
    promise.then(
      (value) => {
        signal.removeEventListener("abort", stop);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", stop);
        reject(error);
      },
    );
  });
}
