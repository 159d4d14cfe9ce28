// Finds models by name: one limiter and one set of connections per provider, opened at first use.
import { RetinueError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { aliasTable, expandAlias, type EnvironmentVariables } from "./aliases.ts";
import { anthropicModel } from "./anthropic/anthropic-model.ts";
import { systemClock, type Clock } from "./clock.ts";
import { createConnections } from "./http/connections.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { Limiter } from "./http/limiter.ts";
import type { Model } from "./model.ts";
import { openAiModel } from "./openai/openai-model.ts";
import { apiKeyOf, parseModelName, providerOf, type ProviderTable } from "./providers.ts";

export type ModelsOptions = {
  env: EnvironmentVariables;
  /** Settings `retinue.providers`. */
  providers?: ProviderTable;
  /** Settings `retinue.aliases`. */
  aliases?: Readonly<Record<string, string>>;
  idleTimeoutMs?: number;
  replyTimeoutMs?: number;
  clock?: Clock;
};

export type Models = {
  /**
   * The model of an alias, `provider:id` or a bare id. Throws `unknown_model` or `missing_key`. The
   * same name gives the same model.
   */
  resolve(name: string): Model;
  /** Closes all connections; running calls fail. */
  close(): Promise<void>;
};

export function createModels(options: ModelsOptions): Models {
  const { env, providers = {} } = options;
  const aliases = aliasTable(env, options.aliases);
  const endpoints = new Map<string, { endpoint: Endpoint; protocol: "anthropic" | "openai" }>();
  const models = new Map<string, Model>();

  return {
    resolve(name) {
      const { provider, id } = parseModelName(expandAlias(name, aliases), providers, [
        ...aliases.keys(),
      ]);
      const full = `${provider}:${id}`;
      const found = models.get(full);
      if (found) return found;
      const served = endpoints.get(provider) ?? openEndpoint(provider, options);
      endpoints.set(provider, served);
      const model =
        served.protocol === "anthropic"
          ? anthropicModel(served.endpoint, id)
          : openAiModel(served.endpoint, id);
      models.set(full, model);
      return model;
    },
    async close() {
      await Promise.all(
        [...endpoints.values()].map(({ endpoint }) => endpoint.connections.close()),
      );
    },
  };
}

function openEndpoint(
  name: string,
  options: ModelsOptions,
): { endpoint: Endpoint; protocol: "anthropic" | "openai" } {
  const {
    env,
    providers = {},
    idleTimeoutMs = limits.run.idleTimeoutMs,
    replyTimeoutMs,
    clock = systemClock,
  } = options;
  const provider = providerOf(name, { env, settings: providers });
  const baseUrl = URL.canParse(provider.baseUrl) ? new URL(provider.baseUrl) : undefined;
  if (!baseUrl || !/^https?:$/.test(baseUrl.protocol)) {
    throw new RetinueError(
      "config",
      `the base address of the provider "${name}" is "${provider.baseUrl}"; expected an ` +
        "address that begins with http:// or https://.",
    );
  }
  const found = apiKeyOf(provider, env);
  const asHeader =
    provider.protocol === "anthropic" && found?.variable !== "ANTHROPIC_AUTH_TOKEN"
      ? { header: "x-api-key", prefix: "" }
      : { header: "authorization", prefix: "Bearer " };
  const endpoint: Endpoint = {
    provider: name,
    baseUrl,
    ...(found ? { key: found.key, auth: asHeader } : {}),
    connections: createConnections({ origin: baseUrl.origin, env }),
    limiter: new Limiter(clock),
    clock,
    idleTimeoutMs,
    ...(replyTimeoutMs === undefined ? {} : { replyTimeoutMs }),
  };
  return { endpoint, protocol: provider.protocol };
}
