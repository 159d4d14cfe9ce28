// Many wait for the same signal one after another, each only for a moment: they share one listener
// on it, which is never taken off. A listener of one's own costs more than all else that such a
// wait needs.

/** What is called when the signal aborts. */
export type AbortWatcher = { handleEvent(): void };

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls the watcher once when the signal aborts, unless it is taken back before. A signal that is
 * aborted already calls nobody.
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
 * Nearly always there is one watcher, and a set that is filled and emptied all the time would be
 * made anew all the time.
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
