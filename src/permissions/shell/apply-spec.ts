// Applies a table entry to one command: its options, then its operands, then its own judge.
import { accessPieces, accessWord, complainExecuting } from "./access-word.ts";
import { ask, type Concern } from "./analysis.ts";
import { known, type Field } from "./field.ts";
import {
  access,
  accessPath,
  complain,
  complainOptions,
  complainWhole,
  listWildcards,
  writingOption,
  type JudgeContext,
} from "./judge-context.ts";
import { isHarmlessDevice } from "../paths/protected-names.ts";
import { judgeUnlisted } from "./judges/unlisted/judge-unlisted.ts";
import { judges } from "./judges/judges.ts";
import { hasDangerousOptions, strictTable } from "./options/compile-options.ts";
import {
  isFreeText,
  readOptions,
  type ReadOption,
  type ReadWords,
  hasOption,
} from "./read-options.ts";
import { accessOperands, addSuffix, touchAround } from "./access-operands.ts";
import type { CommandSpec, JudgeName } from "./tables/command-spec.ts";

/** Judges that read the options themselves, because the command has a grammar of its own. */
const readsOwnOptions: ReadonlySet<JudgeName> = new Set([
  "awk",
  "dd",
  "find",
  "gh",
  "jq",
  "ps",
  "sed",
  "shell",
  "source",
  "sqlite",
  "tar",
  "test",
]);

const noWords: ReadWords = { options: [], operands: [], open: [], firstOperand: 0 };

export function applySpec(spec: CommandSpec, context: JudgeContext): void {
  const before = context.findings.accesses.length;
  const read = applyWhole(spec, context);
  const suffix = read?.options.find(({ name }) => spec.suffixes?.split(" ").includes(name))?.value;
  if (suffix) addSuffix(context, suffix, before);
}

function applyWhole(spec: CommandSpec, context: JudgeContext): ReadWords | undefined {
  if (spec.onlyText) {
    listWildcards(context, context.args);
    return undefined;
  }
  if (spec.asks) complainAlways(context, spec.asks);
  if (spec.judge && readsOwnOptions.has(spec.judge)) {
    if (spec.sends) complainData(context);
    judges[spec.judge](context, noWords);
    return undefined;
  }
  const read = readOptions(context.args, spec.subcommands ? strictTable(spec) : spec);
  complainOptions(context, read);
  for (const option of read.options) applyOption(option, spec, context);
  touchAround(spec, context, read);
  if (spec.sends) complainData(context);
  const [open] = hasDangerousOptions(spec) ? read.open : [];
  if (open) complainOpen(context, open);
  if (spec.responseFiles) complainResponseFiles(context);
  if (spec.judge) judges[spec.judge](context, read);
  handOn(spec, context);
  applyWords(spec, context, read);
  return read;
}

function applyWords(spec: CommandSpec, context: JudgeContext, read: ReadWords): void {
  if (spec.launches) context.launch(context.args.slice(read.firstOperand));
  else if (spec.subcommands && read.operands[0]) applySubcommand(spec, context, read);
  else applyOperands(spec, context, read);
}

function complainAlways(context: JudgeContext, sentence: string): void {
  complainWhole(context, sentence);
  if (context.fed)
    complain(
      context,
      ask("dynamic-code", `${context.name} may run whatever it reads from its input.`),
    );
}

function complainOpen(context: JudgeContext, { raw }: Field): void {
  const sentence = `${raw} may turn into options of ${context.name} that run or write something.`;
  complain(context, ask("unknown-arguments", sentence));
}

/** The file holds options that nobody sees here. */
function complainResponseFiles(context: JudgeContext): void {
  for (const { value } of context.args) {
    if (!value || !/^@./.test(value)) continue;
    accessPath(context, value.slice(1), "read");
    complain(
      context,
      ask("executing-option", `${context.name} takes options from ${value.slice(1)}.`, [value]),
    );
  }
}

/** `npm test -- --exec x`: behind `--` stand words of a program that the table names, or of an unknown one. */
function handOn({ handsOn }: CommandSpec, context: JudgeContext): void {
  const at = context.args.findIndex((field) => field.value === "--");
  if (at < 0) return;
  const words = context.args.slice(at + 1);
  if (handsOn) context.launch([known(handsOn), ...words]);
  else words.forEach((field, index) => complainExecuting(context, field, words[index + 1]));
}

/** What is only known at run time leaves with the request. */
function complainData(context: JudgeContext): void {
  const field = context.args.find((item) => item.value === null && !item.word && !item.values);
  if (field)
    complain(
      context,
      ask("network", `${context.name} sends ${field.raw}, which is only known at run time.`),
    );
}

/** A name of the program's own: anything that could be a file or a package is code. */
const ownName = /^[A-Za-z][A-Za-z\d]*(?:,[A-Za-z][A-Za-z\d]*)*$/;

function applyOption(option: ReadOption, spec: CommandSpec, context: JudgeContext): void {
  const isHarmless = spec.harmless?.[option.name]?.test(option.value?.value ?? "") === true;
  for (const concern of isHarmless ? [] : concernsOf(option, context.name))
    complain(context, concern);
  const { roles, value, words } = option;
  // Whatever it is for, a file that is named there is opened.
  if (roles.has("runs") && (value ?? words[1])) accessWord(context, value ?? known(words[1]!));
  if (value) touchValue(context, option, { value, isHarmless });
}

function touchValue(
  context: JudgeContext,
  { roles, name, guessed }: ReadOption,
  { value, isHarmless }: { value: Field; isHarmless: boolean },
): void {
  // Of a folder, what lies in it.
  if (roles.has("reads")) access(context, value, { kind: "read", recursive: true });
  if (roles.has("makes") || (roles.has("writes") && !isHarmless))
    access(context, value, { kind: "write", recursive: false, rulesBelow: true });
  // `--set-file key=path`
  if (!roles.has("valued")) accessPieces(context, value);
  if (roles.has("lists")) access(context, value, "list");
  // A value that is no file for all we know is still looked at: it may be one.
  const isText = roles.size === 0 || roles.has("valued") || roles.has("names");
  if (!((isText && !isFreeText(name)) || guessed)) return;
  const { opensFiles } = context.command;
  accessWord(context, value);
  context.command.opensFiles = opensFiles;
}

/** What speaks against the option, by what it or its value means. */
function concernsOf({ roles, value, words, name }: ReadOption, command: string): Concern[] {
  const option = `${command} ${name}`;
  const found: Concern[] = [];
  if (roles.has("runs"))
    found.push(
      ask(
        "executing-option",
        `${option} can run a program or change where code comes from.`,
        words,
      ),
    );
  if (roles.has("edits")) {
    const code = roles.has("writes") ? "writing-option" : "editing-option";
    found.push(ask(code, `${option} writes files.`, [words[0]!]));
  } else if (roles.has("writes") && value && !isHarmlessDevice(value.value ?? ""))
    found.push(writingOption(command, { name, words }));
  if (roles.has("changes"))
    found.push(ask("writing-option", `${option} changes more than it shows.`, [words[0]!]));
  if (roles.has("code"))
    found.push(ask("interpreter", `${option} runs the text that follows.`, [words[0]!]));
  if (roles.has("names") && value && !ownName.test(value.value ?? ""))
    found.push(ask("executing-option", `${option} can load code of that name.`, words));
  return found;
}

function applySubcommand(spec: CommandSpec, context: JudgeContext, read: ReadWords): void {
  const sub = read.operands[0]!;
  if (sub.value === null)
    return complain(
      context,
      ask(
        "unknown-arguments",
        `Which ${context.name} command ${sub.raw} stands for is only known at run time.`,
      ),
    );
  const chosen = subcommandOf(spec, sub.value);
  if (!chosen && spec.operands === "read") {
    const { subcommands: _, ...plain } = spec;
    return applySpec(plain, context);
  }
  if (!chosen) {
    complain(
      context,
      ask("unknown-option", `${context.name} ${sub.value} is not a command that is known.`, [
        sub.value,
      ]),
    );
    return applyUnknownWords(context, context.args.slice(context.args.indexOf(sub) + 1));
  }
  if (chosen.spelled) complain(context, ask("executing-option", chosen.spelled, [sub.value]));
  const args = context.args.slice(context.args.indexOf(sub) + 1);
  const directory = read.options.find(
    (option) => option.name === "-C" && option.roles.has("lists"),
  )?.value;
  const scope = directory
    ? { ...context.scope, cwds: directory.value?.startsWith("/") ? [directory.value] : null }
    : context.scope;
  applySpec(chosen, { ...context, args, scope });
}

/** Behind a command that no table knows no option is known either. */
function applyUnknownWords(context: JudgeContext, fields: Field[]): void {
  judgeUnlisted(context, fields);
  for (const { value } of fields)
    if (value !== null && /^-./.test(value) && value !== "--")
      complain(
        context,
        ask("unknown-option", `${context.name}: ${value} is not an option that is known.`, [value]),
      );
}

function subcommandOf(
  { subcommands, others, otherNames }: CommandSpec,
  name: string,
): CommandSpec | undefined {
  if (subcommands && Object.hasOwn(subcommands, name)) return subcommands[name];
  const isListed =
    otherNames === "any"
      ? /^[A-Za-z.@][\w:./@-]*$/.test(name)
      : otherNames?.split(" ").includes(name);
  return isListed ? others : undefined;
}

function applyOperands(spec: CommandSpec, context: JudgeContext, read: ReadWords): void {
  const has = (list: string | undefined): boolean => hasOption(read, list);
  if (spec.changesTree) changeTree(context, read);
  const recursive = spec.recursive === "always" || has(spec.recursive);
  // A wildcard where a pattern is meant becomes the names of files.
  const skip = spec.skipFirst && !has(spec.skipUnless) && !read.operands[0]?.glob ? 1 : 0;
  const given = read.operands.slice(skip);
  const operands =
    given.length > 0 ? given : impliedOperands(spec, { recursive, fed: context.fed });
  const target = read.options.find((option) => isTarget(option));
  const plan = {
    recursive,
    follows: spec.follows === "always" ? recursive : has(spec.follows),
    hasTarget: target !== undefined,
    folder: target?.value,
  };
  const rule = has(spec.checks) ? "read" : (spec.operands ?? "unknown");
  accessOperands(context, operands, { rule, ...plan });
  const meant = operands.length > 0 ? operands : [known(".")];
  if (has(spec.shows)) accessOperands(context, meant, { ...plan, rule: "read", recursive: true });
  // An option that makes a reading command write makes it write what it reads.
  if (read.options.some((option) => option.roles.has("edits") && !option.roles.has("writes")))
    accessOperands(context, meant, { ...plan, rule: "format" });
}

function changeTree(context: JudgeContext, read: ReadWords): void {
  accessPath(context, ".", { kind: "write", recursive: false, rulesBelow: true });
  // A new branch begins with the files that are there.
  if (read.operands.length > 0 || !hasOption(read, "-b -c --create"))
    context.command.replacesTree = true;
}

/** What is meant where no operand is written. */
function impliedOperands(
  { fallback, operands = "unknown" }: CommandSpec,
  { recursive, fed }: { recursive: boolean; fed: boolean },
): Field[] {
  const isImplied = recursive || /^(?:list|write|format)$/.test(operands);
  return fallback !== undefined && isImplied && !(fed && operands === "read")
    ? [known(fallback)]
    : [];
}

const isTarget = ({ name, guessed }: ReadOption): boolean =>
  !guessed && (name === "-t" || name === "--target-directory");
