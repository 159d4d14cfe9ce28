// A program that no table describes: a rule for it means its ordinary use. What its words may make
// it start, load or send besides is asked about.
import { accessWord, complainExecuting } from "../../access-word.ts";
import { ask, type PathAccess } from "../../analysis.ts";
import type { Field } from "../../field.ts";
import { complainTasks } from "../../access-operands.ts";
import { accessPath, complain, type JudgeContext } from "../../judge-context.ts";
import {
  checkerName,
  folderOption,
  freeTextOption,
  isCodeFile,
  isDataFile,
  isSourceFile,
  loadingOption,
  plainFlag,
  plainInputOption,
  plainValue,
  sendingFlag,
  sendingPart,
  sendingOption,
  settingsFile,
  settingsOption,
} from "./loading-option.ts";
import { carriers, holdsCommand, isAddress, runners } from "./holds-command.ts";

/** One word with the option whose value it is or may be. */
type Word = { text: string; option: string | undefined; value: string; joined: boolean };

/** Programs whose documents and templates may name further files, which become part of the result. */
const includers =
  /^(?:typst|plantuml|asciidoc\w*|rst2\w+|[gnt]?roff|soelim|mandoc|mdbook|sphinx-build|j2|jinja2?|gomplate|erb)$/;

/** Programs whose words are tasks, each of which runs. */
const taskRunners = new Set(
  `invoke inv mage doit grunt gulp fastlane psake waf scons b2 sbt earthly fab mask npm-run-all run-s
  run-p`.split(/\s+/),
);

/** Judges all words behind the program's name. */
export function judgeUnlisted(context: JudgeContext, fields: readonly Field[]): void {
  if (includers.test(context.name)) accessPath(context, ".", { kind: "unknown", recursive: true });
  const end = fields.findIndex((field) => field.value === "--");
  fields.forEach((field, at) => {
    const word = field.value === null ? undefined : wordOf(field.value, fields[at - 1]?.value);
    accessWord(context, field, word && startsOf(word, context.name));
    complainExecuting(context, field, fields[at + 1]);
    if (word) judgeText(context, word);
    if (word && (end < 0 || at < end) && !isPlainOption(word, fields[at + 1]?.value))
      complain(context, ask("unknown-option", unknownOption(context.name, word), [word.text]));
  });
  if (taskRunners.has(context.name))
    complainTasks(
      context,
      fields.map(({ value }) => value),
    );
  const started = fields.findIndex((_, at) => startsProgram(fields, at));
  if (started >= 0) complainWord(context, "may start it", fields[started]!.value!);
  const [first] = fields;
  if (first?.value && /^(?:eval|shell|console|repl|script)$/.test(first.value))
    complainWord(context, "may run a program", first.value);
  if (first?.value && sendingPart.test(first.value))
    complainWord(context, "may send something away", first.value);
}

/** Who installs or explains a program does not start it. */
const aboutPrograms =
  /^(?:install|add|use|remove|uninstall|update|upgrade|info|show|list|search|which|help|pin|local|global)$/;

/** `msgexec -i de.po touch x`: a program with words of its own behind it. */
const startsProgram = (fields: readonly Field[], at: number): boolean =>
  (at === 0 ? runners : carriers).has(fields[at]!.value ?? "") &&
  fields[at + 1] !== undefined &&
  !fields.slice(0, at).some(({ value }) => aboutPrograms.test(value ?? ""));

const unknownOption = (program: string, { option, text }: Word): string =>
  `${program}: ${option ?? text} is not an option that is known.`;

/**
 * The word is no option, or one that means the same to all programs that have it: it shows more or
 * less, counts, names what is made or what is looked for.
 */
function isPlainOption(
  { text, option = text, value, joined }: Word,
  next?: string | null,
): boolean {
  if (!text.startsWith("-") || text === "-" || text === "--" || /^-\d+$/.test(text)) return true;
  const given = joined ? value : (next ?? "");
  if (plainFlag.test(option) && !joined) return true;
  if (option.startsWith("--") && /^\d+(?:\.\d+)?[a-z%]{0,2}$/i.test(given)) return true;
  if (freeTextOption.test(option)) return true;
  // `--format Dir::Cache=x`: a setting, which may be any of the program's.
  return plainValue.test(option) && /^[^-=][^=]*$/.test(given);
}

function wordOf(text: string, before: string | null | undefined): Word {
  const joined = /^(--?[A-Za-z][\w.-]*)[=:]([^]*)$/.exec(text);
  if (joined) return { text, option: joined[1], value: joined[2]!, joined: true };
  const letter = /^(-[A-Za-z])([^-=].*)$/s.exec(text);
  if (letter && !text.startsWith("--"))
    return { text, option: letter[1], value: letter[2]!, joined: true };
  const isValue = !text.startsWith("-") && before != null && /^-{1,2}[A-Za-z][^=]*$/.test(before);
  return { text, option: isValue ? before : undefined, value: text, joined: false };
}

function judgeText(context: JudgeContext, word: Word): void {
  const { text, option, value } = word;
  if (option !== undefined && freeTextOption.test(option)) return;
  if (text.startsWith("-") && !word.joined) {
    if (sendingFlag.test(text)) complainWord(context, "may send what it finds", text);
    return;
  }
  if (holdsCommand(value, option)) complainWord(context, "may run it as a command", ...of(word));
  else if (isAddress(value, option) || sendsTo(word))
    complainWord(context, "may send something there", ...of(word));
  else if (loadsCode(word)) complainWord(context, "may run or load what it names", ...of(word));
}

/** The words that a rule has to spell. */
const of = ({ text, option, joined }: Word): string[] =>
  joined || option === undefined ? [text] : [option, text];

function complainWord(context: JudgeContext, does: string, ...words: string[]): void {
  const named = words.join(" ").slice(0, 80);
  complain(context, ask("executing-option", `${context.name} ${does}: ${named}`, words));
}

const sendsTo = ({ option, value }: Word): boolean =>
  option !== undefined &&
  sendingOption.test(option) &&
  /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/]|$)/i.test(value) &&
  !isDataFile(value) &&
  !isSourceFile(value);

/** Letters behind which programs name code or settings; the others are mostly switches. */
const namingLetter = /^-[A-HK-PR-VX-Zcefhlmprtux]$/;
/** Of these, the ones that name neither a folder nor a kind of output. */
const fileLetter = /^-[FPRSX]$/;
/** `-D extensions=evil`: a setting that says what it starts. */
const runningSetting =
  /^[\w.-]*(?:command|cmd|exec|hook|plugin|extension|loader|shell|program|editor|pager|browser|script)s?=/i;

/** `lexer.py:Class`: who names what is in a program loads it. */
const namedPart = /(?<=\.\w+):\w+$/;
/** `-f eval`: what it reads is a program to it. */
const evaluates = /^(?:eval|evaluate|exec|execute|repl)$/i;

/** The value says so itself, whatever the option. */
function saysCode(value: string): boolean {
  const file = value.replace(namedPart, "");
  const isPart = file !== value && (isSourceFile(file) || isCodeFile(file));
  return isPart || runningSetting.test(value) || evaluates.test(value);
}

function loadsCode({ option, value, joined }: Word): boolean {
  if (option === undefined || value === "" || /^[\d.]+$|^(?:true|false)$/.test(value)) return false;
  if (saysCode(value)) return true;
  if (isDataFile(value)) return false;
  const isPath = value.includes("/") || isCodeFile(value) || isSourceFile(value);
  if (loadingOption(option, isPath) || settingsFile.test(option)) return true;
  if (settingsOption.test(option)) return isPath && hasEnding.test(value);
  return !plainInputOption.test(option) && isProgramFor(option, value, joined);
}

const hasEnding = /\.\w+$/;

function isProgramFor(option: string, value: string, joined: boolean): boolean {
  if (isCodeFile(value) || (fileLetter.test(option) && hasEnding.test(value))) return true;
  const isNamed = namingLetter.test(option) || (joined && option.startsWith("--"));
  return isSourceFile(value) && isNamed;
}

/** What the program may do with a file of that name. */
function startsOf({ text, option, value }: Word, program: string): PathAccess["starts"] {
  if (/^@./.test(value)) return "words";
  if (option !== undefined && folderOption.test(option)) return "programs";
  if (option !== undefined) return freeTextOption.test(option) ? undefined : "program";
  // A bare word is a subcommand as often as a file, and nothing is started by it from here.
  return checkerName.test(program) || !/[./]/.test(text) ? undefined : "program";
}
