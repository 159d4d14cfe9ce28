// bypassPermissions allows what nothing speaks against; here a suspicion is enough. A text may hide
// a refused command, and a name that
// is made when it runs, or stands in a script, may be a protected file.
import type { Judge } from "../judge.ts";
import { protectedReason } from "../paths/protected-paths.ts";
import { normalise } from "../paths/path-text.ts";
import type { ShellAnalysis, SimpleCommand } from "../shell/analysis.ts";
import { readPlain } from "../plain/read-plain.ts";
import { hasRefusals } from "./settle-command.ts";

/** Why a person should see the text, or undefined. */
export function suspectText(
  text: string,
  { commands, accesses, concerns }: ShellAnalysis,
  judge: Judge,
): string | undefined {
  const dynamic = commands.find((item) => isDynamic(item) && item.concerns.length > 0);
  if (hasRefusals(judge)) {
    const concern = concerns[0] ?? dynamic?.concerns[0];
    if (concern) return concern.sentence;
    const reading = readPlain(text);
    if (!reading.script) return reading.problem;
  }
  const open = accesses.find(
    ({ path, kind }) => path === null && (kind === "write" || kind === "delete"),
  );
  if (open) return `${open.via} writes a file whose name is only known when it runs`;
  const isClear =
    concerns.length === 0 &&
    commands.every((item) => item.concerns.length === 0) &&
    readPlain(text).script;
  const named = isClear ? undefined : protectedWord(text, judge);
  return named && `the text names ${named}, and what it does with it is not known`;
}

/** What runs is not known before it runs. */
const isDynamic = ({ name, argv }: SimpleCommand): boolean => name === null || argv.includes(null);

/** A word of the text, quotes and brackets gone, that is a protected file. */
export function protectedWord(text: string, { policy }: Judge): string | undefined {
  const { cwd, protectedPaths } = policy.workspace;
  const words = text.slice(0, 50_000).split(/[\s'"`;&|(){}<>=,:$\\[\]]+/);
  return [...new Set(words)].find((word) => {
    if (word === "" || word.startsWith("-")) return false;
    const path = normalise(word.startsWith("/") ? word : `${cwd}/${word}`);
    return protectedReason(path, protectedPaths) !== undefined && path !== normalise(`${cwd}/.git`);
  });
}
