// The permission engine alone: what a call would be answered with here, and by which rule. Nothing
// is run and nobody is asked.
import { resolve } from "node:path";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { RetinueError } from "../../base/errors.ts";
import { homeDir } from "../../base/files/home-dir.ts";
import { factsNear } from "../../base/files/path-facts.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import { loadDefinitions } from "../../definitions/load-definitions.ts";
import type { Environment } from "../../manager/session/session.ts";
import { answerCase, readCase, type CheckDefaults } from "../../permissions/read-case.ts";
import type { Behavior, Layer } from "../../permissions/decision.ts";
import type { PermissionMode } from "../../permissions/mode.ts";
import { compileRules } from "../../permissions/rules.ts";
import { effectiveSettings, type Settings } from "../../settings/effective-settings.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { trustState } from "../../settings/trust.ts";
import { refuseUnknown } from "../refuse-unknown.ts";

/** A tool call, and the rules to judge it by. */
export type PermissionCase = {
  tool: string;
  input?: Readonly<Record<string, unknown>>;
  /** `default` without it. */
  mode?: PermissionMode;
  rules?: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[] };
  /** A profile's name. */
  profile?: string;
  /** The agent that makes the call, by its name or by what narrows it. */
  agent?:
    | string
    | {
        name?: string;
        tools?: readonly string[];
        disallowedTools?: readonly string[];
        profile?: string;
        permissionMode?: PermissionMode;
        memory?: "user" | "project" | "local";
      };
  /** Nobody can be asked: what would be, is denied. */
  background?: boolean;
  additionalDirectories?: readonly string[];
  /** The present directory without it. */
  cwd?: string;
  home?: string;
};

/** The decision about a tool call, with the rule or guard that made it. */
export type PermissionVerdict = {
  decision: Behavior;
  reason: string;
  /** The rule that decided, where one did. */ rule: string | null;
  layer: Layer;
};

const caseKeys: Readonly<Record<keyof PermissionCase, true>> = {
  tool: true,
  input: true,
  mode: true,
  rules: true,
  profile: true,
  agent: true,
  background: true,
  additionalDirectories: true,
  cwd: true,
  home: true,
};

/**
 * Says what the permission rules decide about one tool call. As `retinue permissions check`; the
 * rules of settings do not count, only those of the case. Throws `usage` for a case that cannot be
 * read.
 */
export function checkPermission(
  given: PermissionCase,
  { env = process.env }: { env?: Environment } = {},
): PermissionVerdict {
  refuseUnknown(given, caseKeys, "checkPermission");
  const { rules = {} } = given;
  refuseUnknown(rules, { allow: true, ask: true, deny: true }, "checkPermission: rules");
  const read = readCase(given, checkDefaults(given.cwd ?? process.cwd(), env));
  if (!read.ok) throw new RetinueError("usage", `checkPermission: ${read.problem}`);
  const { allow = [], ask = [], deny = [] } = rules;
  const unusable = compileRules({ allow: [...allow], ask: [...ask], deny: [...deny] }).problems[0];
  if (unusable)
    throw new RetinueError("usage", `checkPermission: rules.${unusable.list}: ${unusable.message}`);
  const { cwd, home } = read.policy.workspace;
  const { id: _none, ...verdict } = answerCase(read, (path, folder) =>
    factsNear(path, { cwd, home, folder }),
  );
  return verdict;
}

/** What a case does not say: this folder, this home, its profiles, the agents that exist here. */
export function checkDefaults(folder: string, env: Environment): CheckDefaults {
  const known = new Map<string, ReadonlyMap<string, AgentDefinition>>();
  const ownHome = resolve(homeDir(env));
  const definitions = (cwd: string, home: string): ReadonlyMap<string, AgentDefinition> => {
    const configDir = home === ownHome ? claudeConfigDir(env) : `${home}/.claude`;
    const loaded = known.get(`${cwd}\0${home}`) ?? loadDefinitions({ cwd, configDir }).definitions;
    known.set(`${cwd}\0${home}`, loaded);
    return loaded;
  };
  return {
    cwd: resolve(folder),
    home: ownHome,
    profiles: profilesOf(resolve(folder), env),
    protectedPaths: [claudeConfigDir(env)],
    storeDirectories: [`${claudeConfigDir(env)}/projects`],
    agentTypes: (cwd, home) => [...definitions(cwd, home).keys()],
    agent(name, cwd, home) {
      const found = definitions(cwd, home).get(name);
      return (
        found && {
          ...callerOf(found),
          permissionMode: found.permissionMode,
          profile: found.profile,
        }
      );
    },
  };
}

/** Of an untrusted folder only what narrows. */
function profilesOf(cwd: string, env: Environment): Settings["profiles"] {
  const configDir = claudeConfigDir(env);
  const trusted = trustState(cwd, { configDir }).state === "trusted";
  return effectiveSettings(loadSettings({ cwd, configDir }), trusted).settings.profiles;
}

/** What of a definition narrows its calls. */
export const callerOf = ({
  name,
  tools,
  disallowedTools,
  memory,
}: AgentDefinition): Record<string, unknown> => ({
  name,
  ...(tools && { tools }),
  ...(disallowedTools && { disallowedTools }),
  ...(memory && { memory }),
});
