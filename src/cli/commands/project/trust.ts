// `retinue trust [DIR]`: shows what a folder wants to do, asks, and remembers the answer for this
// content.
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { claudeConfigDir, projectRoot } from "../../../base/files/project-folders.ts";
import { RetinueError } from "../../../base/errors.ts";
import { escaped } from "../../../base/text/printable.ts";
import { withoutTrust, type AgentDefinition } from "../../../definitions/agent-definition.ts";
import { loadDefinitions } from "../../../definitions/load-definitions.ts";
import { effectiveSettings } from "../../../settings/effective-settings.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import { trustFingerprint, trustFolder, trustState } from "../../../settings/trust.ts";
import type { TrustState } from "../../../settings/trust.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";

type TrustOptions = { yes?: boolean; check?: boolean; json?: boolean };

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("trust", io);
  return command
    .description(
      "let a folder's hooks, servers, variables, allow rules, modes and profiles take effect",
    )
    .argument("[dir]", "the project's folder", ".")
    .option("--yes", "do not ask")
    .option("--check", "only say whether the folder is trusted; the exit code is 1 if it is not")
    .option("--json", "print JSON; trusts the folder only with --yes")
    .addHelpText(
      "after",
      "\nYou trust the contents: if a settings file, an agent, a skill or a script that they name " +
        "changes, you have to trust the folder again.",
    )
    .action(async (dir: string) =>
      finish(await trust(resolve(io.cwd, dir), io, command.opts<TrustOptions>())),
    );
};

async function trust(dir: string, io: Io, options: TrustOptions): Promise<ExitCode> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new RetinueError(
      "usage",
      `there is no folder ${escaped(dir)}; give the one that holds the project`,
    );
  const configDir = claudeConfigDir(io.env);
  const seen = trustFingerprint(dir, { configDir });
  const state = trustState(dir, { configDir });
  const effects = whatTakesEffect(dir, configDir);
  const root = projectRoot(dir);
  if (!options.json) describe(state, effects, { root, io });
  const wanted =
    state.state !== "trusted" &&
    !options.check &&
    (options.yes === true || (!options.json && (await ask(root, io))));
  if (wanted) trustFolder(dir, { configDir, seen });
  const now = wanted ? trustState(dir, { configDir }) : state;
  if (options.json)
    io.out(
      JSON.stringify(
        {
          root,
          state: now.state,
          files: now.files,
          changes: now.state === "changed" ? now.changes : [],
          effects,
        },
        undefined,
        2,
      ),
    );
  else if (wanted) io.out(`trusted ${root}`);
  return now.state === "trusted" ? 0 : 1;
}

/**
 * What the folder asks for beyond deny rules: the list that has no effect until the folder is
 * trusted.
 */
function whatTakesEffect(dir: string, configDir: string): string[] {
  const { withheld } = effectiveSettings(loadSettings({ cwd: dir, configDir }), false);
  const agents = loadDefinitions({ cwd: dir, configDir }).all.filter(
    ({ definition }) => definition.source === "project",
  );
  const detail = (what: string, definition: AgentDefinition): string =>
    what === "hooks" || what === "mcpServers"
      ? `${what} ${JSON.stringify(definition[what])}`
      : what;
  return [
    ...withheld,
    ...agents.flatMap(({ definition }) =>
      withoutTrust(definition).withheld.map(
        (what) => `${definition.filePath}: agent ${definition.name}: ${detail(what, definition)}`,
      ),
    ),
  ];
}

function describe(
  state: TrustState,
  effects: string[],
  { root, io }: { root: string; io: Io },
): void {
  const shown = (path: string): string => escaped(path.replaceAll(`${root}/`, ""));
  const words = {
    trusted: io.paintErr("green", "is trusted"),
    untrusted: io.paintErr("yellow", "is not trusted"),
    changed: io.paintErr("yellow", "has changed since it was trusted"),
  };
  if (state.state === "trusted" && state.files.length === 0)
    io.err(`nothing in ${escaped(root)} needs trust`);
  else io.err(`${escaped(root)} ${words[state.state]}`);
  if (state.state === "changed")
    for (const { path, change } of state.changes)
      io.err(
        change === "uncovered"
          ? `  not covered: what \`${escaped(path)}\` runs is known only when it runs; name the script's file in it`
          : `  ${change.padEnd(8)} ${escaped(relative(root, path))}`,
      );
  if (state.files.length > 0)
    io.err(
      `${state.files.length} file${state.files.length === 1 ? "" : "s"} that can take effect: ${state.files
        .slice(0, 12)
        .map((path) => escaped(relative(root, path)))
        .join(", ")}${state.files.length > 12 ? ", …" : ""}`,
    );
  if (effects.length > 0)
    io.err(`${state.state === "trusted" ? "In effect" : "Would take effect"}:`);
  for (const effect of effects) io.err(`  ${shown(effect)}`);
}

/** Quoted so that it can be pasted into a shell. */
const shellWord = (path: string): string =>
  /^[\w/.,:@+-]+$/.test(path) ? path : `'${escaped(path).replaceAll("'", `'\\''`)}'`;

async function ask(root: string, io: Io): Promise<boolean> {
  if (!io.interactive)
    throw new RetinueError(
      "untrusted",
      `nobody is here to ask: look at the list above, then run \`retinue trust ${shellWord(root)} --yes\``,
    );
  const { confirm } = await import("../../asking/choose.ts");
  return confirm(io, "Do you trust this folder?");
}
