// Reads one settings file into typed values; keys without meaning here are kept unchanged.
import { isObject } from "../base/data/json.ts";
import { permissionModes, type PermissionModeName } from "../base/permission-modes.ts";
import { suggest } from "../base/text/suggest.ts";
import { foreignKeyComplaints, type LayerComplaint } from "./foreign-keys.ts";
import { readRetinueSettings } from "./retinue-settings.ts";
import type { RetinueGiven } from "./retinue-settings.ts";

export type LayerValues = {
  permissions: {
    allow: string[];
    ask: string[];
    deny: string[];
    additionalDirectories: string[];
    defaultMode?: PermissionModeName;
    disableBypassPermissionsMode?: boolean;
  };
  /** As written, `{Event: [{matcher, hooks}]}`; the hooks room checks it. */
  hooks: Record<string, unknown[]>;
  env: Record<string, string>;
  plugins: string[];
  model?: string;
  agent?: string;
  cleanupPeriodDays?: number;
  retinue: RetinueGiven;
  /** Keys of Claude Code that mean nothing here. */
  other: Record<string, unknown>;
};

const permissionKeys = [
  "allow",
  "ask",
  "deny",
  "defaultMode",
  "additionalDirectories",
  "disableBypassPermissionsMode",
];

/** Keys of Claude Code's interactive product. */
const silentPermissionKeys = new Set([
  "disableAutoMode",
  "skipDangerousModePermissionPrompt",
  "$comment",
  "comment",
  "description",
]);

export function readLayer(data: Record<string, unknown>): {
  values: LayerValues;
  complaints: LayerComplaint[];
} {
  const complaints: LayerComplaint[] = [];
  const {
    permissions,
    hooks,
    env,
    model,
    agent,
    cleanupPeriodDays,
    retinue,
    plugins,
    pluginDirs,
    ...other
  } = data;
  const own = retinue === undefined ? { given: {}, complaints: [] } : readRetinueSettings(retinue);
  complaints.push(...own.complaints, ...foreignKeyComplaints(other));
  const text = (key: string, value: unknown): string | undefined => {
    if (value !== undefined && typeof value !== "string")
      complaints.push({ keys: [key], message: `\`${key}\` must be a text` });
    return typeof value === "string" ? value : undefined;
  };
  const modelName = text("model", model);
  const agentName = text("agent", agent);
  const days =
    typeof cleanupPeriodDays === "number" &&
    Number.isFinite(cleanupPeriodDays) &&
    cleanupPeriodDays >= 0
      ? cleanupPeriodDays
      : undefined;
  if (cleanupPeriodDays !== undefined && days === undefined)
    complaints.push({
      keys: ["cleanupPeriodDays"],
      message: "`cleanupPeriodDays` must be a number of days, 0 or more",
    });
  const values: LayerValues = {
    permissions: readPermissions(permissions, complaints),
    hooks: readHooks(hooks, complaints),
    env: readEnv(env, complaints),
    plugins: [
      ...strings(["plugins"], plugins, complaints),
      ...strings(["pluginDirs"], pluginDirs, complaints),
    ],
    ...(modelName !== undefined && { model: modelName }),
    ...(agentName !== undefined && { agent: agentName }),
    ...(days !== undefined && { cleanupPeriodDays: days }),
    retinue: own.given,
    other,
  };
  return { values, complaints };
}

function readPermissions(value: unknown, complaints: LayerComplaint[]): LayerValues["permissions"] {
  const given = isObject(value) ? value : {};
  if (value !== undefined && !isObject(value))
    complaints.push({ keys: ["permissions"], message: "`permissions` must be an object" });
  for (const key of Object.keys(given).filter((name) => !permissionKeys.includes(name))) {
    const near = suggest(key, permissionKeys);
    if (near)
      complaints.push({
        keys: ["permissions", key],
        severity: near === "deny" || near === "ask" ? "error" : "warning",
        message: `\`permissions.${key}\`: did you mean \`${near}\`?`,
        suggestion: near,
      });
    else if (!silentPermissionKeys.has(key) && !key.startsWith("_"))
      complaints.push({
        keys: ["permissions", key],
        severity: "warning",
        message: `\`permissions.${key.slice(0, 60)}\` has no effect: there are ${permissionKeys.join(", ")}`,
      });
  }
  const mode = permissionModes.find((name) => name === given["defaultMode"]);
  if (given["defaultMode"] !== undefined && mode === undefined)
    complaints.push(unknownMode(given["defaultMode"]));
  const disabled = given["disableBypassPermissionsMode"];
  return {
    allow: strings(["permissions", "allow"], given["allow"], complaints),
    ask: strings(["permissions", "ask"], given["ask"], complaints),
    deny: strings(["permissions", "deny"], given["deny"], complaints),
    additionalDirectories: strings(
      ["permissions", "additionalDirectories"],
      given["additionalDirectories"],
      complaints,
    ),
    ...(mode && { defaultMode: mode }),
    // Every value except a clear "no" switches the mode off: the key exists only to forbid.
    ...(disabled !== undefined && {
      disableBypassPermissionsMode: disabled !== false && disabled !== "enable",
    }),
  };
}

function unknownMode(given: unknown): LayerComplaint {
  const keys = ["permissions", "defaultMode"];
  // Claude Code's mode that decides without asking; here a person decides.
  if (given === "auto")
    return {
      keys,
      severity: "warning",
      message: "the mode `auto` of Claude Code does not exist here; `default` is used, which asks",
      suggestion: '"defaultMode": "default"',
    };
  const near = typeof given === "string" ? suggest(given, permissionModes) : undefined;
  return {
    keys,
    message:
      `\`permissions.defaultMode\` is ${JSON.stringify(given).slice(0, 60)}, which is not ` +
      `one of ${permissionModes.join(", ")}${near ? `: did you mean ${near}?` : ""}`,
    ...(near && { suggestion: `"defaultMode": "${near}"` }),
  };
}

function strings(keys: string[], value: unknown, complaints: LayerComplaint[]): string[] {
  if (value === undefined) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((item) => typeof item === "string");
  if (texts.length < list.length || !Array.isArray(value))
    complaints.push({ keys, message: `\`${keys.join(".")}\` must be a list of texts` });
  return texts;
}

function readHooks(value: unknown, complaints: LayerComplaint[]): Record<string, unknown[]> {
  if (value === undefined) return {};
  if (!isObject(value)) {
    complaints.push({ keys: ["hooks"], message: "`hooks` must be an object of event names" });
    return {};
  }
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  for (const event of Object.keys(value).filter((name) => !Array.isArray(value[name])))
    complaints.push({
      keys: ["hooks", event],
      message: `\`hooks.${event.slice(0, 60)}\` must be a list of \`{matcher, hooks}\`; nothing in it runs`,
    });
  return Object.fromEntries(lists);
}

function readEnv(value: unknown, complaints: LayerComplaint[]): Record<string, string> {
  if (value === undefined) return {};
  const entries = isObject(value) ? Object.entries(value) : [];
  const fits = entries.filter(
    ([name, text]) =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) &&
      (typeof text === "string" || typeof text === "number" || typeof text === "boolean") &&
      !String(text).includes("\0"),
  );
  if (!isObject(value) || fits.length < entries.length)
    complaints.push({ keys: ["env"], message: "`env` must be an object of names and texts" });
  return Object.fromEntries(fits.map(([name, text]) => [name, String(text)]));
}
