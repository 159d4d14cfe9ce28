// A gateway of this machine from what a person gives on the command line, and the check of what it
// needs before it opens.
import { errorText } from "../../base/errors.ts";
import type { Environment } from "../../manager/session/session.ts";
import { openIngress } from "../../restate/ingress.ts";
import { readClusterKey } from "../../restate/cluster-key.ts";
import { startGateway, type Gateway } from "../../restate/gateway/start-gateway.ts";
import { readTenantsFile } from "../../restate/gateway/tenants.ts";
import { services } from "../../restate/services.ts";
import { openStore } from "../../restate/store/open-store.ts";

export type GatewayRequest = {
  listen: { host: string; port: number };
  server: string;
  keyFile: string;
  store: string;
  tenants: string;
};

const partsOf = (request: GatewayRequest, env: Environment) => ({
  key: readClusterKey(request.keyFile),
  store: openStore(request.store, env),
  tenants: readTenantsFile(request.tenants),
});

export const runGateway = (request: GatewayRequest, env: Environment): Promise<Gateway> =>
  startGateway({ ...request.listen, server: request.server, ...partsOf(request, env) });

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
      await ingress.call(services.place, "check", { handler: "where" });
      return "answers with the same key";
    }),
    await check("store", async () => {
      const found = await store.list("");
      return `${store.name} (${found.length} objects)`;
    }),
  ];
}
