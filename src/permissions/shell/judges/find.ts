// find: roots, tests, and the actions that run, write or delete.
import { ask } from "../analysis.ts";
import { protectedNames } from "../../paths/protected-names.ts";
import { isReadOnly } from "../../bash/read-only.ts";
import { known, unknown, type Field } from "../field.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";

const words = (text: string) => new Set(text.split(/\s+/));
const valued = words(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -atime -ctime
  -mmin -amin -cmin -maxdepth -mindepth -perm -user -group
  -uid -gid -links -inum -fstype -used -printf -context -lname -ilname -regextype -newermt -newerat -newerct`,
);
const reading = words(
  "-samefile -newer -anewer -cnewer -neweraa -newerac -neweram -newerca -newercc -newercm -newerma -newermc -newermm",
);
const writing = words("-fprint -fprint0 -fls -fprintf");
const running = words("-exec -execdir -ok -okdir");
const plain = words(
  `-print -print0 -ls -prune -quit -empty -readable -writable -executable -depth -d -mount -xdev
  -nouser -nogroup -daystart -true -false -not -a -and -o -or -noleaf
  ! ( ) , -ignore_readdir_race -noignore_readdir_race -warn -nowarn`,
);

export function judgeFind(context: JudgeContext): void {
  const args = context.args;
  let at = 0;
  while (at < args.length && /^-(?:[HLP]|O\d?|D)$/.test(args[at]!.value ?? ""))
    at += args[at]!.value === "-D" ? 2 : 1;
  const roots: Field[] = [];
  while (at < args.length && !/^[-(!,]/.test(args[at]!.value ?? "x")) {
    roots.push(args[at]!);
    at += 1;
  }
  for (const field of args) {
    if (field.open)
      complain(context, ask("unknown-arguments", `${field.raw} may turn into an action of find.`));
  }
  if (roots.length === 0) roots.push(known("."));
  const follows = args.some((field) => field.value === "-L" || field.value === "-follow");
  roots.forEach((root) => access(context, root, { kind: "list", recursive: true, follows }));
  while (at < args.length) at = readPredicate(context, at, roots);
}

function readPredicate(context: JudgeContext, at: number, roots: Field[]): number {
  const args = context.args;
  const text = args[at]!.value ?? "";
  const next = args[at + 1];
  if (valued.has(text)) return at + 2;
  if (reading.has(text)) {
    if (next) access(context, next, "list");
    return at + 2;
  }
  if (text === "-files0-from") {
    complain(
      context,
      ask("unknown-arguments", "find -files0-from takes its roots from a file.", [
        text,
        next?.value ?? "\0",
      ]),
    );
    if (next) access(context, next, "read");
    return at + 2;
  }
  if (writing.has(text)) return writeFound(context, text, next) + at;
  if (text === "-delete") {
    complain(context, ask("editing-option", "find -delete deletes what it finds.", [text]));
    deleteFound(context, roots);
    return at + 1;
  }
  if (running.has(text)) return runAction(context, at, roots);
  if (!plain.has(text) && !/^-(?:[HLP]|follow)$/.test(text))
    complain(
      context,
      ask("unknown-option", `find ${args[at]!.raw} is not a test that is known.`, [text]),
    );
  return at + 1;
}

const alternatives = /^(?:-o|-or|!|-not|\(|,|-L|-follow)$/;

/** A protected file at any depth could have a name of this form. */
function fitsProtected(pattern: string): boolean {
  const form = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
  return protectedNames.some((name) => new RegExp(`^${form}$`, "i").test(name));
}

function writeFound(context: JudgeContext, text: string, file: Field | undefined): number {
  complain(context, ask("writing-option", `find ${text} writes a file.`, [text]));
  if (file) access(context, file, "write");
  return text === "-fprintf" ? 3 : 2;
}

/**
 * With one `-name` that every deleted file fits, what fits that name below the roots; else
 * everything below them.
 */
function deleteFound(context: JudgeContext, roots: Field[]): void {
  const texts = context.args.map((field) => field.value ?? "");
  const named = texts.flatMap((text, at) => (text === "-name" ? [texts[at + 1] ?? ""] : []));
  const [name = ""] = named;
  const isOne = named.length === 1 && /^[\w.*?-]+$/.test(name) && !fitsProtected(name);
  // Tests and actions are tried in their order: what stands before the name is done to everything.
  const isLast =
    texts.at(-1) === "-delete" && texts.filter((text) => text === "-delete").length === 1;
  const isStrict = isOne && isLast && !texts.some((text) => alternatives.test(text));
  for (const root of roots) {
    if (!isStrict || !root.values || root.glob)
      access(context, root, { kind: "delete", recursive: true });
    else {
      for (const value of root.values)
        access(context, { ...known(`${value}/${name}`), glob: /[*?]/.test(name) }, "delete");
      access(context, root, { kind: "write", recursive: false, rulesBelow: true });
    }
  }
}

function runAction(context: JudgeContext, at: number, roots: Field[]): number {
  const args = context.args;
  const text = args[at]!.value!;
  const end = args.findIndex(
    (field, index) =>
      index > at &&
      (field.value === ";" || (field.value === "+" && args[index - 1]?.value === "{}")),
  );
  const inner = args
    .slice(at + 1, end < 0 ? args.length : end)
    .map((field) => placeholder(field, roots));
  const scope = text.endsWith("dir") ? { ...context.scope, cwds: null } : context.scope;
  const before = context.findings.commands.length;
  if (inner.length) context.runFields(inner, scope);
  const started = context.findings.commands.slice(before);
  // What only reads is judged by itself.
  if (end < 0 || started.length !== 1 || !text.startsWith("-exec") || !isReadOnly(started[0]!))
    complain(context, ask("executing-option", `find ${text} runs a command.`, [text]));
  return end < 0 ? args.length : end + 1;
}

function placeholder(field: Field, roots: Field[]): Field {
  if (!field.value?.includes("{}")) return field;
  const values = roots.every((root) => root.values) ? roots.flatMap((root) => root.values!) : null;
  return field.value === "{}" && values
    ? { ...unknown("{}", false), values, tree: true, glob: roots.some((root) => root.glob) }
    : unknown(field.raw, false);
}

/** fd: everything after -x is a command, `{}` a file below the working directory. */
export function judgeFd(context: JudgeContext): void {
  const at = context.args.findIndex((field) =>
    /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(field.value ?? ""),
  );
  const inner = at < 0 ? [] : context.args.slice(at + 1);
  if (inner.length === 0) return;
  const everything = { ...unknown("{}", false), values: ["."], tree: true as const };
  const replaced = inner.map((field) =>
    /\{[^}]{0,2}\}/.test(field.value ?? "") ? everything : field,
  );
  context.runFields(
    replaced.includes(everything) ? replaced : [...replaced, everything],
    context.scope,
  );
}
