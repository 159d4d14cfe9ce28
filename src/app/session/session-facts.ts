// Everything about a session that is plain data or derived from it: paths, rules, mode, limits.
import { basename, join, resolve } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { homeDir } from "../../base/files/home-dir.ts";
import { realPath } from "../../base/files/project-folders.ts";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { secretValues } from "../../base/secrets/find-secrets.ts";
import { createApprovals } from "../../manager/session/asker.ts";
import type { Environment, Session } from "../../manager/session/session.ts";
import { isPermissionMode, unknownMode } from "../../permissions/mode.ts";
import type { Profile } from "../../permissions/profile.ts";
import { compileRules } from "../../permissions/rules.ts";
import type { Settings } from "../../settings/effective-settings.ts";
import { saveLocalRules } from "../../settings/save-local-rules.ts";
import { projectDir, sessionPaths } from "../../transcripts/paths.ts";
import { version } from "../version.ts";
import { gitBranch } from "./git-state.ts";
import { executorOf } from "./executor-of.ts";
import { unusable, type SessionOptions } from "./session-options.ts";
import type { Definitions } from "./open-definitions.ts";

/** What was read from disk before anything is decided. */
export type Sources = {
  cwd: string;
  root: string;
  configDir: string;
  settings: Settings;
  trusted: boolean;
  pluginDirs: string[];
};

/** What is opened and closed with the session. */
type Opened =
  | "model"
  | "hooks"
  | "transcripts"
  | "workspace"
  | "skills"
  | "mcp"
  | keyof Definitions["parts"];

/** Everything about a session that is plain data or derived from it. */
export function sessionFacts(
  options: SessionOptions,
  { cwd, root, configDir, settings, trusted }: Sources,
): Omit<Session, Opened> {
  const id = options.sessionId ?? newUuid();
  const branch = gitBranch(root);
  return {
    id,
    cwd,
    root,
    home: homeDir(options.env),
    env: { ...options.env, ...settings.ownEnv },
    settingsEnv: settings.env,
    secrets: secretValues({ ...options.env, ...settings.ownEnv, ...settings.env }),
    configDir,
    version,
    paths: pathsOf(options, { configDir, cwd, id }),
    contract: options.contract ?? settings.retinue.contract,
    verify: options.verify ?? true,
    runners: settings.retinue.verify.runners,
    executor:
      options.executor ??
      executorOf(settings.retinue.executor, { ...options.env, ...settings.ownEnv }),
    storeDirectory: options.transcriptDir ?? join(configDir, "projects"),
    persist: options.persist ?? true,
    fsync: settings.retinue.transcripts.fsync,
    isTrusted: trusted,
    isBypassDisabled: settings.permissions.disableBypassPermissionsMode,
    mayWiden: (definition) => definition.source !== "project" || trusted,
    profiles: settings.profiles.map(toProfile),
    rules: sessionRules(settings, options),
    mode: sessionMode(settings, options.mode),
    readOnlyCommands: settings.retinue.permissions.readOnlyCommands,
    additionalDirectories: [
      ...settings.permissions.additionalDirectories,
      ...(options.addDirs ?? []),
    ].map((path) =>
      realPath(
        path.startsWith("~/") ? join(homeDir(options.env), path.slice(2)) : resolve(cwd, path),
      ),
    ),
    sandbox: settings.retinue.sandbox,
    tools: options.tools ?? [],
    ...(options.ask ? { ask: options.ask } : {}),
    approvals: createApprovals(options.approvals, (rules) =>
      saveLocalRules(rules, { root, cwd, configDir }),
    ),
    ...(options.answer ? { answer: options.answer } : {}),
    background: settings.retinue.background,
    subagentModel: settings.retinue.subagentModel,
    limits: {
      ...settings.retinue.limits,
      ...concurrencyOf({ ...options.env, ...settings.ownEnv }),
      ...options.limits,
    },
    compactionPercent: compactionPercent({ ...options.env, ...settings.ownEnv }),
    mcpServers: Object.keys(settings.mcpServers),
    ...(branch === undefined ? {} : { gitBranch: branch }),
  };
}

function pathsOf(
  { transcriptDir, outputDir }: SessionOptions,
  { configDir, cwd, id }: { configDir: string; cwd: string; id: string },
): Session["paths"] {
  const paths = sessionPaths(
    transcriptDir === undefined ? projectDir(configDir, cwd) : resolve(transcriptDir),
    id,
  );
  return outputDir === undefined
    ? paths
    : { ...paths, output: (taskId) => join(resolve(outputDir), basename(paths.output(taskId))) };
}

function sessionRules(
  settings: Settings,
  { allowedTools = [], disallowedTools = [], askRules = [], tools = [] }: SessionOptions,
): Session["rules"] {
  const { allow, ask, deny } = settings.permissions;
  const rules = {
    allow: [...allow, ...allowedTools],
    ask: [...ask, ...askRules],
    deny: [...deny, ...disallowedTools],
  };
  const bad = compileRules(
    { allow: [...allowedTools], ask: [...askRules], deny: [...disallowedTools] },
    tools.map((tool) => tool.name),
  ).problems[0];
  if (bad) throw unusable("usage", `${bad.list} rules`, `: ${bad.message}`);
  return rules;
}

function sessionMode(settings: Settings, given: string | undefined): Session["mode"] {
  const mode = given ?? settings.permissions.defaultMode ?? "default";
  if (!isPermissionMode(mode)) throw new RetinueError("usage", unknownMode(mode));
  if (mode === "bypassPermissions" && settings.permissions.disableBypassPermissionsMode)
    throw new RetinueError(
      "denied",
      "bypassPermissions is switched off by disableBypassPermissionsMode in the settings.",
    );
  return mode;
}

const toProfile = ({
  name,
  description,
  tools,
  use_cases,
  extends: base,
  deny,
  rules,
}: Settings["profiles"][number]): Profile => ({
  name,
  description,
  tools,
  ...(use_cases ? { use_cases } : {}),
  ...(base === undefined ? {} : { extends: base }),
  ...(deny ? { deny } : {}),
  ...(rules ? { rules } : {}),
});

/** As Claude Code reads it; what is no whole number is no limit. */
function concurrencyOf(env: Environment): { maxConcurrent?: number } {
  const given = Number(env["CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS"]);
  return Number.isInteger(given) && given > 0 ? { maxConcurrent: Math.min(given, 1_000) } : {};
}

function compactionPercent(env: Environment): number {
  const given = Number(env["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"]);
  return given > 0 && given <= 100 ? given : limits.compactionPercent;
}
