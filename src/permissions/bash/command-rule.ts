// Bash rules against one simple command. Allow rules compare the text with word boundaries; deny
// and ask rules look wider, so that a flag's place or a path before the name hides nothing.
import type { ParsedRule } from "../../base/parse-rule.ts";
import { onceFor } from "../once-for.ts";
import type { Concern, SimpleCommand } from "../shell/analysis.ts";
import { specOf } from "../shell/tables/commands.ts";
import { familyOf } from "../shell/tables/family-of.ts";
import { goesBeyond } from "./goes-beyond.ts";
import { mayMean, takenBack } from "./taken-back.ts";
import { isUnknownSubcommand, usualWords, withoutRun } from "./usual-words.ts";

export type CommandRule = {
  rule: ParsedRule;
  kind: "all" | "prefix" | "exact" | "wildcard";
  text: string;
  words: string[];
};

/** `x:*` and `x *` are prefixes with a word boundary, other stars any text, the rest is exact. */
export function compileCommandRule(rule: ParsedRule): CommandRule {
  const given = plainGit(squeeze(rule.specifier ?? "*"));
  if (given === "*" || given === "**") return { rule, kind: "all", text: "", words: [] };
  const isPrefix = given.endsWith(":*") || given.endsWith(" *");
  const text = isPrefix ? given.slice(0, -2).trimEnd() : given;
  const kind = text.includes("*") ? "wildcard" : isPrefix ? "prefix" : "exact";
  const whole = kind === "wildcard" ? given.replace(/:\*$/, " *") : text;
  return { rule, kind, text: whole, words: wordsOf(whole) };
}

/**
 * Options of git that only change how it shows things; they stand before the subcommand and hide it
 * from prefix rules.
 */
const plainGit = (text: string): string =>
  text.replace(/^git(?: (?:--no-pager|-P|--no-optional-locks|--literal-pathspecs))+(?= |$)/, "git");

const squeeze = (text: string): string => text.trim().replace(/[ \t]+/g, " ");

/** Words of a rule, quotes gone where they stand around a whole word. */
const wordsOf = (text: string): string[] =>
  text.split(" ").map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));

/** True when the rule allows this command as it is written. */
export function allows(rule: CommandRule, command: Pick<SimpleCommand, "text" | "argv">): boolean {
  const text = plainGit(command.text);
  if (rule.kind === "all" || rule.kind === "exact") return matchesText(rule, text);
  const matches =
    rule.kind === "wildcard" ? allowsWildcard(rule.text, text) : matchesText(rule, text);
  return (
    matches &&
    takenBack(rule.words, command.argv) === undefined &&
    !goesBeyond(rule.words, command.argv)
  );
}

const climbs = (text: string): boolean => /(?:^|[\s/='"])\.\.(?:[\s/'"]|$)/.test(text);

/**
 * What a star stands for is narrower in a permission: no way out of a folder, no other host, and at
 * the start one command and no words of it.
 */
function allowsWildcard(pattern: string, text: string): boolean {
  if (!keepsHost(pattern, text) || (climbs(text) && !climbs(pattern))) return false;
  return pattern.startsWith("* ")
    ? wildcard(narrow(pattern.slice(2)), text.replace(/^\S+ ?/, ""))
    : wildcard(narrow(pattern), text);
}

/** Stands for any text within a word: no blank, and at the word's beginning no dash. */
const withinWord = "\u0001";

/** A star inside a word stays inside it, unless it ends the pattern. */
const narrow = (pattern: string): string =>
  pattern.replaceAll(/\*+(?=\S)|(?<=[^\s*])\*+(?!$)/g, withinWord);

/** A star right behind a host (`https://api.example.com*`) does not make it another host. */
function keepsHost(pattern: string, text: string): boolean {
  const head = /\w+:\/\/[^\s/*?#'"]+(?=\*)/.exec(pattern)?.[0];
  if (head === undefined) return true;
  const at = text.indexOf(head);
  return at < 0 || /^(?:$|[\s/?#'"])/.test(text.slice(at + head.length));
}

function matchesText({ kind, text: wanted }: CommandRule, text: string): boolean {
  if (kind === "all") return true;
  if (kind === "exact") return sameText(text, wanted);
  if (kind === "wildcard") return wildcard(wanted, text);
  return sameText(text, wanted) || startsWithText(text, `${wanted} `);
}

/**
 * Rules are written with either kind of quotes; the analysis writes single ones where they are
 * needed.
 */
const sameText = (text: string, wanted: string): boolean =>
  text === wanted ||
  ((text.includes('"') || wanted.includes('"')) && unquoted(text) === unquoted(wanted));
const startsWithText = (text: string, wanted: string): boolean =>
  text.startsWith(wanted) || (/['"]/.test(wanted) && unquoted(text).startsWith(unquoted(wanted)));
const unquoted = (text: string): string => text.replaceAll(/"([^"'$`\\]*)"/g, "'$1'");

/**
 * One star of each kind is remembered at a time: linear for the patterns people write, never
 * exponential. A final ` *` may stand for nothing.
 */
function wildcard(pattern: string, text: string): boolean {
  const optional = pattern.endsWith(" *") && wildcard(pattern.slice(0, -2), text);
  if (optional) return true;
  let [p, t] = [0, 0];
  let narrowStar: Star | undefined;
  let wideStar: Star | undefined;
  while (t < text.length) {
    if (pattern[p] === "*") [wideStar, narrowStar] = [{ p: p++, t }, undefined];
    else if (pattern[p] === withinWord) narrowStar = { p: p++, t };
    else if (pattern[p] === text[t]) [p, t] = [p + 1, t + 1];
    else {
      const star: Star | undefined =
        narrowStar && staysInWord(text, narrowStar.t) ? narrowStar : wideStar;
      if (!star) return false;
      if (star === wideStar) narrowStar = undefined;
      [p, t] = [star.p + 1, ++star.t];
    }
  }
  while (pattern[p] === "*" || pattern[p] === withinWord) p++;
  return p === pattern.length;
}

type Star = { p: number; t: number };

const staysInWord = (text: string, at: number): boolean =>
  !/\s/.test(text[at]!) && !(text[at] === "-" && (at === 0 || text[at - 1] === " "));

/**
 * True when the rule's fixed words name all that the concern is about: a person who wrote them knew
 * what they do. An exact rule names every word of the command, but no variable before it; a rule for
 * every command names everything.
 */
export function names(rule: CommandRule, { code, covers, among }: Concern): boolean {
  if (among && !among.some((word) => rule.words.includes(word))) return true;
  if (covers === undefined) return false;
  if (rule.kind === "all" || (rule.kind === "exact" && code !== "assignment")) return true;
  return covers.every((word) => rule.words.includes(word));
}

/** `make test lint`: one rule names the one word, another the other. */
export function namesTogether(rules: readonly CommandRule[], { among }: Concern): boolean {
  const [first] = rules;
  return (
    among !== undefined &&
    among.every((word) =>
      rules.some((rule) => rule.words[0] === first?.words[0] && rule.words.includes(word)),
    )
  );
}

export type Match = "yes" | "maybe" | "no";

type Spoken = Pick<SimpleCommand, "argv" | "name" | "text" | "bareText">;

/**
 * Whether a deny or ask rule speaks about this command; `maybe` where a word is only known when it
 * runs.
 */
export function concernsCommand(rule: CommandRule, command: Spoken): Match {
  if (matchesText(rule, command.text) || matchesText(rule, command.bareText)) return "yes";
  if (rule.kind !== "prefix")
    return command.name === null || matchesAnyCase(rule, command.text) ? "maybe" : "no";
  if (command.name === null) return "maybe";
  const [ruleProgram, rest] = usualRule(rule);
  const [program, args] = usualCommand(command);
  if (ruleProgram !== program) return "no";
  const forms = (words: Words): Words[] =>
    [words, withoutRun(program, words)].filter((form) => form !== undefined);
  const matches = forms(rest).flatMap((wanted) =>
    forms(args).map((given) => concernsWords(wanted as string[], given)),
  );
  if (matches.includes("yes")) return "yes";
  if (matches.includes("maybe") || hasOtherForm(rest as string[], program, args)) return "maybe";
  if (namesAmong(rest as string[], program, args)) return "maybe";
  return rest.some((word) => !isFlag(word!)) && isUnknownSubcommand(program, args) ? "maybe" : "no";
}

const usualRule = onceFor(({ words: [name, ...words] }: CommandRule) =>
  usualWords(familyOf(baseName(name!)), words),
);
const usualCommand = onceFor(({ name, argv }: Spoken) =>
  usualWords(familyOf(name!), argv.slice(1)),
);

/** SQL and some file systems do not tell large letters from small ones. */
const matchesAnyCase = (rule: CommandRule, text: string): boolean =>
  rule.kind === "wildcard" &&
  wildcard(rule.text.toLowerCase(), text.toLowerCase().replaceAll(/['"]/g, " "));

type Words = readonly (string | null)[];

/** `git push origin +main` where `--force` is refused: each option is given, or what may mean it. */
function hasOtherForm(rest: string[], program: string, args: Words): boolean {
  const flags = rest.filter(isFlag);
  const known = args.filter((word) => word !== null);
  return (
    flags.length > 0 &&
    flags.every((flag) => hasFlags([flag], known) || mayMean(flag, program, args)) &&
    hasOperands(rest, args, { dynamic: false })
  );
}

/**
 * `make test deploy`, `kubectl get pods,secrets`, `git push origin HEAD:main`: what the rule names
 * stands further back, or is a part of a word. Where a program has subcommands, the first is one.
 */
function namesAmong(rest: string[], program: string, args: Words): boolean {
  const known = args.filter((word) => word !== null);
  const given = known.filter((word) => !isFlag(word));
  const wanted = rest.filter((word) => !isFlag(word));
  const { subcommands, otherNames } = specOf(program) ?? {};
  // `git lfs push`, `npm run publish`
  if (wanted.length === 1 && args[args.indexOf(given[0]!) + 1] === wanted[0]) return true;
  const start = subcommands || otherNames ? given.indexOf(wanted[0]!) + 1 : 0;
  const others = wanted.slice(Math.min(start, 1));
  if (others.length === 0 || (start === 0 && (subcommands || otherNames))) return false;
  const parts = new Set(given.slice(start).flatMap(partsOfWord));
  return hasFlags(rest, known) && others.every((word) => parts.has(singular(word)));
}

const singular = (word: string): string => (word.length > 3 ? word.replace(/s$/, "") : word);

const partsOfWord = (word: string): string[] =>
  [
    word,
    word.replace(/^0+(?=\d)/, ""),
    ...word.split(/[,/:+]/).flatMap((part) => [part, part.split(".")[0]!]),
  ].map(singular);

function concernsWords(rest: string[], args: Words): Match {
  const known = args.filter((word) => word !== null);
  if (hasFlags(rest, known) && hasOperands(rest, args, { dynamic: false })) return "yes";
  return args.includes(null) && hasOperands(rest, args, { dynamic: true }) ? "maybe" : "no";
}

export const baseName = (word: string): string => word.slice(word.lastIndexOf("/") + 1) || word;

export const isFlag = (word: string): boolean =>
  word.startsWith("-") && word !== "-" && word !== "--";
const longOf: Record<string, string> = { r: "--recursive", R: "--recursive", f: "--force" };

/**
 * Every flag of the rule is given, in any place, joined or apart, long options also abbreviated or
 * with a value.
 */
function hasFlags(rule: string[], args: string[]): boolean {
  const given = args.filter(isFlag);
  const isGiven = (flag: string): boolean =>
    given.some(
      (word) =>
        word === flag ||
        word.startsWith(`${flag}=`) ||
        (word.startsWith("--") && word.length > 3 && flag.startsWith(word)),
    );
  const hasLetter = (letter: string): boolean =>
    given.some((word) => /^-[^-]/.test(word) && word.includes(letter, 1)) ||
    (longOf[letter] !== undefined && isGiven(longOf[letter]));
  return rule
    .filter(isFlag)
    .every(
      (flag) =>
        isGiven(flag) || (/^-[A-Za-z]+$/.test(flag) && Array.from(flag.slice(1)).every(hasLetter)),
    );
}

/**
 * The rule's other words come first among the command's other words; an option may have swallowed
 * one word each.
 */
function hasOperands(rule: string[], args: Words, { dynamic }: { dynamic: boolean }): boolean {
  const wanted = rule.filter((word) => !isFlag(word) && word !== "--");
  let states = new Set([0]);
  let afterOption = false;
  for (const word of args) {
    if (states.has(wanted.length)) return true;
    if (word !== null && isFlag(word)) {
      afterOption = true;
      continue;
    }
    const next = new Set<number>();
    for (const state of states) {
      if (word === null ? dynamic : word === wanted[state]) next.add(state + 1);
      if (afterOption || (word === null && dynamic)) next.add(state);
    }
    if (word === null && dynamic)
      for (let state = Math.min(...states); state <= wanted.length; state++) next.add(state);
    if (next.size === 0) return false;
    states = next;
    afterOption = false;
  }
  return states.has(wanted.length);
}
