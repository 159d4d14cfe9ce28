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
export function judgeJq(context: JudgeContext): void {
  const operands: Field[] = [];
  let filesEnd = false;
  for (let at = 0; at < context.args.length; at += 1) {
    const field = context.args[at]!;
    const text = field.value;
    const named = text !== null ? namedValues[text] : undefined;
    if (named) {
      const value = context.args[at + 2];
      if (named === "file" && value) access(context, value, "read");
      at += 2;
    } else if (text === "--args" || text === "--jsonargs") filesEnd = true;
    else if (text === "--indent") at += 1;
    else if (text !== null && isJqFlag(text)) continue;
    else if (text !== null && /^(?:-[a-zA-Z]*[fL]|--from-file|--library-path)/.test(text)) {
      complain(
        context,
        ask(
          "script",
          `jq ${text} runs a program file.`,
          [text, context.args[at + 1]?.value ?? ""].filter(Boolean),
        ),
      );
      at += 1;
      if (context.args[at]) access(context, context.args[at]!, "read");
    } else if (text?.startsWith("-") && text !== "-")
      complain(
        context,
        ask("unknown-option", `jq: ${text} is not an option that is known.`, [text]),
      );
    else {
      if (field.open)
        complain(context, ask("unknown-arguments", `${field.raw} may turn into options of jq.`));
      if (operands.length === 0 || !filesEnd) operands.push(field);
    }
  }
  const [filter, ...files] = operands;
  if (filter?.value == null ? filter !== undefined : !isPlainFilter(filter.value))
    complain(context, ask("script", "The jq program may load files or show the environment."));
  files.forEach((file) => access(context, file, "read"));
}

/** `less +!cmd file` runs a command on start. */
export function judgeLess(context: JudgeContext, read: ReadWords): void {
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
export function judgeMan(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands) {
    if (!field.value?.includes("/")) continue;
    access(context, field, "read");
    complain(context, ask("script", `man formats the file ${field.raw}.`, [field.value]));
  }
}

/** ImageMagick: some formats are programs or lists of other files, whatever the file is called. */
export function judgeConvert(context: JudgeContext): void {
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
export function judgeYq(context: JudgeContext, read: ReadWords): void {
  const [program] = read.operands.filter(({ value }) => !yqCommands.has(value ?? ""));
  const text = program?.value;
  if (program !== undefined && (text == null || !(isDataFile(text) || isPlainFilter(text))))
    complain(context, ask("script", "The yq program may load files or show the environment."));
}

/** `date +%F` shows the time, `date 0101` sets it. */
export function judgeDate(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands)
    if (!field.value?.startsWith("+") && !field.raw.replace(/^["']/, "").startsWith("+"))
      complain(
        context,
        ask("writing-option", "date with an operand sets the clock.", [field.value ?? "\0"]),
      );
}

/** `hostname x` names the machine. */
export function judgeHostname(context: JudgeContext, read: ReadWords): void {
  const [name] = read.operands;
  if (name)
    complain(
      context,
      ask("writing-option", "hostname with an operand renames the machine.", [name.value ?? "\0"]),
    );
}
