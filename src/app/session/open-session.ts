// Puts a session together: settings, trust, definitions, models, hooks. Problems are collected, not
// thrown; a person's mistake is.
import { accessSync, constants, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { claudeConfigDir, projectRoot, realPath } from "../../base/files/project-folders.ts";
import { RetinueError } from "../../base/errors.ts";
import { homeDir } from "../../base/files/home-dir.ts";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { secretValues } from "../../base/secrets/find-secrets.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import { withoutTrust } from "../../definitions/agent-definition.ts";
import {
  loadDefinitions,
  type LoadedDefinitions,
  type LoadOptions,
} from "../../definitions/load-definitions.ts";
import { createHookRegistry } from "../../hooks/hook-registry.ts";
import type { Hook } from "../../hooks/hook.ts";
import { readHooks } from "../../hooks/read-hooks.ts";
import { createApprovals, type Answerer, type Asker } from "../../manager/session/asker.ts";
import { boundedModel } from "../../manager/run/tools/bounded-tool.ts";
import { readServers } from "../../mcp/server-config.ts";
import type { ServerPool } from "../../mcp/server-pool.ts";
import type { LimitSource } from "../../manager/run/settle/resolve-limits.ts";
import type { Environment, Session } from "../../manager/session/session.ts";
import { transcriptsOnDisk } from "../../manager/run/transcripts-on-disk.ts";
import { localWorkspace } from "../../manager/run/worktree.ts";
import { createModels } from "../../model/create-models.ts";
import type { Model } from "../../model/model.ts";
import { offlineModel } from "../../offline/offline-model.ts";
import { isPermissionMode, unknownMode } from "../../permissions/mode.ts";
import { repeatsBuiltIn, type Profile } from "../../permissions/profile.ts";
import { compileRules } from "../../permissions/rules.ts";
import { effectiveSettings, type Settings } from "../../settings/effective-settings.ts";
import { saveLocalRules } from "../../settings/save-local-rules.ts";
import { loadSettings, type SettingsLayer } from "../../settings/load-settings.ts";
import { trustState } from "../../settings/trust.ts";
import { loadSkills, type LoadedSkills } from "../../skills/load-skills.ts";
import type { Tool } from "../../tool/tool.ts";
import { projectDir, sessionPaths } from "../../transcripts/paths.ts";
import { gitBranch } from "./git-state.ts";
import { refuseBadRules, refuseBrokenPolicy, settingsComplaints } from "./settings-complaints.ts";
import { version } from "../version.ts";

export type SessionOptions = {
  cwd: string;
  env: Environment;
  sessionId?: string;
  /** `--agents`: JSON text or object. */
  cliAgents?: unknown;
  agents?: Parameters<typeof loadDefinitions>[0]["libraryAgents"];
  settings?: string;
  mcpConfigs?: readonly string[];
  pluginDirs?: readonly string[];
  /** Trust the folder for this session, whatever the store says. */
  trust?: boolean;
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  /** Rules that are asked about. */
  askRules?: readonly string[];
  /** What binds sub-agents whose definition names no contract. */
  contract?: Session["contract"];
  /** How runs are run, instead of what the settings say. */
  executor?: Session["executor"];
  /** Whether final answers are checked; they are, unless a person says no. */
  verify?: boolean;
  /** Where the output files of background runs go, instead of the session's folder. */
  outputDir?: string;
  addDirs?: readonly string[];
  mode?: string;
  ask?: Asker;
  /** What was approved before this session moved here. */
  approvals?: readonly string[];
  /** Answers questions of agents. */
  answer?: Answerer;
  hooks?: readonly Hook[];
  tools?: readonly Tool[];
  /** Models by name, before any provider is asked. */
  models?: Readonly<Record<string, Model>>;
  limits?: LimitSource & { idleTimeoutMs?: number };
  /** Whether runs are written to disk; they are, unless a program says no. */
  persist?: boolean;
  /** The folder that takes the place of `{configDir}/projects/{project}`. */
  transcriptDir?: string;
};

export type OpenedSession = {
  session: Session;
  settings: Settings;
  /** As they were read, before anything was merged or withheld. */
  layers: readonly SettingsLayer[];
  loaded: LoadedDefinitions;
  /** Where definitions are read from, for watching them. */
  loadOptions: LoadOptions;
  /** What a person should know: broken files, what an untrusted folder did not get. */
  warnings: string[];
  /** Those of them that speak of settings, rules, hooks and servers which cannot be used. */
  complaints: string[];
  /** What the folder asks for and does not get before it is trusted. */
  withheld: readonly string[];
  close(): Promise<void>;
};

/** What was read from disk before anything is decided. */
type Sources = {
  cwd: string;
  root: string;
  configDir: string;
  settings: Settings;
  trusted: boolean;
  pluginDirs: string[];
};

export function openSession(options: SessionOptions): OpenedSession {
  const cwd = workingDirectory(options);
  const configDir = claudeConfigDir(options.env);
  const root = projectRoot(cwd);
  const layers = loadSettings({
    cwd,
    configDir,
    ...(options.settings === undefined ? {} : { cliSettings: options.settings }),
    ...(options.mcpConfigs ? { mcpConfigs: options.mcpConfigs } : {}),
  });
  // Of the working directory, not of the root: a folder between them may bring settings and agents
  // of its own.
  const trusted = options.trust === true || trustState(cwd, { configDir }).state === "trusted";
  const {
    settings,
    withheld: ofSettings,
    inBrief,
  } = effectiveSettings(
    { ...layers, profiles: layers.profiles.filter((profile) => !repeatsBuiltIn(profile)) },
    trusted,
  );
  const pluginDirs = [...(options.pluginDirs ?? []), ...settings.pluginDirs];
  const loadOptions: LoadOptions = {
    cwd,
    configDir,
    pluginDirs,
    ...(options.cliAgents === undefined ? {} : { cliAgents: options.cliAgents }),
    ...(options.agents ? { libraryAgents: options.agents } : {}),
    ...(options.tools ? { tools: options.tools.map((tool) => tool.name) } : {}),
  };
  const definitions = openDefinitions(loadOptions, trusted);
  const loaded = definitions.loaded();
  refuseBadRules(layers.layers, options.tools?.map((tool) => tool.name) ?? []);
  refuseBrokenPolicy(layers.problems);
  refuseUnread(options, cwd, [...layers.problems, ...loaded.problems]);
  refuseBrokenAgents(options, loaded);
  const hooks = readHooks(settings.hooks, "settings");
  const env = { ...options.env, ...settings.ownEnv };
  const models = createModels({
    env,
    providers: settings.retinue.providers,
    aliases: settings.retinue.aliases,
    idleTimeoutMs: options.limits?.idleTimeoutMs ?? settings.retinue.limits.idleTimeoutMs,
  });
  const given = new Map(
    Object.entries(options.models ?? {}).map(([name, model]) => [name, boundedModel(model)]),
  );
  const resources = openResources(options, { cwd, root, configDir, settings, trusted, pluginDirs });
  const session: Session = {
    ...resources.parts,
    ...definitions.parts,
    ...sessionFacts(options, { cwd, root, configDir, settings, trusted, pluginDirs }),
    transcripts: transcriptsOnDisk,
    workspace: localWorkspace,
    model: (name) =>
      given.get(name) ?? (name === "offline" ? offlineModel() : models.resolve(name)),
    hooks: createHookRegistry([...hooks.hooks, ...(options.hooks ?? [])]),
  };
  const broken = new Set(
    loaded.problems.filter((problem) => problem.severity === "error").map(({ path }) => path),
  ).size;
  const ofAgents = withheldOfAgents(loaded.definitions, trusted);
  const withheld = [...ofSettings, ...ofAgents];
  const complaints = [
    ...layers.problems.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    ...settingsComplaints(layers.layers, {
      rules: session.rules,
      hooks: ({ level }) => trusted || (level !== "local" && level !== "project"),
      tools: session.tools.map((tool) => tool.name),
    }),
    ...resources.problems,
  ];
  // A guard or a server that somebody relies on must not be missing in silence; that a command is,
  // shows itself.
  const missing = loaded.problems
    .filter(({ code }) => code === "plugin-hooks" || code === "plugin-mcp")
    .map(({ path, message }) => `${path}: ${message}`);
  const ofOwnAgents = loaded.problems
    .filter(({ path, severity }) => path === "agents" && severity === "warning")
    .map(({ message }) => `agents: ${message}`);
  const warnings = [
    ...missing,
    ...ofOwnAgents,
    ...(broken > 0
      ? [
          `${broken} agent file${broken > 1 ? "s" : ""} cannot be used: \`retinue agents validate\` says why`,
        ]
      : []),
    ...complaints,
    ...[...inBrief, ...ofAgents].map(
      (what) => `not trusted: ${what} (\`retinue trust\` shows all of it and lets it take effect)`,
    ),
  ];
  const close = async (): Promise<void> =>
    void (await Promise.all([models.close(), resources.close()]));
  return {
    session,
    settings,
    layers: layers.layers,
    loaded,
    loadOptions,
    warnings,
    complaints,
    withheld,
    close,
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

type Definitions = {
  parts: Pick<Session, "definitions" | "listing" | "reload" | "withheldOf">;
  loaded(): LoadedDefinitions;
};

/**
 * Trust was given to what stood there: what changes while the session runs is picked up, and widens
 * nothing before it is trusted again.
 */
function openDefinitions(options: LoadOptions, trusted: boolean): Definitions {
  let loaded = loadDefinitions(options);
  let seen = loaded.definitions;
  let usable = trustedOnly(loaded.definitions, () => trusted);
  const reload = (): void => {
    loaded = loadDefinitions(options);
    if (trusted && trustState(options.cwd, { configDir: options.configDir! }).state === "trusted")
      seen = loaded.definitions;
    usable = trustedOnly(
      loaded.definitions,
      (definition) => trusted && bringsTheSame(definition, seen.get(definition.name)),
    );
  };
  const withheldOf = (name: string): string[] => {
    const [own, given] = [loaded.definitions.get(name), usable.get(name)];
    return own === undefined || own === given ? [] : withoutTrust(own).withheld;
  };
  return {
    parts: { definitions: () => usable, listing: () => loaded.all, reload, withheldOf },
    loaded: () => loaded,
  };
}

const bringsTheSame = (now: AgentDefinition, before: AgentDefinition | undefined): boolean =>
  isDeepStrictEqual(
    [now.hooks, now.mcpServers, now.permissionMode, now.memory],
    [before?.hooks, before?.mcpServers, before?.permissionMode, before?.memory],
  );

/** Everything about a session that is plain data or derived from it. */
function sessionFacts(
  options: SessionOptions,
  { cwd, root, configDir, settings, trusted }: Sources,
): Omit<
  Session,
  | "model"
  | "hooks"
  | "transcripts"
  | "workspace"
  | keyof Resources["parts"]
  | keyof Definitions["parts"]
> {
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
    executor: options.executor ?? settings.retinue.executor,
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

type Resources = {
  parts: Pick<Session, "skills" | "mcp">;
  problems: string[];
  close(): Promise<void>;
};

/** What has to be opened when first needed and closed with the session. */
function openResources(
  options: SessionOptions,
  { cwd, root, configDir, settings, pluginDirs }: Sources,
): Resources {
  const { servers, problems } = readServers(settings.mcpServers, {
    ...options.env,
    ...settings.env,
    CLAUDE_PROJECT_DIR: root,
  });
  let skills: LoadedSkills | undefined;
  let pool: Promise<ServerPool> | undefined;
  const openPool = async (): Promise<ServerPool> => {
    const { createServerPool } = await import("../../mcp/server-pool.ts");
    return createServerPool({ cwd, servers, environment: { ...options.env } });
  };
  return {
    parts: {
      skills: () => (skills ??= loadSkills({ cwd, configDir, pluginDirs })),
      mcp: () => (pool ??= openPool()),
    },
    problems,
    close: async () => pool?.then((servers) => servers.close()),
  };
}

function workingDirectory({ cwd: given, sessionId }: SessionOptions): string {
  // A session that goes on does so in its own folder: there is no other to be given.
  const remedy =
    sessionId === undefined
      ? "Give an existing, readable folder as cwd."
      : "What is resumed goes on in the folder that it worked in: bring that back, or start anew elsewhere.";
  try {
    if (statSync(given).isDirectory()) {
      accessSync(given, constants.R_OK | constants.X_OK);
      return realPath(given);
    }
  } catch (error) {
    throw new RetinueError(
      "usage",
      `cannot use ${given} as working directory: ` +
        `${(error as NodeJS.ErrnoException).code ?? String(error)}. ${remedy}`,
    );
  }
  throw new RetinueError(
    "usage",
    `cannot use ${given} as working directory: it is no folder. ${remedy}`,
  );
}

/**
 * What a person names must be there and readable: going on without it could be going on without its
 * deny rules.
 */
function refuseUnread(
  { settings, mcpConfigs = [], pluginDirs = [], addDirs = [] }: SessionOptions,
  cwd: string,
  problems: readonly Problem[],
): void {
  const files = [...(settings === undefined ? [] : [settings]), ...mcpConfigs].map((given) =>
    join(given.startsWith("/") ? "" : cwd, given),
  );
  const bad = problems.find(
    ({ path, severity }) =>
      severity === "error" &&
      (files.includes(path) || /^--(agents|settings|mcp-config)\b/.test(path)),
  );
  if (bad)
    throw unusable(
      "config",
      optionNames[bad.path] ?? bad.path,
      bad.message.startsWith(bad.path) ? bad.message.slice(bad.path.length) : `: ${bad.message}`,
    );
  const folders = [
    ...pluginDirs.map((path) => ({ option: "plugins", path: resolve(path) })),
    ...addDirs.map((path) => ({ option: "additional directories", path: resolve(cwd, path) })),
  ];
  const lost = folders.find(
    ({ path }) => !statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (lost) throw unusable("usage", lost.option, `: there is no folder ${lost.path}`);
  const wrong = problems.find(
    ({ code, path }) =>
      code === "no-plugin" && pluginDirs.some((given) => resolve(given) === resolve(path)),
  );
  if (wrong) throw unusable("usage", "plugins", `: ${wrong.path}: ${wrong.message}`);
}

/** In a file a bad definition is a problem among others; in code it is a mistake. */
function refuseBrokenAgents({ agents = {} }: SessionOptions, loaded: LoadedDefinitions): void {
  const read = new Set(
    loaded.all
      .filter(({ definition }) => definition.source === "library")
      .map(({ definition }) => definition.name),
  );
  const lost = Object.keys(agents).filter((name) => !read.has(name));
  if (lost.length === 0) return;
  const why = loaded.problems
    .filter(({ path, severity }) => path.startsWith("agents") && severity === "error")
    .map(({ message }) => message);
  throw new RetinueError(
    "config",
    `agents that cannot be used: ${lost.join(", ")}. ${why.join("; ")}`,
  );
}

/** What was given as text has no path; the loaders name it by its flag. */
const optionNames: Readonly<Record<string, string>> = {
  "--agents": "agents",
  "--settings": "settings",
  "--mcp-config": "MCP servers",
};

const unusable = (code: "usage" | "config", option: string, why: string): RetinueError =>
  new RetinueError(code, `${option}${why}`, { option });

/** A project's own definitions lose what widens until it is trusted. */
function trustedOnly(
  definitions: ReadonlyMap<string, AgentDefinition>,
  isTrusted: (definition: AgentDefinition) => boolean,
): ReadonlyMap<string, AgentDefinition> {
  return new Map(
    [...definitions].map(([name, definition]) => [
      name,
      definition.source === "project" && !isTrusted(definition)
        ? withoutTrust(definition).definition
        : definition,
    ]),
  );
}

/**
 * Their guards are among it: an agent that runs without its hooks must not look like one that has
 * them.
 */
function withheldOfAgents(
  definitions: ReadonlyMap<string, AgentDefinition>,
  trusted: boolean,
): string[] {
  const lessened = trusted
    ? []
    : [...definitions.values()]
        .filter((definition) => definition.source === "project")
        .map((definition) => ({ name: definition.name, what: withoutTrust(definition).withheld }))
        .filter(({ what }) => what.length > 0);
  const shown = lessened.slice(0, 5).map(({ name, what }) => `${name} (${what.join(", ")})`);
  return lessened.length === 0
    ? []
    : [
        "what agents of this folder bring: " +
          `${shown.join("; ")}${lessened.length > 5 ? ` and ${lessened.length - 5} more` : ""}`,
      ];
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
