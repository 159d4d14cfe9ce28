// Bash: every simple command, every path and every host of the text is judged; the worst verdict wins.
import { oneLine } from "../../base/text/printable.ts";
import { accessOf, inMemory, inWorkspace, shown, writes, type Access } from "../paths/access.ts";
import {
  allows,
  compileCommandRule,
  concernsCommand,
  isMentioned,
  names,
  wordsSeen,
  type CommandRule,
} from "./command-rule.ts";
import { worse, type Verdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { allowRule, refuseAccess } from "../paths/judge-path.ts";
import { hostWords, judgeHost } from "../judge-web.ts";
import { specifiersOf } from "../judge-tools.ts";
import { normalise } from "../paths/path-text.ts";
import { isHarmlessDevice } from "../paths/protected-paths.ts";
import { plantedRepository } from "./planted-repository.ts";
import { isReadOnly } from "./read-only-commands.ts";
import { analyseCommand } from "../shell/reading/analyse-command.ts";
import {
  ask,
  type Concern,
  type PathAccess,
  type ShellAnalysis,
  type SimpleCommand,
} from "../shell/analysis.ts";
import { isKnownCommand } from "../shell/tables/commands.ts";

/** Different paths with wildcards in one text: each is looked up on disk. */
const maxWildcards = 32;

export type Part = { part: string; verdict: Verdict };

const quoted = (text: string): string => `\`${oneLine(text.slice(0, 400), 160)}\``;

const defaultAsk = (reason: string): Verdict => ({ behavior: "ask", layer: "default", reason });

/** The parts of the command text with the verdict on each. */
export function judgeBash(input: Record<string, unknown>, judge: Judge): Part[] {
  const { command, cwd: given } = input;
  const { cwd, home } = judge.policy.workspace;
  if (typeof command !== "string")
    return [
      {
        part: "command",
        verdict: { behavior: "deny", layer: "protected", reason: "the command is missing" },
      },
    ];
  if (judge.policy.mode === "delegate")
    return [
      {
        part: "command",
        verdict: {
          behavior: "deny",
          layer: "mode",
          reason: "delegate mode coordinates and runs no commands",
        },
      },
    ];
  // A folder in the call moves where relative paths lead, never the workspace.
  const from =
    typeof given === "string" && given !== ""
      ? given.startsWith("/")
        ? normalise(given)
        : normalise(`${cwd}/${given}`)
      : cwd;
  const analysis = analyseCommand(command, { cwd: from, home });
  const isLookedUp =
    new Set(analysis.accesses.filter((item) => item.glob).map((item) => item.path)).size <=
    maxWildcards;
  return [
    ...analysis.concerns.map((concern) => ({
      part: "the whole text",
      verdict: judgeConcern(concern, judge),
    })),
    ...(analysis.complete ? [] : mentioned(command, judge)),
    ...(isLookedUp
      ? []
      : [
          {
            part: "the whole text",
            verdict: judgeConcern(
              ask("too-many", "The text holds more wildcards than can be looked up."),
              judge,
            ),
          },
        ]),
    ...analysis.commands.map((item) => ({
      part: oneLine(item.text.slice(0, 400), 160),
      verdict: judgeCommand(item, judge),
    })),
    ...analysis.accesses.map((item) => ({
      part: oneLine(`${item.kind} ${item.path ?? "an unknown path"}`, 160),
      verdict: judgeShellAccess(withDepth(item, analysis.accesses), judge, isLookedUp),
    })),
    ...(analysis.commands.length + analysis.accesses.length + analysis.concerns.length === 0
      ? [nothing(analysis)]
      : []),
  ];
}

const nothing = ({ complete }: ShellAnalysis): Part => ({
  part: "the whole text",
  verdict: complete
    ? { behavior: "allow", layer: "default", reason: "the text runs no command" }
    : defaultAsk("the command cannot be analysed"),
});

/** About the text as a whole: no allow rule lifts it. Who bypasses permissions is asked only where a deny or ask rule could be hidden in it. */
function judgeConcern({ severity, sentence }: Concern, judge: Judge): Verdict {
  if (severity === "deny") return { behavior: "deny", layer: "protected", reason: sentence };
  if (judge.policy.mode === "plan")
    return {
      behavior: "deny",
      layer: "mode",
      reason: `plan mode writes nothing, and this might: ${sentence}`,
    };
  return judge.policy.mode === "bypassPermissions" && !hasRefusals(judge)
    ? bypassed
    : defaultAsk(sentence);
}

const bypassed: Verdict = {
  behavior: "allow",
  layer: "mode",
  reason: "bypassPermissions allows what no rule and no protection stops",
};

const hasRefusals = ({ rules }: Judge): boolean =>
  [...rules.deny, ...rules.ask].some((rule) => rule.specifier !== undefined);

function mentioned(text: string, judge: Judge): Part[] {
  const seen = wordsSeen(text);
  const rule = judge.commands("deny").find((rule) => isMentioned(rule, seen));
  return rule
    ? [
        {
          part: "the whole text",
          verdict: {
            behavior: "deny",
            layer: "deny",
            rule: rule.rule.text,
            reason: `the text cannot be read completely and mentions what ${rule.rule.text} denies`,
          },
        },
      ]
    : [];
}

function judgeCommand(command: SimpleCommand, judge: Judge): Verdict {
  const hosts = [...command.hosts, ...hostWords(command.name, command.argv.slice(1))].map((host) =>
    judgeHost(host, judge),
  );
  const found = [
    byRules("deny", command, judge),
    byRules("ask", command, judge),
    ...hosts,
    settleCommand(command, judge),
  ];
  return found.filter((verdict) => verdict !== undefined).reduce(worse);
}

function byRules(list: "deny" | "ask", command: SimpleCommand, judge: Judge): Verdict | undefined {
  let perhaps: CommandRule | undefined;
  for (const rule of judge.commands(list)) {
    const match = concernsCommand(rule, command);
    if (match === "yes")
      return {
        behavior: list,
        layer: list,
        rule: rule.rule.text,
        reason: `${quoted(command.text)} is covered by ${rule.rule.text}`,
      };
    if (match === "maybe" || isHiddenIn(rule, command) || isHandedOn(rule, command))
      perhaps ??= rule;
  }
  return (
    perhaps && {
      behavior: "ask",
      layer: list,
      rule: perhaps.rule.text,
      reason: `${quoted(command.text)} may turn into what ${perhaps.rule.text} covers`,
    }
  );
}

const opaque: ReadonlySet<string> = new Set([
  "executing-option",
  "dynamic-code",
  "interpreter",
  "script",
]);

/** A command that runs text of its own, and that text mentions what the rule is about. */
const isHiddenIn = (rule: CommandRule, { concerns, text }: SimpleCommand): boolean =>
  rule.kind !== "all" &&
  concerns.some((concern) => opaque.has(concern.code)) &&
  isMentioned(rule, wordsSeen(text));

const maxHandedOn = 8;

/** The words behind a program that no table knows are what the rule is about: it may be one more wrapper. */
function isHandedOn(rule: CommandRule, { name, argv }: SimpleCommand): boolean {
  if (name === null || rule.kind === "all" || isKnownCommand(name)) return false;
  return argv.slice(1, maxHandedOn).some((word, at) => {
    const words = argv.slice(at + 1);
    const text = words.map((item) => item ?? "…").join(" ");
    return (
      word !== null &&
      !word.startsWith("-") &&
      concernsCommand(rule, {
        argv: words,
        name: word.slice(word.lastIndexOf("/") + 1),
        text,
        bareText: text,
      }) === "yes"
    );
  });
}

/** Mode, allow rules and the default for one simple command. */
function settleCommand(command: SimpleCommand, judge: Judge): Verdict {
  const { mode } = judge.policy;
  const refused = command.concerns.find((concern) => concern.severity === "deny");
  if (refused) return { behavior: "deny", layer: "protected", reason: refused.sentence };
  const planted = mode === "bypassPermissions" ? undefined : plantedRepository(command, judge);
  if (planted !== undefined)
    return {
      behavior: mode === "plan" ? "deny" : "ask",
      layer: mode === "plan" ? "mode" : "default",
      reason: `${planted} looks like a bare repository, whose configuration git would follow`,
    };
  const barred = outsideCeiling(command, judge);
  if (barred) return barred;
  if (mode === "plan" && !isReadOnly(command))
    return {
      behavior: "deny",
      layer: "mode",
      reason: `plan mode writes nothing, and ${quoted(command.text)} might`,
    };
  if (mode === "bypassPermissions")
    return command.concerns.length > 0 && isDynamic(command) && hasRefusals(judge)
      ? defaultAsk(command.concerns[0]!.sentence)
      : bypassed;
  const rules = judge.commands("allow").filter((rule) => allows(rule, command));
  const open = command.concerns.find(
    (concern) =>
      concern.covers === undefined || !rules.some((rule) => names(rule, concern.covers!)),
  );
  if (open) return defaultAsk(open.sentence);
  if (rules[0])
    return {
      behavior: "allow",
      layer: "allow",
      rule: rules[0].rule.text,
      reason: `${quoted(command.text)} is covered by ${rules[0].rule.text}`,
    };
  return command.transparent
    ? {
        behavior: "allow",
        layer: "default",
        reason: `what ${quoted(command.text)} runs is judged by itself`,
      }
    : defaultAsk(`no rule allows ${quoted(command.text)}`);
}

/** What runs is not known before it runs. */
const isDynamic = ({ name, argv }: SimpleCommand): boolean => name === null || argv.includes(null);

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

/** What is read with everything below it (`cp -r`, `rsync`) is written so too. */
function withDepth(item: PathAccess, all: readonly PathAccess[]): PathAccess {
  const deep =
    item.kind === "write" &&
    item.from === "operand" &&
    all.some((other) => other.kind === "read" && other.recursive && other.via === item.via);
  return deep ? { ...item, recursive: true } : item;
}

function judgeShellAccess(item: PathAccess, judge: Judge, isLookedUp: boolean): Verdict {
  const { mode } = judge.policy;
  if (item.path === null) {
    if (mode === "bypassPermissions" && item.kind !== "delete" && !hasRefusals(judge))
      return bypassed;
    return defaultAsk(`${quoted(item.via)} touches a path that is only known when it runs`);
  }
  const { path, kind, glob, recursive, from } = item;
  const written = judgeAccess(accessOf({ raw: path, kind, glob, recursive, from }, judge), judge);
  if (!glob || !isLookedUp || written.behavior !== "allow") return written;
  const { linked = [] } = judge.facts(path);
  if (linked === "too many")
    return defaultAsk(
      `${quoted(item.via)} has wildcards that match more names than can be looked at`,
    );
  // Who removes a link removes no more than the link: its folder is followed, its end is not.
  return linked
    .map((raw) =>
      judgeAccess(accessOf({ raw, glob: kind === "delete", kind, recursive, from }, judge), judge),
    )
    .reduce(worse, written);
}

function judgeAccess(access: Access, judge: Judge): Verdict {
  const refused = refuseAccess(access, judge);
  const settled = settleAccess(access, judge);
  return refused ? worse(refused, settled) : settled;
}

/** A word that no table explains names a place outside the workspace: its first folder is there, so it is hardly anything else than a path. */
function liesElsewhere(access: Access, judge: Judge): boolean {
  if (inWorkspace(access, judge) || inMemory(access, judge)) return false;
  const top = access.real.split("/")[1] ?? "";
  return access.real !== "/" && judge.facts(`/${top}`).exists;
}

function settleElsewhere(access: Access, judge: Judge): Verdict {
  const rule = allowRule(access, judge, ["Edit", "Write"]);
  if (rule !== undefined)
    return {
      behavior: "allow",
      layer: "allow",
      rule,
      reason: `${shown(access)} is covered by ${rule}`,
    };
  return defaultAsk(`no rule allows to touch ${shown(access)}, which lies outside the workspace`);
}

/** Paths need no rule of their own inside the workspace, where the command's rule speaks for them; redirections are edits; outside, path rules decide. */
function settleAccess(access: Access, judge: Judge): Verdict {
  const pass = (reason: string, rule?: string): Verdict => ({
    behavior: "allow",
    layer: rule === undefined ? "mode" : "allow",
    reason,
    ...(rule === undefined ? {} : { rule }),
  });
  if (access.kind === "execute" || isHarmlessDevice(access.lexical))
    return pass("judged with its command");
  const { mode } = judge.policy;
  if (access.kind === "unknown")
    return mode === "bypassPermissions" || !liesElsewhere(access, judge)
      ? pass("judged with its command")
      : settleElsewhere(access, judge);
  if (mode === "plan" && writes(access))
    return { behavior: "deny", layer: "mode", reason: "plan mode writes nothing" };
  if (mode === "bypassPermissions") return bypassed;
  if (inMemory(access, judge)) return pass("the agent's own memory");
  const inside = inWorkspace(access, judge);
  if (inside && !(writes(access) && access.from === "redirection"))
    return pass(`${shown(access)} lies inside the workspace`);
  if (inside && mode === "acceptEdits")
    return pass("acceptEdits allows edits inside the workspace");
  const blanket = inside ? judge.commands("allow").find((rule) => rule.kind === "all") : undefined;
  const rule =
    blanket?.rule.text ?? allowRule(access, judge, writes(access) ? ["Edit", "Write"] : ["Read"]);
  if (rule !== undefined) return pass(`${shown(access)} is covered by ${rule}`, rule);
  return defaultAsk(
    `no rule allows to ${access.kind} ${shown(access)}${inside ? " by redirection" : ", which lies outside the workspace"}`,
  );
}
