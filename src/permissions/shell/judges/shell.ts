// Shells: the string of `-c` is read like the text itself; a file that a shell runs, a rule has to
// name.
import { ask } from "../analysis.ts";
import type { Field } from "../field.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";
import { harmlessSetOptions } from "../tables/builtins.ts";

export const readsInput = (script: Field | undefined): boolean =>
  !script ||
  script.value === "-" ||
  script.descriptor ||
  (script.value?.startsWith("/dev/") ?? false);

export function touchScript(context: JudgeContext, script: Field): void {
  access(context, script, "execute");
  access(context, script, "read");
}

/** A shell takes over what its file does to it; which file, a rule has to say. */
export function runScriptFile(context: JudgeContext, script: Field | undefined): void {
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
const beyondPosix = [
  /\$['"[]|[{][^{}]*(?:,|\.\.)|[<>]\(|&>|\|&|<<<|\[\[|\(\(|\+=|=\(/,
  />&\s*[^\s\d-]|\$\{[^}]*[/^,@!:[]|\b(?:function|coproc|select|source|time)\b/,
];

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
      (beyondPosix.some((form) => form.test(call.text!.value!)) ||
        /^(?:zsh|m?ksh)/.test(context.name))
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
  const { args } = context;
  let at = 0;
  while (at < args.length) {
    const isLast = args[at]!.value === "--";
    const taken = readShellOption(context, at, call);
    at += taken;
    if (taken === 0 || isLast) break;
  }
  if (call.hasCode) call.text = args[at];
  else call.script = args[at];
  args.slice(at + 1).forEach((field) => access(context, field, "unknown"));
  return call;
}

/** How many words the option at this place takes; 0 where it is none. */
function readShellOption(context: JudgeContext, at: number, call: ShellCall): number {
  const { value: text, open, raw } = context.args[at]!;
  if (text === null && open)
    complain(context, ask("unknown-arguments", `${raw} may turn into options of ${context.name}.`));
  if (text === null || !/^[-+]./.test(text)) return 0;
  if (text === "--") return 1;
  return text.startsWith("--")
    ? readLongOption(context, text, call)
    : readLetters(context, { text, next: context.args[at + 1] }, call);
}

function readLongOption(context: JudgeContext, text: string, call: ShellCall): number {
  if (text === "--version" || text === "--help") call.informs = true;
  if (!/^--(?:norc|noprofile|posix|version|help)$/.test(text))
    complain(context, ask("script", `${context.name} ${text} changes what runs.`, [text]));
  return text === "--rcfile" || text === "--init-file" ? 2 : 1;
}

/** `-euo pipefail`: where the letters end in an `o`, the next word is theirs. */
function readLetters(
  context: JudgeContext,
  { text, next }: { text: string; next: Field | undefined },
  call: ShellCall,
): number {
  if (text.includes("c")) call.hasCode = true;
  if (text.includes("s"))
    complain(
      context,
      ask("dynamic-code", `${context.name} ${text} runs whatever it reads from its input.`),
    );
  const option = /[oO]$/.test(text) ? next : undefined;
  const isPlain = option === undefined || harmlessSetOptions.test(option.value ?? "");
  if (!/^[-+][ceuxo]+$/.test(text) || !isPlain)
    complain(context, ask("script", `${context.name} ${text} changes how text is read.`, [text]));
  return option ? 2 : 1;
}

/** `source file` runs the file in this very shell. */
export function judgeSource(context: JudgeContext): void {
  const script = context.args.find((field) => field.value !== "--");
  runScriptFile(context, script);
}
