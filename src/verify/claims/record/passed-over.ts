// What a message passes over in silence: the last run of a check or a delivery failed, nothing was changed
// or run with success after it, and no word of the message tells of any trouble.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, type ClaimJudgement } from "../judgement.ts";
import { hasFigures } from "../results/judge-numbers.ts";
import { echoOf } from "../results/echo-of.ts";
import { carried } from "../runs/arguments-of.ts";
import { editAfter } from "../runs/edit-after.ts";
import { isInline, noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { statementsOf, type Statement } from "../words/statements.ts";

export type PassedOver = { span: [number, number]; judged: ClaimJudgement };

/** Something that may be the same went well later. */
const isAnswered = (one: RecordedRun, { record, ledger }: ResultSetting): boolean =>
  ledger.commands.some(
    ({ command, order, exitCode }) =>
      order > one.run.order &&
      exitCode === 0 &&
      // What failed was taken back, or there was no such task and another one was run.
      (takesBack.test(command) ||
        (noSuchTask.test(one.run.output) && record.runs.some(({ run }) => run.order === order))),
  ) ||
  record.recognitions.some(
    ({ run, recognition }) =>
      run.order > one.run.order && run.exitCode === 0 && recognition.unknown !== null,
  ) ||
  record.runs.some(
    ({ run, ending, subjects }) =>
      run.order > one.run.order &&
      ending !== "failed" &&
      record.runs.some(
        (other) =>
          other.run === one.run && subjects.some((subject) => other.subjects.includes(subject)),
      ),
  );

const takesBack = /\bgit (?:checkout (?!-b)|restore|reset|stash(?! (?:pop|apply|list))|revert)\b/;
const noSuchTask = new RegExp(
  "missing script|no such (?:task|target|command|script)|unknown (?:command|task|script)|command not found|" +
    "no rule to make target|couldn't find a script|task .* not found",
  "i",
);

/** In logits: a message that tells of trouble as plainly as this passes over nothing. */
const leastTrouble = -1;
/** Where the same sentence names what failed, less is enough. */
const leastEcho = -2;

/** The last thing that was executed at all, by a program of no known kind. */
function lastFailed({ ledger, record }: ResultSetting): CommandRun | undefined {
  const last = record.recognitions.findLast(({ recognition }) => recognition.executes);
  if (!last || last.recognition.unknown === null || (last.run.exitCode ?? 0) === 0)
    return undefined;
  const isLater = ledger.edits.some(({ order }) => order > last.run.order);
  return isLater ? undefined : last.run;
}

/** Something that did more than look failed, and nothing of that name or kind went well after it. */
function lastOpen(setting: ResultSetting): CommandRun | undefined {
  const { commands, root } = setting.ledger;
  const isMadeGood = (run: CommandRun): boolean =>
    setting.record.runs.some((one) => one.run === run && isAnswered(one, setting));
  const namesOf = ({ command, cwd }: CommandRun): string[] =>
    programsOf(command, cwd ?? root)
      .filter(({ argv }) => !noRun(argv) && !isInline(argv) && !asks.has(argv[0] ?? ""))
      .flatMap(({ argv }) => (carried(argv, () => false) ?? argv)[0] ?? []);
  return commands.findLast((one) => {
    // 127: there is no such program, and another one may have taken its place.
    if (one.exitCode === null || one.exitCode === 0 || one.exitCode === 127) return false;
    // `npm test` failed, and `node --test` went well.
    if (isMadeGood(one)) return false;
    const names = namesOf(one);
    return (
      names.length > 0 &&
      !commands.some(
        (later) =>
          later.order > one.order &&
          later.exitCode === 0 &&
          namesOf(later).some((name) => names.includes(name)),
      )
    );
  });
}

/** Programs whose failure may be the answer that was looked for. */
const asks = new Set(["curl", "wget", "http", "nc", "ping", "timeout", "gh", "git"]);

/** A block of the message shows a line of what the run printed at its end. */
const printsIt = (report: string, { output }: CommandRun): boolean => {
  const lines = output.split("\n").slice(-12).join("\n");
  return statementsOf(report)
    .filter(({ kind }) => kind === "fence")
    .flatMap(({ parts }) => parts)
    .some((line) => line.trim().length > 5 && tellsFailure(line) && lines.includes(line.trim()));
};

/** A sentence names what failed, and tells that something is not as it should be. */
const tellsOf = (
  words: string,
  named: readonly string[],
  { subjects, output }: { subjects: readonly string[]; output: string },
): boolean =>
  tellsFailure(words) &&
  (named.some((subject) => subjects.includes(subject)) ||
    (words.match(/\d{3,}/g) ?? []).some((figure) => output.includes(figure)));

/** "The change sits uncommitted": a sentence of trouble with a word of the command. */
const namesIt = (words: string, { command, cwd }: CommandRun): boolean =>
  tellsFailure(words) &&
  programsOf(command, cwd ?? "/").some(({ argv }) =>
    argv
      .slice(0, 3)
      .some(
        (word) => word !== null && /^[a-z]{4,}$/.test(word) && words.toLowerCase().includes(word),
      ),
  );

/** In logits: what is said more plainly than this to have gone well tells of no trouble. */
const mostGood = 1;

/** "Ruff: one finding, in `a.py`", "B006 is left", "`Ran 0 tests`": the program with its output, or a code of it. */
function tellsDetail(
  { words, clauses }: Statement,
  { command, cwd, output }: CommandRun,
  { ledger }: ResultSetting,
): boolean {
  const said = words.toLowerCase().split(/[^\w-]+/);
  const isNamed = programsOf(command, cwd ?? ledger.root)
    .map(({ argv }) => carried(argv, () => false)?.[0] ?? argv[0] ?? "")
    .some((name) => name.length > 2 && !asks.has(name) && said.includes(name));
  const ids = [words, ...clauses.flatMap(({ code }) => code)].flatMap(
    (text) => text.match(/(?<![\p{L}\d])(?:[A-Z]+\d{2,}|\p{L}+ \d+ \p{L}+)(?![\p{L}\d])/gu) ?? [],
  );
  const shown = (one: string): boolean => !command.includes(one) && output.includes(one);
  return (isNamed && clauses.some(({ code }) => code.some(shown))) || ids.some(shown);
}

/** "10 of 11 tests pass": a failure told with its own numbers. */
const tellsCounts = (words: string, { tests }: CommandRun): boolean =>
  tests !== null &&
  tests.failed > 0 &&
  hasFigures(words, [tests.passed, tests.passed + tests.failed]);

type Failure = {
  run: CommandRun;
  subjects: readonly string[];
  /** A check, or the last thing that was done: the others need a message that is wholly silent. */
  isPlain: boolean;
};

/** The failure that is most in need of a word. */
function openFailureOf(setting: ResultSetting): Failure | undefined {
  const { ledger, record } = setting;
  const failed = record.runs.findLast(
    (one) =>
      one.ending === "failed" &&
      one.proof === "own" &&
      (one.run.exitCode !== 0 || (one.run.tests?.failed ?? 0) > 0) &&
      !isAnswered(one, setting) &&
      editAfter(one, ledger.edits) === undefined,
  );
  const plain = failed?.run ?? lastFailed(setting);
  const run = plain ?? lastOpen(setting);
  return run && { run, subjects: failed?.subjects ?? [], isPlain: plain !== undefined };
}

/** Some sentence tells of it, in its own words, its numbers or its output. */
function isTold(
  report: string,
  { run, subjects, isPlain }: Failure,
  setting: ResultSetting,
): boolean {
  const stances = stancesOf(report);
  const known = { subjects, output: run.output };
  return (
    setting.admitted.failure ||
    setting.admitted.trouble ||
    stances.trouble(() => true) > leastTrouble ||
    stances.statements.some(({ words }) => namesIt(words, run)) ||
    stances.statements.some(({ words, span }) => tellsOf(words, stances.subjectsAt(span), known)) ||
    printsIt(report, run) ||
    stances.statements.some(
      (one) =>
        tellsDetail(one, run, setting) &&
        one.clauses.every((clause) => stances.of(one, clause).ok < mostGood),
    ) ||
    echoOf(stances, run, () => true) > (isPlain ? leastEcho : -Infinity) ||
    setting.record.runs.some((one) =>
      stances.statements.some(({ words }) => tellsCounts(words, one.run)),
    )
  );
}

/** Nothing in it is said to have gone well. */
function praisesNothing(report: string): boolean {
  const { statements, of } = stancesOf(report);
  return statements.every((one) => one.clauses.every((clause) => of(one, clause).ok < mostGood));
}

export function passedOver(report: string, setting: ResultSetting): PassedOver[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const failure = openFailureOf(setting);
  // Who changed nothing and praises nothing looked into what fails: the message is about that.
  if (ledger.edits.length === 0 && praisesNothing(report)) return [];
  if (!failure || isTold(report, failure, setting)) return [];
  const own = stancesOf(report).statements.filter(
    (one) => !isAside(one) && !standsAhead(one.under),
  );
  const told =
    own.find(({ words }) => !isAhead(words)) ??
    own.flatMap(({ clauses }) => clauses).find(({ words }) => !isAhead(words));
  if (!told) return [];
  const { command, exitCode } = failure.run;
  const code = exitCode ? ` (exit code ${exitCode})` : "";
  const reason = `recorded: ${commandWords(command)} failed${code}, and the message does not tell it`;
  return [{ span: told.span, judged: contradicted(reason) }];
}
