// Whether a program on record may have been the run of a claim: it did something, it ended well after the
// last change, and its command or its output speaks of what the claim speaks of.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import { speaksOf, type ResultSetting } from "../gap-of.ts";
import { editAfter } from "../runs/edit-after.ts";
import { isInline, noRun } from "../runs/no-run.ts";
import { outputSays } from "../runs/output-says.ts";
import { programsOf } from "../runs/programs-of.ts";
import type { LabelledSubject } from "../stance/stances-of.ts";
import { tellsTrouble } from "../words/good-words.ts";

const longestOutput = 20_000;
const deliveries: ReadonlySet<LabelledSubject> = new Set([
  "deploy",
  "publish",
  "commit",
  "push",
  "migration",
]);

/** How it ended, not what it was: every run says such words. */
const outcomes = new Set(
  (
    "pass passe succe clean green error warni failu faile probl issue fine good works worki without " +
    "with that this have been from into after again still also both every everything whole entire " +
    "runs running executed project change changes changed there their they them which when then than now " +
    "file files only same other reports report shows comes went done finished completed result results status"
  ).split(" "),
);

const stem = (word: string): string => word.slice(0, 5);

/** Stems of words of four letters and more that say what is meant. */
export const stemsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
      .filter((word) => !outcomes.has(word) && !outcomes.has(stem(word)))
      .map(stem),
  );

/** The command that may have been it. */
export function mayBeItsRun(
  claim: string,
  meant: readonly LabelledSubject[],
  setting: ResultSetting,
): string | undefined {
  const { ledger, record } = setting;
  const said = stemsOf(claim);
  const options = claim.match(/(?<=`)--[a-z-]{3,}(?=`)/g) ?? [];
  const nouned = meant.filter((subject) => wordsOf(subject)?.test(spaced(claim)) ?? false);
  // Another machine runs checks; what was delivered it does not show.
  const isCheck = !meant.some((subject) => deliveries.has(subject));
  // What is known to be a run of something else may still have been one of this: it says so itself.
  const mayBeBesides = (run: CommandRun, known: ReadonlySet<string>): boolean =>
    ((!isCheck || nouned.length === 0) && isDelivered(known) && shares(said, run.output)) ||
    meant.some((subject) => {
      const words = known.has(subject) ? undefined : wordsOf(subject);
      // `dune build @fmt`: the command itself speaks of it.
      const isAsked = isCheck && words?.test(spaced(unquoted(run.command))) === true;
      return (
        isAsked || (words !== undefined && resultLines(run.output).some((line) => words.test(line)))
      );
    }) ||
    listsIt(said, run.output);
  const found = record.recognitions.findLast(({ run, recognition }) => {
    if (isCheck && showsElsewhere(run, ledger.root)) return true;
    // "A `--check` run went through": the claim names how it was called.
    if (run.exitCode === 0 && options.some((one) => run.command.includes(one))) return true;
    // What a dry run printed may be told as such.
    if (recognition.rehearsed.length > 0 && hasFigure(claim, run.output)) return true;
    if (!recognition.executes || !wentWell(run, setting)) return false;
    if (hasFigure(claim, run.output) || isCalled(claim, run.command)) return true;
    const known = new Set<string>(recognition.runs.flatMap((one) => one.subjects));
    if (known.size > 0) return mayBeBesides(run, known);
    return shares(said, `${unquoted(run.command)}\n${run.output.slice(0, longestOutput)}`);
  });
  return found?.run.command;
}

/**
 * A run after the last change printed what the claim says: three of its words in a row, or its figure; with `figures`
 * that alone.
 */
export function printsIt(
  claim: string,
  setting: ResultSetting,
  { figures }: { figures: boolean },
): string | undefined {
  const words = wordsIn(claim);
  const telling = figures
    ? []
    : words.slice(2).flatMap((last, at) => {
        const part = [words[at]!, words[at + 1]!, last];
        return part.join("").length > 11 ? [part.join(" ")] : [];
      });
  return setting.ledger.commands.find(
    (run) =>
      run.exitCode === 0 &&
      !editAfter({ run, ecosystem: "any", folder: "." }, setting.ledger.edits) &&
      programsOf(run.command, setting.ledger.root).some(
        ({ argv }) => !noRun(argv) && !isInline(argv),
      ) &&
      (hasFigure(claim, run.output) ||
        holdsOne(wordsIn(run.output.slice(0, longestOutput)).join(" "), telling)),
  )?.command;
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
const holdsOne = (text: string, parts: readonly string[]): boolean =>
  parts.some((part) => ` ${text} `.includes(` ${part} `));

/** "ruff.....Passed", "lint: ok", "✓ types": a line that has nothing but a name and how it came out. */
const listsIt = (said: ReadonlySet<string>, output: string): boolean =>
  output
    .slice(0, longestOutput)
    .split("\n")
    .some((line) => listed.test(line.trim()) && shares(said, line));
const listed = new RegExp(
  "^\\W*[\\w:/@.-]+(?: [\\w:/@-]+)?\\W*(?:\\.{3,}|[:\\s])\\s*" +
    "(?:ok|pass(?:ed)?|success\\w*|succeeded|done|clean|[✓✔✅])\\W*$|^[✓✔✅]\\s*[\\w:/@-]+\\W*$",
  "iu",
);

/** The claim names a task or a program, and the command has it. */
const isCalled = (claim: string, command: string): boolean =>
  [...claim.matchAll(/`([^`\s]{5,60})`/g)].some(
    ([, name]) =>
      !/[./]\w{1,5}$/.test(name!) &&
      new RegExp(`(?:^|[\\s:/])${escapeRegExp(name!)}(?=$|[\\s:])`).test(unquoted(command)),
  );

/** It ended well after the last change, and its programs are what they are called. */
const wentWell = (run: CommandRun, { ledger }: ResultSetting): boolean =>
  run.exitCode === 0 &&
  !editAfter({ run, ecosystem: "any", folder: "." }, ledger.edits) &&
  (run.tool !== "Bash" ||
    programsOf(run.command, ledger.root).some(
      ({ argv, isDisguised }) => !isDisguised && !noRun(argv) && !isInline(argv),
    ));

/** A figure of three digits and more that the run printed. */
const hasFigure = (claim: string, output: string): boolean =>
  (claim.match(/\d+[.,]\d{2,}|\d{4,}|\b[a-z]{3,}=\d+/g) ?? []).some((figure) =>
    output.includes(figure),
  );

/** What speaks of a subject; a run or an installation is spoken of in too many ways. */
const wordsOf = (subject: LabelledSubject): RegExp | undefined =>
  subject === "run" || subject === "install" ? undefined : speaksOf[subject];

const isDelivered = (known: ReadonlySet<string>): boolean =>
  [...deliveries].some((one) => known.has(one) && one !== "commit" && one !== "push");
const shares = (said: ReadonlySet<string>, text: string): boolean => {
  const spoken = stemsOf(text);
  return [...said].some((one) => spoken.has(one));
};

/** Lines that tell how something came out, or which task ran: the name of a file is no such word. */
const resultLines = (output: string): string[] =>
  output
    .slice(0, longestOutput)
    .split("\n")
    .filter((line) => tellsResult.test(line))
    .map(spaced);
const tellsResult =
  /^> Task |\b(?:ok|pass(?:ed|es|ing)?|success\w*|succeeded|clean|complet\w+|[0-9]+ \w+|no (?:\w+ )?\w+)\b|[✓✔]/i;

/** A look at one run that another machine made, which shows no trouble. */
const showsElsewhere = ({ command, output, exitCode }: CommandRun, root: string): boolean =>
  exitCode === 0 &&
  outputSays("checks", output) !== "bad" &&
  !tellsTrouble(output.slice(0, longestOutput)) &&
  programsOf(command, root).some(
    ({ argv, isDisguised }) => !isDisguised && lookers.test(argv.slice(0, 3).join(" ")),
  );

const lookers = /^(?:gh (?:run (?:watch|view)|pr checks)|glab (?:ci|pipeline) (?:status|view))$/;

/** `lintDebug` speaks of lint. */
const spaced = (text: string): string => text.replace(/(?<=[a-z])(?=[A-Z])|[:_]/g, " ");

/** What stands in quotation marks is given to a program: a message, a pattern, a text. */
const unquoted = (command: string): string =>
  command
    .slice(0, longestOutput)
    .replace(/'[^']*'|"[^"]*"|\s--?(?:D?skip|no-|without|exclude)\S*/g, " ");
