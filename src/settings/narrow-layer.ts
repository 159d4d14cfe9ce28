// The settings of a folder without what only trust may give: an untrusted folder can narrow what
// the user allows and never widen it.
import { isObject } from "../base/data/json.ts";
import type { PermissionModeName } from "../base/permission-modes.ts";
import { oneLine } from "../base/text/printable.ts";
import type { SettingsLayer } from "./load-settings.ts";

/** What a folder asked for and did not get: in full, and one short line per file. */
export type Told = { withheld: string[]; inBrief: string[] };

const modeWidth: Readonly<Record<PermissionModeName, number>> = {
  plan: 0,
  dontAsk: 1,
  delegate: 1,
  default: 2,
  acceptEdits: 3,
  bypassPermissions: 4,
};

/**
 * Variables that become code in every process that inherits them: a folder, trusted or not, may
 * never set them. `*` stands for any end of the name.
 */
const dangerousVariables = [
  "PATH LD_* DYLD_* HOME TMPDIR XDG_* CLAUDE_CONFIG_DIR",
  "SHELL SHELLOPTS BASHOPTS BASH_ENV BASH_FUNC_* ENV ZDOTDIR IFS PS4 PROMPT_COMMAND GLOBIGNORE",
  "NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED",
  "npm_config_* npm_CONFIG_* NPM_config_* NPM_CONFIG_*",
  "PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONWARNINGS PIP_*",
  "PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT",
  "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH",
  "CARGO_* RUSTC* GOFLAGS GOPROXY GOENV GOTOOLCHAIN MAKEFLAGS CC CXX",
  "GIT_* SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE",
  "OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES SSL_CERT_*",
].flatMap((row) => row.split(" "));

const isDangerous = (name: string): boolean =>
  dangerousVariables.some((known) =>
    known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : name === known,
  );

/** A trusted folder's layer: everything except variables that become code. */
export function withoutDangerousEnv(
  layer: SettingsLayer,
  { withheld, inBrief }: Told,
): SettingsLayer {
  const refused = Object.keys(layer.values.env).filter((name) => isDangerous(name));
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

/**
 * The layer of an untrusted folder. Deny and ask rules, a tighter sandbox and a mode narrower than
 * the user's own stay; so do model and agent, which choose among what the user has anyway.
 */
export function narrowLayer(
  layer: SettingsLayer,
  ownMode: PermissionModeName,
  told: Told,
): SettingsLayer {
  const { permissions, model, agent } = layer.values;
  const { ask, deny, defaultMode, disableBypassPermissionsMode } = permissions;
  const wide = defaultMode !== undefined && modeWidth[defaultMode] >= modeWidth[ownMode];
  const { kept, lost } = tighterRetinue(layer.values.retinue);
  const lostMode = wide && defaultMode !== ownMode ? defaultMode : undefined;
  tellLost(layer, { lostMode, otherRetinue: lost, told });
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
      retinue: kept,
      other: {},
      ...(model !== undefined && { model }),
      ...(agent !== undefined && { agent }),
    },
  };
}

type Given = SettingsLayer["values"]["retinue"];

/** Of the settings under `retinue` only what tightens the sandbox and the permissions is kept. */
function tighterRetinue({ sandbox, permissions, ...others }: Given): { kept: Given; lost: object } {
  const tighter = {
    ...(sandbox?.enabled === true && { enabled: true }),
    ...(sandbox?.denyRead && { denyRead: sandbox.denyRead }),
  };
  const isWhole = Object.keys(tighter).length === Object.keys(sandbox ?? {}).length;
  return {
    kept: {
      ...(Object.keys(tighter).length > 0 && { sandbox: tighter }),
      ...(permissions?.readOnlyCommands === false && { permissions }),
    },
    lost: isWhole ? others : { ...others, sandbox },
  };
}

type Lost = [full: string, brief: string];

/** Says what the untrusted folder asked for and does not get. */
function tellLost(
  { path, values }: SettingsLayer,
  {
    lostMode,
    otherRetinue,
    told: { withheld, inBrief },
  }: { lostMode: PermissionModeName | undefined; otherRetinue: object; told: Told },
): void {
  const { permissions, hooks, env, plugins, cleanupPeriodDays } = values;
  const guards = Object.entries(hooks)
    .map(([event, rules]) => ({ event, commands: commandsIn(rules) }))
    .filter(({ commands }) => commands.length > 0);
  const list = (what: string, items: readonly string[]): Lost[] =>
    items.length > 0 ? [[`${what} ${items.join(", ")}`, `${what} ${someOf(items)}`]] : [];
  const single = [
    ...Object.keys(otherRetinue).map((key) => `retinue.${key}`),
    ...(cleanupPeriodDays !== undefined ? ["cleanupPeriodDays"] : []),
  ];
  const lost: Lost[] = [
    ...list("allow", permissions.allow),
    ...list("additionalDirectories", permissions.additionalDirectories),
    ...(lostMode ? [twice(`defaultMode: ${lostMode}`)] : []),
    ...guards.map(({ event, commands }, at): Lost => [
      `hooks of ${event}: ${commands.join(" | ")}`,
      at === 0 ? `hooks of ${guards.map((guard) => guard.event).join(", ")}` : "",
    ]),
    ...list("env", Object.keys(env)),
    ...list("plugins", plugins),
    ...single.map(twice),
  ];
  if (lost.length === 0) return;
  withheld.push(`${path}: ${lost.map(([full]) => full).join("; ")}`);
  const brief = lost.map(([, short]) => short).filter(Boolean);
  inBrief.push(`${path}: ${brief.join("; ")}`);
}

const twice = (words: string): Lost => [words, words];

/** The first names of a list, for one line. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => oneLine(name, 60));
  return `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`;
}

/** The commands of hooks, which a person must see before trusting them. */
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
