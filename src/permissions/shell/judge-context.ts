// What a judge of one command sees and may do. Judges add concerns and accesses; only the walk adds
// commands.
import { isHarmlessDevice } from "../paths/protected-names.ts";
import {
  ask,
  type AccessKind,
  type Concern,
  type PathAccess,
  type SimpleCommand,
} from "./analysis.ts";
import { known, type Field } from "./field.ts";
import type { Listed } from "./listed-by.ts";
import { openOptions, type ReadOption, type ReadWords } from "./read-options.ts";
import { addConcern, resolvePath, type Findings, type Scope } from "./scope.ts";

export type JudgeContext = {
  command: SimpleCommand;
  /** The name by which the command is known. */
  name: string;
  args: Field[];
  scope: Scope;
  findings: Findings;
  /** Its input is the output of another command, a heredoc or a file. */
  fed: boolean;
  /** What it is fed are names of files below these folders. */
  listed: Listed | undefined;
  /** Walks shell text that the command would run. */
  runText(text: string, scope: Scope): void;
  /** Judges the words as a command of their own. */
  runFields(fields: Field[], scope: Scope): void;
  /**
   * Judges the words as a program that this command starts: its concerns become this command's own.
   */
  launch(fields: Field[]): void;
};

/** How a file is touched: the kind alone, or with everything below it. */
export type Touch =
  | AccessKind
  | {
      kind: AccessKind;
      recursive: boolean;
      follows?: boolean;
      rulesBelow?: boolean;
      inTree?: PathAccess["inTree"];
      starts?: PathAccess["starts"] | undefined;
    };

export function complain(context: JudgeContext, concern: Concern): void {
  addConcern(context.command.concerns, concern);
}

/**
 * Options that are not known, or not known to mean what they seem to: only a rule that spells them
 * covers them.
 */
export function complainOptions(context: JudgeContext, read: ReadWords): void {
  for (const { problem, words } of openOptions(read))
    complain(context, ask("unknown-option", `${context.name}: ${problem}.`, words));
}

/** The file that follows is written: an edit, unless a rule spells the option. */
export const writingOption = (
  command: string,
  { name, words }: Pick<ReadOption, "name" | "words">,
): Concern =>
  ask("editing-option", `${command} ${name} writes the file that is named there.`, [words[0]!]);

/** A command that no prefix rule may cover: the rule has to spell every word. */
export function complainWhole(context: JudgeContext, sentence: string): void {
  complain(
    context,
    ask(
      "executing-option",
      sentence,
      context.command.argv.map((word) => word ?? "\0"),
    ),
  );
}

export function access(context: JudgeContext, field: Field, touch: Touch): void {
  if (field.descriptor || field.value === "-") return;
  const plan = typeof touch === "string" ? { kind: touch, recursive: false } : touch;
  const { kind } = plan;
  complainAddress(context, field);
  noteTouch(context, field, kind);
  const base = accessBase(context, field, plan);
  const isHarmless = kind === "unknown" && (field.word || field.values);
  for (const path of placesOf(field, context.scope))
    if (path !== null || !isHarmless) context.findings.accesses.push({ ...base, path });
  // Many programs take `@file` for a file with more words.
  if (kind !== "unknown" && field.value && /^@./.test(field.value))
    access(context, known(field.value.slice(1)), "unknown");
}

const address = /^(?:[a-z]+\+)?[a-z][a-z\d.-]*:\/\/(?!localhost\b|127\.0\.0\.1\b)/i;

/** `:sftp,host=h,ssh=x:`, `remote,ssh=x:`: a connection with settings of its own, which start programs. */
const connects = /^:[a-z][\w-]*[,:]|^[\w-]+,\w+=[^]*:/;

/** Where a file is meant, many programs fetch an address, and run or build what they find there. */
function complainAddress(context: JudgeContext, { values }: Field): void {
  const value = values?.find((item) => address.test(item) && !/^file:/i.test(item));
  if (value !== undefined)
    complain(context, ask("network", `${context.name} fetches ${value}.`, [value]));
  const connection = values?.find((item) => connects.test(item));
  if (connection !== undefined)
    complain(
      context,
      ask("executing-option", `${context.name} connects as ${connection} says.`, [connection]),
    );
}

type Plan = Exclude<Touch, string>;

const accessBase = (
  { name }: JudgeContext,
  { glob, open, tree, spelled }: Field,
  { kind, recursive, follows, rulesBelow, inTree, starts }: Plan,
): Omit<PathAccess, "path"> => ({
  kind,
  glob,
  recursive: recursive || tree === true,
  ...(follows ? { follows: true as const } : {}),
  ...(glob && open ? { open: true as const } : {}),
  ...(rulesBelow ? { rulesBelow: true as const } : {}),
  ...(inTree ? { inTree } : {}),
  ...(starts ? { starts } : {}),
  ...(spelled && kind === "read" ? { spelled } : {}),
  from: "operand",
  via: name,
});

function noteTouch(context: JudgeContext, field: Field, kind: AccessKind): void {
  if (kind !== "execute" && context.name !== "cd") context.command.opensFiles = true;
  if (kind === "write") complainPipe(context, field);
  context.command.writesFiles ||= kind === "write" || kind === "delete";
}

/** Some programs take a name that begins with `|` for a command. */
function complainPipe(context: JudgeContext, { values }: Field): void {
  if (values?.some((value) => value.startsWith("|")))
    complain(context, ask("executing-option", `${context.name} hands its output to a program.`));
}

/** Where the word leads; `null` for a place that is not known. */
const placesOf = (field: Field, scope: Scope): (string | null)[] =>
  field.values
    ? field.values
        .filter((value) => value !== "" && !isHarmlessDevice(value))
        .flatMap((value) => resolvePath(value, scope))
    : [null];

/** The shell lists a folder for a wildcard, whatever the command does with the names. */
export function listWildcards(context: JudgeContext, fields: readonly Field[]): void {
  const { opensFiles } = context.command;
  for (const field of fields) if (field.glob) access(context, field, "list");
  context.command.opensFiles = opensFiles;
  const loose = fields.find((field) => field.loose);
  if (loose)
    complain(
      context,
      ask(
        "unknown-arguments",
        `${loose.raw} holds wildcards among other words, which list folders.`,
      ),
    );
}

export function accessPath(context: JudgeContext, path: string, touch: Touch): void {
  access(context, known(path), touch);
}
