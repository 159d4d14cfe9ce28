// bypassPermissions allows what nothing speaks against; here a suspicion is enough. A text may hide
// a refused command, and a name that
// is made when it runs, or stands in a script, may be a protected file.
import type { Judge } from "../judge.ts";
import { onceFor } from "../once-for.ts";
import { accessOf } from "../paths/access.ts";
import { refuseAccess } from "../paths/refuse-access.ts";
import { protectedReason } from "../paths/protected-names.ts";
import { normalise } from "../paths/written-path.ts";
import type { ShellAnalysis, SimpleCommand } from "../shell/analysis.ts";
import { readPlain } from "../plain/read-plain.ts";
import { isKnownCommand } from "../shell/tables/commands.ts";
import { familyOf } from "../shell/tables/family-of.ts";
import { baseName, concernsCommand, isFlag, type CommandRule } from "./command-rule.ts";
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
  const isRefused = judge.paths("deny").length + judge.paths("ask").length > 0;
  const unseen = isRefused && accesses.find(({ path, kind }) => path === null && kind !== "list");
  if (unseen) return `${unseen.via} touches a file whose name is only known when it runs`;
  const isClear =
    concerns.length === 0 &&
    commands.every((item) => item.concerns.length === 0) &&
    readPlain(text).script;
  if (isClear) return undefined;
  const named = heldWord(text, judge) ?? mentionedRule(text, judge);
  return named && `the text names ${named}, and what it does with it is not known`;
}

/** A rule that refuses commands, all of whose words stand in the text, in a here-document too. */
function mentionedRule(text: string, judge: Judge): string | undefined {
  const seen = wordsSeen(text);
  return [...judge.commands("deny"), ...judge.commands("ask")].find(
    (rule) => rule.kind !== "all" && isMentioned(rule, seen),
  )?.rule.text;
}

/** What runs is not known before it runs. */
const isDynamic = ({ name, argv }: SimpleCommand): boolean => name === null || argv.includes(null);

/** The paths that words of the text may name, quotes and brackets gone. */
function namedPaths(text: string, cwd: string): Map<string, string> {
  const words = text.slice(0, 50_000).split(/[\s'"`;&|(){}<>=,:$\\[\]]+/);
  return new Map(
    words
      .filter((word) => word !== "" && !word.startsWith("-"))
      .map((word) => [word, normalise(word.startsWith("/") ? word : `${cwd}/${word}`)]),
  );
}

/** A word of the text that is a protected file, or else one that a rule refuses. */
export function heldWord(text: string, judge: Judge): string | undefined {
  const { cwd, protectedPaths } = judge.policy.workspace;
  const named = namedPaths(text, cwd);
  for (const [word, path] of named)
    if (protectedReason(path, protectedPaths) !== undefined && path !== normalise(`${cwd}/.git`))
      return word;
  if (judge.paths("deny").length + judge.paths("ask").length === 0) return undefined;
  for (const [word, path] of named) {
    const access = accessOf({ raw: path, kind: "unknown", from: "operand" }, judge);
    if (path.length < 4_096 && refuseAccess(access, judge) !== undefined) return word;
  }
  return undefined;
}

const maxSeenCharacters = 2_000_000;

/** The words of a text that could not be taken apart, quotes and escapes gone. */
export function wordsSeen(text: string): Set<string> {
  const plain = text.slice(0, maxSeenCharacters).replace(/\\\n|['"\\]/g, "");
  const words = plain.split(/[\s;&|(){}[\]<>`$=!,]+/);
  // `EXEC:touch`, `pip.main`: behind a colon or a dot may begin another word.
  const parts = words.filter((word) => /[:.]/.test(word)).flatMap((word) => word.split(/[:.]/));
  return new Set([...new Set([...words, ...parts])].map((word) => familyOf(baseName(word))));
}

/** For such a text: true when the rule's command and operands are among its words. */
export function isMentioned(rule: CommandRule, seen: ReadonlySet<string>): boolean {
  if (rule.kind === "all") return true;
  const wanted = rule.words.filter((word) => !isFlag(word) && !word.includes("*"));
  return wanted.length > 0 && wanted.every((word) => seen.has(familyOf(baseName(word))));
}

const opaque: ReadonlySet<string> = new Set([
  "executing-option",
  "unknown-option",
  "dynamic-code",
  "interpreter",
  "script",
]);

/** It runs text of its own, or nobody knows what its words mean to it. */
export const isOpaque = ({ concerns }: SimpleCommand): boolean =>
  concerns.some(({ code }) => opaque.has(code));

/** The command may run what the rule is about: as a text of its own, or as one more wrapper. */
export const mayHide = (command: SimpleCommand, rule: CommandRule): boolean =>
  rule.kind !== "all" &&
  ((isOpaque(command) &&
    (isMentioned(rule, wordsOfCommand(command)) || spelledOut.test(command.text))) ||
    handedOn(command).some((inner) => concernsCommand(rule, inner) === "yes"));

const wordsOfCommand = onceFor(({ text }: SimpleCommand) => wordsSeen(text));

/** `\x74ouch`: what a program of its own makes of it, its letters do not say. */
const spelledOut = /\\(?:x[\da-f]|u[\da-f{]|U[\da-f]|[0-7]{2,3}|N\{)/i;

const maxHandedOn = 8;

/** The words behind a program that no table knows, each as the command that it may start. */
const handedOn = onceFor(({ name, argv }: SimpleCommand) =>
  name === null || isKnownCommand(name)
    ? []
    : argv.slice(1, maxHandedOn).flatMap((word, at) => {
        if (word === null || word.startsWith("-")) return [];
        const words = argv.slice(at + 1).filter((item) => item !== "--");
        const text = words.map((item) => item ?? "…").join(" ");
        const name = word.slice(word.lastIndexOf("/") + 1);
        return [{ argv: words, name, text, bareText: text }];
      }),
);
