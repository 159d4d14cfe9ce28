// Wrappers: finds the command inside `env`, `timeout`, `sudo`, `xargs`, `parallel` and has it
// judged as if it stood alone.
import { accessWord } from "./access-word.ts";
import { ask } from "./analysis.ts";
import { checkVariable } from "./tables/check-variable.ts";
import { known, unknown, type Field } from "./field.ts";
import {
  access,
  complain,
  complainOptions,
  writingOption,
  type JudgeContext,
} from "./judge-context.ts";
import { readOptions, type ReadOption, type ReadWords } from "./read-options.ts";
import { resolvePath, type Scope } from "./scope.ts";
import type { WrapperSpec } from "./tables/wrappers.ts";

export function unwrap(spec: WrapperSpec, context: JudgeContext): void {
  const { name } = context;
  if (spec.privilege)
    complain(
      context,
      ask("privilege", `${name} runs a command with other rights or in another place.`),
    );
  const read = readOptions(context.args, optionTable(spec));
  complainOptions(context, read);
  const scope = applyOptions(spec, context, read);
  const has = (names: string): boolean =>
    read.options.some((option) => names.split(" ").includes(option.name));
  if (has(spec.lookup ?? "") || (spec.only && !has(spec.only))) return;
  const operands = context.args.slice(read.firstOperand);
  const rest = spec.assignments ? skipAssignments(context, operands) : operands;
  const command = skipLeading(context, rest, spec.leading ?? 0);
  if (!has(spec.strings ?? "")) runWrapped(spec, command, { context, scope });
}

function runWrapped(
  { strings = "", joined }: WrapperSpec,
  command: Field[],
  { context, scope }: { context: JudgeContext; scope: Scope },
): void {
  // `flock file -c 'text'`: the string may follow the operands.
  const isString = strings.split(" ").includes(command[0]?.value || " ");
  if (isString && command[1]) return runString(context, command[1], scope);
  if (command.length === 0) return;
  if (joined) return runJoined(context, command, scope);
  // What another program starts moves nothing here: `nice cd src` leaves the folder as it is.
  context.runFields(command, staysInShell.has(context.name) ? scope : { ...scope });
}

/** Their first operand is a file or folder of their own. */
const opensLeading = new Set(["flock", "script", "chroot"]);

function skipLeading(context: JudgeContext, fields: Field[], leading: number): Field[] {
  if (fields.slice(0, leading + 1).some((field) => field.splits || field.open))
    complain(
      context,
      ask("dynamic-command", `Which command ${context.name} runs is only known at run time.`),
    );
  if (opensLeading.has(context.name))
    fields.slice(0, leading).forEach((field) => access(context, field, "write"));
  return fields.slice(leading + (leading > 0 && fields[leading]?.value === "--" ? 1 : 0));
}

const staysInShell = new Set(["command", "builtin"]);

const tables = new WeakMap<
  WrapperSpec,
  { valued: string; writes: string; runs: string; flags: string; strict: true }
>();

function optionTable(spec: WrapperSpec) {
  const found = tables.get(spec);
  if (found) return found;
  const table = {
    valued: `${spec.valued ?? ""} ${spec.strings ?? ""} ${spec.chdir ?? ""}`,
    flags: spec.flags ?? "",
    writes: spec.writes ?? "",
    runs: spec.runs ?? "",
    strict: true as const,
  };
  tables.set(spec, table);
  return table;
}

function applyOptions(spec: WrapperSpec, context: JudgeContext, read: ReadWords): Scope {
  let scope = context.scope;
  for (const option of read.options) {
    if (option.roles.has("runs")) complainRuns(context, option);
    if (option.roles.has("writes") && option.value) {
      access(context, option.value, "write");
      complain(context, writingOption(context.name, option));
    }
    if ((spec.strings ?? "").split(" ").includes(option.name) && option.value)
      runString(context, option.value, scope);
    if (spec.chdir?.split(" ").includes(option.name) && option.value) {
      access(context, option.value, "list");
      const places = option.value.value === null ? [null] : resolvePath(option.value.value, scope);
      scope = { ...scope, cwds: places.includes(null) ? null : (places as string[]) };
    }
  }
  return scope;
}

function complainRuns(context: JudgeContext, { name, value, words }: ReadOption): void {
  const sentence = `${context.name} ${name} changes what the inner command runs.`;
  complain(context, ask("executing-option", sentence, words));
  if (value ?? words[1]) accessWord(context, value ?? known(words[1]!));
}

function skipAssignments(context: JudgeContext, fields: Field[]): Field[] {
  let at = 0;
  while (at < fields.length) {
    const named = /^([^=]+)=([^]*)$/.exec(fields[at]!.value ?? "");
    const dynamic = fields[at]!.value === null ? /^([^=]+)=/.exec(fields[at]!.raw) : null;
    if (!named && !dynamic) break;
    const concern = checkVariable((named ?? dynamic)![1]!, named?.[2] ?? null, true);
    if (concern) complain(context, concern);
    context.command.assignments.push(fields[at]!.raw);
    at += 1;
  }
  return fields.slice(at);
}

function runString(context: JudgeContext, field: Field, scope: Scope): void {
  if (field.value === null)
    return complain(
      context,
      ask("dynamic-code", `What ${context.name} runs is only known at run time.`),
    );
  context.runText(field.value, scope);
}

function runJoined(context: JudgeContext, fields: Field[], scope: Scope): void {
  if (fields.some((field) => field.value === null))
    return complain(
      context,
      ask("dynamic-code", `What ${context.name} runs is only known at run time.`),
    );
  context.runText(fields.map((field) => field.value).join(" "), scope);
}

const xargsTable = {
  flags: "-0 -r -t -x --null --no-run-if-empty --verbose --exit",
  joined: "-i --max-lines --replace",
  valued: `
    -i --max-lines --replace -a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs
    --max-chars --process-slot-var`,
  strict: true as const,
};

/** xargs appends words nobody has seen; they may be options and paths. */
export function unwrapXargs(context: JudgeContext): void {
  const read = readOptions(context.args, xargsTable);
  complainOptions(context, read);
  for (const option of read.options) {
    if ((option.name === "-a" || option.name === "--arg-file") && option.value)
      access(context, option.value, "read");
  }
  const inner = context.args.slice(read.firstOperand);
  if (inner.length === 0) return;
  const replaces = read.options.find(
    (option) => option.name === "-I" || option.name === "-i" || option.name === "--replace",
  );
  const mark = replaces ? (replaces.value?.value ?? "{}") : undefined;
  const { listed } = context;
  const takesNames =
    read.options.some((option) => option.name === "-0" || option.name === "--null") &&
    !read.options.some((option) => /^(?:-a|--arg-file|-d|--delimiter)$/.test(option.name));
  const name: Field =
    listed && takesNames
      ? { ...unknown("…", !listed.plain), values: listed.folders, tree: true }
      : { ...unknown("…", true), spelled: ["xargs", inner[0]?.value ?? "\0"] };
  const fields = mark
    ? inner.map((field) =>
        field.value === mark
          ? { ...name, raw: field.raw }
          : field.value?.includes(mark)
            ? unknown(field.raw, field.value.startsWith(mark))
            : field,
      )
    : [...inner, name];
  context.runFields(fields, context.scope);
}

/** GNU parallel joins its words to shell text; without a command its inputs are the commands. */
export function unwrapParallel(context: JudgeContext): void {
  complain(context, ask("dynamic-code", "parallel builds commands from its input."));
  const at = context.args.findIndex((field) => field.value?.startsWith(":::"));
  const read = readOptions(context.args.slice(0, at < 0 ? context.args.length : at), {
    valued:
      "-j --jobs -a --arg-file -I --tmpdir --delay --timeout --colsep -n -N -S --sshlogin --results --joblog",
    strict: true,
  });
  const command = context.args.slice(read.firstOperand, at < 0 ? context.args.length : at);
  const inputs = at < 0 ? [] : context.args.slice(at + 1);
  if (command.length) return runJoined(context, command, context.scope);
  for (const input of inputs) runString(context, input, context.scope);
}
