// Applies a table entry to one command: its options, then its operands, then its own judge.
import { accessWord, judgeWord } from "./access-word.ts";
import { ask, type AccessKind } from "./analysis.ts";
import { known, type Field } from "./field.ts";
import { access, accessPath, complain, complainWhole, type JudgeContext } from "./judge-context.ts";
import { judges } from "./judges/judges.ts";
import {
  hasDangerousOptions,
  readOptions,
  type ReadOption,
  type ReadWords,
} from "./read-options.ts";
import type { CommandSpec } from "./tables/command-spec.ts";

export function applySpec(spec: CommandSpec, context: JudgeContext): void {
  if (spec.asks) complainWhole(context, spec.asks);
  if (spec.asks && context.fed)
    complain(
      context,
      ask("dynamic-code", `${context.name} may run whatever it reads from its input.`),
    );
  const read = readOptions(context.args, spec);
  for (const option of read.options) applyOption(option, spec, context);
  if (read.open.length && hasDangerousOptions(spec)) {
    complain(
      context,
      ask(
        "unknown-arguments",
        `${read.open[0]!.raw} may turn into options of ${context.name} that run or write something.`,
      ),
    );
  }
  if (spec.judge) judges[spec.judge](context, read);
  if (spec.launches) return context.launch(context.args.slice(read.firstOperand));
  if (spec.subcommands && read.operands[0]) applySubcommand(spec, context, read);
  else applyOperands(spec, context, read);
}

function applyOption(option: ReadOption, spec: CommandSpec, context: JudgeContext): void {
  const { roles, value, words, name } = option;
  const isHarmless = spec.harmless?.[name]?.test(value?.value ?? "") === true;
  if (roles.has("runs") && !isHarmless)
    complain(
      context,
      ask(
        "executing-option",
        `${context.name} ${name} can run a program or change where code comes from.`,
        words,
      ),
    );
  // Whatever it is for, a file that is named there is opened.
  if (roles.has("runs") && (value ?? words[1])) accessWord(context, value ?? known(words[1]!));
  if (roles.has("edits"))
    complain(context, ask("writing-option", `${context.name} ${name} writes files.`, [words[0]!]));
  if (roles.has("code"))
    complain(
      context,
      ask("interpreter", `${context.name} ${name} runs the text that follows.`, [words[0]!]),
    );
  if (
    roles.has("names") &&
    !/^[A-Za-z][A-Za-z\d]*(?:,[A-Za-z][A-Za-z\d]*)*$/.test(value?.value ?? "")
  )
    complain(
      context,
      ask("executing-option", `${context.name} ${name} can load code of that name.`, words),
    );
  if (!value) return;
  if (roles.has("reads")) access(context, value, "read");
  if (roles.has("writes")) access(context, value, "write");
  if (roles.has("lists")) access(context, value, "list");
  if (roles.size === 0 || option.guessed) accessWord(context, value);
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
  const table = spec.subcommands!;
  const chosen = Object.hasOwn(table, sub.value) ? table[sub.value] : undefined;
  if (!chosen) {
    if (!spec.foreign) return applyOperands(spec, context, read);
    complain(
      context,
      ask(
        "executing-option",
        `${context.name} ${sub.value} may be an alias or a foreign program.`,
        [sub.value],
      ),
    );
    return context.args
      .slice(context.args.indexOf(sub) + 1)
      .forEach((field, at, all) => judgeWord(context, field, all[at + 1]));
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

function applyOperands(spec: CommandSpec, context: JudgeContext, read: ReadWords): void {
  const has = (list: string | undefined) =>
    list !== undefined && read.options.some((option) => list.split(" ").includes(option.name));
  const recursive = spec.recursive === "always" || has(spec.recursive);
  const skip = spec.skipFirst && !has(spec.skipUnless) ? 1 : 0;
  let operands = read.operands.slice(skip);
  const implied =
    spec.fallback !== undefined &&
    (recursive || spec.operands === "list" || spec.operands === "write");
  if (operands.length === 0 && implied && !(context.fed && spec.operands === "read"))
    operands = [known(spec.fallback!)];
  const hasTarget = read.options.some(
    (option) => !option.guessed && (option.name === "-t" || option.name === "--target-directory"),
  );
  accessOperands(context, operands, { rule: spec.operands ?? "unknown", recursive, hasTarget });
}

/** An address, or a package with its version. */
const comesFromElsewhere = /^(?:\w+:\/\/|npm:|jsr:|https?:)|@[\w.-]+$/;

type OperandPlan = {
  rule: NonNullable<CommandSpec["operands"]>;
  recursive: boolean;
  hasTarget: boolean;
};

function accessOperands(
  context: JudgeContext,
  operands: Field[],
  { rule, recursive, hasTarget }: OperandPlan,
): void {
  const all = (kind: AccessKind, fields: Field[] = operands) =>
    fields.forEach((field) => access(context, field, { kind, recursive }));
  const sources = hasTarget || operands.length < 2 ? operands : operands.slice(0, -1);
  const target = hasTarget || operands.length < 2 ? [] : operands.slice(-1);
  switch (rule) {
    case "none":
      return;
    case "copy":
      all("read", sources);
      return target.forEach((field) => access(context, field, "write"));
    case "move":
      all("read", sources);
      all("delete", sources);
      return target.forEach((field) => access(context, field, "write"));
    case "link":
      return linkOperands(context, sources, target);
    case "write-then-read":
      if (operands[0]) access(context, operands[0], "write");
      return all("read", operands.slice(1));
    case "read-then-write":
      return readThenWrite(context, operands);
    case "execute":
      for (const field of operands.slice(0, 1))
        if (comesFromElsewhere.test(field.value ?? ""))
          complain(
            context,
            ask("network", `${context.name} fetches and runs ${field.raw}.`, [field.value!]),
          );
      all("execute");
      return all("read");
    case "unknown":
      return operands.forEach((field) => accessWord(context, field));
    default:
      return all(rule);
  }
}

/** A link gives its target a second name, so the target counts as written; a relative one is seen from the link's own folder. */
function linkOperands(context: JudgeContext, sources: Field[], target: Field[]): void {
  const place = target[0]?.value;
  for (const source of sources) {
    access(context, source, { kind: "read", recursive: true });
    access(context, source, "write");
    if (place && source.value && !source.value.startsWith("/")) {
      accessPath(context, `${place}/${source.value}`, "write");
      accessPath(context, `${place}/../${source.value}`, "write");
    }
  }
  target.forEach((field) => access(context, field, "write"));
}

function readThenWrite(context: JudgeContext, operands: Field[]): void {
  const [first, ...rest] = operands;
  if (first) access(context, first, "read");
  for (const field of rest) {
    access(context, field, "write");
    complain(
      context,
      ask("writing-option", `The second operand of ${context.name} is written.`, [
        field.value ?? "\0",
      ]),
    );
  }
}
