// Builtins: those that run text, name variables, change directory or change the shell itself.
import { ask } from "./analysis.ts";
import { checkVariable } from "./tables/check-variable.ts";
import type { Field } from "./field.ts";
import { access, complain, complainWhole, type JudgeContext } from "./judge-context.ts";
import { readOptions } from "./read-options.ts";
import { resolvePath } from "./scope.ts";
import {
  declaringBuiltins,
  harmlessSetOptions,
  namingBuiltins,
  riskyBuiltins,
} from "./tables/builtins.ts";

const plainName = /^[A-Za-z_]\w*$/;

/** True when `name` is a builtin that was dealt with here. */
export function judgeBuiltin(context: JudgeContext): boolean {
  const { name } = context;
  if (Object.hasOwn(riskyBuiltins, name)) complain(context, ask("builtin", riskyBuiltins[name]!));
  else if (Object.hasOwn(namingBuiltins, name)) judgeNames(context, namingBuiltins[name]!);
  else if (declaringBuiltins.has(name)) judgeDeclaration(context);
  else if (name === "cd" || name === "pushd" || name === "popd") changeDirectory(context);
  else if (name === "eval") runEval(context);
  else if (name === "trap") judgeTrap(context);
  else if (name === "let") judgeLet(context);
  else if (name === "set" || name === "shopt") judgeSet(context);
  else if (name === "printf") return judgePrintf(context);
  else if (name === "hash")
    context.args.forEach(
      (field) =>
        (field.value === null || /^-[a-z]*p/.test(field.value)) &&
        complainWhole(context, "hash -p changes which program a name means."),
    );
  else return false;
  return true;
}

function judgeNames(
  context: JudgeContext,
  { valued, code }: { valued: string; code?: string },
): void {
  const read = readOptions(context.args, { valued, ...(code ? { code } : {}) });
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
  if (name === null || !plainName.test(name))
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
  const flags = context.args
    .filter((field) => /^[-+]./.test(field.value ?? ""))
    .map((field) => field.value!);
  const has = (letter: string) =>
    flags.some((flag) => flag.startsWith("-") && flag.includes(letter));
  const exported = context.name === "export" || has("x");
  for (const field of context.args) {
    if (field.value !== null && /^[-+]/.test(field.value)) continue;
    const text = field.value ?? field.raw;
    const [, name, subscript, value] =
      /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?(?:=([^]*))?$/.exec(text) ?? [];
    if (
      !name ||
      (subscript && !/^\[\d*\]$/.test(subscript)) ||
      (field.open && !/^[A-Za-z_]\w*=/.test(text))
    ) {
      complain(
        context,
        ask("arithmetic", `${context.name} evaluates ${field.raw}, which can run commands.`),
      );
      continue;
    }
    const concern = checkVariable(
      name,
      field.value === null ? null : (value ?? null),
      exported && !has("n"),
    );
    if (concern && !(exported && value === undefined && flags.length)) complain(context, concern);
    if (has("n") || has("i")) {
      if (value === undefined && has("i"))
        complain(
          context,
          ask(
            "arithmetic",
            `${context.name} ${flags.join(" ")} makes later values of ${name} arithmetic.`,
          ),
        );
      if (value !== undefined && !/^-?\d+$/.test(value))
        complain(
          context,
          ask("arithmetic", `${context.name} ${flags.join(" ")} evaluates the value of ${name}.`),
        );
    }
  }
}

function changeDirectory(context: JudgeContext): void {
  const operands = context.args.filter((field) => !/^-(?:[LPen@]+|-)$/.test(field.value ?? ""));
  const [target] = operands;
  const stays = context.name === "pushd" && context.args.some((field) => field.value === "-n");
  if (
    context.name === "popd" ||
    operands.length > 1 ||
    stays ||
    (target && (/^[-+]/.test(target.value ?? "") || !target.values || target.open))
  ) {
    context.scope.cwds = null;
    context.findings.accesses.push({
      path: null,
      kind: "list",
      glob: false,
      recursive: false,
      from: "operand",
      via: context.name,
    });
    return;
  }
  if (!target && context.name === "pushd") return;
  const values = target ? target.values! : [context.findings.home];
  if (target) access(context, target, "list");
  else
    context.findings.accesses.push({
      path: context.findings.home,
      kind: "list",
      glob: false,
      recursive: false,
      from: "operand",
      via: "cd",
    });
  const places = values.flatMap((value) => resolvePath(value, context.scope));
  context.scope.cwds =
    target?.glob || places.includes(null) || places.length > 4
      ? null
      : (places as string[]).map(withoutTrailingSlash);
}

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
function judgePrintf(context: JudgeContext): boolean {
  const [first, second] = context.args;
  if (first?.value === "-v")
    complain(context, ask("builtin", "printf -v sets a variable.", ["-v"]));
  if (first?.value === "-v" && second) checkName(context, second);
  else if (first?.value?.startsWith("-v"))
    complain(context, ask("arithmetic", "printf -v evaluates a subscript in the name."));
  if (first?.open)
    complain(context, ask("unknown-arguments", `${first.raw} may turn into an option of printf.`));
  return true;
}
