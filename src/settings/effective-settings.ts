// Merges the layers of settings, the highest first. Of an untrusted folder only what narrows
// counts.
import type { LoadedSettings, SettingsLayer, SettingsLevel } from "./load-settings.ts";
import { narrowLayer, someOf, withoutDangerousEnv, type Told } from "./narrow-layer.ts";
import { mergeRetinueSettings } from "./retinue-settings.ts";
import type { RetinueSettings } from "./retinue-settings.ts";
import type { PermissionModeName } from "../base/permission-modes.ts";
import type { RawProfile } from "./profiles.ts";
import { limits } from "../base/limits.ts";

export type Settings = {
  permissions: {
    allow: string[];
    ask: string[];
    deny: string[];
    additionalDirectories: string[];
    defaultMode?: PermissionModeName;
    disableBypassPermissionsMode: boolean;
  };
  hooks: Record<string, unknown[]>;
  env: Record<string, string>;
  /**
   * The variables that do not come from the folder: only these reach this program itself, because
   * they decide to whom keys are sent.
   */
  ownEnv: Record<string, string>;
  model?: string;
  agent?: string;
  cleanupPeriodDays: number;
  pluginDirs: string[];
  mcpServers: Record<string, Record<string, unknown>>;
  profiles: RawProfile[];
  retinue: RetinueSettings;
  other: Record<string, unknown>;
};

export type EffectiveSettings = {
  settings: Settings;
  /** What the folder asked for and did not get. */
  withheld: string[];
  /** The same in one line per file, without commands and rules. */
  inBrief: string[];
};

const folderLevels: ReadonlySet<SettingsLevel> = new Set(["local", "project"]);
/** `trusted`: whether the folder's files may widen anything. The user's own settings always may. */
export function effectiveSettings(loaded: LoadedSettings, trusted: boolean): EffectiveSettings {
  const told: Told = { withheld: [], inBrief: [] };
  const ownMode =
    loaded.layers.find(
      (layer) => !folderLevels.has(layer.level) && layer.values.permissions.defaultMode,
    )?.values.permissions.defaultMode ?? "default";
  const layers = loaded.layers.map((layer) =>
    folderLevels.has(layer.level)
      ? trusted
        ? withoutDangerousEnv(layer, told)
        : narrowLayer(layer, ownMode, told)
      : layer,
  );
  const servers = trustedServers(withoutDisabled(loaded), trusted, told);
  const profiles = trustedProfiles(loaded.profiles, trusted, told);
  return { settings: forbidBypass(mergeLayers(layers, servers, profiles)), ...told };
}

function trustedServers(
  layers: LoadedSettings["mcp"],
  trusted: boolean,
  { withheld, inBrief }: Told,
): LoadedSettings["mcp"] {
  const isUsed = ({ level }: { level: SettingsLevel }): boolean =>
    trusted || !folderLevels.has(level);
  for (const { path, servers } of layers.filter((layer) => !isUsed(layer))) {
    const names = Object.keys(servers);
    if (names.length > 0) inBrief.push(`${path}: MCP servers ${someOf(names)}`);
    for (const [name, { command, args, url }] of Object.entries(servers)) {
      const started = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
      withheld.push(`${path}: MCP server ${name}: ${JSON.stringify(url ?? started)}`);
    }
  }
  return layers.filter(isUsed);
}

function trustedProfiles(
  profiles: LoadedSettings["profiles"],
  trusted: boolean,
  { withheld, inBrief }: Told,
): LoadedSettings["profiles"] {
  if (trusted) return profiles;
  const lost = profiles.filter(({ source }) => source === "project");
  withheld.push(...lost.map(({ filePath, name }) => `${filePath}: profile ${name}`));
  if (lost.length > 0) inBrief.push(`profiles ${someOf(lost.map(({ name }) => name))}`);
  return profiles.filter((profile) => !lost.includes(profile));
}

/** Of single values the highest layer's counts; lists and tables are joined. */
function mergeLayers(
  layers: readonly SettingsLayer[],
  mcp: LoadedSettings["mcp"],
  profiles: LoadedSettings["profiles"],
): Settings {
  const values = layers.map((layer) => layer.values);
  const first = <Value>(
    pick: (layer: SettingsLayer["values"]) => Value | undefined,
  ): Value | undefined => values.map(pick).find((value) => value !== undefined);
  const [model, agent, defaultMode] = [
    first((one) => one.model),
    first((one) => one.agent),
    first((one) => one.permissions.defaultMode),
  ];
  const list = (key: "allow" | "ask" | "deny" | "additionalDirectories"): string[] => [
    ...new Set(values.flatMap((one) => one.permissions[key])),
  ];
  const ownLayers = layers.filter((layer) => !folderLevels.has(layer.level));
  return {
    permissions: {
      allow: list("allow"),
      ask: list("ask"),
      deny: list("deny"),
      additionalDirectories: list("additionalDirectories"),
      ...(defaultMode && { defaultMode }),
      disableBypassPermissionsMode: values.some(
        (one) => one.permissions.disableBypassPermissionsMode === true,
      ),
    },
    hooks: mergeHooks(enabledHooks(layers)),
    env: joinTables(values.map((one) => one.env)),
    ownEnv: joinTables(ownLayers.map((layer) => layer.values.env)),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    cleanupPeriodDays: first((one) => one.cleanupPeriodDays) ?? limits.transcript.cleanupDays,
    pluginDirs: [...new Set(values.flatMap((one) => one.plugins))],
    mcpServers: joinTables(mcp.map((one) => one.servers)),
    profiles,
    retinue: mergeRetinueSettings(values.map((one) => one.retinue)),
    other: joinTables(values.map((one) => one.other)),
  };
}

/** Highest first: of two values for one key the earlier table's counts. */
const joinTables = <Value>(tables: readonly Record<string, Value>[]): Record<string, Value> =>
  Object.assign({}, ...[...tables].reverse()) as Record<string, Value>;

/** Every layer may switch off all hooks, except the administrator's: only the administrator may. */
function enabledHooks(layers: readonly SettingsLayer[]): SettingsLayer["values"][] {
  const off = layers.filter((layer) => layer.values.other["disableAllHooks"] === true);
  if (off.length === 0) return layers.map((layer) => layer.values);
  return off.some(({ level }) => level === "managed")
    ? []
    : layers.filter(({ level }) => level === "managed").map((layer) => layer.values);
}

/**
 * A folder's servers without those that any settings file, trusted or not, switches off by name.
 */
function withoutDisabled({ layers, mcp }: LoadedSettings): LoadedSettings["mcp"] {
  const off = new Set(
    layers.flatMap(({ values }) =>
      Array.isArray(values.other["disabledMcpjsonServers"])
        ? (values.other["disabledMcpjsonServers"] as unknown[])
        : [],
    ),
  );
  if (off.size === 0) return mcp;
  return mcp.map((one) =>
    folderLevels.has(one.level)
      ? {
          ...one,
          servers: Object.fromEntries(
            Object.entries(one.servers).filter(([name]) => !off.has(name)),
          ),
        }
      : one,
  );
}

function mergeHooks(values: SettingsLayer["values"][]): Record<string, unknown[]> {
  const hooks: Record<string, unknown[]> = {};
  for (const { hooks: own } of values) {
    for (const [event, rules] of Object.entries(own))
      hooks[event] = [...(hooks[event] ?? []), ...rules];
  }
  return hooks;
}

function forbidBypass(settings: Settings): Settings {
  if (
    !settings.permissions.disableBypassPermissionsMode ||
    settings.permissions.defaultMode !== "bypassPermissions"
  )
    return settings;
  return { ...settings, permissions: { ...settings.permissions, defaultMode: "default" } };
}
