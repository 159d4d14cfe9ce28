// Keys of settings files that are not read here: keys that people may rely on, misspelt keys, and
// keys that only change how Claude Code looks.
import { isObject } from "../base/data/json.ts";
import { suggest } from "../base/text/suggest.ts";
import type { SettingComplaint } from "./retinue-settings.ts";

/** An error by default. */
export type LayerComplaint = SettingComplaint & { severity?: "error" | "warning" };

const ownKeys = [
  "permissions",
  "hooks",
  "env",
  "model",
  "agent",
  "cleanupPeriodDays",
  "plugins",
  "pluginDirs",
  "retinue",
  "disableAllHooks",
  "disabledMcpjsonServers",
];
/** Keys whose misspelling loses a guard. Somebody's own `agents` or `models` are no misspelling. */
const misspelt = [
  "permissions",
  "hooks",
  "env",
  "retinue",
  "disableAllHooks",
  "disabledMcpjsonServers",
];
const permissionKeys = new Set([
  "allow",
  "ask",
  "deny",
  "defaultMode",
  "additionalDirectories",
  "disableBypassPermissionsMode",
]);

/** Keys that restrict: every run must say that they have no effect. */
const guards: Readonly<Record<string, { isOn: (value: unknown) => boolean; instead: string }>> = {
  sandbox: {
    isOn: (value) => isObject(value) && value["enabled"] === true,
    instead: 'to have Bash in the sandbox write "retinue": {"sandbox": {"enabled": true}}',
  },
  allowManagedHooksOnly: {
    isOn: (value) => value === true,
    instead: "hooks of other settings run, too",
  },
  allowManagedPermissionRulesOnly: {
    isOn: (value) => value === true,
    instead: "rules of other settings count, too",
  },
  allowManagedMcpServersOnly: {
    isOn: (value) => value === true,
    instead: "servers of other settings are started, too",
  },
  allowedMcpServers: {
    isOn: Array.isArray,
    instead: "deny the others with rules such as `mcp__server`",
  },
  deniedMcpServers: {
    isOn: (value) => Array.isArray(value) && value.length > 0,
    instead: "deny them with rules such as `mcp__server`",
  },
  strictKnownMarketplaces: {
    isOn: Array.isArray,
    instead: "only folders that are named are read as plugins",
  },
};

/** Keys that have an effect in Claude Code and none here, with what to do instead. */
const withoutEffect: Readonly<Record<string, string>> = {
  apiKeyHelper: "keys are read from the environment",
  enabledPlugins: "name a plugin's folder in `plugins`, or with --plugin-dir",
  extraKnownMarketplaces: "name a plugin's folder in `plugins`, or with --plugin-dir",
  mcpServers: "servers stand in .mcp.json",
  outputStyle: "write it into CLAUDE.md, or into an agent",
  effortLevel: "write `effort` into an agent",
  availableModels: "every model can be named",
  enabledMcpjsonServers:
    "all servers of a trusted folder are there; take one away with `disabledMcpjsonServers`",
};

/** The complaints about keys that `readLayer` does not read. */
export function foreignKeyComplaints(other: Readonly<Record<string, unknown>>): LayerComplaint[] {
  return Object.entries(other).flatMap(([key, value]): LayerComplaint[] => {
    const guard = Object.hasOwn(guards, key) ? guards[key] : undefined;
    if (guard)
      return guard.isOn(value)
        ? [
            {
              keys: [key],
              severity: "warning",
              message: `\`${key}\` of Claude Code has no effect here: ${guard.instead}`,
            },
          ]
        : [];
    if (Object.hasOwn(withoutEffect, key) || ownKeys.includes(key)) return [];
    if (permissionKeys.has(key))
      return [
        {
          keys: [key],
          message: `\`${key}\` stands outside of \`permissions\` and has no effect there`,
          suggestion: `{"permissions": {"${key}": …}}`,
        },
      ];
    const near = suggest(key, misspelt);
    return near === undefined
      ? []
      : [
          {
            keys: [key],
            severity: "warning",
            message: `\`${key.slice(0, 60)}\` has no effect: did you mean \`${near}\`?`,
            suggestion: near,
          },
        ];
  });
}

/** Keys that matter only to somebody who looks for a reason, each with what to do instead. */
export const keysWithoutEffect = (other: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(other).flatMap((key) =>
    Object.hasOwn(withoutEffect, key) ? [`${key} (${withoutEffect[key]})`] : [],
  );
