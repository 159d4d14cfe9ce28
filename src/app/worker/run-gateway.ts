// A gateway of this machine from what a person gives on the command line, and the check of what it
// needs before it opens.
import { errorText } from "../../base/errors.ts";
import type { Environment } from "../../manager/session/session.ts";
import { openIngress } from "../../restate/ingress.ts";
import { readClusterKey } from "../../restate/cluster-key.ts";
import { startGateway, type Gateway } from "../../restate/gateway/start-gateway.ts";
import { readTenantsFile } from "../../restate/gateway/tenants.ts";
import { services } from "../../restate/services.ts";
import { cleanStore } from "../../restate/store/clean-store.ts";
import { storeBelow } from "../../restate/store/object-store.ts";
import { checkStore, openStore } from "../../restate/store/open-store.ts";

export type GatewayRequest = {
  listen: { host: string; port: number };
  server: string;
  keyFile: string;
  store: string;
  tenants: string;
  /** Sessions in which nothing was written for so long leave the store. */
  keepDays: number;
};

const partsOf = (request: GatewayRequest, env: Environment) => ({
  key: readClusterKey(request.keyFile),
  store: openStore(request.store, env),
  tenants: readTenantsFile(request.tenants),
});

export type RunGatewayOptions = { env: Environment; tell: (line: string) => void };

export async function runGateway(
  request: GatewayRequest,
  { env, tell }: RunGatewayOptions,
): Promise<Gateway> {
  const parts = partsOf(request, env);
  const gateway = await startGateway({ ...request.listen, server: request.server, ...parts });
  const clean = (): void =>
    void cleanTenants(parts, request.keepDays).catch((error: unknown) =>
      tell(`the store was not cleaned: ${errorText(error)}`),
    );
  clean();
  const timer = setInterval(clean, dayMs);
  return { port: gateway.port, close: () => (clearInterval(timer), gateway.close()) };
}

const dayMs = 86_400_000;

async function cleanTenants(
  { store, tenants }: Pick<ReturnType<typeof partsOf>, "store" | "tenants">,
  olderThanDays: number,
): Promise<void> {
  for (const { name } of tenants.all)
    await cleanStore(storeBelow(store, `${name}/`), { olderThanDays });
}

export type GatewayCheck = { what: string; ok: boolean; detail: string };

/** Everything that a gateway needs, one line each. Throws for files that cannot be read. */
export async function checkGateway(
  request: GatewayRequest,
  env: Environment,
): Promise<GatewayCheck[]> {
  const { key, store, tenants } = partsOf(request, env);
  const ingress = openIngress(request.server, key);
  const check = async (what: string, work: () => Promise<string>): Promise<GatewayCheck> => {
    try {
      return { what, ok: true, detail: await work() };
    } catch (error) {
      return { what, ok: false, detail: errorText(error) };
    }
  };
  const withoutToken = tenants.all.filter(({ tokens }) => tokens.length === 0);
  return [
    await check("tenants", async () => {
      if (withoutToken.length > 0)
        throw new Error(`${withoutToken.map(({ name }) => name).join(", ")} has no token`);
      return tenants.all.map(({ name }) => name).join(", ") || "none";
    }),
    await check("engine", async () => {
      if (!(await ingress.isUp())) throw new Error(`nobody answers at ${request.server}`);
      return request.server;
    }),
    // Answered by a worker: its key is the gateway's, or this fails.
    await check("worker", async () => {
      await ingress.call(services.place, "check", { handler: "life" });
      return "answers with the same key";
    }),
    await check("store", async () => {
      await checkStore(store);
      return store.name;
    }),
  ];
}
