// The settings that count: layers merged highest first, and from a folder that nobody has trusted only what narrows.
import type { LoadedSettings, SettingsLayer, SettingsLevel } from "./load-settings.ts";
import { mergeRetinueSettings } from "./retinue-settings.ts";
import type { RetinueSettings } from "./retinue-settings.ts";
import type { PermissionModeName } from "./read-layer.ts";
import type { RawProfile } from "./profiles.ts";
import { isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";

export type Settings = {
  permissions: { allow: string[]; ask: string[]; deny: string[]; additionalDirectories: string[]; defaultMode?: PermissionModeName; disableBypassPermissionsMode: boolean };
  hooks: Record<string, unknown[]>;
  env: Record<string, string>;
  /** Those of them that do not come from the folder: only these reach this program itself, where they say whom keys are sent to. */
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
  /** What the folder asked for and did not get, in words. */
  withheld: string[];
};

const folderLevels: ReadonlySet<SettingsLevel> = new Set(["local", "project"]);
const modeWidth: Readonly<Record<PermissionModeName, number>> = { plan: 0, dontAsk: 1, delegate: 1, default: 2, acceptEdits: 3, bypassPermissions: 4 };

/** Variables that turn into code in any process that inherits them: never from a folder, trusted or not. */
const dangerousVariables =
  /^(?:PATH|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|BASH_ENV|BASH_FUNC_.*|ENV|ZDOTDIR|IFS|PS4|PROMPT_COMMAND|SHELL|SHELLOPTS|BASHOPTS|GLOBIGNORE|HOME|TMPDIR|PYTHON(?:PATH|HOME|STARTUP|INSPECT|WARNINGS)|PERL5(?:LIB|OPT|DB)|PERLLIB|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_.*|SSH_ASKPASS|SUDO_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|(?:npm|NPM)_(?:config|CONFIG)_.*|PIP_.*|CARGO_.*|RUSTC.*|GO(?:FLAGS|PROXY|ENV|TOOLCHAIN)|MAKEFLAGS|CC|CXX|CLAUDE_CONFIG_DIR|XDG_.*|OPENSSL_(?:CONF|MODULES|ENGINES)|SSL_CERT_.*)$/;

/** `trusted`: whether the folder's files may widen anything. The user's own settings always may. */
export function effectiveSettings(loaded: LoadedSettings, trusted: boolean): EffectiveSettings {
  const withheld: string[] = [];
  const ownMode = loaded.layers.find((layer) => !folderLevels.has(layer.level) && layer.values.permissions.defaultMode)?.values.permissions.defaultMode ?? "default";
  const layers = loaded.layers.map((layer) => (folderLevels.has(layer.level) ? (trusted ? withoutDangerousEnv(layer, withheld) : narrowed(layer, ownMode, withheld)) : layer));
  const mcp = loaded.mcp.filter((one) => trusted || !folderLevels.has(one.level));
  const profiles = loaded.profiles.filter((profile) => trusted || profile.source !== "project");
  for (const one of loaded.mcp.filter((layer) => !mcp.includes(layer) && Object.keys(layer.servers).length > 0)) withheld.push(...Object.entries(one.servers).map(([name, { command, args, url }]) => `${one.path}: MCP server ${name}: ${JSON.stringify(url ?? [command, ...(Array.isArray(args) ? (args as unknown[]) : [])])}`));
  for (const profile of loaded.profiles.filter((one) => !profiles.includes(one))) withheld.push(`${profile.filePath}: profile ${profile.name}`);
  const values = layers.map((layer) => layer.values);
  const first = <Value>(pick: (layer: SettingsLayer["values"]) => Value | undefined): Value | undefined => values.map(pick).find((value) => value !== undefined);
  const [model, agent, defaultMode] = [first((one) => one.model), first((one) => one.agent), first((one) => one.permissions.defaultMode)];
  const list = (key: "allow" | "ask" | "deny" | "additionalDirectories"): string[] => [...new Set(values.flatMap((one) => one.permissions[key]))];
  const settings: Settings = {
    permissions: {
      allow: list("allow"),
      ask: list("ask"),
      deny: list("deny"),
      additionalDirectories: list("additionalDirectories"),
      ...(defaultMode && { defaultMode }),
      disableBypassPermissionsMode: values.some((one) => one.permissions.disableBypassPermissionsMode === true),
    },
    hooks: mergeHooks(values),
    env: Object.assign({}, ...values.map((one) => one.env).reverse()) as Record<string, string>,
    ownEnv: Object.assign({}, ...layers.filter((layer) => !folderLevels.has(layer.level)).map((layer) => layer.values.env).reverse()) as Record<string, string>,
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    cleanupPeriodDays: first((one) => one.cleanupPeriodDays) ?? limits.transcript.cleanupDays,
    pluginDirs: [...new Set(values.flatMap((one) => one.plugins))],
    mcpServers: Object.assign({}, ...mcp.map((one) => one.servers).reverse()) as Settings["mcpServers"],
    profiles,
    retinue: mergeRetinueSettings(values.map((one) => one.retinue)),
    other: Object.assign({}, ...values.map((one) => one.other).reverse()) as Record<string, unknown>,
  };
  return { settings: forbidBypass(settings), withheld };
}

function mergeHooks(values: SettingsLayer["values"][]): Record<string, unknown[]> {
  const hooks: Record<string, unknown[]> = {};
  for (const { hooks: own } of values) {
    for (const [event, rules] of Object.entries(own)) hooks[event] = [...(hooks[event] ?? []), ...rules];
  }
  return hooks;
}

function withoutDangerousEnv(layer: SettingsLayer, withheld: string[]): SettingsLayer {
  const refused = Object.keys(layer.values.env).filter((name) => dangerousVariables.test(name));
  if (refused.length === 0) return layer;
  withheld.push(`${layer.path}: env ${refused.join(", ")} (only your own settings may set it)`);
  return { ...layer, values: { ...layer.values, env: Object.fromEntries(Object.entries(layer.values.env).filter(([name]) => !refused.includes(name))) } };
}

/** Denials, questions, a tighter sandbox and a mode narrower than the user's own stay; model and agent are choices among what the user has anyway. */
function narrowed(layer: SettingsLayer, ownMode: PermissionModeName, withheld: string[]): SettingsLayer {
  const { permissions, hooks, env, plugins, retinue, model, agent, cleanupPeriodDays } = layer.values;
  const { allow, ask, deny, additionalDirectories, defaultMode, disableBypassPermissionsMode } = permissions;
  const wide = defaultMode !== undefined && modeWidth[defaultMode] >= modeWidth[ownMode];
  const { sandbox, ...otherRetinue } = retinue;
  const tighter = { ...(sandbox?.enabled === true && { enabled: true }), ...(sandbox?.denyRead && { denyRead: sandbox.denyRead }) };
  if (sandbox && Object.keys(tighter).length < Object.keys(sandbox).length) Object.assign(otherRetinue, { sandbox });
  const lost = [
    ...(allow.length > 0 ? [`allow ${allow.join(", ")}`] : []),
    ...(additionalDirectories.length > 0 ? [`additionalDirectories ${additionalDirectories.join(", ")}`] : []),
    ...(wide && defaultMode !== ownMode ? [`defaultMode: ${defaultMode}`] : []),
    ...Object.entries(hooks).map(([event, rules]) => ({ event, commands: commandsIn(rules) })).flatMap(({ event, commands }) => (commands.length > 0 ? [`hooks of ${event}: ${commands.join(" | ")}`] : [])),
    ...(Object.keys(env).length > 0 ? [`env ${Object.keys(env).join(", ")}`] : []),
    ...(plugins.length > 0 ? [`plugins ${plugins.join(", ")}`] : []),
    ...Object.keys(otherRetinue).map((key) => `retinue.${key}`),
    ...(cleanupPeriodDays !== undefined ? ["cleanupPeriodDays"] : []),
  ];
  if (lost.length > 0) withheld.push(`${layer.path}: ${lost.join("; ")}`);
  return {
    ...layer,
    values: {
      permissions: { allow: [], ask, deny, additionalDirectories: [], ...(defaultMode && !wide && { defaultMode }), ...(disableBypassPermissionsMode && { disableBypassPermissionsMode }) },
      hooks: {},
      env: {},
      plugins: [],
      retinue: Object.keys(tighter).length > 0 ? { sandbox: tighter } : {},
      other: {},
      ...(model !== undefined && { model }),
      ...(agent !== undefined && { agent }),
    },
  };
}

/** What a person must see before saying yes. */
function commandsIn(rules: unknown[]): string[] {
  return rules.flatMap((rule) => (isObject(rule) && Array.isArray(rule["hooks"]) ? (rule["hooks"] as unknown[]) : [])).flatMap((hook) => (isObject(hook) && typeof hook["command"] === "string" ? [[hook["command"], ...(Array.isArray(hook["args"]) ? (hook["args"] as unknown[]).map(String) : [])].join(" ")] : []));
}

function forbidBypass(settings: Settings): Settings {
  if (!settings.permissions.disableBypassPermissionsMode || settings.permissions.defaultMode !== "bypassPermissions") return settings;
  return { ...settings, permissions: { ...settings.permissions, defaultMode: "default" } };
}
