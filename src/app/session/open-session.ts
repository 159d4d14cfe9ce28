// Puts a session together: settings, trust, definitions, models, hooks. Problems are collected, not
// thrown; a person's mistake is.
import { claudeConfigDir, projectRoot } from "../../base/files/project-folders.ts";
import type { LoadedDefinitions, LoadOptions } from "../../definitions/load-definitions.ts";
import { createHookRegistry } from "../../hooks/hook-registry.ts";
import { readHooks } from "../../hooks/read-hooks.ts";
import { boundedModel } from "../../manager/run/tools/bounded-tool.ts";
import { transcriptsOnDisk } from "../../manager/run/transcripts-on-disk.ts";
import { localWorkspace } from "../../manager/run/worktree.ts";
import type { Session } from "../../manager/session/session.ts";
import { readServers } from "../../mcp/server-config.ts";
import type { ServerPool } from "../../mcp/server-pool.ts";
import { createModels } from "../../model/create-models.ts";
import { offlineModel } from "../../offline/offline-model.ts";
import { repeatsBuiltIn } from "../../permissions/profile.ts";
import { effectiveSettings, type Settings } from "../../settings/effective-settings.ts";
import { loadSettings, type SettingsLayer } from "../../settings/load-settings.ts";
import { trustState } from "../../settings/trust.ts";
import { loadSkills, type LoadedSkills } from "../../skills/load-skills.ts";
import {
  refuseBrokenAgents,
  refuseUnread,
  workingDirectory,
  type SessionOptions,
} from "./session-options.ts";
import { openDefinitions, withheldOfAgents } from "./open-definitions.ts";
import { sessionFacts, type Sources } from "./session-facts.ts";
import { refuseBadRules, refuseBrokenPolicy, settingsComplaints } from "./settings-complaints.ts";

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
  const sources: Sources = { cwd, root, configDir, settings, trusted, pluginDirs };
  const loadOptions = loadOptionsOf(options, sources);
  const definitions = openDefinitions(loadOptions, trusted);
  const loaded = definitions.loaded();
  refuseBadRules(layers.layers, options.tools?.map((tool) => tool.name) ?? []);
  refuseBrokenPolicy(layers.problems);
  refuseUnread(options, cwd, [...layers.problems, ...loaded.problems]);
  refuseBrokenAgents(options, loaded);
  const hooks = readHooks(settings.hooks, "settings");
  const models = openModels(options, settings);
  const resources = openResources(options, sources);
  const session: Session = {
    ...resources.parts,
    ...definitions.parts,
    ...sessionFacts(options, sources),
    transcripts: transcriptsOnDisk,
    workspace: localWorkspace,
    model: models.named,
    hooks: createHookRegistry([...hooks.hooks, ...(options.hooks ?? [])]),
  };
  const told = problemsOf({ layers, loaded, session, trusted, inBrief, resources });
  const close = async (): Promise<void> =>
    void (await Promise.all([models.close(), resources.close()]));
  return {
    session,
    settings,
    layers: layers.layers,
    loaded,
    loadOptions,
    warnings: told.warnings,
    complaints: told.complaints,
    withheld: [...ofSettings, ...told.ofAgents],
    close,
  };
}

function loadOptionsOf(
  { cliAgents, agents, tools }: SessionOptions,
  { cwd, configDir, pluginDirs }: Sources,
): LoadOptions {
  return {
    cwd,
    configDir,
    pluginDirs,
    ...(cliAgents === undefined ? {} : { cliAgents }),
    ...(agents ? { libraryAgents: agents } : {}),
    ...(tools ? { tools: tools.map((tool) => tool.name) } : {}),
  };
}

type OpenModels = { named: Session["model"]; close(): Promise<void> };

/** Models by name: those that a program gave, the search without a key, then the providers'. */
function openModels({ env, limits, models = {} }: SessionOptions, settings: Settings): OpenModels {
  const { providers, aliases, limits: usual } = settings.retinue;
  const created = createModels({
    env: { ...env, ...settings.ownEnv },
    providers,
    aliases,
    idleTimeoutMs: limits?.idleTimeoutMs ?? usual.idleTimeoutMs,
  });
  const given = new Map(Object.entries(models).map(([name, model]) => [name, boundedModel(model)]));
  return {
    named: (name) =>
      given.get(name) ?? (name === "offline" ? offlineModel() : created.resolve(name)),
    close: () => created.close(),
  };
}

type Read = {
  layers: ReturnType<typeof loadSettings>;
  loaded: LoadedDefinitions;
  session: Session;
  trusted: boolean;
  inBrief: readonly string[];
  resources: Pick<Resources, "problems">;
};
type Told = { warnings: string[]; complaints: string[]; ofAgents: string[] };

/** What a person should know of what was read. */
function problemsOf({ layers, loaded, session, trusted, inBrief, resources }: Read): Told {
  const ofAgents = withheldOfAgents(loaded.definitions, trusted);
  const complaints = [
    ...layers.problems.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    ...settingsComplaints(layers.layers, {
      rules: session.rules,
      hooks: ({ level }) => trusted || (level !== "local" && level !== "project"),
      tools: session.tools.map((tool) => tool.name),
    }),
    ...resources.problems,
  ];
  const warnings = [
    ...definitionWarnings(loaded.problems),
    ...complaints,
    ...[...inBrief, ...ofAgents].map(
      (what) => `not trusted: ${what} (\`retinue trust\` shows all of it and lets it take effect)`,
    ),
  ];
  return { warnings, complaints, ofAgents };
}

function definitionWarnings(problems: LoadedDefinitions["problems"]): string[] {
  // A guard or a server that somebody relies on must not be missing in silence; that a command is,
  // shows itself.
  const missing = problems
    .filter(({ code }) => code === "plugin-hooks" || code === "plugin-mcp")
    .map(({ path, message }) => `${path}: ${message}`);
  const ofOwnAgents = problems
    .filter(({ path, severity }) => path === "agents" && severity === "warning")
    .map(({ message }) => `agents: ${message}`);
  const broken = new Set(
    problems.filter(({ severity }) => severity === "error").map(({ path }) => path),
  ).size;
  const why = "cannot be used: `retinue agents validate` says why";
  return [
    ...missing,
    ...ofOwnAgents,
    ...(broken > 0 ? [`${broken} agent file${broken > 1 ? "s" : ""} ${why}`] : []),
  ];
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
