// jq and the pagers.
import { ask } from "../analysis.ts";
import type { Field } from "../field.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";
import { isPlainFilter } from "./plain/plain-filter.ts";

const namedValues: Record<string, "value" | "file"> = {
  "--arg": "value",
  "--argjson": "value",
  "--slurpfile": "file",
  "--rawfile": "file",
};

const jqLongs = new Set(
  `--raw-output --compact-output --null-input --exit-status --slurp --sort-keys --join-output
  --ascii-output --color-output --monochrome-output --raw-input --tab --stream --seq --unbuffered
  --raw-output0 --version --help`.split(/\s+/),
);
const isJqFlag = (text: string): boolean => /^-[rcnesSjaCMR]+$/.test(text) || jqLongs.has(text);
/**
 * jq's options differ too much from others' to be read by the table: some take two values, some end
 * the files.
 */
function judgeJq(context: JudgeContext): void {
  const operands: Field[] = [];
  const end = context.args.findIndex(({ value }) => value === "--args" || value === "--jsonargs");
  for (let at = 0; at < context.args.length;) {
    const field = context.args[at]!;
    const taken = isWord(field.value) ? 0 : readJqOption(context, field.value!, at);
    at += Math.max(taken, 1);
    if (taken > 0) continue;
    if (field.open)
      complain(context, ask("unknown-arguments", `${field.raw} may turn into options of jq.`));
    if (operands.length === 0 || end < 0 || at <= end) operands.push(field);
  }
  const [filter, ...files] = operands;
  if (filter?.value == null ? filter !== undefined : !isPlainFilter(filter.value))
    complain(context, ask("script", "The jq program may load files or show the environment."));
  files.forEach((file) => access(context, file, "read"));
}

const isWord = (text: string | null): boolean =>
  text === null || text === "-" || !text.startsWith("-");

/** How many words the option takes. */
function readJqOption(context: JudgeContext, text: string, at: number): number {
  const named = namedValues[text];
  if (named) {
    const value = context.args[at + 2];
    if (named === "file" && value) access(context, value, "read");
    return 3;
  }
  if (text === "--indent") return 2;
  if (text === "--args" || text === "--jsonargs" || isJqFlag(text)) return 1;
  if (!/^(?:-[a-zA-Z]*[fL]|--from-file|--library-path)/.test(text)) {
    complain(context, ask("unknown-option", `jq: ${text} is not an option that is known.`, [text]));
    return 1;
  }
  const next = context.args[at + 1];
  const words = [text, next?.value ?? ""].filter(Boolean);
  complain(context, ask("script", `jq ${text} runs a program file.`, words));
  if (next) access(context, next, "read");
  return 2;
}

/** `less +!cmd file` runs a command on start. */
function judgeLess(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands) {
    if (field.value?.startsWith("+") || field.open)
      complain(
        context,
        ask("executing-option", `${context.name} runs ${field.raw} as a command of its own.`, [
          field.value ?? "\0",
        ]),
      );
  }
}

/** A page with a slash in its name is a file, and a page is a program to the formatter. */
function judgeMan(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands) {
    if (!field.value?.includes("/")) continue;
    access(context, field, "read");
    complain(context, ask("script", `man formats the file ${field.raw}.`, [field.value]));
  }
}

/** ImageMagick: some formats are programs or lists of other files, whatever the file is called. */
function judgeConvert(context: JudgeContext): void {
  for (const field of context.args) {
    if (
      /^(?:msl|mvg|ephemeral|https?|ftp|url|show|win|x|plt|gnuplot|ps[23]?|eps|pdf|svg|msvg|rsvg):|^[@|]/i.test(
        field.value ?? "",
      )
    )
      complain(
        context,
        ask("script", `${context.name} runs or follows what ${field.raw} says.`, [field.value!]),
      );
  }
}

const yqCommands = new Set(["e", "ea", "eval", "eval-all"]);
const isDataFile = (text: string): boolean => /^[\w./-]+\.(?:ya?ml|json|toml|xml)$/.test(text);

/** yq's programs can load other files, read the environment and evaluate text. */
function judgeYq(context: JudgeContext, read: ReadWords): void {
  const [program] = read.operands.filter(({ value }) => !yqCommands.has(value ?? ""));
  const text = program?.value;
  if (program !== undefined && (text == null || !(isDataFile(text) || isPlainFilter(text))))
    complain(context, ask("script", "The yq program may load files or show the environment."));
}

/** `date +%F` shows the time, `date 0101` sets it. */
function judgeDate(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands)
    if (!field.value?.startsWith("+") && !field.raw.replace(/^["']/, "").startsWith("+"))
      complain(
        context,
        ask("writing-option", "date with an operand sets the clock.", [field.value ?? "\0"]),
      );
}

/** `hostname x` names the machine. */
function judgeHostname(context: JudgeContext, read: ReadWords): void {
  const [name] = read.operands;
  if (name)
    complain(
      context,
      ask("writing-option", "hostname with an operand renames the machine.", [name.value ?? "\0"]),
    );
}

/** `ps e` prints the environment of other processes. */
function judgePs(context: JudgeContext): void {
  let skipped = false;
  for (const field of context.args) {
    const text = field.value;
    const isValue = skipped;
    skipped = text !== null && /^(?:-[a-zA-Z]*[oCpugtGUsO]|[a-zA-Z]*[oOpUtk])$/.test(text);
    const shows = isValue
      ? /environ/i.test(text ?? "environ")
      : text === null
        ? field.open
        : /^[a-zA-Z]*[eE][a-zA-Z]*$/.test(text) || /^-[a-zA-Z]*E/.test(text);
    if (shows)
      complain(
        context,
        ask(
          "executing-option",
          "ps shows the environment of other processes with e.",
          text === null ? undefined : [text],
        ),
      );
  }
}

export const textJudges = {
  convert: judgeConvert,
  date: judgeDate,
  hostname: judgeHostname,
  jq: judgeJq,
  less: judgeLess,
  man: judgeMan,
  ps: judgePs,
  yq: judgeYq,
};
