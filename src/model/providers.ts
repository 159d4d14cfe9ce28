// The providers of models, built-in or from the settings: their addresses and the environment
// variables of their keys.
import { RetinueError } from "../base/errors.ts";
import { suggest } from "../base/text/suggest.ts";
import type { EnvironmentVariables } from "./aliases.ts";

/** A provider as the settings write it. Without `apiKeyEnv` no key is sent. */
export type ProviderSettings = {
  protocol: "anthropic" | "openai";
  baseUrl: string;
  apiKeyEnv?: string;
};
export type ProviderTable = Readonly<Record<string, ProviderSettings>>;

export type Provider = {
  name: string;
  protocol: ProviderSettings["protocol"];
  baseUrl: string;
  keys: readonly string[];
};

const builtIn = ["anthropic", "openai", "google", "ollama"] as const;

/** Families whose bare ids are understood, and a good model of each as its default. */
const families = [
  { provider: "anthropic", pattern: /^claude/i, default: "sonnet" },
  { provider: "openai", pattern: /^(gpt|chatgpt|o\d)/i, default: "openai:gpt-5" },
  { provider: "google", pattern: /^gemini/i, default: "google:gemini-2.5-pro" },
] as const;

export function providerNames(settings: ProviderTable): string[] {
  return [...new Set([...builtIn, ...Object.keys(settings)])];
}

/**
 * The parts of `provider:id`, or the provider of a bare id by its family. Throws `unknown_model`,
 * which lists the possible forms.
 */
export function parseModelName(
  name: string,
  settings: ProviderTable,
  aliases: readonly string[] = [],
): { provider: string; id: string } {
  const known = providerNames(settings);
  const colon = name.indexOf(":");
  const provider = name.slice(0, Math.max(0, colon)).toLowerCase();
  if (colon > 0 && known.includes(provider) && name.length > colon + 1)
    return { provider, id: name.slice(colon + 1) };
  const family = colon < 0 ? families.find(({ pattern }) => pattern.test(name)) : undefined;
  if (family) return { provider: family.provider, id: name };
  const near = nearModelName(name, settings, aliases);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new RetinueError(
    "unknown_model",
    `unknown model "${name.slice(0, 120)}".${hint} Write an alias ` +
      `(${aliases.join(", ")}), offline, provider:id with the provider one of ` +
      `${known.join(", ")} (more can be set under retinue.providers), or an id that begins ` +
      "with claude, gpt, o1… or gemini.",
  );
}

/**
 * The name that was probably meant: another provider's spelling, an alias, or the family of an id.
 */
export function nearModelName(
  name: string,
  settings: ProviderTable,
  aliases: readonly string[],
): string | undefined {
  const colon = name.indexOf(":");
  if (colon <= 0) return suggest(name, [...aliases, "claude", "gpt", "gemini"]);
  const provider = name.slice(0, colon).toLowerCase();
  const near = suggest(provider, providerNames(settings));
  return near === undefined || near === provider ? undefined : `${near}${name.slice(colon)}`;
}

/** The address of a provider; settings win over the environment. */
export function providerOf(
  name: string,
  { env, settings }: { env: EnvironmentVariables; settings: ProviderTable },
): Provider {
  const given = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (given)
    return {
      name,
      protocol: given.protocol,
      baseUrl: given.baseUrl,
      keys: given.apiKeyEnv ? [given.apiKeyEnv] : [],
    };
  switch (name) {
    case "anthropic":
      return {
        name,
        protocol: "anthropic",
        baseUrl: env.ANTHROPIC_BASE_URL?.trim() || "https://api.anthropic.com",
        keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
      };
    case "google":
      return {
        name,
        protocol: "openai",
        baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
        keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
      };
    case "ollama":
      return { name, protocol: "openai", baseUrl: ollamaUrl(env.OLLAMA_HOST?.trim()), keys: [] };
    default:
      return {
        name,
        protocol: "openai",
        baseUrl: env.OPENAI_BASE_URL?.trim() || "https://api.openai.com/v1",
        keys: ["OPENAI_API_KEY"],
      };
  }
}

/**
 * OLLAMA_HOST may be a host, host:port or a URL; an address that means "listen everywhere" is
 * reached on this machine.
 */
function ollamaUrl(host: string | undefined): string {
  if (!host) return "http://127.0.0.1:11434/v1";
  const address = /^https?:\/\//.test(host) ? host : `http://${host}`;
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (!url.port && address !== host) url.port = "11434";
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`;
}

/**
 * The key of a provider and the variable that holds it; undefined if no key is needed. Throws
 * `missing_key` if one is needed and absent.
 */
export function apiKeyOf(
  provider: Provider,
  env: EnvironmentVariables,
): { key: string; variable: string } | undefined {
  for (const variable of provider.keys) {
    const key = env[variable]?.trim();
    if (!key) continue;
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new RetinueError(
        "missing_key",
        `${variable} holds characters that no API key has (a space, a line break or a letter ` +
          "outside ASCII). Set it again.",
      );
    return { key, variable };
  }
  if (provider.keys.length === 0) return undefined;
  throw new RetinueError(
    "missing_key",
    `no key for the provider "${provider.name}": ${provider.keys.join(" or ")} is not ` +
      "set. Set it, or choose a model of another provider.",
  );
}

/**
 * A good model of the first provider whose key is set; undefined if there is none. ANTHROPIC_MODEL
 * comes first.
 */
export function defaultModelName(env: EnvironmentVariables): string | undefined {
  const named = env.ANTHROPIC_MODEL?.trim();
  if (named) return named;
  return families.find(({ provider }) =>
    providerOf(provider, { env, settings: {} }).keys.some((variable) => env[variable]?.trim()),
  )?.default;
}
