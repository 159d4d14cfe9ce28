// `retinue init [DIR]`: writes agents, templates, profiles, protocols and the contract as files to
// start from. Existing files stay, unless a person decides otherwise.
import { join, resolve } from "node:path";
import { packageFolder } from "../../../base/files/package-folder.ts";
import {
  planInit,
  writeInit,
  type InitPlan,
  type PlannedFile,
} from "../../../app/project/plan-init.ts";
import { claudeConfigDir } from "../../../base/files/project-folders.ts";
import { printable } from "../../../base/text/printable.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";

type Options = { force?: boolean; dryRun?: boolean; claudeMd?: boolean; json?: boolean };

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("init", io);
  return command
    .description("write agents, templates, profiles and the contract into a project, to start with")
    .argument("[dir]", "the project's folder", ".")
    .option("--force", "overwrite files that differ, without asking")
    .option("--dry-run", "only list what would be written")
    .option("--claude-md", "also add a paragraph to CLAUDE.md")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nA file that exists and differs is kept; on a terminal you are asked first. If the project " +
        "defines an agent or profile of the same name in another file, that file stays in use.",
    )
    .action(async (dir: string) =>
      finish(await init(resolve(io.cwd, dir), io, command.opts<Options>())),
    );
};

async function init(root: string, io: Io, options: Options): Promise<ExitCode> {
  const plan = planInit({
    root,
    assets: assetFolder,
    configDir: claudeConfigDir(io.env),
    claudeMd: options.claudeMd === true,
  });
  const differing = plan.files.filter(({ state }) => state === "differs").map(({ path }) => path);
  const asks =
    differing.length > 0 && !options.force && !options.dryRun && !options.json && io.interactive;
  const overwrite = options.force ? differing : asks ? await chosen(differing, io) : [];
  if (!overwrite) return 130;
  if (!options.dryRun) writeInit(plan, new Set(overwrite));
  const actions = plan.files.map((file) => ({ ...file, action: actionOf(file, overwrite) }));
  if (options.json)
    io.out(
      JSON.stringify(
        {
          root: plan.root,
          dry_run: options.dryRun === true,
          files: actions.map(({ path, action, by }) => ({
            path,
            action,
            ...(by === undefined ? {} : { defined_in: by }),
          })),
        },
        undefined,
        2,
      ),
    );
  else tell(actions, plan, { io, dryRun: options.dryRun === true });
  return 0;
}

type Action = "create" | "extend" | "overwrite" | "keep" | "unchanged";

function actionOf({ path, state }: PlannedFile, overwrite: readonly string[]): Action {
  if (state === "new") return "create";
  if (state === "extend") return "extend";
  if (state === "same") return "unchanged";
  return overwrite.includes(path) ? "overwrite" : "keep";
}

function tell(
  files: readonly (PlannedFile & { action: Action })[],
  { root }: InitPlan,
  { io, dryRun }: { io: Io; dryRun: boolean },
): void {
  for (const { path, action, by } of files.filter((file) => file.action !== "unchanged")) {
    const why =
      action !== "keep"
        ? ""
        : by === undefined
          ? " (it differs; --force overwrites it)"
          : ` (defined in ${printable(by)})`;
    io.out(`${io.paint(action === "keep" ? "dim" : "green", action.padEnd(9))} ${path}${why}`);
  }
  const count = (...actions: Action[]): number =>
    files.filter(({ action }) => actions.includes(action)).length;
  const written = count("create", "extend", "overwrite");
  io.err(
    `${dryRun ? "would write" : "wrote"} ${written}, kept ${count("keep")}, unchanged ` +
      `${count("unchanged")} in ${printable(root)}`,
  );
  if (!dryRun && written > 0)
    io.err(
      "Next:\n  retinue agents list      who is here now\n  retinue trust            once " +
        "you have changed a profile: from then on it counts\n  .claude/sub-agents/README.md",
    );
}

/** Undefined if the person left the question. */
async function chosen(paths: readonly string[], io: Io): Promise<string[] | undefined> {
  const { chooseSeveral } = await import("../../asking/choose.ts");
  return chooseSeveral(io, {
    message: "These files differ. Which ones may be overwritten?",
    choices: paths.map((path) => ({ value: path, label: path })),
  });
}

const assetFolder = join(packageFolder(), "assets/init");
