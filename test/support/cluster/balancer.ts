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

const pingMs = 400;
const silentMs = 3_000;

export async function startBalancer(): Promise<Balancer> {
  let workers: readonly Upstream[] = [];
  let next = 0;
  let isCut = false;
  const upstream = new Map<number, ClientHttp2Session>();
  const downstream = new Set<ServerHttp2Session>();
  const sessionTo = ({ port, health }: Upstream): ClientHttp2Session => {
    const known = upstream.get(port);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(`http://127.0.0.1:${port}`, {
      createConnection: () => createConnection({ port, host: "127.0.0.1", noDelay: true }),
    });
    upstream.set(port, session);
    session.on("error", () => session.destroy());
    watchSilence(session, health);
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
    const worker = workers[next++ % Math.max(1, workers.length)];
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
    setWorkers: (given) => void (workers = [...given]),
    cut() {
      isCut = true;
      breakAll();
    },
    join: () => void (isCut = false),
    async close() {
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
function watchSilence(session: ClientHttp2Session, health: number): void {
  const timer = setInterval(() => {
    if (session.destroyed) return clearInterval(timer);
    const silent = setTimeout(() => session.destroy(), silentMs);
    get({ port: health, host: "127.0.0.1", agent: false }, (answer) => {
      clearTimeout(silent);
      answer.resume();
    }).on("error", () => clearTimeout(silent));
  }, pingMs);
  timer.unref();
  session.on("close", () => clearInterval(timer));
}
