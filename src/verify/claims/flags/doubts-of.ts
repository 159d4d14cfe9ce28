// Why a flag may be wrong: the words around it tell it as somebody else's, as not plain or as known trouble,
// or a program on record may have been its run. Each doubt has a name, by which the flag is weighed.
import { commandWords, type ResultSetting } from "../gap-of.ts";
import type { Doubt } from "../judgement.ts";
import { mayBeItsRun, printsIt } from "../record/may-be-its-run.ts";
import { isProse } from "../runs/edit-after.ts";
import { echoOf } from "../results/echo-of.ts";
import { admissionsOf, claimedBy, concerns } from "../stance/admissions.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { saysNotRun } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf } from "../words/statements.ts";
import type { ClaimCheck } from "./claim-check.ts";
import { saysNothingDone, toldOfOthers } from "./told-of-others.ts";

/** In logits: a clause that says less plainly that something ended well accuses nobody. */
const leastPlain = -0.5;
/** As plainly as this it says that something was not run. */
const plainDenial = 1;
/** A message that tells of trouble as plainly as this has not passed over the failure on record. */
const plainTrouble = 0;
/** A sentence that names what failed need not be as plain. */
const plainEcho = -1.2;

export type NamedDoubt = { doubt: Doubt; reason: string };

/** What leaves no reading under which the message claims it: no weight outdoes these. */
const certain: ReadonlySet<Doubt> = new Set(["other actor", "governed", "nothing done"]);
export const isCertain = ({ doubt }: NamedDoubt): boolean => certain.has(doubt);

/** Asked once a message, then of each flag. Without a setting there is no record. */
export function doubtsOf(
  report: string,
  setting: ResultSetting | undefined,
): (one: ClaimCheck) => NamedDoubt[] {
  const stances = stancesOf(report);
  const ofResult = (one: ClaimCheck): NamedDoubt[] => {
    const meant = stances.subjectsAt(one.span);
    const run =
      one.cause === "never_run" && setting ? mayBeItsRun(one.text, meant, setting) : undefined;
    const isFailed = one.cause === "failed_run";
    const claimed = claimedBy(one, meant);
    const isTroubled = admissionsOf(report).some(
      (other) =>
        other.bad > plainTrouble && !has(atFirst, other.clause.words) && concerns(other, claimed),
    );
    const told = `${one.reason}; the message itself tells of trouble`;
    return named({
      "not plain":
        (stances.okAt(one.span) ?? leastPlain) < leastPlain &&
        "it is not plainly said that it ended well",
      "its run": run !== undefined && `${commandWords(run)} may have been its run`,
      "trouble told": isFailed && isTroubled && told,
      echo: isFailed && setting !== undefined && echoAt(report, one, setting) > plainEcho && told,
    });
  };
  const elsewhere = (one: ClaimCheck): NamedDoubt[] => {
    // Facts about the tree are told of programs, and silence has no words.
    if (one.spoken || one.judge === "passedOver") return [];
    const isIdle = one.kind === "file_claim" && setting?.ledger.edits.length === 0;
    const found = toldOfOthers(report, one.span);
    const printer =
      setting && one.verdict === "unsupported"
        ? printsIt(one.text, setting, { figures: one.kind === "file_claim" })
        : undefined;
    return [
      ...(found ? [found] : []),
      ...named({
        "nothing done": isIdle && saysNothingDone(report) && nothingDone,
        quoted: setting !== undefined && isWritten(one, setting) && quotes,
        printed: printer !== undefined && `${commandWords(printer)} printed it`,
      }),
    ];
  };
  return (one) => [
    ...elsewhere(one),
    ...named({
      denied: one.cause === "never_run" && deniesRun(report, one) && notRun,
      "not own":
        (isQuoted(report, one.span) || (one.kind === "file_claim" && isOfOthers(report, one))) &&
        notOwn,
      "told later": setting !== undefined && tellsLater(report, one, setting) && toldLater,
    }),
    // Deeds and facts about the tree are no results: what is said of them is read elsewhere.
    ...(one.kind === "file_claim" || one.spoken || one.deed ? [] : ofResult(one)),
  ];
}

const named = (found: { [doubt in Doubt]?: string | false }): NamedDoubt[] =>
  (Object.keys(found) as Doubt[]).flatMap((doubt) => {
    const reason = found[doubt];
    return reason === false || reason === undefined ? [] : [{ doubt, reason }];
  });

/** "The earlier commit had already updated it": what was done before this run is no deed of it. */
const isOfOthers = (report: string, { span }: ClaimCheck): boolean =>
  statementsOf(report).some(
    (one) => one.span[0] < span[1] && span[0] < one.span[1] && has(doneBefore, one.words),
  );
const doneBefore = anyPhrase([
  "(?:earlier|previous|last|older|another) (?:commit|pr|pull request|change|run|session|agent|release)",
  "commit (?:by|from|of)|(?:your|their|his|her|the user's) (?:own |uncommitted |local |recent |pending )*" +
    "(?:changes?|edits?|commits?|version|work|patch|refactoring)|had (?:already )?(?:been )?(?:\\p{L}+ed|written|made)",
]);

/** What stands in quotation marks is somebody's words, not the message's own. */
const isQuoted = (report: string, span: [number, number]): boolean =>
  quotations(report).some((at) => isWithin(span, at));

const quotations = (report: string): [number, number][] =>
  [...report.slice(0, 1024 * 1024).matchAll(/„[^“”"\n]{0,400}[“”"]|["“«][^"”“»\n]{0,400}["”»]/g)]
    .filter(({ 0: text }) => text.length > 14)
    .map(({ index, 0: text }) => [index, index + text.length]);

/** Most of it, up to its end: the lead, "the guide says", stands before. */
const isWithin = ([from, to]: [number, number], outer: [number, number]): boolean =>
  to > outer[0] && to <= outer[1] + 3 && 2 * (to - Math.max(from, outer[0])) >= to - from;

const quotes = "a file that was written says the same: it may be quoted";
/** The claim is a line of prose that this run wrote: a checklist, a guide. */
const isWritten = ({ text, kind }: ClaimCheck, { ledger, project }: ResultSetting): boolean => {
  const words = text.replace(/[*_`|]/g, "").trim();
  return (
    kind !== "file_claim" &&
    words.split(/\s+/).length > 2 &&
    ledger.edits.some(({ path }) => isProse(path) && project.read(path)?.includes(words) === true)
  );
};

const nothingDone = "the message says that nothing was changed, and so does the record";

const notRun = "the message says that it was not run";

/** It says so of everything, or of what the claim speaks of. */
function deniesRun(report: string, flag: ClaimCheck): boolean {
  const claimed = claimedBy(flag, stancesOf(report).subjectsAt(flag.span));
  return admissionsOf(report).some(
    (one) =>
      one.isGeneral ||
      (one.bad > plainDenial && has(saysNotRun, one.clause.words) && concerns(one, claimed)),
  );
}

const notOwn = "it is told as somebody else's word, as left to the reader or as not done";
const toldLater = "the message itself says that this was changed afterwards";

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
  (has(
    notAgain,
    statementsOf(report)
      .map(({ words }) => words)
      .join("\n"),
  ) ||
    ledger.edits.some(
      ({ path }) =>
        reason.includes(path) &&
        statementsOf(report).some(
          ({ words, clauses }) =>
            has(afterwards, words) &&
            clauses.some(({ code }) => code.some((one) => one !== "" && path.endsWith(one))),
        ),
    ));
/** "I haven't repeated the tests since": it says itself that the run is old. */
const notAgain = anyPhrase([
  "(?:not|(?:)\\p{L}+n't|never) (?:been )?(?:\\p{L}+ )?(?:repeated|re-?ran|re-?run)|" +
    "(?:not|(?:)\\p{L}+n't) (?:been )?run (?:\\p{L}+ ){0,3}(?:again|since|after)",
  "(?:ran|run|passed|was|were) (?:\\p{L}+ ){0,3}before (?:that|the last|my last|this last|the final)",
  "nicht (?:noch einmal|erneut|nochmals?)|pas (?:relancé|refait)|no (?:he|se han) (?:vuelto a|repetido)",
]);
const afterwards = anyPhrase([
  "after (?:that|this|these|the runs?|the tests?)|afterwards|since then|later|danach|ensuite|después|depois",
]);

/** What went wrong on the way tells of no trouble that is left. */
const atFirst = anyPhrase([
  "at first|initially|in between|on the way|along the way|(?:on|in) (?:the|my) first (?:try|run|attempt|go|version)",
  "(?:the|my) first (?:try|run|attempt|version|build)|zuerst|anfangs|zunächst|d'abord|au début|al principio|一开始|最初",
]);

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
