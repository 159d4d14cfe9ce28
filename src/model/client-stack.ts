// The sockets to one origin, one request on each at a time. The one that was idle last takes the next request, and where none is idle a
// few are opened at once: a thousand agents that start together wait for replies, not for a thousand handshakes, and share what is free.
import type { Client, Dispatcher } from "undici";

type Request = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler };

/** Sockets that may be on their way to be open at one time. */
const maxOpening = 64;

export class ClientStack {
  readonly #newClient: () => Client;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  #waiting: Request[] = [];
  #opening = 0;
  #isDestroyed = false;

  constructor(newClient: () => Client) {
    this.#newClient = newClient;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const client = this.#idle.pop() ?? (this.#opening < maxOpening || this.#isDestroyed ? this.#open() : undefined);
    if (client) client.dispatch(options, handler);
    else this.#waiting.push({ options, handler });
  }

  /** Ends every connection; requests under way fail, and those to come. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#sendAll();
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #open(): Client {
    const client = this.#newClient();
    // What is given to it then fails with the right words.
    if (this.#isDestroyed) void client.destroy();
    this.#all.add(client);
    this.#opening += 1;
    let isOpening = true;
    const opened = (): void => {
      if (isOpening) this.#opening -= 1;
      isOpening = false;
    };
    client.on("connect", () => {
      opened();
      this.#sendNext();
    });
    client.on("drain", () => {
      if (!this.#all.has(client)) return;
      this.#idle.push(client);
      this.#sendNext();
    });
    client.on("connectionError", () => {
      opened();
      this.#all.delete(client);
      // Who waited hears of it now and not one after another.
      this.#sendAll();
    });
    return client;
  }

  #sendNext(): void {
    const next = this.#waiting.shift();
    if (next) this.dispatch(next.options, next.handler);
  }

  #sendAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { options, handler } of waiting) this.#open().dispatch(options, handler);
  }
}
