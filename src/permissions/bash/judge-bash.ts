// Bash: a text is allowed only where the plain reader understands all of it and every command and
// path of it is allowed. Whatever any reader suspects is enough to refuse: deny and ask rules,
// protected paths and addresses look at both readings.
import { oneLine } from "../../base/text/printable.ts";
import type { PartVerdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { hostWords, judgeHost } from "../tools/judge-fetch.ts";
import { normalise } from "../paths/written-path.ts";
import { bothReadings } from "../plain/both-readings.ts";
import type { Concern, PathAccess, ShellAnalysis, SimpleCommand } from "../shell/analysis.ts";
import { isKnownCommand } from "../shell/tables/commands.ts";
import { concernsCommand, type CommandRule } from "./command-rule.ts";
import {
  distinctAccesses,
  judgeShellAccess,
  makesOption,
  refuseShellAccess,
  writesBehindSwitch,
} from "./judge-shell-access.ts";
import { readersLast } from "./read-only.ts";
import { bypassed, defaultAsk, quoted, settleCommand } from "./settle-command.ts";
import {
  heldWord,
  isMentioned,
  isOpaque,
  mayHide,
  suspectText,
  wordsSeen,
} from "./suspect-text.ts";
import { linkedPrograms } from "./usual-words.ts";
import { canBeLookedUp, withoutDisk } from "./without-disk.ts";

export type Part = { part: string; verdict: PartVerdict };

const wholeText = (verdict: PartVerdict): Part => ({ part: "the whole text", verdict });
const refusal = (layer: PartVerdict["layer"], reason: string): Part => ({
  part: "command",
  verdict: { behavior: "deny", layer, reason },
});

/** The parts of the command text with the verdict on each. */
export function judgeBash(input: Record<string, unknown>, given: Judge): Part[] {
  const { policy } = given;
  const { command, cwd: folder } = input;
  const { cwd, home } = policy.workspace;
  if (typeof command !== "string") return [refusal("protected", "the command is missing")];
  if (policy.mode === "delegate")
    return [refusal("mode", "delegate mode coordinates and runs no commands")];
  // A folder in the call moves where relative paths lead, never the workspace.
  const from =
    typeof folder !== "string" || folder === ""
      ? cwd
      : normalise(folder.startsWith("/") ? folder : `${cwd}/${folder}`);
  const { suspected, plain: allowable, agree } = bothReadings(command, { cwd: from, home });
  const plain = policy.mode === "bypassPermissions" ? undefined : allowable;
  const judged = plain && "accesses" in plain ? plain.accesses : [];
  const touched = distinctAccesses(judged);
  const isLookedUp = canBeLookedUp([...suspected.accesses, ...judged]);
  const judge = isLookedUp ? given : withoutDisk(given);
  const parts = [
    ...(isLookedUp
      ? []
      : [wholeText(notPlain("The text names more files than can be looked up.", judge))]),
    ...refuseAll(suspected, judge, touched),
    ...(suspected.complete ? [] : mentioned(command, judge)),
    ...suspected.concerns
      .filter((concern) => concern.severity === "deny")
      .map((concern) => wholeText(denied(concern))),
  ];
  if (plain === undefined) return [...parts, ...bypassParts(command, suspected, judge)];
  if ("problem" in plain) return [...parts, wholeText(notPlain(plain.problem, judge))];
  const concerns = [
    ...suspected.concerns.filter((concern) => concern.code === "characters"),
    ...plain.concerns,
  ];
  return [
    ...parts,
    ...concerns.map((concern) => wholeText(judgeConcern(concern, judge))),
    ...(agree
      ? []
      : [wholeText(notPlain("Two readers of this text find different commands in it.", judge))]),
    ...judgePlain(plain, judge, touched),
    ...namedByPatch(command, plain, judge),
  ];
}

/** `git apply <<E`: which files a patch changes, it says itself. */
function namedByPatch(text: string, { accesses }: ShellAnalysis, judge: Judge): Part[] {
  if (!accesses.some((item) => item.patch)) return [];
  const named = heldWord(text, judge);
  return named === undefined ? [] : [wholeText(notPlain(`The patch may change ${named}.`, judge))];
}

/** What the plain reader found, each command and path by itself. */
function judgePlain(
  plain: ShellAnalysis,
  judge: Judge,
  touched: ReadonlyMap<string, PathAccess>,
): Part[] {
  const { accesses } = plain;
  const { commands, allRead } = readersLast(plain.commands);
  const written = accesses.filter((item) => item.kind === "write");
  const doubts = [
    makesOption(accesses) && "The text makes a file that a wildcard would turn into an option.",
    writesBehindSwitch(plain.commands, accesses) &&
      "The text writes where git may have put a link before.",
    pushesElsewhere(commands) && "The text names a remote and pushes in one go.",
  ];
  return [
    ...commands.map((item) => ({
      part: shortText(item),
      verdict: settleCommand(item, judge, { allRead, written }),
    })),
    ...Array.from(touched.values(), (item) => ({
      part: accessText(item),
      verdict: judgeShellAccess(item, judge),
    })),
    ...doubts.flatMap((problem) => (problem ? [wholeText(notPlain(problem, judge))] : [])),
    ...(commands.length + accesses.length === 0
      ? [wholeText({ behavior: "allow", layer: "default", reason: "the text runs no command" })]
      : []),
  ];
}

/** `git remote add x URL && git push x`: where the sources go is said in the same breath. */
function pushesElsewhere(commands: readonly SimpleCommand[]): boolean {
  const lines = commands.filter(({ name }) => name === "git").map(({ argv }) => argv);
  const names = (words: readonly string[]) =>
    lines.some((argv) => words.every((word) => argv.includes(word)));
  return names(["push"]) && (names(["remote", "add"]) || names(["remote", "set-url"]));
}

/** `read /a`, `write /a`, and `may touch /a` where nobody knows what becomes of the path. */
const accessText = ({ kind, path }: PathAccess): string =>
  oneLine(`${kind === "unknown" ? "may touch" : kind} ${path ?? "an unknown path"}`, 160);

const shortText = ({ text }: SimpleCommand): string => oneLine(text.slice(0, 400), 160);

/**
 * What deny rules, ask rules, protected paths and addresses say about a reading of the text, and
 * nothing else.
 */
function refuseAll(
  suspected: ShellAnalysis,
  judge: Judge,
  known: ReadonlyMap<string, PathAccess>,
): Part[] {
  const parts: Part[] = [];
  for (const item of new Set(suspected.commands))
    for (const verdict of refuseCommand(item, judge))
      parts.push({ part: shortText(item), verdict });
  for (const [key, item] of distinctAccesses(suspected.accesses)) {
    // What the plain reader found as well is judged there.
    const verdict = known.has(key) ? undefined : refuseShellAccess(item, judge);
    if (verdict) parts.push({ part: accessText(item), verdict });
  }
  return parts;
}

function refuseCommand(command: SimpleCommand, judge: Judge): PartVerdict[] {
  const hosts = [...command.hosts, ...hostWords(command.name, command.argv.slice(1))];
  return [
    ...command.concerns.filter((concern) => concern.severity === "deny").map(denied),
    ...[command, ...linkedPrograms(command, judge)].flatMap((item) => [
      byRules("deny", item, judge),
      byRules("ask", item, judge),
    ]),
    hiddenAccess(command, judge),
    ...hosts.map((host) => judgeHost(host, judge)),
  ].filter((verdict) => verdict !== undefined);
}

/** A program in the command's words that names a protected file, or one that a rule refuses. */
function hiddenAccess(command: SimpleCommand, judge: Judge): PartVerdict | undefined {
  const { name, text } = command;
  // The bare words of a program that no table knows are looked at as files already.
  const isRead = name !== null && (isKnownCommand(name) || !/['"]/.test(text));
  if (isRead && !isOpaque(command)) return undefined;
  const named = heldWord(text, judge);
  return named === undefined
    ? undefined
    : {
        behavior: "ask",
        layer: "protected",
        reason: `${named} is refused or protected, and what the program does with it is not known`,
      };
}

const denied = ({ sentence }: Concern): PartVerdict => ({
  behavior: "deny",
  layer: "protected",
  reason: sentence,
});

/** No allow rule lifts it. */
function notPlain(problem: string, { policy }: Judge): PartVerdict {
  return policy.mode === "plan"
    ? {
        behavior: "deny",
        layer: "mode",
        reason: `plan mode writes nothing, and this might: ${problem}`,
      }
    : defaultAsk(problem);
}

const judgeConcern = (concern: Concern, judge: Judge): PartVerdict =>
  concern.severity === "deny" ? denied(concern) : notPlain(concern.sentence, judge);

/**
 * Who bypasses permissions is asked where a deny or ask rule, or a protected file, could be hidden
 * in the text.
 */
function bypassParts(text: string, suspected: ShellAnalysis, judge: Judge): Part[] {
  const suspicion = suspectText(text, suspected, judge);
  return [wholeText(suspicion === undefined ? bypassed : defaultAsk(suspicion))];
}

function mentioned(text: string, judge: Judge): Part[] {
  const seen = wordsSeen(text);
  const rule = judge.commands("deny").find((rule) => isMentioned(rule, seen));
  return rule
    ? [
        wholeText({
          behavior: "deny",
          layer: "deny",
          rule: rule.rule.text,
          reason: `the text cannot be read completely and mentions what ${rule.rule.text} denies`,
        }),
      ]
    : [];
}

function byRules(
  list: "deny" | "ask",
  command: SimpleCommand,
  judge: Judge,
): PartVerdict | undefined {
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
    if (match === "maybe" || mayHide(command, rule)) perhaps ??= rule;
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
