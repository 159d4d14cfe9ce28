// sed: its script can run commands (e), write files (w) and read them (r), so the script is read command by command.
import { ask } from "../analysis.ts";
import type { Field } from "../field.ts";
import { access, accessPath, complain, type JudgeContext } from "../judge-context.ts";
import { readOptions } from "../read-options.ts";

const table = {
  valued: "-l --line-length",
  code: "",
  runs: "-f --file",
  edits: "-i --in-place",
  reads: "",
  writes: "",
};
const scripted = { ...table, valued: "-l --line-length -e --expression -f --file" };

export function judgeSed(context: JudgeContext): void {
  const read = readOptions(context.args, scripted);
  const scripts: Field[] = [];
  let operands = read.operands;
  for (const option of read.options) {
    if (option.name === "-e" || option.name === "--expression")
      scripts.push(option.value ?? { ...context.args[0]!, value: null });
    if (option.roles.has("runs"))
      complain(context, ask("script", "sed -f runs a script file.", option.words));
    if (option.roles.has("edits"))
      complain(
        context,
        ask("writing-option", "sed -i writes the files it reads.", [option.words[0]!]),
      );
  }
  if (read.open.length)
    complain(
      context,
      ask("unknown-arguments", `${read.open[0]!.raw} may turn into options of sed.`),
    );
  const hasScript = scripts.length > 0 || read.options.some((option) => option.roles.has("runs"));
  if (!hasScript && operands[0]) {
    scripts.push(operands[0]);
    operands = operands.slice(1);
  }
  for (const script of scripts) judgeScript(context, script);
  const kind = read.options.some((option) => option.roles.has("edits")) ? "write" : "read";
  for (const field of operands) {
    access(context, field, "read");
    if (kind === "write") access(context, field, "write");
  }
}

function judgeScript(context: JudgeContext, script: Field): void {
  if (script.value === null)
    return complain(context, ask("dynamic-code", "The sed script is only known at run time."));
  const reader = { text: script.value, at: 0 };
  while (reader.at < reader.text.length) {
    const problem = readCommand(reader, context);
    if (problem) return complain(context, problem);
  }
}

type Reader = { text: string; at: number };

const simple = new Set("=dDgGhHnNpPxzFlLqQ");

function readCommand(reader: Reader, context: JudgeContext): ReturnType<typeof ask> | undefined {
  skip(reader, /[\s;{}]/);
  if (reader.at >= reader.text.length) return undefined;
  if (!skipAddress(reader)) return ask("unknown-syntax", "A sed address is not understood.");
  skip(reader, /[\s!]/);
  const command = reader.text[reader.at] ?? "";
  reader.at += 1;
  if (passHarmless(reader, command)) return undefined;
  if (command === "r" || command === "R") return reading(context, restOfLine(reader));
  if (command === "w" || command === "W") return writing(context, restOfLine(reader));
  if (command === "s") return readSubstitution(reader, context);
  if (command === "y")
    return skipDelimited(reader, 2)
      ? undefined
      : ask("unknown-syntax", "A sed y command is not understood.");
  if (command === "e") return ask("executing-option", "The sed command e runs a program.");
  return ask("unknown-syntax", `The sed command ${command} is not understood.`);
}

/** Moves past a command that neither runs nor opens anything. */
function passHarmless(reader: Reader, command: string): boolean {
  if (command === "#") skipLine(reader);
  else if (simple.has(command)) skip(reader, /[\s\d]/);
  else if (command !== "" && ":btT".includes(command)) skip(reader, /[^;\n}]/);
  else if (command !== "" && "aic".includes(command)) skipText(reader);
  else return command === "" || command === "{" || command === "}";
  return true;
}

function readSubstitution(
  reader: Reader,
  context: JudgeContext,
): ReturnType<typeof ask> | undefined {
  if (!skipDelimited(reader, 2)) return ask("unknown-syntax", "A sed s command is not understood.");
  while (reader.at < reader.text.length) {
    const flag = reader.text[reader.at]!;
    if (/[gpiImM\d]/.test(flag)) reader.at += 1;
    else if (flag === "e")
      return ask("executing-option", "The flag e of a sed s command runs the result.");
    else if (flag === "w") {
      reader.at += 1;
      return writing(context, restOfLine(reader));
    } else if (/[\s;}#]/.test(flag)) return undefined;
    else return ask("unknown-syntax", `The flag ${flag} of a sed s command is not understood.`);
  }
  return undefined;
}

function reading(context: JudgeContext, path: string): undefined {
  accessPath(context, path, "read");
}

function writing(context: JudgeContext, path: string): ReturnType<typeof ask> {
  accessPath(context, path, "write");
  return ask("writing-option", "The sed command w writes a file.");
}

function skip(reader: Reader, pattern: RegExp): void {
  while (reader.at < reader.text.length && pattern.test(reader.text[reader.at]!)) reader.at += 1;
}

function skipLine(reader: Reader): void {
  const end = reader.text.indexOf("\n", reader.at);
  reader.at = end < 0 ? reader.text.length : end + 1;
}

function restOfLine(reader: Reader): string {
  const start = reader.at;
  skipLine(reader);
  return reader.text.slice(start, reader.at).trim();
}

/** Text of a, i and c runs to the end of the line; a backslash carries it on. */
function skipText(reader: Reader): void {
  do skipLine(reader);
  while (reader.at < reader.text.length && reader.text.slice(0, reader.at).endsWith("\\\n"));
}

function skipAddress(reader: Reader): boolean {
  for (let count = 0; count < 2; count += 1) {
    skip(reader, /\s/);
    const character = reader.text[reader.at] ?? "";
    if (/[\d$+~]/.test(character)) skip(reader, /[\d$+~]/);
    else if (character === "/" || character === "\\") {
      if (character === "\\") reader.at += 1;
      if (!skipDelimited(reader, 1)) return false;
      skip(reader, /[IM]/);
    }
    skip(reader, /\s/);
    if (reader.text[reader.at] !== ",") return true;
    reader.at += 1;
  }
  return true;
}

/** Moves past `count` sections that the character at hand delimits. */
function skipDelimited(reader: Reader, count: number): boolean {
  const delimiter = reader.text[reader.at];
  if (!delimiter || /[\s\\]/.test(delimiter)) return false;
  reader.at += 1;
  for (let left = count; left > 0 && reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text[reader.at];
    if (character === "\\") reader.at += 1;
    else if (character === delimiter) {
      left -= 1;
      if (left === 0) {
        reader.at += 1;
        return true;
      }
    } else if (character === "\n" && count === 1) return false;
  }
  return false;
}
