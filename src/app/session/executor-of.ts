// The executor that the settings name by an address: loaded when the first agent starts, so that
// nobody else pays for it.
import { RetinueError } from "../../base/errors.ts";
import type { Catalog } from "../../executors/catalog.ts";
import type { Executor } from "../../executors/executor.ts";
import { createLocalExecutor } from "../../executors/local.ts";
import type { Environment, Session } from "../../manager/session/session.ts";
import type { RetinueSettings } from "../../settings/retinue-settings.ts";

export type RestateSettings = Exclude<RetinueSettings["executor"], string>["restate"];

/** Throws `missing_key` where the token is not in the environment. */
export function executorOf(
  setting: RetinueSettings["executor"],
  env: Environment,
): Session["executor"] {
  if (typeof setting === "string") return setting;
  const { restate } = setting;
  return (catalog) => lazily(catalog, () => addressOf(restate, env));
}

/** The token itself never stands in a settings file. */
export function addressOf({ url, tokenEnv, tenant }: RestateSettings, env: Environment) {
  const token = env[tokenEnv];
  if (token === undefined || token === "")
    throw new RetinueError(
      "config",
      `retinue.executor.restate wants a token in ${tokenEnv}, which is not set. Export it, or ` +
        'set retinue.executor to "local".',
    );
  return { url, token, tenant };
}

function lazily(catalog: Catalog, address: () => ReturnType<typeof addressOf>): Executor {
  // Said before anything starts.
  const given = address();
  const local = createLocalExecutor(catalog);
  let ready: Executor | undefined;
  const remote = async (): Promise<Executor> => {
    const { restate } = await import("../../restate/client/restate.ts");
    return (ready ??= restate(given)(catalog));
  };
  return {
    isElsewhere: true,
    execute: async (spec, watch) =>
      spec.isMain ? local.execute(spec, watch) : (await remote()).execute(spec, watch),
    attach: async (spec, watch) =>
      spec.isMain ? local.attach(spec, watch) : (await remote()).attach(spec, watch),
    status: (agent) => (agent.isMain ? undefined : catalog.left?.(agent)),
    stop: (run) => local.stop(run) || ready?.stop(run) === true,
    send: (run, message) => local.send(run, message) || ready?.send(run, message) === true,
  };
}
