// Lets many short waits share one `abort` listener on a signal. The listener is added once and
// stays: adding and removing one for each wait costs more than the rest of the wait.

/** `handleEvent` is called when the signal aborts. */
export type AbortWatcher = { handleEvent(): void };

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls the watcher once when the signal aborts, unless `unwatchAbort` removes it first. On a
 * signal that has already aborted, the watcher is never called.
 */
export function watchAbort(signal: AbortSignal, watcher: AbortWatcher): void {
  let watch = watches.get(signal);
  if (!watch) {
    watch = new Watch();
    watches.set(signal, watch);
    signal.addEventListener("abort", watch);
  }
  watch.add(watcher);
}

export function unwatchAbort(signal: AbortSignal, watcher: AbortWatcher): void {
  watches.get(signal)?.remove(watcher);
}

/**
 * Keeps the first watcher outside the set: nearly always there is only one, and the set would be
 * created and dropped again and again.
 */
class Watch {
  #one: AbortWatcher | undefined;
  #more: Set<AbortWatcher> | undefined;

  add(watcher: AbortWatcher): void {
    if (this.#one) (this.#more ??= new Set()).add(watcher);
    else this.#one = watcher;
  }

  remove(watcher: AbortWatcher): void {
    if (this.#one === watcher) this.#one = undefined;
    else this.#more?.delete(watcher);
  }

  handleEvent(): void {
    const all = [...(this.#one ? [this.#one] : []), ...(this.#more ?? [])];
    this.#one = this.#more = undefined;
    for (const watcher of all) watcher.handleEvent();
  }
}
