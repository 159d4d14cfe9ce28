// Mode, allow rules, the table of reading commands and the default for one simple command of a
// plain text.
import { oneLine } from "../../base/text/printable.ts";
import type { PartVerdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { onceFor } from "../once-for.ts";
import { specifiersOf } from "../tools/refuse-tool.ts";
import type { Concern, PathAccess, SimpleCommand } from "../shell/analysis.ts";
import { allows, compileCommandRule, names, namesTogether } from "./command-rule.ts";
import { plantedRepository } from "./planted-repository.ts";
import { isReadOnly } from "./read-only.ts";

export const quoted = (text: string): string => `\`${oneLine(text.slice(0, 400), 160)}\``;

export const defaultAsk = (reason: string): PartVerdict => ({
  behavior: "ask",
  layer: "default",
  reason,
});

export const bypassed: PartVerdict = {
  behavior: "allow",
  layer: "mode",
  reason: "bypassPermissions allows what no rule and no protection stops",
};

/** Some rule refuses a part of what Bash can do. */
export const hasRefusals = ({ rules }: Judge): boolean =>
  [...rules.deny, ...rules.ask].some((rule) => rule.specifier !== undefined);

/**
 * `allRead`: every command of the text only reads. Beside other commands a reading one needs a rule
 * where it opens files: what it reads could leave through them. `written`: what the text writes.
 * Not for `bypassPermissions`, which settles nothing by itself.
 */
export function settleCommand(
  command: SimpleCommand,
  judge: Judge,
  { allRead, written }: { allRead: boolean; written: readonly PathAccess[] },
): PartVerdict {
  const { mode, readOnlyCommands } = judge.policy;
  const onlyReads = isReadOnly(command);
  const barred =
    inPlantedRepository(command, judge, written) ??
    outsideCeiling(command, judge) ??
    (mode === "plan" && !onlyReads ? writesInPlan(command) : undefined);
  if (barred) return barred;
  const all = judge.commands("allow");
  const rules = all.filter((rule) => allows(rule, command));
  const namedBeside = (concern: Concern): boolean =>
    rules.length > 0 && namesTogether([...rules, ...all], concern);
  const open = command.concerns.find(
    (concern) =>
      // The files are judged by themselves, as edits.
      !(isEdit(concern) && mode === "acceptEdits" && rules.length > 0) &&
      !rules.some((rule) => names(rule, concern)) &&
      !namedBeside(concern),
  );
  if (open) return defaultAsk(open.sentence);
  if (rules[0])
    return {
      behavior: "allow",
      layer: "allow",
      rule: rules[0].rule.text,
      reason: `${quoted(command.text)} is covered by ${rules[0].rule.text}`,
    };
  const hasReaders = readOnlyCommands && onlyReads;
  if (hasReaders && (allRead || isHarmlessBeside(command) || readsWritten(command, written)))
    return {
      behavior: "allow",
      layer: "mode",
      reason: `read-only command: ${quoted(command.text)}`,
    };
  return command.transparent
    ? {
        behavior: "allow",
        layer: "default",
        reason: `what ${quoted(command.text)} runs is judged by itself`,
      }
    : unallowed(command, judge);
}

const writesInPlan = ({ text }: SimpleCommand): PartVerdict => ({
  behavior: "deny",
  layer: "mode",
  reason: `plan mode writes nothing, and ${quoted(text)} might`,
});

function inPlantedRepository(
  command: SimpleCommand,
  judge: Judge,
  written: readonly PathAccess[],
): PartVerdict | undefined {
  const reason = plantedRepository(command, judge, written);
  if (reason === undefined) return undefined;
  return judge.policy.mode === "plan"
    ? { behavior: "deny", layer: "mode", reason }
    : defaultAsk(reason);
}

const isHarmlessBeside = ({ isDirect, opensFiles }: SimpleCommand): boolean =>
  isDirect && !opensFiles;

/** `npm test > log; tail -5 log`: it shows what the text itself has put there. */
function readsWritten(
  { isDirect, argv, cwds }: SimpleCommand,
  written: readonly PathAccess[],
): boolean {
  const own = new Set(written.filter(({ from }) => from === "redirection").map(({ path }) => path));
  const files = argv
    .slice(1)
    .filter((word) => word === null || !/^(?:-[A-Za-z]|-?\d+)$/.test(word));
  const isOwn = (word: string | null): boolean =>
    cwds?.every((cwd) => own.has(word?.startsWith("/") ? word : `${cwd}/${word}`)) === true;
  return isDirect && files.length > 0 && files.every(isOwn);
}

const isEdit = ({ code, covers }: Concern): boolean =>
  code === "editing-option" && covers !== undefined;

/** Where reading needs no rule, this one is asked about only because of its neighbours. */
function unallowed(command: SimpleCommand, { policy }: Judge): PartVerdict {
  const isBesideOthers = policy.readOnlyCommands && isReadOnly(command);
  const why = isBesideOthers ? ", and beside a command that does more than read it needs one" : "";
  return defaultAsk(`no rule allows ${quoted(command.text)}${why}`);
}

/** `tools: Bash(git log:*)` limits the commands to those. */
function outsideCeiling(command: SimpleCommand, { policy }: Judge): PartVerdict | undefined {
  if (command.transparent) return undefined;
  for (const { tools, from } of policy.ceilings) {
    const limits = commandLimits(tools);
    if (limits.length === 0 || limits.some((limit) => allows(limit, command))) continue;
    return {
      behavior: "deny",
      layer: "tools",
      reason: `${quoted(command.text)} is not among the commands of ${from}`,
    };
  }
  return undefined;
}

const commandLimits = onceFor((tools: readonly string[]) =>
  specifiersOf(tools, "Bash").map((specifier) =>
    compileCommandRule({ text: `Bash(${specifier})`, tool: "Bash", specifier }),
  ),
);
