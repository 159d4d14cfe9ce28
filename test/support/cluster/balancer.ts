// A balancer between the engine and the workers, as docs/scale-out.md sets one up: HTTP/2, every
// stream to the next worker that answers, a worker that is silent for three seconds is given up.
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type IncomingHttpHeaders,
} from "node:http2";
import { get } from "node:http";
import { createConnection, type AddressInfo, type Socket } from "node:net";

type Upstream = { readonly port: number; readonly health: number };

export type Balancer = {
  readonly url: string;
  /** These, from now on. */
  setWorkers(workers: readonly Upstream[]): void;
  /** Cuts the network: everything that is open breaks, and nothing new passes until it is joined. */
  cut(): void;
  join(): void;
  close(): Promise<void>;
};

const askMs = 400;
const silentMs = 3_000;

export async function startBalancer(): Promise<Balancer> {
  let workers: readonly Upstream[] = [];
  let next = 0;
  let isCut = false;
  const silent = new Set<Upstream>();
  const upstream = new Map<number, ClientHttp2Session>();
  const downstream = new Set<ServerHttp2Session>();
  const sessionTo = ({ port }: Upstream): ClientHttp2Session => {
    const known = upstream.get(port);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(`http://127.0.0.1:${port}`, {
      createConnection: () => createConnection({ port, host: "127.0.0.1", noDelay: true }),
    });
    upstream.set(port, session);
    session.on("error", () => session.destroy());
    return session;
  };
  const server = createServer();
  server.on("connection", (socket: Socket) => socket.setNoDelay(true));
  server.on("session", (session) => {
    if (isCut) return session.destroy();
    downstream.add(session);
    session.on("close", () => downstream.delete(session));
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const live = workers.filter((worker) => !silent.has(worker));
    const worker = live[next++ % Math.max(1, live.length)];
    if (worker === undefined || isCut) return stream.close(8);
    forward(stream, headers, sessionTo(worker));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const breakAll = (): void => {
    for (const session of [...downstream, ...upstream.values()]) session.destroy();
    upstream.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setWorkers(given) {
      const known = workers;
      workers = [...given];
      for (const worker of workers.filter((one) => !known.includes(one)))
        watchHealth(worker, (isSilent) => {
          if (isSilent) upstream.get(worker.port)?.destroy();
          if (isSilent) silent.add(worker);
          else silent.delete(worker);
          return workers.includes(worker);
        });
    },
    cut() {
      isCut = true;
      breakAll();
    },
    join: () => void (isCut = false),
    async close() {
      workers = [];
      breakAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function forward(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  session: ClientHttp2Session,
): void {
  const request = session.request({ ...headers }, { endStream: false });
  const end = (): void => {
    stream.close(8);
    request.close(8);
  };
  request.on("error", end);
  request.on("close", () => (stream.writableEnded ? undefined : end()));
  stream.on("close", () => request.close());
  request.on("response", (answer) => {
    if (stream.destroyed) return;
    stream.respond(answer);
    request.pipe(stream);
  });
  stream.pipe(request);
}

/** A worker whose process is frozen keeps its connections and answers nothing. */
function watchHealth({ health }: Upstream, tell: (isSilent: boolean) => boolean): void {
  const timer = setInterval(() => {
    const late = setTimeout(() => tell(true), silentMs);
    const heard = (): void => {
      clearTimeout(late);
      if (!tell(false)) clearInterval(timer);
    };
    get({ port: health, host: "127.0.0.1", agent: false }, (answer) => {
      answer.resume();
      heard();
    }).on("error", heard);
  }, askMs);
  timer.unref();
}
