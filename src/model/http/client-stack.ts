// The sockets to one origin, with one request on each at a time. The socket that was idle last
// takes the next request; if none is idle, a few are opened at once. So a thousand agents that
// start together share sockets and do not wait for a thousand handshakes.
import type { Client, Dispatcher } from "undici";

type Request = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler };

/** The number of sockets that may be opening at one time. */
const maxOpening = 64;

export class ClientStack {
  readonly #newClient: () => Client;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  #waiting: Request[] = [];
  #opening = 0;
  #isDestroyed = false;
  /** True while waiting requests are given time for a socket to become free. */
  #isPausing = false;
  /** The number of waiting requests that have been sent. */
  #sent = 0;

  constructor(newClient: () => Client) {
    this.#newClient = newClient;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const client =
      this.#idle.pop() ?? (this.#all.size === 0 || this.#isDestroyed ? this.#open() : undefined);
    if (client) return void client.dispatch(options, handler);
    this.#waiting.push({ options, handler });
    if (!this.#isPausing) this.#openSoon();
  }

  /**
   * A socket becomes idle two turns of the event loop after its reply ends: a request that has
   * waited that long gets a new socket.
   */
  #openSoon(): void {
    this.#isPausing = true;
    const last = this.#sent + this.#waiting.length;
    setImmediate(() =>
      setImmediate(() => {
        this.#isPausing = false;
        while (this.#sent < last && this.#waiting.length > 0 && this.#opening < maxOpening)
          this.#sendNext(this.#open());
        if (this.#waiting.length > 0 && this.#opening < maxOpening) this.#openSoon();
      }),
    );
  }

  /** Closes every connection; running requests and later ones fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#sendAll();
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #open(): Client {
    const client = this.#newClient();
    // A request that is sent to it then fails with the right message.
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
      if (!this.#isPausing && this.#waiting.length > 0) this.#openSoon();
    });
    client.on("drain", () => {
      if (!this.#all.has(client)) return;
      if (this.#waiting.length > 0) this.#sendNext(client);
      else this.#idle.push(client);
    });
    client.on("connectionError", () => {
      opened();
      this.#all.delete(client);
      // All waiting requests fail now and not one after another.
      this.#sendAll();
    });
    return client;
  }

  #sendNext(client: Client): void {
    const { options, handler } = this.#waiting.shift()!;
    this.#sent += 1;
    client.dispatch(options, handler);
  }

  #sendAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { options, handler } of waiting) this.#open().dispatch(options, handler);
  }
}
