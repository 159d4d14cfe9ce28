// Languages and clients of databases: their program is a file, a text among their words, or what
// they are fed.
import { ask } from "../analysis.ts";
import { complainExecuting } from "../access-word.ts";
import { known, type Field } from "../field.ts";
import { access, accessPath, complain, type JudgeContext } from "../judge-context.ts";
import type { ReadOption, ReadWords } from "../read-options.ts";
import { complainCode } from "./plain/plain-code.ts";
import { isKnownCommand } from "../tables/commands.ts";
import { readsInput, runScriptFile, touchScript } from "./shell.ts";

const informing = /^(?:--version|-v|-V|--help|-h|-\?|--v8-options)$/;

/**
 * `python3 x.py`, `node`, `perl -e`: code options are judged by the table, here it is the script or
 * the lack of one.
 */
export function judgeInterpreter(context: JudgeContext, read: ReadWords): void {
  writeInPlace(context, read);
  const module = read.options.find((option) => option.name === "-m" && option.roles.has("code"));
  if (module?.value?.value) return launchModule(context, module, module.value);
  if (read.options.some((option) => option.roles.has("code"))) {
    complainCode(context, read);
    read.operands.forEach((field) => access(context, field, "unknown"));
    return;
  }
  if (read.options.some((option) => informing.test(option.words[0] ?? ""))) return;
  const [script, ...rest] = read.operands;
  rest.forEach((field, at) => {
    access(context, field, "unknown");
    complainExecuting(context, field, rest[at + 1]);
  });
  const [part] = rest;
  if (
    part?.value &&
    /^(?:(?:db)?shell(?:_plus)?|console|tinker|repl|runscript|eval)$/.test(part.value)
  )
    complain(
      context,
      ask("executing-option", `${script!.raw} ${part.value} runs code.`, [part.value]),
    );
  const test = read.options.find(
    (option) => option.words[0] === "--test" || option.words[0] === "--check",
  );
  if (test) {
    complain(
      context,
      ask("script", `${context.name} ${test.words[0]} runs the files it is given.`, [
        test.words[0]!,
      ]),
    );
    if (script) access(context, script, "unknown");
  } else if (context.name === "perl" && read.options.some(({ name }) => name === "-c"))
    runScriptFile(context, script);
  else if (readsInput(script))
    complain(
      context,
      ask("dynamic-code", `${context.name} runs whatever it reads from its input.`),
    );
  else touchScript(context, script!);
}

/** `-m json.tool`, `-mjson.tool`, `-Im json.tool`: the module is the program that runs. */
function launchModule(context: JudgeContext, { words }: ReadOption, module: Field): void {
  const at = context.args.findIndex((field) => field.value === words[0]);
  const isIsolated = /^-\w*I/.test(words[0]!) || context.args.slice(0, at).some(isolates);
  // Who names a tool does not mean a file of the same name in the folder, which would hide it.
  const [first] = module.value!.split(".");
  if (!isIsolated && isKnownCommand(module.value!))
    for (const file of [`${first}.py`, `${first}/__init__.py`, `${first}/__main__.py`])
      accessPath(context, file, { kind: "unknown", recursive: false, starts: "module" });
  context.launch([module, ...context.args.slice(at + words.length)]);
}

const isolates = ({ value }: Field): boolean => /^-\w*I\w*$/.test(value ?? "");

/** perl -i and ruby -i write the files, and copies of them under another ending. */
function writeInPlace(context: JudgeContext, { options, operands }: ReadWords): void {
  const inPlace = options.find((option) => option.name === "-i" && option.roles.has("runs"));
  for (const field of inPlace ? operands : []) {
    access(context, field, "write");
    const suffix = /^-\w*i([^\s]*)$/.exec(inPlace!.words[0]!)?.[1] ?? "";
    for (const value of suffix === "" ? [] : (field.values ?? []))
      access(context, known(`${value}${suffix}`), "write");
  }
}

/** What the tool is fed is a program to it. */
export function judgeFed(context: JudgeContext, read: ReadWords): void {
  complainCode(context, read);
  if (context.fed && !read.options.some((option) => option.roles.has("code") && !option.guessed))
    complain(
      context,
      ask("dynamic-code", `${context.name} runs whatever it reads from its input.`),
    );
}
