// One simple command from its words: what rules are matched against, and everything that is known
// about it.
import { ask, type SimpleCommand } from "./analysis.ts";
import { applySpec } from "./apply-spec.ts";
import { judgeBuiltin } from "./builtins.ts";
import { fieldText, known, type Field } from "./field.ts";
import { accessPath, complain, type JudgeContext } from "./judge-context.ts";
import type { Listed } from "./listed-by.ts";
import { complainSigned } from "./judges/git.ts";
import { judgeUnlisted } from "./judges/unlisted/judge-unlisted.ts";
import { addConcern, resolvePath, type Findings, type Scope } from "./scope.ts";
import { flowBuiltins } from "./tables/builtins.ts";
import { isKnownCommand, listedName, specOf, usualName, wrapperOf } from "./tables/commands.ts";
import { ownFiles } from "./tables/own-files.ts";
import { unwrap, unwrapParallel, unwrapXargs } from "./unwrap.ts";

export type FieldsContext = {
  scope: Scope;
  findings: Findings;
  fed: boolean;
  listed?: Listed | undefined;
  assignments: string[];
  /** The words stand in the text itself, not in a text that another command runs. */
  isDirect: boolean;
  runText(text: string, scope: Scope): void;
};

const maxWrappers = 20;

/** Adds the command (and what it wraps) to the findings. */
export function judgeFields(fields: Field[], context: FieldsContext): SimpleCommand | undefined {
  const { findings } = context;
  const { commands, accesses, concerns, judged } = findings;
  const key = keyOf(fields, context);
  const same = key === undefined ? undefined : judged.get(key);
  if (same) {
    commands.push(...same.added.commands);
    if (same.by !== findings) takeFindings(findings, same.added);
    same.by = findings;
    return same.added.commands[0];
  }
  const before = [commands.length, accesses.length, concerns.length];
  // What runs a text of its own is for each reader to read.
  let ranText = false;
  const runText = (text: string, scope: Scope): void => {
    ranText = true;
    context.runText(text, scope);
  };
  const command = judgeNew(fields, { ...context, runText }, 0);
  if (key !== undefined && !ranText)
    judged.set(key, {
      by: findings,
      added: {
        commands: commands.slice(before[0]),
        accesses: accesses.slice(before[1]),
        concerns: concerns.slice(before[2]),
      },
    });
  return command;
}

function takeFindings(
  { accesses, concerns }: Findings,
  added: Pick<Findings, "accesses" | "concerns">,
): void {
  accesses.push(...added.accesses);
  for (const concern of added.concerns) addConcern(concerns, concern);
}

/**
 * What the verdict on a command depends on, where all of it is text and the command leaves the shell
 * as it is. Undefined for all others.
 */
function keyOf(fields: Field[], context: FieldsContext): string | undefined {
  const { scope, assignments, listed, fed, isDirect } = context;
  const name = fields[0]?.value;
  if (name == null || listed || assignments.length > 0 || scope.functions.size > 0)
    return undefined;
  if (name.includes("/") || fields.some((field) => field.value === null)) return undefined;
  const spec = specOf(name);
  if (spec ? runsText.has(spec.judge ?? "") : isKnownCommand(name)) return undefined;
  const words = fields.map((field) => field.value).join("\0");
  return `${fed}\0${isDirect}\0${scope.cwds?.join("\0") ?? "?"}\0\0${words}`;
}

const runsText: ReadonlySet<string> = new Set(["shell", "source"]);

function judgeNew(
  fields: Field[],
  context: FieldsContext,
  depth: number,
): SimpleCommand | undefined {
  const first = fields[0];
  if (!first) return undefined;
  const command = toCommand(fields, context, depth);
  context.findings.commands.push(command);
  if (depth > maxWrappers) {
    addConcern(command.concerns, ask("too-deep", "Wrappers are nested too deeply."));
    return command;
  }
  if (command.name === null) {
    addConcern(
      command.concerns,
      ask("dynamic-command", `Which command ${first.raw} stands for is only known at run time.`),
    );
    return command;
  }
  if (!/^[\x21-\x7e]+$/.test(first.value!))
    addConcern(
      command.concerns,
      ask("characters", "The command name holds blanks or characters that look like others."),
    );
  const judged: JudgeContext = {
    command,
    name: listedName(command.name),
    args: fields.slice(1),
    scope: context.scope,
    findings: context.findings,
    fed: context.fed,
    listed: context.listed,
    runText: (text, scope) => context.runText(text, scope),
    runFields: (inner, scope) =>
      void judgeNew(inner, { ...context, scope, assignments: [] }, depth + 1),
    launch: (inner) =>
      takeOver(command, judgeNew(inner, { ...context, assignments: [] }, depth + 1)),
  };
  for (const field of judged.args) if (field.pattern) notePattern(judged, field);
  // Wrappers look for a program, not for a function of this shell.
  if (depth === 0 && context.scope.functions.has(first.value!)) command.transparent = true;
  else judgeNamed(first.value!, judged);
  return command;
}

/** `--include=*.ts` in a folder with a file of such a name: its name would be the option. */
function notePattern({ name, scope, findings }: JudgeContext, { value }: Field): void {
  for (const path of resolvePath(value!, scope))
    findings.accesses.push({
      path,
      kind: "list",
      glob: true,
      recursive: false,
      open: true,
      from: "operand",
      via: name,
    });
}

/**
 * The rule that allows a launcher with a program's name speaks for that program too; deny rules
 * still see it by itself.
 */
function takeOver(command: SimpleCommand, started: SimpleCommand | undefined): void {
  if (!started) return;
  for (const concern of started.concerns) addConcern(command.concerns, concern);
  command.hosts.push(...started.hosts);
  Object.assign(started, { concerns: [], hosts: [], transparent: true });
}

function toCommand(
  fields: Field[],
  { scope, assignments, isDirect }: FieldsContext,
  depth: number,
): SimpleCommand {
  const written = fields[0]!.value;
  const name =
    written === null || written === ""
      ? null
      : (written.split("/").findLast((part) => part !== "") ?? null);
  const tail = fields.slice(1).map(fieldText);
  return {
    argv: fields.map((field) => field.value),
    name,
    text: [fieldText(fields[0]!), ...tail].join(" "),
    bareText: [name ?? fieldText(fields[0]!), ...tail].join(" "),
    assignments,
    cwds: scope.cwds,
    transparent: name !== null && written === name && flowBuiltins.has(name),
    concerns: [],
    opensFiles: false,
    writesFiles: false,
    isDirect: isDirect && depth === 0,
    hosts: [],
  };
}

function judgeNamed(written: string, context: JudgeContext): void {
  const { name, command } = context;
  if (written.includes("/")) accessPath(context, written, "execute");
  const wrapper = wrapperOf(name);
  if (name === "xargs") return unwrapXargs(context);
  if (name === "parallel") return unwrapParallel(context);
  if (name === "source" || name === ".")
    return applySpec({ judge: "source", operands: "none" }, context);
  if (wrapper) {
    command.transparent = wrapper.transparent === true && !written.includes("/");
    return unwrap(wrapper, context);
  }
  if (!written.includes("/") && judgeBuiltin(context)) return;
  touchOwnFiles(context);
  complainConsole(context);
  if (name === "git") complainSigned(context);
  const spec = specOf(name);
  if (spec) return applySpec(spec, context);
  const part = /^git-(.+)$/.exec(name)?.[1];
  if (part !== undefined) return context.launch([known("git"), known(part), ...context.args]);
  applyUnknown(context);
}

/** `npm config set` writes `.npmrc`, which nobody has named. */
function touchOwnFiles(context: JudgeContext): void {
  const given = context.args.map(({ value }) => value);
  const words = context.name === "docker-compose" ? ["compose", ...given] : given;
  const { written, printed } = ownFiles(usualName(context.name), words);
  for (const file of written)
    accessPath(context, file.replace(/^~(?=\/)/, context.findings.home), "write");
  for (const file of printed) accessPath(context, file, "read");
}

const consoles = /^(?:db:?)?(?:console|shell|repl|sh|eval|evaluate|execute|psql|c)$/;

/** `echo CODE | terraform console`: such a part of a program runs what comes in. */
function complainConsole(context: JudgeContext): void {
  const part = context.args.find(({ value }) => value !== null && !value.startsWith("-"));
  if (context.fed && consoles.test(part?.value ?? ""))
    complain(context, ask("dynamic-code", `${context.name} ${part!.raw} runs what it is fed.`));
}

const startsProgram = /^(?:--|run|exec|x)$/;

/**
 * A command without a table entry: its words may be files, its options may run things as those of
 * other programs do, and it may start another program.
 */
function applyUnknown(context: JudgeContext): void {
  const { args, name } = context;
  judgeUnlisted(context, args);
  const start = args.findIndex((field) => startsProgram.test(field.value ?? ""));
  const inner =
    start < 0 || start > 3
      ? []
      : args.slice(args[start + 1]?.value === "--" ? start + 2 : start + 1);
  const program = inner[0]?.value;
  if (!program || !(specOf(program) || wrapperOf(program))) return;
  if (args[start]!.value !== "run")
    complain(context, ask("executing-option", `${name} starts ${program}.`, [program]));
  context.launch(inner);
}
