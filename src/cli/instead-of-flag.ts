// What people who know Claude Code type out of habit, and what says the same here.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir, projectFolders } from "../base/files/project-folders.ts";
import type { Environment } from "../manager/session/session.ts";

const always = "leave it out: `retinue run` prints the answer and ends";
const prompt =
  "write an agent (`retinue agents new NAME`) and name it with --agent, or give it as JSON with --agents";

const flags: ReadonlyMap<string, string> = new Map([
  ["-p", always],
  ["--print", always],
  ["-r", "write --resume ID, or --continue for the newest session of this folder"],
  ["--dangerously-skip-permissions", "write --permission-mode bypassPermissions"],
  ["--system-prompt", prompt],
  ["--append-system-prompt", prompt],
  [
    "--verbose",
    "leave it out: on standard error stands what the agent does; `retinue logs ID` tells everything",
  ],
]);

/** What to write instead of a flag; undefined for one that Claude Code does not have either. */
export const insteadOfFlag = (flag: string): string | undefined => flags.get(flag);

/**
 * A sentence where the prompt is a slash command whose file is there: its text would not be put in.
 */
export function slashCommandNotice(
  text: string,
  { cwd, env }: { cwd: string; env: Environment },
): string | undefined {
  const name = /^\/([\w-]+(?::[\w-]+)*)(?=\s|$)/.exec(text.slice(0, 200))?.[1];
  if (name === undefined) return undefined;
  const places = [
    ...projectFolders(cwd).map((folder) => join(folder, ".claude")),
    claudeConfigDir(env),
  ].map((folder) => join(folder, "commands", `${name.replaceAll(":", "/")}.md`));
  const file = places.find((place) => existsSync(place));
  return (
    file &&
    `/${name} is a slash command of Claude Code (${file}); here its text is not put in. ` +
      "Give the text itself, or make it a skill: .claude/skills/NAME/SKILL.md"
  );
}
