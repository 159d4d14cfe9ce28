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
import { createConnection, type AddressInfo, type Socket } from "node:net";

export type Balancer = {
  readonly url: string;
  /** Of these ports, from now on. */
  setWorkers(ports: readonly number[]): void;
  /** Cuts the network: everything that is open breaks, and nothing new passes until it is joined. */
  cut(): void;
  join(): void;
  close(): Promise<void>;
};

const pingMs = 400;
const silentMs = 3_000;

export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let next = 0;
  let isCut = false;
  const upstream = new Map<number, ClientHttp2Session>();
  const downstream = new Set<ServerHttp2Session>();
  const sessionTo = (port: number): ClientHttp2Session => {
    const known = upstream.get(port);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(`http://127.0.0.1:${port}`, {
      createConnection: () => createConnection({ port, host: "127.0.0.1", noDelay: true }),
    });
    upstream.set(port, session);
    session.on("error", () => session.destroy());
    watchSilence(session);
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
    const port = ports[next++ % Math.max(1, ports.length)];
    if (port === undefined || isCut) return stream.close(8);
    forward(stream, headers, sessionTo(port));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const breakAll = (): void => {
    for (const session of [...downstream, ...upstream.values()]) session.destroy();
    upstream.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setWorkers: (given) => void (ports = given),
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
function watchSilence(session: ClientHttp2Session): void {
  const timer = setInterval(() => {
    if (session.destroyed) return clearInterval(timer);
    const silent = setTimeout(() => session.destroy(), silentMs);
    try {
      session.ping(() => clearTimeout(silent));
    } catch {
      clearTimeout(silent);
    }
  }, pingMs);
  timer.unref();
  session.on("close", () => clearInterval(timer));
}
