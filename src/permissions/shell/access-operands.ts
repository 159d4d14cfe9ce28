// The operands of a known command as files: what is read, written, listed, deleted, linked, and where copies land.
import { accessWord } from "./access-word.ts";
import { ask, type AccessKind } from "./analysis.ts";
import { known, type Field } from "./field.ts";
import { access, accessPath, complain, type JudgeContext } from "./judge-context.ts";
import { hasOption, type ReadWords } from "./read-options.ts";
import { resolvePath } from "./scope.ts";
import type { CommandSpec } from "./tables/command-spec.ts";

/** An address, or a package with its version. */
const comesFromElsewhere = /^(?:\w+:\/\/|npm:|jsr:|https?:)|@[\w.-]+$/;

export type OperandPlan = {
  rule: NonNullable<CommandSpec["operands"]>;
  recursive: boolean;
  follows: boolean;
  hasTarget: boolean;
  /** The value of `-t`. */
  folder: Field | undefined;
};

export function accessOperands(
  context: JudgeContext,
  operands: Field[],
  { rule, recursive, follows, hasTarget, folder }: OperandPlan,
): void {
  const all = (kind: AccessKind, fields: Field[] = operands): void =>
    fields.forEach((field) => access(context, field, { kind, recursive, follows }));
  const isOne = hasTarget || operands.length < 2;
  const sources = isOne ? operands : operands.slice(0, -1);
  const target = isOne ? [] : operands.slice(-1);
  if (rule === "copy" || rule === "move" || rule === "link")
    land(context, sources, folder ?? target[0]);
  const touched: Record<typeof rule, () => void> = {
    none: () => undefined,
    copy: () => (all("read", sources), write(context, target)),
    move: () => (all("read", sources), all("delete", sources), write(context, target)),
    link: () => linkOperands(context, sources, target),
    "write-then-read": () => (write(context, operands.slice(0, 1)), all("read", operands.slice(1))),
    "read-then-write": () => readThenWrite(context, operands),
    execute: () => (executeFirst(context, operands), all("execute"), all("read")),
    unknown: () => operands.forEach((field) => accessWord(context, field)),
    read: () => all("read"),
    write: () => all("write"),
    pack: () => (all("write"), unpackNames(context, operands)),
    format: () =>
      operands.forEach((field) =>
        access(context, field, { kind: "write", recursive: false, rulesBelow: true }),
      ),
    delete: () => all("delete"),
    list: () => all("list"),
  };
  touched[rule]();
}

const write = (context: JudgeContext, fields: Field[]): void =>
  fields.forEach((field) => access(context, field, "write"));

function executeFirst(context: JudgeContext, [program]: Field[]): void {
  if (comesFromElsewhere.test(program?.value ?? ""))
    complain(
      context,
      ask("network", `${context.name} fetches and runs ${program!.raw}.`, [program!.value!]),
    );
}

/** In a folder a file keeps its own name. */
function land(context: JudgeContext, sources: Field[], folder: Field | undefined): void {
  for (const place of folder?.values ?? [])
    for (const source of sources)
      for (const value of source.values ?? []) landOne(context, place, { source, value });
}

function landOne(
  context: JudgeContext,
  place: string,
  { source, value }: { source: Field; value: string },
): void {
  const name = value.replace(/\/+$/, "").split("/").at(-1)!;
  if (/^\.{0,2}$/.test(name)) return;
  // `host:CLAUDE.md` lands as CLAUDE.md.
  const remote = name.indexOf(":");
  if (remote >= 0) landOne(context, place, { source, value: name.slice(remote + 1) });
  const path = `${place.replace(/\/+$/, "") || (place === "" ? "." : "")}/${name}`;
  const before = context.findings.accesses.length;
  access(context, { ...known(path), glob: source.glob }, "write");
  const [from] = resolvePath(value, context.scope);
  for (const item of context.findings.accesses.slice(before)) {
    if (item.path === null) continue;
    item.into = item.path.slice(0, -name.length - 1) || "/";
    if (source.glob && from) item.landing = from;
  }
}

/** `gzip -d a.gz` makes `a`. */
function unpackNames(context: JudgeContext, operands: Field[]): void {
  for (const field of operands)
    for (const value of field.values ?? [])
      access(context, { ...field, values: [value.replace(/\.[^./]*$/, "")] }, "write");
}

/**
 * A link gives its target a second name, so the target counts as written; a relative one is seen
 * from the link's own folder.
 */
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

/** What it reaches of the folder that it runs in, whatever its operands are. */
export function touchAround(spec: CommandSpec, context: JudgeContext, read: ReadWords): void {
  if (spec.clears === true || hasOption(read, spec.clears))
    accessPath(context, ".", { kind: "write", recursive: false, inTree: "whole" });
  if (spec.includes === "always" || hasOption(read, spec.includes))
    accessPath(context, ".", { kind: "unknown", recursive: true });
  if (spec.tasks !== undefined) complainTasks(context, tasksOf(spec.tasks, context, read));
  if (spec.recorded) accessRecorded(context, read, spec.recorded);
}

/** With `--` among the options, what stands behind it belongs to the task. */
function tasksOf(
  options: string,
  { args }: JudgeContext,
  read: ReadWords,
): (string | null | undefined)[] {
  const names = options.split(" ");
  const end = names.includes("--") ? args.findIndex(({ value }) => value === "--") : -1;
  const behind = new Set(end < 0 ? [] : args.slice(end));
  return [
    ...read.options.filter(({ name }) => names.includes(name)).map(({ value }) => value?.value),
    ...read.operands.filter((field) => !behind.has(field)).map(({ value }) => value),
  ];
}

/** `make test deploy`: a rule for one task does not mean the other. `NAME=value` is none. */
export function complainTasks(
  context: JudgeContext,
  words: readonly (string | null | undefined)[],
): void {
  const tasks = words.filter(
    (word): word is string => word != null && word !== "run" && /^[^-=][^=]*$/.test(word),
  );
  if (tasks.length < 2) return;
  const sentence = `${context.name} runs ${tasks.slice(1).join(" and ")} as well.`;
  complain(context, { ...ask("executing-option", sentence, tasks), among: tasks });
}

/**
 * `git log -p`, `git diff`: lines of any file that git has recorded, or of those below the paths that
 * stand behind `--`.
 */
function accessRecorded(
  context: JudgeContext,
  read: ReadWords,
  { by, but, isStash }: NonNullable<CommandSpec["recorded"]>,
): void {
  const isShown = hasOption(read, by) || (but !== undefined && !hasOption(read, but));
  if (!isShown) return;
  const at = context.args.findIndex((field) => field.value === "--");
  const paths = at < 0 ? [] : context.args.slice(at + 1);
  const isPlain = paths.every(({ value }) => value !== null && !/^:|[*?[\\]/.test(value));
  const { opensFiles } = context.command;
  const touch = { kind: "read", recursive: true } as const;
  // What was put aside need not lie in the index.
  if (isStash) accessPath(context, ".", { ...touch, inTree: "whole" });
  else if (paths.length === 0 || !isPlain)
    accessPath(context, ".", { ...touch, inTree: "recorded" });
  else for (const path of paths) access(context, path, { ...touch, inTree: "recorded below" });
  // git opens its own store; which command may stand beside it does not change by that.
  context.command.opensFiles = opensFiles;
}

/** `cp -b -S .md new CLAUDE` keeps the old CLAUDE as CLAUDE.md. */
export function addSuffix({ findings }: JudgeContext, { value }: Field, before: number): void {
  for (const item of findings.accesses.slice(before))
    if (item.kind === "write")
      findings.accesses.push({
        ...item,
        path: item.path === null || value === null ? null : `${item.path}${value}`,
      });
}
