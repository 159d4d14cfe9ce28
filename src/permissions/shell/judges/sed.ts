// sed: a script of its plain part is judged by the files; every other script can run commands and
// write files.
import { ask } from "../analysis.ts";
import { known, type Field } from "../field.ts";
import {
  access,
  accessPath,
  complain,
  complainOptions,
  type JudgeContext,
} from "../judge-context.ts";
import { readOptions, type ReadWords } from "../read-options.ts";
import { isPlainSed } from "./plain/plain-sed.ts";

const table = {
  valued: "-l --line-length -e --expression -f --file",
  runs: "-f --file",
  edits: "-i --in-place",
  flags: `
      -n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data
      --posix --debug --sandbox`,
};

export function judgeSed(context: JudgeContext): void {
  const read = readOptions(context.args, table);
  complainOptions(context, read);
  for (const option of read.options.filter((item) => item.roles.has("runs")))
    complain(context, ask("script", "sed -f runs a script file.", option.words));
  if (read.open.length)
    complain(
      context,
      ask("unknown-arguments", `${read.open[0]!.raw} may turn into options of sed.`),
    );
  const edit = read.options.find((option) => option.roles.has("edits"));
  if (edit)
    complain(context, ask("editing-option", "sed -i writes the files it reads.", [edit.words[0]!]));
  const { scripts, files } = scriptsOf(read, edit !== undefined);
  for (const script of scripts) judgeScript(context, script);
  for (const field of files) touch(context, field, edit && (edit.value?.value ?? ""));
}

function scriptsOf(read: ReadWords, edits: boolean): { scripts: Field[]; files: Field[] } {
  const given = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  const hasScript = given.length > 0 || read.options.some((option) => option.roles.has("runs"));
  // Where -i needs a suffix, an empty word stands for none; elsewhere it is an empty script.
  const [first, ...rest] =
    edits && read.operands[0]?.value === "" ? read.operands.slice(1) : read.operands;
  const scripts = given.map((option) => option.value ?? known("?"));
  if (first === undefined) return { scripts, files: [] };
  return hasScript ? { scripts, files: [first, ...rest] } : { scripts: [first], files: rest };
}

function judgeScript(context: JudgeContext, { value }: Field): void {
  if (value === null)
    return complain(context, ask("dynamic-code", "The sed script is only known at run time."));
  if (isPlainSed(value)) return;
  complain(
    context,
    ask("script", "The sed script is not plain: it may run commands or open files."),
  );
  // Whatever a w or r of the script names is looked at.
  for (const found of value.matchAll(/[wWrR]\s*([^\s;}]+)/g))
    accessPath(context, found[1]!, "unknown");
}

function touch(context: JudgeContext, field: Field, suffix: string | undefined): void {
  access(context, field, "read");
  if (suffix === undefined) return;
  access(context, field, "write");
  if (suffix === "" || !field.values) return;
  for (const value of field.values)
    accessPath(
      context,
      suffix.includes("*") ? suffix.replaceAll("*", value) : `${value}${suffix}`,
      "write",
    );
}
