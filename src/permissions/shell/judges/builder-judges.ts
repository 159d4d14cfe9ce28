// Compilers and build tools: words that they hand on, variables that change what they run.
import { accessWord } from "../access-word.ts";
import { ask } from "../analysis.ts";
import { known } from "../field.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";

/** Words that a compiler hands on to programs of its own, or takes from a file. */
function judgeCompiler(context: JudgeContext): void {
  for (const field of context.args) {
    const text = field.value ?? "";
    if (/^-(?:Xlinker|Xassembler|Xpreprocessor|Xclang|W[lap],.*(?:plugin|wrapper|-o))/.test(text))
      complain(
        context,
        ask("executing-option", `${context.name} ${text} hands options on.`, [text]),
      );
    if (text.startsWith("@"))
      complain(
        context,
        ask("executing-option", `${context.name} takes options from ${text.slice(1)}.`, [text]),
      );
    if (text.startsWith("@") || /^-[IL]./.test(text)) accessWord(context, field);
    if (/^-(?:javaagent|agentlib|agentpath|XX:On|Xbootclasspath)/.test(text))
      complain(
        context,
        ask("executing-option", `${context.name} ${text} loads or runs something else.`, [text]),
      );
  }
}

/**
 * Properties that only choose what is built and whether coverage is counted; others reach into the
 * build itself.
 */
const plainProperties = `
  Configuration Platform CollectCoverage CoverletOutputFormat Version TreatWarningsAsErrors
  WarningLevel UseAppHost Deterministic`
  .trim()
  .split(/\s+/)
  .join("|");
const plainProperty = new RegExp(String.raw`^(?:${plainProperties})=[\w.,-]*$`, "i");

/** `-p:Name=value` in all its spellings, and loggers that are libraries. */
function judgeMsbuild(context: JudgeContext): void {
  context.args.forEach((field, at) => {
    const text = field.value ?? "";
    const property =
      /^(?:--?|\/)p(?:roperty)?:([^]*)$/i.exec(text)?.[1] ??
      (/^(?:-p|--property)$/.test(text) ? (context.args[at + 1]?.value ?? "") : undefined);
    if (property !== undefined && /[=]|^$/.test(property) && !plainProperty.test(property))
      complain(
        context,
        ask("executing-option", `${context.name} ${text} changes what the build runs.`, [text]),
      );
    if (/^(?:--?|\/)(?:l|logger|dl|distributedlogger):/i.test(text) || text.startsWith("@"))
      complain(
        context,
        ask("executing-option", `${context.name} ${text} loads code or options.`, [text]),
      );
    if (text.startsWith("@")) accessWord(context, field);
  });
}

/** What `cmake -E` does by itself, as the program that does the same. */
const cmakeTools: ReadonlyMap<string, string> = new Map([
  ["cat", "cat"],
  ["chdir", "env -C"],
  ["compare_files", "cmp"],
  ["copy", "cp"],
  ["copy_directory", "cp -r"],
  ["copy_directory_if_different", "cp -r"],
  ["copy_directory_if_newer", "cp -r"],
  ["copy_if_different", "cp"],
  ["copy_if_newer", "cp"],
  ["create_hardlink", "ln"],
  ["create_symlink", "ln -s"],
  ["env", "env"],
  ["make_directory", "mkdir -p"],
  ["remove", "rm"],
  ["remove_directory", "rm -r"],
  ["rename", "mv"],
  ["rm", "rm"],
  ["tar", "tar"],
  ["time", "time"],
  ["touch", "touch"],
  ["touch_nocreate", "touch"],
]);

/** What stands behind `--` goes to the build tool, which is make as far as anybody knows. */
function judgeCmake(context: JudgeContext, read: ReadWords): void {
  // `cmake --help-variables FILE` writes its help there.
  if (read.options.some(({ name }) => name.startsWith("--help")))
    read.operands.forEach((field) => {
      access(context, field, "write");
      complain(context, ask("writing-option", `cmake may write ${field.raw}.`, [field.raw]));
    });
  const tool = context.args.findIndex((field) => field.value === "-E");
  const same = tool < 0 ? undefined : cmakeTools.get(context.args[tool + 1]?.value ?? "");
  if (same !== undefined)
    return context.launch([
      ...same.split(" ").map((word) => known(word)),
      ...context.args.slice(tool + 2),
    ]);
  const at = context.args.findIndex((field) => field.value === "--");
  if (at >= 0) context.launch([known("make"), ...context.args.slice(at + 1)]);
}

/** A number or a switch, which no recipe runs. */
const plainVariable =
  /^(?!MAKE|\w*FLAGS|SHELL)[A-Za-z_]\w*[:?+]?=(?:\d{0,6}|true|false|yes|no|on|off|debug|release)$/i;
/** What recipes hand to a test or a build, without a character that a shell reads. */
const handedOn =
  /^(?:\w*ARGS|TESTS?|T|PKG|FILTER|RUN|PATTERN|NAME|ENV|MODE|TARGET|VERSION|TAG)=[\w.,:=-]*(?:\/[\w.,:=-]+)*$/;

/** `make VAR=x` overrides what the recipes run. */
function judgeMake(context: JudgeContext, read: ReadWords): void {
  const texts = context.args.map((field) => field.value ?? "");
  const assigned = context.command.assignments.find((text) => !plainVariable.test(text));
  if (assigned !== undefined)
    complain(context, ask("assignment", `${assigned} is a variable of the makefile as well.`));
  if (
    texts.some(
      (text, at) =>
        /^(?:-f|--(?:make)?file=)-$/.test(text) ||
        (text === "-" && /^(?:-[A-Za-z]*f|--(?:make)?file)$/.test(texts[at - 1] ?? "")),
    )
  )
    complain(context, ask("dynamic-code", "make runs whatever it reads from its input."));
  for (const field of read.operands) {
    if (field.value?.includes("/")) accessWord(context, field);
    if (field.open || field.value === null)
      complain(
        context,
        ask("unknown-arguments", `${field.raw} may turn into options or variables of make.`),
      );
    else if (
      field.value.includes("=") &&
      !plainVariable.test(field.value) &&
      !handedOn.test(field.value)
    )
      complain(
        context,
        ask("executing-option", `${field.value} overrides a variable of the makefile.`, [
          field.value,
        ]),
      );
  }
}

/** `mvn group:plugin:version:goal` and `mvn exec:exec` run what no build file says. */
const foreignGoal = /^(?:exec|antrun|archetype|wrapper):|^[^:]*:[^:]*:/;

function judgeMaven(context: JudgeContext, read: ReadWords): void {
  for (const { value, raw } of read.operands)
    if (foreignGoal.test(value ?? ""))
      complain(context, ask("executing-option", `mvn ${raw} runs a program.`, [value!]));
}

/** `yarn workspace NAME WORDS` is yarn with these words in another folder. */
function judgeWorkspace(context: JudgeContext, read: ReadWords): void {
  context.launch([known("yarn"), ...read.operands.slice(1)]);
}

export const builderJudges = {
  cmake: judgeCmake,
  compiler: judgeCompiler,
  make: judgeMake,
  msbuild: judgeMsbuild,
  mvn: judgeMaven,
  workspace: judgeWorkspace,
};
