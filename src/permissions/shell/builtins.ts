// Builtins: those that run text, name variables, change directory or change the shell itself.
import { ask, type Concern } from "./analysis.ts";
import { checkVariable } from "./tables/check-variable.ts";
import type { Field } from "./field.ts";
import {
  access,
  complain,
  complainWhole,
  listWildcards,
  type JudgeContext,
} from "./judge-context.ts";
import { readOptions } from "./read-options.ts";
import { resolvePath } from "./scope.ts";
import {
  declaringBuiltins,
  harmlessSetOptions,
  namingBuiltins,
  riskyBuiltins,
} from "./tables/builtins.ts";

const listedName = /^[A-Za-z_]\w*$/;

const ownJudges: Readonly<Record<string, (context: JudgeContext) => void>> = {
  cd: changeDirectory,
  pushd: changeDirectory,
  popd: changeDirectory,
  eval: runEval,
  trap: judgeTrap,
  let: judgeLet,
  set: judgeSet,
  shopt: judgeSet,
  printf: judgePrintf,
  hash: judgeHash,
};

/** True when `name` is a builtin that was dealt with here. */
export function judgeBuiltin(context: JudgeContext): boolean {
  const { name } = context;
  if (Object.hasOwn(riskyBuiltins, name)) complain(context, ask("builtin", riskyBuiltins[name]!));
  else if (Object.hasOwn(namingBuiltins, name)) judgeNames(context, namingBuiltins[name]!);
  else if (declaringBuiltins.has(name)) judgeDeclaration(context);
  else if (Object.hasOwn(ownJudges, name)) ownJudges[name]!(context);
  else return false;
  return true;
}

function judgeHash(context: JudgeContext): void {
  const changesNames = ({ value }: Field): boolean => value === null || /^-[a-z]*p/.test(value);
  if (context.args.some(changesNames))
    complainWhole(context, "hash -p changes which program a name means.");
}

function judgeNames(context: JudgeContext, table: { valued: string; code?: string }): void {
  const read = readOptions(context.args, table);
  for (const option of read.options) {
    if (option.roles.has("code"))
      complain(
        context,
        ask("dynamic-code", `${context.name} ${option.name} runs a command for each line.`),
      );
    if ((option.name === "-a" || (option.name === "-p" && context.name === "wait")) && option.value)
      checkName(context, option.value);
  }
  const names =
    context.name === "getopts"
      ? read.operands.slice(1, 2)
      : context.name === "wait"
        ? []
        : read.operands;
  names.forEach((field) => checkName(context, field));
  if (context.name === "unset") context.scope.functions.clear();
}

function checkName(context: JudgeContext, field: Field): void {
  const name = field.value;
  if (name === null || !listedName.test(name))
    return complain(
      context,
      ask("arithmetic", `${context.name} evaluates ${field.raw}, which can run commands.`),
    );
  const concern = checkVariable(name, null, false);
  // Reading into REPLY or MAPFILE is what they are for.
  if (concern && !/^(?:REPLY|MAPFILE|OPT\w+)$/.test(name)) complain(context, concern);
}

/** `declare -i`, `-n` and subscripts evaluate; `export` and `-x` hand the value on. */
function judgeDeclaration(context: JudgeContext): void {
  const flags = context.args.flatMap(({ value }) => (/^[-+]./.test(value ?? "") ? [value!] : []));
  for (const field of context.args)
    if (field.value === null || !/^[-+]/.test(field.value)) judgeDeclared(context, field, flags);
}

function judgeDeclared(context: JudgeContext, field: Field, flags: string[]): void {
  const has = (letter: string) =>
    flags.some((flag) => flag.startsWith("-") && flag.includes(letter));
  const text = field.value ?? field.raw;
  const [, name, value] = /^([A-Za-z_]\w*)(?:\[\d*\])?\+?(?:=([^]*))?$/.exec(text) ?? [];
  const isOpen = field.open && !/^[A-Za-z_]\w*=/.test(text);
  if (!name || isOpen)
    return complain(
      context,
      ask("arithmetic", `${context.name} evaluates ${field.raw}, which can run commands.`),
    );
  const exported = context.name === "export" || has("x");
  const given = field.value === null ? null : (value ?? null);
  const concern = checkVariable(name, given, exported && !has("n"));
  if (concern && !(exported && value === undefined && flags.length)) complain(context, concern);
  const evaluated = evaluates({
    context,
    name,
    value,
    flags,
    isNumber: has("i"),
    isName: has("n"),
  });
  if (evaluated) complain(context, evaluated);
}

/** `declare -i` makes arithmetic of every later value, `declare -n` a name of the value. */
function evaluates(declared: {
  context: JudgeContext;
  name: string;
  value: string | undefined;
  flags: string[];
  isNumber: boolean;
  isName: boolean;
}): Concern | undefined {
  const { name, value, isNumber, isName } = declared;
  const command = `${declared.context.name} ${declared.flags.join(" ")}`;
  if (value === undefined)
    return isNumber
      ? ask("arithmetic", `${command} makes later values of ${name} arithmetic.`)
      : undefined;
  return (isNumber || isName) && !/^-?\d+$/.test(value)
    ? ask("arithmetic", `${command} evaluates the value of ${name}.`)
    : undefined;
}

/** Folders below folders that are followed; each is looked up on disk, with all above it. */
const maxFolders = 40;

function changeDirectory(context: JudgeContext): void {
  const operands = context.args.filter((field) => !/^-(?:[LPen@]+|-)$/.test(field.value ?? ""));
  const [target] = operands;
  const places =
    operands.length > 1 || isStackMove(context, target) || isElsewhere(target)
      ? [null]
      : placesOf(context, target);
  if (places.some((place) => place === null || place.split("/").length > maxFolders)) {
    context.scope.cwds = null;
    return listFolder(context, null);
  }
  if (target) access(context, target, "list");
  else listFolder(context, context.findings.home);
  context.scope.cwds =
    target?.glob || places.length > 4 ? null : (places as string[]).map(withoutTrailingSlash);
}

/** `popd`, `pushd -n`, `pushd` alone, which swaps two folders: where that leads is not followed. */
const isStackMove = ({ name, args }: JudgeContext, target: Field | undefined): boolean =>
  name === "popd" ||
  (name === "pushd" && (target === undefined || args.some((field) => field.value === "-n")));

const isElsewhere = (target: Field | undefined): boolean =>
  target !== undefined && (/^[-+]/.test(target.value ?? "") || !target.values || target.open);

const placesOf = ({ findings, scope }: JudgeContext, target: Field | undefined) =>
  (target ? target.values! : [findings.home]).flatMap((value) => resolvePath(value, scope));

const listFolder = ({ findings, name }: JudgeContext, path: string | null): void =>
  void findings.accesses.push({
    path,
    kind: "list",
    glob: false,
    recursive: false,
    from: "operand",
    via: path === null ? name : "cd",
  });

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
}

function runEval(context: JudgeContext): void {
  complain(context, ask("dynamic-code", "eval runs text as a command."));
  const fields = context.args[0]?.value === "--" ? context.args.slice(1) : context.args;
  if (fields.every((field) => field.value !== null))
    context.runText(fields.map((field) => field.value).join(" "), context.scope);
}

function judgeTrap(context: JudgeContext): void {
  const fields = context.args.filter((field) => field.value !== "--");
  const [action] = fields;
  if (!action || fields.length < 2 || /^-[lp]*$/.test(action.value ?? "x")) return;
  if (action.value === null)
    return complain(context, ask("dynamic-code", "What trap runs is only known at run time."));
  // The directory at that time is anybody's guess.
  context.runText(action.value, { ...context.scope, cwds: null });
}

function judgeLet(context: JudgeContext): void {
  for (const field of context.args) {
    const name = /^([A-Za-z_]\w*)(?:\+\+|--|[-+*/%]?=\d+)$/.exec(field.value ?? "")?.[1];
    const concern =
      name === undefined
        ? ask("arithmetic", `let evaluates ${field.raw}, which can run commands.`)
        : checkVariable(name, null, false);
    if (concern) complain(context, concern);
  }
}

function judgeSet(context: JudgeContext): void {
  const harmless =
    context.name === "set" &&
    context.args.every((field) => field.value !== null && harmlessSetOptions.test(field.value));
  if (!harmless)
    complainWhole(context, `${context.name} changes how the shell reads what follows.`);
  else if (context.args.length) context.command.transparent = true;
}

/** `printf -v name` evaluates a subscript in the name. */
function judgePrintf(context: JudgeContext): void {
  listWildcards(context, context.args);
  const [first, second] = context.args;
  if (first?.value === "-v")
    complain(context, ask("builtin", "printf -v sets a variable.", ["-v"]));
  if (first?.value === "-v" && second) checkName(context, second);
  else if (first?.value?.startsWith("-v"))
    complain(context, ask("arithmetic", "printf -v evaluates a subscript in the name."));
  if (first?.open)
    complain(context, ask("unknown-arguments", `${first.raw} may turn into an option of printf.`));
}
