// The only door: a token gives a tenant, the tenant's ceiling bounds what is asked for, and what
// passes is signed. Everything is named by the tenant of the token, so that no request can name a
// run or a transcript of another.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import type { ClusterKey } from "../cluster-key.ts";
import { openIngress, type Ingress } from "../ingress.ts";
import { isTexts, readOrder } from "../run-job.ts";
import { services } from "../services.ts";
import { storeBelow, type ObjectStore } from "../store/object-store.ts";
import { followLife } from "./follow-life.ts";
import { WorkerPulses } from "./worker-pulses.ts";
import { narrowOrder } from "./narrow-order.ts";
import { handIn, TenantQueues, TenantRun } from "./tenant-run.ts";
import type { Tenant, Tenants } from "./tenants.ts";

export type GatewayOptions = {
  host: string;
  port: number;
  /** The engine's ingress. */
  server: string;
  key: ClusterKey;
  store: ObjectStore;
  tenants: Tenants;
};

export type Gateway = { port: number; close(): Promise<void> };

type Counts = Record<"submitted" | "repeated" | "refused" | "unauthorized" | "failed", number>;

type Door = GatewayOptions & {
  ingress: Ingress;
  queues: TenantQueues;
  pulses: WorkerPulses;
  counts: Counts;
  following: { count: number };
};

/** What a request may do, once it is known whose it is. */
type Asked = {
  door: Door;
  tenant: Tenant;
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  /** The part of the path that names a run, and the tenant's run of that name. */
  runId: string;
  run: TenantRun;
};

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const ingress = openIngress(options.server, options.key);
  const door: Door = {
    ...options,
    ingress,
    queues: new TenantQueues(ingress),
    counts: { submitted: 0, repeated: 0, refused: 0, unauthorized: 0, failed: 0 },
    following: { count: 0 },
    pulses: new WorkerPulses(options.key.eventsToken),
  };
  const server = createServer((request, response) => void answer(door, request, response));
  server.listen(options.port, options.host);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(door, request, response);
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 502;
    door.counts[status === 401 ? "unauthorized" : status < 500 ? "refused" : "failed"] += 1;
    if (response.headersSent) return void response.destroy();
    json(response, { error: errorText(error) }, status);
  }
}

type Route = { method: "GET" | "POST"; path: RegExp; handle: (asked: Asked) => Promise<void> };

const routes: readonly Route[] = [
  { method: "POST", path: /^\/v1\/runs$/, handle: submit },
  { method: "GET", path: /^\/v1\/runs\/([0-9a-f-]{36})\/events$/, handle: showRun },
  ...(["stop", "message", "answer"] as const).map((handler): Route => ({
    method: "POST",
    path: new RegExp(`^/v1/runs/([0-9a-f-]{36})/${handler}$`),
    handle: (asked) => pass(asked, handler),
  })),
  { method: "GET", path: /^\/v1\/store\/objects$/, handle: listObjects },
  { method: "GET", path: /^\/v1\/store\/object$/, handle: getObject },
  { method: "POST", path: /^\/v1\/store\/joined$/, handle: getJoined },
  {
    method: "GET",
    path: /^\/v1\/tenant$/,
    handle: async ({ tenant, response }) => json(response, { tenant: tenant.name }),
  },
];

async function route(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://gateway");
  if (url.pathname === "/healthz") return health(door, response);
  if (url.pathname === "/metrics") return metrics(door, response);
  const tenant = tenantOf(door, request);
  for (const { method, path, handle } of routes) {
    const found = request.method === method ? path.exec(url.pathname) : null;
    if (!found) continue;
    const runId = found[1] ?? "";
    const run = new TenantRun(door.ingress, tenant, runId);
    return handle({ door, tenant, url, request, response, runId, run });
  }
  throw new Refusal(404, `there is no ${request.method} ${url.pathname}`);
}

function tenantOf({ tenants }: Door, { headers }: IncomingMessage): Tenant {
  const token = /^Bearer (\S{1,500})$/.exec(headers.authorization ?? "")?.[1];
  const tenant = token === undefined ? undefined : tenants.byToken(token);
  if (!tenant) throw new Refusal(401, "this needs a token that a tenant has");
  const { "x-retinue-tenant": named = tenant.name } = headers;
  if (named === tenant.name) return tenant;
  throw new Refusal(403, `this token is not one of the tenant ${String(named).slice(0, 50)}`);
}

async function submit({ door, tenant, request, response }: Asked): Promise<void> {
  const read = readOrder(await body(request));
  if (!read.ok) throw new Refusal(400, `this run cannot be started: ${read.problem}`);
  const narrowed = narrowOrder(read.order, tenant, Date.now());
  if (!narrowed.ok) throw new Refusal(403, `this run is refused: ${narrowed.problem}`);
  const isNew = await handIn({ ...door, tenant }, narrowed.order);
  door.counts[isNew ? "submitted" : "repeated"] += 1;
  json(response, { accepted: isNew }, isNew ? 201 : 200);
}

/** Nothing waits in the engine for a run that the tenant has not. */
async function knownLife(asked: Asked): Promise<string> {
  const { tenant, runId } = asked;
  if (!isUuid(runId)) throw new Refusal(400, "a run is named by its UUID");
  const life = await asked.run.known();
  if (life !== undefined) return life;
  throw new Refusal(404, `${tenant.name} has no run ${runId}`);
}

async function showRun(asked: Asked): Promise<void> {
  const { door, url, response } = asked;
  const life = await knownLife(asked);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  const beat = setInterval(() => response.write(": alive\n\n"), 10_000);
  door.following.count += 1;
  try {
    await followLife(
      { life, afterSeq: Number(url.searchParams.get("after")) || 0 },
      {
        newest: () => asked.run.newest(),
        isQueued: () => asked.run.isQueued(),
        ingress: door.ingress,
        eventsToken: door.key.eventsToken,
        pulses: door.pulses,
        signal: gone.signal,
        tell: (text) => response.write(`data: ${text}\n\n`),
      },
    );
  } finally {
    door.following.count -= 1;
    clearInterval(beat);
    response.end();
  }
}

const inputs: Record<"stop" | "message" | "answer", (value: unknown) => unknown> = {
  stop: () => null,
  message: (value) => text(isObject(value) ? value["text"] : undefined, "text"),
  answer: (value) => ({
    toolUseId: text(isObject(value) ? value["toolUseId"] : undefined, "toolUseId"),
    said: isObject(value) ? value["said"] : undefined,
  }),
};

/** A request that its client has named is one, however often it is sent. */
const onceOf = (given: unknown): { once?: string } =>
  isObject(given) && isUuid(given["id"]) ? { once: given["id"] } : {};

async function pass(asked: Asked, handler: keyof typeof inputs): Promise<void> {
  const { door, request, response } = asked;
  const given = await body(request);
  const call = { handler, input: inputs[handler](given), ...onceOf(given) };
  await knownLife(asked);
  const result = await door.ingress.call<unknown>(services.run, await asked.run.newest(), call);
  if (handler === "stop") await asked.run.hurry();
  json(response, { result: result ?? null });
}

const storeOf = ({ store }: Door, { name }: Tenant): ObjectStore => storeBelow(store, `${name}/`);

async function listObjects({ door, tenant, url, response }: Asked): Promise<void> {
  const prefix = url.searchParams.get("prefix") ?? "";
  json(response, await checked(() => storeOf(door, tenant).list(prefix)));
}

async function getObject({ door, tenant, url, response }: Asked): Promise<void> {
  const bytes = await checked(() => storeOf(door, tenant).get(url.searchParams.get("key") ?? ""));
  if (!bytes) throw new Refusal(404, "there is no such object");
  response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
}

/** Several objects in one piece: a client that knows their sizes takes it apart. */
async function getJoined({ door, tenant, request, response }: Asked): Promise<void> {
  const below = storeOf(door, tenant);
  const given = await body(request);
  const keys = isObject(given) ? given["keys"] : undefined;
  if (!isTexts(keys) || keys.length > limits.store.joinedObjects)
    throw new Refusal(400, `keys: expected at most ${limits.store.joinedObjects} texts`);
  const parts: Buffer[] = [];
  for (const key of keys) {
    const bytes = await checked(() => below.get(key));
    if (!bytes) throw new Refusal(404, "there is no such object");
    parts.push(bytes);
  }
  response.writeHead(200, { "content-type": "application/octet-stream" }).end(Buffer.concat(parts));
}

/** A key that no store takes is the caller's mistake. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isCallers = error instanceof Error && error.name !== "StoreFailure";
    throw isCallers ? new Refusal(400, errorText(error)) : error;
  }
}

async function health({ ingress }: Door, response: ServerResponse): Promise<void> {
  if (await ingress.isUp()) json(response, { engine: "up" });
  else json(response, { engine: "down" }, 503);
}

async function metrics({ counts, following }: Door, response: ServerResponse): Promise<void> {
  const lines = Object.entries(counts).flatMap(([name, count]) => [
    `# TYPE retinue_gateway_${name}_total counter`,
    `retinue_gateway_${name}_total ${count}`,
  ]);
  lines.push("# TYPE retinue_gateway_following gauge");
  lines.push(`retinue_gateway_following ${following.count}`, "");
  const text = lines.join("\n");
  response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(text);
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new Refusal(400, `${name}: expected a text`);
}

async function body(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limits.restate.bodyBytes)
      throw new Refusal(413, `at most ${limits.restate.bodyBytes} bytes are taken`);
    parts.push(part);
  }
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Refusal(400, "the body is no JSON");
  }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
