// A program that no table describes: a rule for it means its ordinary use. What its words may make
// it start, load or send besides is asked about.
import { accessWord, complainExecuting } from "../../access-word.ts";
import { ask } from "../../analysis.ts";
import { known, type Field } from "../../field.ts";
import { access, complain, type JudgeContext } from "../../judge-context.ts";
import {
  checkerName,
  freeTextOption,
  isCodeFile,
  isDataFile,
  isSourceFile,
  loadingOption,
  plainInputOption,
  sendingFlag,
  sendingOption,
  settingsOption,
} from "./telling-names.ts";
import { holdsCommand, isAddress } from "./telling-texts.ts";

/** One word with the option whose value it is or may be. */
type Word = { text: string; option: string | undefined; value: string; joined: boolean };

/** Judges all words behind the program's name. */
export function judgeUnlisted(context: JudgeContext, fields: readonly Field[]): void {
  fields.forEach((field, at) => {
    accessWord(context, field);
    complainExecuting(context, field, fields[at + 1]);
    if (field.value !== null) judgeText(context, wordOf(field.value, fields[at - 1]?.value));
    for (const value of field.value === null ? (field.values ?? []) : [])
      startPerhaps(context, value, field.glob);
  });
  const [first] = fields;
  if (first?.value && /^(?:eval|shell|console|repl|script)$/.test(first.value))
    complainWord(context, "may run a program", first.value);
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
  touchStarted(context, word);
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

/** Letters behind which programs name code or settings. */
const namingLetter = /^-[cCSxelLpPRrX]$/;

function loadsCode({ option, value, joined }: Word): boolean {
  if (option === undefined || value === "" || /^[\d.]+$|^(?:true|false)$/.test(value)) return false;
  const isPath = value.includes("/") || isCodeFile(value) || isSourceFile(value);
  if (loadingOption(option, isPath)) return !isDataFile(value);
  if (settingsOption.test(option)) return isPath && !isDataFile(value) && /\.\w+$/.test(value);
  if (plainInputOption.test(option)) return false;
  if (isCodeFile(value)) return true;
  return isSourceFile(value) && (namingLetter.test(option) || (joined && option.startsWith("--")));
}

/** What could be a program on disk, or a file with further words. */
function touchStarted(context: JudgeContext, { text, option, value }: Word): void {
  const list = /^@(.+)$/s.exec(value)?.[1];
  if (list !== undefined) touch(context, list, "words");
  const isOperand = option === undefined;
  // A bare word is a subcommand as often as a file, and nothing is started by it from here.
  if (isOperand && (checkerName.test(context.name) || !/[./]/.test(text))) return;
  for (const piece of new Set([value, ...text.split(/[=:,]/, 8)]))
    if (piece !== "" && !piece.startsWith("-")) startPerhaps(context, piece, false);
}

function startPerhaps(context: JudgeContext, path: string, glob: boolean): void {
  if (!glob && !/\s/.test(path)) touch(context, path, "program");
}

const touch = (context: JudgeContext, path: string, starts: "program" | "words"): void =>
  access(context, known(path), { kind: "unknown", recursive: false, starts });
