// Whether workers are alive: one stream to each of them, however many of its runs are shown. A
// frozen process keeps its connections, and only its silence tells.
import { limits } from "../../base/limits.ts";

type Watched = { over: AbortController; readers: Set<() => void> };

export class WorkerPulses {
  readonly #token: string;
  readonly #watched = new Map<string, Watched>();

  constructor(token: string) {
    this.#token = token;
  }

  /**
   * Calls back once when the worker whose events are at this address is silent, or gone. Returns
   * what ends this.
   */
  watch(url: string, onSilent: () => void): () => void {
    const watched = this.#watched.get(url) ?? this.#listenTo(url);
    const reader = (): void => onSilent();
    watched.readers.add(reader);
    // The stream stays until the next beat: another run may begin there.
    return () => void watched.readers.delete(reader);
  }

  #listenTo(url: string): Watched {
    const watched: Watched = { over: new AbortController(), readers: new Set() };
    this.#watched.set(url, watched);
    const end = (): void => this.#end(url, watched);
    const timer = setTimeout(end, limits.restate.silentMs);
    timer.unref();
    const onBeat = (): void => {
      if (watched.readers.size === 0) end();
      else timer.refresh();
    };
    this.#beats(url, watched.over.signal, onBeat)
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timer);
        end();
      });
    return watched;
  }

  async #beats(url: string, signal: AbortSignal, onBeat: () => void): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const { body } = await fetch(`${url}/pulse`, { headers, signal });
    for await (const _beat of body ?? []) onBeat();
  }

  /** Whoever comes next looks anew. */
  #end(url: string, watched: Watched): void {
    if (this.#watched.get(url) === watched) this.#watched.delete(url);
    watched.over.abort();
    for (const reader of watched.readers) reader();
    watched.readers.clear();
  }
}
