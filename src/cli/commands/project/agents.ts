// `retinue agents`: lists agents, shows which file wins and why, checks definitions, and writes a
// new one.
import { modelNameProblem, type ModelNames } from "../../../model/model-name-problem.ts";
import { findSkill } from "../../../skills/find-skill.ts";
import { loadSkills, type LoadedSkills, type SkillPlaces } from "../../../skills/load-skills.ts";
import { nearSkills, unknownSkill } from "../../../skills/skills-prompt.ts";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { unknownAgent } from "../../../app/session/find-definition.ts";
import { claudeConfigDir } from "../../../base/files/project-folders.ts";
import { RetinueError } from "../../../base/errors.ts";
import { counted } from "../../../base/text/grouped.ts";
import { oneLine, printable } from "../../../base/text/printable.ts";
import { withoutTrust, type KnownNames } from "../../../definitions/agent-definition.ts";
import { loadDefinitions } from "../../../definitions/load-definitions.ts";
import type { LoadedDefinition, LoadedDefinitions } from "../../../definitions/load-definitions.ts";
import { effectiveSettings, type Settings } from "../../../settings/effective-settings.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import { trustState } from "../../../settings/trust.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";
import { tableLines } from "../../render/table.ts";
import { addSessionFlags } from "../../session-flags.ts";
import { createAgent, type NewOptions } from "./agents-new.ts";
import { showText } from "./agents-show.ts";
import { validate, type ValidateOptions } from "./agents-validate.ts";

type SourceOptions = { cwd?: string; agents?: string; pluginDir?: string[]; json?: boolean };

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("agents", io).description(
    "list agents, show which file is used and why, check definitions",
  );
  const listed = command
    .command("list")
    .description("list the agents")
    .option("--all", "also list agents that another one overrides");
  const shown = command
    .command("show")
    .description("show one agent: its file, what it overrides and why, its prompt")
    .argument("<name>");
  const checked = command
    .command("validate")
    .description("check definitions; the exit code is 1 if one has an error")
    .argument("[path...]", "files or folders (default: all definitions)")
    .option("--fix", "repair files if their meaning is clear; the prompt is not changed");
  const made = command
    .command("new")
    .description("write a new definition")
    .argument("<name>", "lowercase letters, digits, hyphens")
    .option("--description <text>", "when to use it")
    .option("--tools <list>", "for example: Read, Grep, Glob")
    .option("--model <model>", "the model that it runs on")
    .option("--user", "write it to your own folder, for all projects");
  for (const sub of [listed, shown, checked])
    addSessionFlags(sub, ["agents", "pluginDir"]).option("--json", "print JSON");
  for (const sub of [listed, shown, checked, made])
    sub.option("--cwd <dir>", "the project's folder");
  listed.action(() => finish(list(io, listed.opts<SourceOptions & { all?: boolean }>())));
  shown.action((name: string) => finish(show(name, io, shown.opts<SourceOptions>())));
  checked.action((paths: string[]) => {
    const options = checked.opts<SourceOptions & ValidateOptions>();
    finish(
      validate(
        paths.map((path) => resolve(io.cwd, path)),
        io,
        {
          ...options,
          load: () => load(io, options, { look: true }),
          lookFrom: lookFrom(io, options),
        },
      ),
    );
  });
  made.action((name: string) => {
    const { cwd, ...options } = made.opts<Omit<NewOptions, "folder"> & { cwd?: string }>();
    finish(createAgent(name, io, { ...options, folder: folderOf(io, cwd) }));
  });
  return command;
};

type Place = { cwd: string; configDir: string; pluginDirs: string[]; settings: Settings };

function placeOf(io: Io, options: SourceOptions): Place {
  const cwd = folderOf(io, options.cwd);
  const configDir = claudeConfigDir(io.env);
  const { settings } = effectiveSettings(
    loadSettings({ cwd, configDir }),
    isTrusted(cwd, configDir),
  );
  return {
    cwd,
    configDir,
    settings,
    pluginDirs: [
      ...(options.pluginDir ?? []).map((dir) => resolve(io.cwd, dir)),
      ...settings.pluginDirs,
    ],
  };
}

const namesAt = (io: Io, { settings: { retinue }, ...places }: Place): KnownNames =>
  knownNames({ env: io.env, providers: retinue.providers, aliases: retinue.aliases }, places);

/** With `look`, also checks that the named models and skills exist. */
function load(
  io: Io,
  options: SourceOptions,
  { look = false }: { look?: boolean } = {},
): LoadedDefinitions {
  const place = placeOf(io, options);
  const { cwd, configDir, pluginDirs } = place;
  return loadDefinitions({
    cwd,
    configDir,
    pluginDirs,
    ...(options.agents !== undefined && { cliAgents: options.agents }),
    ...(look && { known: namesAt(io, place) }),
  });
}

/** The same for a file given by its path: seen from its own project and plugin. */
function lookFrom(
  io: Io,
  options: SourceOptions,
): (project: string | undefined, plugin: string | undefined) => KnownNames {
  const seen = new Map<string, KnownNames>();
  return (project, plugin) => {
    const key = `${project}\0${plugin}`;
    const known = seen.get(key);
    if (known) return known;
    const place = placeOf(io, { ...options, ...(project !== undefined && { cwd: project }) });
    const found = namesAt(io, {
      ...place,
      pluginDirs: [...place.pluginDirs, ...(plugin === undefined ? [] : [plugin])],
    });
    seen.set(key, found);
    return found;
  };
}

/** A mistake in --agents is the caller's own; files of others are only counted. */
function loadGiven(io: Io, options: SourceOptions): LoadedDefinitions {
  const loaded = load(io, options, { look: true });
  const bad = loaded.problems.find(
    ({ path, severity }) => severity === "error" && path.startsWith("--agents"),
  );
  const wrong = loaded.problems.find(
    ({ path, code }) =>
      code === "no-plugin" && options.pluginDir?.some((given) => resolve(io.cwd, given) === path),
  );
  if (wrong) throw new RetinueError("usage", `--plugin-dir: ${wrong.path}: ${wrong.message}`);
  if (bad)
    throw new RetinueError(
      "config",
      bad.message.startsWith(bad.path) ? bad.message : `${bad.path}: ${bad.message}`,
    );
  return loaded;
}

function folderOf(io: Io, given = "."): string {
  const folder = resolve(io.cwd, given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new RetinueError("usage", `--cwd: there is no folder ${folder}`);
  return folder;
}

const isTrusted = (cwd: string, configDir: string): boolean =>
  trustState(cwd, { configDir }).state === "trusted";

function list(io: Io, options: SourceOptions & { all?: boolean }): ExitCode {
  const { all, problems } = loadGiven(io, options);
  if (options.json) {
    io.out(JSON.stringify(all.map(listing), undefined, 2));
    return 0;
  }
  const rows = all
    .filter((entry) => options.all || entry.isActive)
    .sort(
      (a, b) =>
        b.definition.priority - a.definition.priority ||
        (a.definition.name < b.definition.name ? -1 : 1),
    );
  const notes = rows.map(({ overrides, isActive }) =>
    !isActive
      ? "(overridden) "
      : overrides.length > 0
        ? `(overrides ${overrides.map((place) => place.source).join(", ")}) `
        : "",
  );
  const cut = (text: string, most: number): string =>
    oneLine(text, io.width() === undefined ? Infinity : most);
  const cells = rows.map(({ definition }, row) => [
    cut(definition.name, 40),
    definition.source,
    cut(definition.model ?? "inherit", 40),
    `${notes[row]}${cut(definition.description, 80)}`,
  ]);
  const paint = (cell: string, row: number, column: number): string =>
    column === 0
      ? io.paint("bold", cell)
      : column === 3 && notes[row] !== "" && cell.startsWith(notes[row]!)
        ? io.paint("dim", notes[row]!) + cell.slice(notes[row]!.length)
        : cell;
  for (const line of tableLines(cells, { width: io.width(), paint })) io.out(line);
  const errors = problems.filter((problem) => problem.severity === "error").length;
  if (problems.length > 0)
    io.err(
      `${counted(errors, "error")}, ${counted(problems.length - errors, "warning")}: ` +
        "`retinue agents validate` shows them",
    );
  return 0;
}

function listing({ definition, isActive, overrides }: LoadedDefinition): Record<string, unknown> {
  const {
    name,
    description,
    model = null,
    source,
    priority,
    tools = null,
    filePath = null,
  } = definition;
  return { name, description, model, source, priority, tools, isActive, overrides, filePath };
}

function show(name: string, io: Io, options: SourceOptions): ExitCode {
  const { all, problems } = loadGiven(io, options);
  const rivals = all.filter((entry) => entry.definition.name === name);
  const winner = rivals.find((entry) => entry.isActive);
  if (!winner)
    throw unknownAgent(name, { names: all.map((entry) => entry.definition.name), problems });
  const cwd = resolve(io.cwd, options.cwd ?? ".");
  const withheld =
    winner.definition.source === "project" && !isTrusted(cwd, claudeConfigDir(io.env))
      ? withoutTrust(winner.definition).withheld
      : [];
  if (options.json)
    io.out(
      JSON.stringify(
        {
          ...winner.definition,
          isActive: true,
          overrides: winner.overrides,
          overridden: rivals
            .filter((entry) => !entry.isActive)
            .map((entry) => ({
              source: entry.definition.source,
              filePath: entry.definition.filePath ?? null,
              reason: entry.overriddenBy?.reason,
            })),
          withheld,
        },
        undefined,
        2,
      ),
    );
  else showText(winner, { rivals, withheld, cwd }, io);
  const own = problems.filter(({ path }) => path === winner.definition.filePath);
  for (const { line, severity, message } of options.json ? [] : own)
    io.err(`${io.paintErr("yellow", severity)} line ${line}: ${printable(message)}`);
  return 0;
}

/** Whether the models and skills that definitions name can be found from here; looked up only when one names them. */
function knownNames(models: ModelNames, places: SkillPlaces): KnownNames {
  let loaded: LoadedSkills["skills"] | undefined;
  return {
    model: (name) => modelNameProblem(name, models),
    skill(name) {
      const skills = (loaded ??= loadSkills(places).skills);
      if (findSkill(name, skills)) return undefined;
      const near = nearSkills(name, skills)[0];
      return {
        message: unknownSkill(name, skills),
        ...(near !== undefined && { suggestion: near }),
      };
    },
  };
}
