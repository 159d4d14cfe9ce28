// The settings that count: layers merged highest first, and from a folder that nobody has trusted only what narrows.
import type { LoadedSettings, SettingsLayer, SettingsLevel } from "./load-settings.ts";
import { mergeRetinueSettings } from "./retinue-settings.ts";
import type { RetinueSettings } from "./retinue-settings.ts";
import type { PermissionModeName } from "../base/permission-modes.ts";
import type { RawProfile } from "./profiles.ts";
import { isObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import { oneLine } from "../base/text/printable.ts";

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
  /** The same without commands and rules, one line a file: for those who are not about to decide. */
  inBrief: string[];
};

const folderLevels: ReadonlySet<SettingsLevel> = new Set(["local", "project"]);
const modeWidth: Readonly<Record<PermissionModeName, number>> = {
  plan: 0,
  dontAsk: 1,
  delegate: 1,
  default: 2,
  acceptEdits: 3,
  bypassPermissions: 4,
};

/** Variables that turn into code in any process that inherits them: never from a folder, trusted or not. */
const dangerousVariables =
  /^(?:PATH|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|BASH_ENV|BASH_FUNC_.*|ENV|ZDOTDIR|IFS|PS4|PROMPT_COMMAND|SHELL|SHELLOPTS|BASHOPTS|GLOBIGNORE|HOME|TMPDIR|PYTHON(?:PATH|HOME|STARTUP|INSPECT|WARNINGS)|PERL5(?:LIB|OPT|DB)|PERLLIB|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_.*|SSH_ASKPASS|SUDO_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|(?:npm|NPM)_(?:config|CONFIG)_.*|PIP_.*|CARGO_.*|RUSTC.*|GO(?:FLAGS|PROXY|ENV|TOOLCHAIN)|MAKEFLAGS|CC|CXX|CLAUDE_CONFIG_DIR|XDG_.*|OPENSSL_(?:CONF|MODULES|ENGINES)|SSL_CERT_.*)$/;

/** `trusted`: whether the folder's files may widen anything. The user's own settings always may. */
export function effectiveSettings(loaded: LoadedSettings, trusted: boolean): EffectiveSettings {
  const told: Told = { withheld: [], inBrief: [] };
  const { withheld, inBrief } = told;
  const ownMode =
    loaded.layers.find(
      (layer) => !folderLevels.has(layer.level) && layer.values.permissions.defaultMode,
    )?.values.permissions.defaultMode ?? "default";
  const layers = loaded.layers.map((layer) =>
    folderLevels.has(layer.level)
      ? trusted
        ? withoutDangerousEnv(layer, told)
        : narrowed(layer, ownMode, told)
      : layer,
  );
  const everyMcp = withoutDisabled(loaded);
  const mcp = everyMcp.filter((one) => trusted || !folderLevels.has(one.level));
  const profiles = loaded.profiles.filter((profile) => trusted || profile.source !== "project");
  for (const one of everyMcp.filter(
    (layer) => !mcp.includes(layer) && Object.keys(layer.servers).length > 0,
  ))
    inBrief.push(`${one.path}: MCP servers ${someOf(Object.keys(one.servers))}`);
  for (const one of everyMcp.filter((layer) => !mcp.includes(layer)))
    withheld.push(
      ...Object.entries(one.servers).map(
        ([name, { command, args, url }]) =>
          `${one.path}: MCP server ${name}: ${JSON.stringify(url ?? [command, ...(Array.isArray(args) ? (args as unknown[]) : [])])}`,
      ),
    );
  const lostProfiles = loaded.profiles.filter((one) => !profiles.includes(one));
  withheld.push(...lostProfiles.map((profile) => `${profile.filePath}: profile ${profile.name}`));
  if (lostProfiles.length > 0)
    inBrief.push(`profiles ${someOf(lostProfiles.map(({ name }) => name))}`);
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
  const settings: Settings = {
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
    env: Object.assign({}, ...values.map((one) => one.env).reverse()) as Record<string, string>,
    ownEnv: Object.assign(
      {},
      ...layers
        .filter((layer) => !folderLevels.has(layer.level))
        .map((layer) => layer.values.env)
        .reverse(),
    ) as Record<string, string>,
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    cleanupPeriodDays: first((one) => one.cleanupPeriodDays) ?? limits.transcript.cleanupDays,
    pluginDirs: [...new Set(values.flatMap((one) => one.plugins))],
    mcpServers: Object.assign(
      {},
      ...mcp.map((one) => one.servers).reverse(),
    ) as Settings["mcpServers"],
    profiles,
    retinue: mergeRetinueSettings(values.map((one) => one.retinue)),
    other: Object.assign({}, ...values.map((one) => one.other).reverse()) as Record<
      string,
      unknown
    >,
  };
  return { settings: forbidBypass(settings), withheld, inBrief };
}

/** Whoever may bring hooks may switch them all off; the administrator's only the administrator. */
function enabledHooks(layers: readonly SettingsLayer[]): SettingsLayer["values"][] {
  const off = layers.filter((layer) => layer.values.other["disableAllHooks"] === true);
  if (off.length === 0) return layers.map((layer) => layer.values);
  return off.some(({ level }) => level === "managed")
    ? []
    : layers.filter(({ level }) => level === "managed").map((layer) => layer.values);
}

/** A folder's servers without those that any settings file, trusted or not, switches off by name. */
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

type Told = Pick<EffectiveSettings, "withheld" | "inBrief">;

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => oneLine(name, 60));
  return `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`;
}

function withoutDangerousEnv(layer: SettingsLayer, { withheld, inBrief }: Told): SettingsLayer {
  const refused = Object.keys(layer.values.env).filter((name) => dangerousVariables.test(name));
  if (refused.length === 0) return layer;
  const told = `${layer.path}: env ${refused.join(", ")} (only your own settings may set it)`;
  withheld.push(told);
  inBrief.push(told);
  return {
    ...layer,
    values: {
      ...layer.values,
      env: Object.fromEntries(
        Object.entries(layer.values.env).filter(([name]) => !refused.includes(name)),
      ),
    },
  };
}

/** Denials, questions, a tighter sandbox and a mode narrower than the user's own stay; model and agent are choices among what the user has anyway. */
function narrowed(
  layer: SettingsLayer,
  ownMode: PermissionModeName,
  { withheld, inBrief }: Told,
): SettingsLayer {
  const { permissions, hooks, env, plugins, retinue, model, agent, cleanupPeriodDays } =
    layer.values;
  const { allow, ask, deny, additionalDirectories, defaultMode, disableBypassPermissionsMode } =
    permissions;
  const wide = defaultMode !== undefined && modeWidth[defaultMode] >= modeWidth[ownMode];
  const { sandbox, ...otherRetinue } = retinue;
  const tighter = {
    ...(sandbox?.enabled === true && { enabled: true }),
    ...(sandbox?.denyRead && { denyRead: sandbox.denyRead }),
  };
  if (sandbox && Object.keys(tighter).length < Object.keys(sandbox).length)
    Object.assign(otherRetinue, { sandbox });
  const guards = Object.entries(hooks)
    .map(([event, rules]) => ({ event, commands: commandsIn(rules) }))
    .filter(({ commands }) => commands.length > 0);
  const list = (what: string, values: readonly string[]): [full: string, brief: string][] =>
    values.length > 0 ? [[`${what} ${values.join(", ")}`, `${what} ${someOf(values)}`]] : [];
  const same = (whats: readonly string[]): [full: string, brief: string][] =>
    whats.map((what) => [what, what]);
  const rest = [
    ...Object.keys(otherRetinue).map((key) => `retinue.${key}`),
    ...(cleanupPeriodDays !== undefined ? ["cleanupPeriodDays"] : []),
  ];
  const lost: [full: string, brief: string][] = [
    ...list("allow", allow),
    ...list("additionalDirectories", additionalDirectories),
    ...same(wide && defaultMode !== ownMode ? [`defaultMode: ${defaultMode}`] : []),
    ...guards.map(({ event, commands }, at): [string, string] => [
      `hooks of ${event}: ${commands.join(" | ")}`,
      at === 0 ? `hooks of ${guards.map((guard) => guard.event).join(", ")}` : "",
    ]),
    ...list("env", Object.keys(env)),
    ...list("plugins", plugins),
    ...same(rest),
  ];
  if (lost.length > 0) withheld.push(`${layer.path}: ${lost.map(([full]) => full).join("; ")}`);
  if (lost.length > 0)
    inBrief.push(
      `${layer.path}: ${lost
        .map(([, brief]) => brief)
        .filter(Boolean)
        .join("; ")}`,
    );
  return {
    ...layer,
    values: {
      permissions: {
        allow: [],
        ask,
        deny,
        additionalDirectories: [],
        ...(defaultMode && !wide && { defaultMode }),
        ...(disableBypassPermissionsMode && { disableBypassPermissionsMode }),
      },
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
  return rules
    .flatMap((rule) =>
      isObject(rule) && Array.isArray(rule["hooks"]) ? (rule["hooks"] as unknown[]) : [],
    )
    .flatMap((hook) =>
      isObject(hook) && typeof hook["command"] === "string"
        ? [
            [
              hook["command"],
              ...(Array.isArray(hook["args"]) ? (hook["args"] as unknown[]).map(String) : []),
            ].join(" "),
          ]
        : [],
    );
}

function forbidBypass(settings: Settings): Settings {
  if (
    !settings.permissions.disableBypassPermissionsMode ||
    settings.permissions.defaultMode !== "bypassPermissions"
  )
    return settings;
  return { ...settings, permissions: { ...settings.permissions, defaultMode: "default" } };
}
