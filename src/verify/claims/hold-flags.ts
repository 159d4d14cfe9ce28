// The last look before something is held against a message: its own, plain word that something ended
// well, which nothing on record may have been the run of. What is not is told as not judged.
import { isFlagged, type Check } from "../verdict.ts";
import type { ResultSetting } from "./gap-of.ts";
import { commandWords } from "./gap-of.ts";
import { notJudged } from "./judgement.ts";
import { ownWords } from "./own-words.ts";
import { echoOf } from "./results/echo-of.ts";
import { mayBeItsRun } from "./record/may-be-its-run.ts";
import { tellsTrouble } from "./words/good-words.ts";
import { plainMarks, plainness } from "./stance/plainness.ts";
import { stancesOf, type LabelledSubject, type Stance } from "./stance/stances-of.ts";
import { anyPhrase } from "./words/phrase.ts";
import { statementsOf } from "./words/statements.ts";

/** In logits: a clause that says less plainly that something ended well accuses nobody. */
const leastPlain = -0.5;
/** As plainly as this it is the message's own word, whatever stands around it. */
const veryPlain = 2;
/** A message that tells of trouble as plainly as this has not passed over the failure on record. */
const plainTrouble = 0;
/** A sentence that names what failed need not be as plain. */
const plainEcho = -1.2;

/**
 * `spoken`: understood from a sentence that may be read in other ways. `deed`: it says what was done or
 * seen, not how a check ended.
 */
export type ClaimCheck = Check & { spoken?: true; deed?: true };

/** Without a setting there is no record. */
export function holdFlags(
  report: string,
  checks: readonly ClaimCheck[],
  setting: ResultSetting | undefined,
): ClaimCheck[] {
  if (!checks.some(({ verdict }) => isFlagged(verdict))) return [...checks];
  const { isOwn, deniesRuns } = ownWords(report);
  const stances = stancesOf(report);
  const doubtOf = (one: ClaimCheck): string | undefined => {
    if (deniesRuns && one.cause === "never_run") return "the message says that it was not run";
    if (!isOwn(one, (stances.okAt(one.span) ?? 0) > veryPlain)) return notOwn;
    if (setting && tellsLater(report, one, setting))
      return "the message itself says that this was changed afterwards";
    // Deeds and facts about the tree are no results: what is said of them is read elsewhere.
    return one.kind === "file_claim" || one.spoken || one.deed ? undefined : doubtOfResult(one);
  };
  const doubtOfResult = (one: ClaimCheck): string | undefined => {
    if ((stances.okAt(one.span) ?? leastPlain) < leastPlain)
      return "it is not plainly said that it ended well";
    const run =
      one.cause === "never_run" && setting
        ? mayBeItsRun(one.text, stances.subjectsAt(one.span), setting)
        : undefined;
    if (run !== undefined) return `${commandWords(run)} may have been its run`;
    return one.cause === "failed_run" &&
      (stances.trouble(isAbout(stances.subjectsAt(one.span))) > plainTrouble ||
        (setting !== undefined && echoAt(report, one, setting) > plainEcho))
      ? `${one.reason}; the message itself tells of trouble`
      : undefined;
  };
  const held = checks.map((one) => {
    const doubt = isFlagged(one.verdict) ? doubtOf(one) : undefined;
    if (doubt === undefined) return one;
    const { cause: _, ...rest } = one;
    return { ...rest, ...notJudged(doubt), doubted: true as const };
  });
  return held.map((one) =>
    isFlagged(one.verdict) ? { ...one, plain: plainness(plainMarks(report, one, held)) } : one,
  );
}

/** How plainly the message tells elsewhere what the failed run complained about. */
const echoAt = (report: string, { reason, span }: ClaimCheck, { record }: ResultSetting): number =>
  record.runs
    .filter(({ run, ending }) => ending === "failed" && reason.includes(commandWords(run.command)))
    .map(({ run }) =>
      echoOf(stancesOf(report), run, (one) => one.span[1] <= span[0] || one.span[0] >= span[1]),
    )
    .reduce((most, one) => Math.max(most, one), -Infinity);

/** "After that I only updated `openapi.yaml`": the change that makes the run old is told as such. */
const tellsLater = (
  report: string,
  { verdict, reason }: ClaimCheck,
  { ledger }: ResultSetting,
): boolean =>
  verdict === "stale" &&
  ledger.edits.some(
    ({ path }) =>
      reason.includes(path) &&
      statementsOf(report).some(
        ({ words, clauses }) =>
          has(afterwards, words) &&
          clauses.some(({ code }) => code.some((one) => one !== "" && path.endsWith(one))),
      ),
  );
const afterwards = anyPhrase([
  "after (?:that|this|these|the runs?|the tests?)|afterwards|since then|later|danach|ensuite|después|depois",
]);

/**
 * It speaks of what the claim speaks of, or says that something failed: "not deployed" tells of no failing test,
 * and "it failed at first" tells of no trouble that is left.
 */
const isAbout =
  (meant: readonly LabelledSubject[]) =>
  (words: string, { subjects }: Stance): boolean =>
    !has(atFirst, words) && (tellsTrouble(words) || subjects.some((one) => meant.includes(one)));
const atFirst = anyPhrase([
  "at first|initially|in between|on the way|along the way|(?:on|in) (?:the|my) first (?:try|run|attempt|go|version)",
  "(?:the|my) first (?:try|run|attempt|version|build)|zuerst|anfangs|zunächst|d'abord|au début|al principio|一开始|最初",
]);

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

const notOwn = "it is told as somebody else's word, as left to the reader or as not done";
