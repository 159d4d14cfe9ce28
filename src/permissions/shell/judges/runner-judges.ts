// Shells, interpreters and make.
import { accessWord } from "../access-word.ts";
import { ask } from "../analysis.ts";
import { known, type Field } from "../field.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";
import { complainCode } from "./plain/plain-code.ts";
import { harmlessSetOptions } from "../tables/builtins.ts";

const informing = /^(?:--version|-v|-V|--help|-h|-\?|--v8-options)$/;

/**
 * `python3 x.py`, `node`, `perl -e`: code options are judged by the table, here it is the script or
 * the lack of one.
 */
export function judgeInterpreter(context: JudgeContext, read: ReadWords): void {
  writeInPlace(context, read);
  const module = read.options.find(
    (option) => option.name === "-m" && option.roles.has("code"),
  )?.value;
  if (module?.value)
    return context.launch(
      context.args
        .slice(
          context.args.findIndex(
            (field) => field === module || field.value === `-m${module.value}`,
          ),
        )
        .map((field, at) => (at === 0 ? module : field)),
    );
  if (read.options.some((option) => option.roles.has("code"))) {
    complainCode(context, read);
    read.operands.forEach((field) => access(context, field, "unknown"));
    return;
  }
  if (read.options.some((option) => informing.test(option.words[0] ?? ""))) return;
  const [script, ...rest] = read.operands;
  rest.forEach((field) => access(context, field, "unknown"));
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

const readsInput = (script: Field | undefined): boolean =>
  !script ||
  script.value === "-" ||
  script.descriptor ||
  (script.value?.startsWith("/dev/") ?? false);

function touchScript(context: JudgeContext, script: Field): void {
  access(context, script, "execute");
  access(context, script, "read");
}

/** A shell takes over what its file does to it; which file, a rule has to say. */
function runScriptFile(context: JudgeContext, script: Field | undefined): void {
  if (!script || readsInput(script))
    return complain(
      context,
      ask("dynamic-code", `${context.name} runs whatever it reads from its input.`),
    );
  touchScript(context, script);
  complain(
    context,
    ask("script", `${context.name} runs the file ${script.raw}.`, [script.value ?? "\0"]),
  );
}

/** Syntax that other shells than bash read as something else. */
const beyondPosix =
  /\$['"[]|[{][^{}]*(?:,|\.\.)|[<>]\(|&>|\|&|<<<|\[\[|\(\(|\+=|=\(|>&\s*[^\s\d-]|\$\{[^}]*[/^,@!:[]|\b(?:function|coproc|select|source|time)\b/;

type ShellCall = {
  text: Field | undefined;
  script: Field | undefined;
  informs: boolean;
  hasCode: boolean;
};

/** The string of `-c` is read like the text itself. */
export function judgeShell(context: JudgeContext): void {
  const call = readShellOptions(context);
  if (call.hasCode) {
    if (!call.text || call.text.value === null)
      return complain(
        context,
        ask("dynamic-code", `What ${context.name} -c runs is only known at run time.`),
      );
    if (
      !/bash/.test(context.name) &&
      (beyondPosix.test(call.text.value) || /^(?:zsh|m?ksh)/.test(context.name))
    )
      complain(
        context,
        ask("dynamic-code", `${context.name} reads this text differently from bash.`),
      );
    return context.runText(call.text.value, context.scope);
  }
  if (!call.informs) runScriptFile(context, call.script);
}

function readShellOptions(context: JudgeContext): ShellCall {
  const call: ShellCall = { text: undefined, script: undefined, informs: false, hasCode: false };
  const args = context.args;
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]!.value;
    if (text === null && args[at]!.open)
      complain(
        context,
        ask("unknown-arguments", `${args[at]!.raw} may turn into options of ${context.name}.`),
      );
    if (text === null || !/^[-+]./.test(text)) break;
    if (text === "--") {
      at += 1;
      break;
    }
    if (text.startsWith("--")) {
      if (text === "--version" || text === "--help") call.informs = true;
      else if (text === "--rcfile" || text === "--init-file") at += 1;
      if (!/^--(?:norc|noprofile|posix|version|help)$/.test(text))
        complain(context, ask("script", `${context.name} ${text} changes what runs.`, [text]));
      continue;
    }
    if (text.includes("c")) call.hasCode = true;
    if (text.includes("s"))
      complain(
        context,
        ask("dynamic-code", `${context.name} ${text} runs whatever it reads from its input.`),
      );
    const option = /[oO]$/.test(text) ? args[at + 1] : undefined;
    if (option) at += 1;
    if (!/^[-+][ceuxo]+$/.test(text) || (option && !harmlessSetOptions.test(option.value ?? "")))
      complain(context, ask("script", `${context.name} ${text} changes how text is read.`, [text]));
  }
  if (call.hasCode) call.text = args[at];
  else call.script = args[at];
  args.slice(at + 1).forEach((field) => access(context, field, "unknown"));
  return call;
}

/** `source file` runs the file in this very shell. */
export function judgeSource(context: JudgeContext): void {
  const script = context.args.find((field) => field.value !== "--");
  runScriptFile(context, script);
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

/** Words that a compiler hands on to programs of its own, or takes from a file. */
export function judgeCompiler(context: JudgeContext): void {
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
const plainProperty =
  /^(?:Configuration|Platform|CollectCoverage|CoverletOutputFormat|Version|TreatWarningsAsErrors|WarningLevel|UseAppHost|Deterministic)=[\w.,-]*$/i;

/** `-p:Name=value` in all its spellings, and loggers that are libraries. */
export function judgeMsbuild(context: JudgeContext): void {
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

/** What stands behind `--` goes to the build tool, which is make as far as anybody knows. */
export function judgeCmake(context: JudgeContext): void {
  const at = context.args.findIndex((field) => field.value === "--");
  if (at >= 0) context.launch([known("make"), ...context.args.slice(at + 1)]);
}

/** A number or a switch, which no recipe runs. */
const plainVariable =
  /^(?!MAKE|\w*FLAGS|SHELL)[A-Za-z_]\w*[:?+]?=(?:\d{0,6}|true|false|yes|no|on|off|debug|release)$/i;
/** What recipes hand to a test or a build, without a place or a character that a shell reads. */
const handedOn =
  /^(?:\w*ARGS|TESTS?|T|PKG|FILTER|RUN|PATTERN|NAME|ENV|MODE|TARGET|VERSION|TAG)=[\w.,:=-]*$/;

/** `make VAR=x` overrides what the recipes run. */
export function judgeMake(context: JudgeContext, read: ReadWords): void {
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
