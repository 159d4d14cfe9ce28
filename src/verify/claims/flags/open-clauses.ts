// Clauses that say that something ended well, and that no judge has anything against, where the record has
// no such run or no trace of what they name: the weight of the flag decides whether that is told.
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { inDoubt, neverRun } from "../judgement.ts";
import { editAfter } from "../runs/edit-after.ts";
import { stancesOf, type LabelledSubject, type Stance } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import type { Clause } from "../words/statements.ts";
import { isFlagged } from "../../verdict.ts";
import { checkOf, type ClaimCheck } from "./claim-check.ts";
import { untracedNames } from "./record-words.ts";

/** In logits: less plainly said than this it claims nothing. */
const leastPlain = -0.5;
const mostClauses = 40;

/** Each is silent: it is told, or nothing is said of it at all. */
export function openClauses(
  report: string,
  checks: readonly ClaimCheck[],
  setting: ResultSetting,
): ClaimCheck[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const isIdle = record.recognitions.every(({ recognition }) => !recognition.executes);
  if (ledger.toolRuns.length > 0 || (ledger.edits.length === 0 && isIdle)) return [];
  const accused = checks.filter(({ verdict, instead }) => isFlagged(verdict) || instead);
  const { statements, of } = stancesOf(report);
  return statements
    .filter((one) => one.box !== "open" && !isAside(one) && !standsAhead(one.under))
    .flatMap((statement) =>
      statement.clauses
        .filter(
          (clause) =>
            !isAhead(clause.words) && !accused.some(({ span }) => overlaps(span, clause.span)),
        )
        .map((clause) => ({ clause, stance: of(statement, clause) })),
    )
    .filter(({ stance }) => stance.ok > leastPlain)
    .slice(0, mostClauses)
    .flatMap(({ clause, stance }) => {
      const reason = gapIn(clause, stance, setting);
      if (reason === undefined) return [];
      const judged = inDoubt("silent", reason, neverRun(reason));
      return [checkOf(report, clause.span, { ...judged, kind: "command", judge: "openClauses" })];
    });
}

/** What the record lacks of it. */
function gapIn(clause: Clause, { subjects }: Stance, setting: ResultSetting): string | undefined {
  const [strange] = untracedNames(clause, setting);
  if (strange !== undefined) return `nothing on record names ${strange}`;
  const subject = subjects[0];
  if (subject === undefined || subject === "run" || subject === "install") return undefined;
  return missingRun(subject, setting);
}

/** No run of it went well, or what it looked at was changed since. */
function missingRun(
  subject: LabelledSubject,
  { record, ledger }: ResultSetting,
): string | undefined {
  const own = record.runs.filter(({ subjects }) => subjects.some((one) => one === subject));
  const passed = own.filter(({ ending }) => ending === "passed");
  if (passed.some((one) => !editAfter(one, ledger.edits))) return undefined;
  const last = own.at(-1);
  return last === undefined
    ? "no run that shows it is recorded"
    : `no run that shows it is recorded; ${commandWords(last.run.command)} does not`;
}

const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];
