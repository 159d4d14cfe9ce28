// Mode, allow rules, the table of reading commands and the default for one simple command of a
// plain text.
import { oneLine } from "../../base/text/printable.ts";
import type { Verdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { specifiersOf } from "../judge-tools.ts";
import type { PathAccess, SimpleCommand } from "../shell/analysis.ts";
import { allows, compileCommandRule, names } from "./command-rule.ts";
import { plantedRepository } from "./planted-repository.ts";
import { isReadOnly } from "./read-only-commands.ts";

export const quoted = (text: string): string => `\`${oneLine(text.slice(0, 400), 160)}\``;

export const defaultAsk = (reason: string): Verdict => ({
  behavior: "ask",
  layer: "default",
  reason,
});

export const bypassed: Verdict = {
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
): Verdict {
  const { mode, readOnlyCommands } = judge.policy;
  const planted = plantedRepository(command, judge, written);
  if (planted !== undefined)
    return {
      behavior: mode === "plan" ? "deny" : "ask",
      layer: mode === "plan" ? "mode" : "default",
      reason: planted,
    };
  const barred = outsideCeiling(command, judge);
  if (barred) return barred;
  const onlyReads = isReadOnly(command);
  if (mode === "plan" && !onlyReads)
    return {
      behavior: "deny",
      layer: "mode",
      reason: `plan mode writes nothing, and ${quoted(command.text)} might`,
    };
  const rules = judge.commands("allow").filter((rule) => allows(rule, command));
  const open = command.concerns.find(
    ({ covers, code }) =>
      covers === undefined ||
      // The files are judged by themselves, as edits.
      (!(mode === "acceptEdits" && code === "editing-option" && rules.length > 0) &&
        !rules.some((rule) => names(rule, covers))),
  );
  if (open) return defaultAsk(open.sentence);
  if (rules[0])
    return {
      behavior: "allow",
      layer: "allow",
      rule: rules[0].rule.text,
      reason: `${quoted(command.text)} is covered by ${rules[0].rule.text}`,
    };
  if (onlyReads && readOnlyCommands && (allRead || (command.isDirect && !command.opensFiles)))
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
    : defaultAsk(`no rule allows ${quoted(command.text)}`);
}

/** `tools: Bash(git log:*)` limits the commands to those. */
function outsideCeiling(command: SimpleCommand, { policy }: Judge): Verdict | undefined {
  for (const { tools, from } of policy.ceilings) {
    const limits = specifiersOf(tools, "Bash").map((specifier) =>
      compileCommandRule({ text: `Bash(${specifier})`, tool: "Bash", specifier }),
    );
    if (
      limits.length === 0 ||
      command.transparent ||
      limits.some((limit) => allows(limit, command))
    )
      continue;
    return {
      behavior: "deny",
      layer: "tools",
      reason: `${quoted(command.text)} is not among the commands of ${from}`,
    };
  }
  return undefined;
}
