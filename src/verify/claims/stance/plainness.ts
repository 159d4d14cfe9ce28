// How plainly a message says what is held against it, from 0 to 1: the share of flags that looked alike and
// were right, on messages that the reader had not seen. `npm run bench -- claims --curve` fits the weights.
import { isFlagged, type Check } from "../../verdict.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { admissionsOf, claimedBy, concerns } from "./admissions.ts";
import { stancesOf } from "./stances-of.ts";
import learned from "./plain-weights.json" with { type: "json" };

type Flag = Pick<Check, "span" | "kind" | "text" | "verdict" | "cause" | "reason">;

/** What a flag is weighed by, each from -1 to 1. */
export type PlainMarks = { [mark in keyof typeof learned]: number };

const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];
const within = (value: number, most: number): number =>
  Math.max(-1, Math.min(1, Number.isNaN(value) ? 0 : value / most));
const mark = (is: boolean): number => (is ? 1 : 0);

/** `all`: every flag of the message, this one among them. */
export function plainMarks(report: string, flag: Flag, all: readonly Flag[]): PlainMarks {
  const { statements, of, okAt, subjectsAt } = stancesOf(report);
  const own = statements.find((one) => overlaps(one.span, flag.span));
  const clauses = own?.clauses.filter((one) => overlaps(one.span, flag.span)) ?? [];
  const read = own ? clauses.map((clause) => of(own, clause)) : [];
  const ok = okAt(flag.span) ?? 0;
  const isResult = flag.kind !== "file_claim";
  const claimed = claimedBy(flag, subjectsAt(flag.span));
  const admitted = admissionsOf(report).filter((one) => concerns(one, claimed));
  const worst = (isMeant: (clause: Clause) => boolean): number =>
    Math.max(
      ...clauses.map((_, at) => read[at]!.bad),
      ...admitted.filter(({ clause }) => isMeant(clause)).map(({ bad }) => bad),
    );
  return {
    always: 1,
    ok: within(ok, 4),
    okAboveOne: mark(ok > 1),
    okBelowZero: mark(ok < 0),
    sureOfSubject: mark(read.length > 0 && read.every(({ others }) => others.length === 0)),
    badBeside: within(
      worst((clause) => own?.clauses.includes(clause) ?? false),
      4,
    ),
    troubleTold: within(
      worst(() => true),
      4,
    ),
    ahead: mark(own !== undefined && (isAhead(own.words) || standsAhead(own.under))),
    failureWords: mark(own !== undefined && tellsFailure(own.words)),
    aside: mark(clauses.some(({ aside }) => aside !== undefined)),
    quoted: mark(own !== undefined && /["“„«「]/.test(own.words)),
    foreign: mark(own !== undefined && isForeign(own)),
    row: mark(own?.kind === "row"),
    long: mark(statementsOf(report).length > 20),
    several: mark(all.filter(({ verdict }) => isFlagged(verdict)).length > 1),
    neverRun: mark(flag.cause === "never_run"),
    failedRun: mark(flag.cause === "failed_run"),
    stale: mark(flag.verdict === "stale"),
    deed: mark(!isResult),
    untold: mark(/the message does not tell it/.test(flag.reason)),
  };
}

const isForeign = ({ words }: Statement): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Cyrillic}|[äöüßéèàçñãõ]/iu.test(words) ||
  /\b(?:und|der|die|das|ist|sind|les|des|est|sont|las|los|está|pero|mais)\b/i.test(words);

export function plainness(marks: PlainMarks): number {
  let sum = 0;
  for (const name of Object.keys(learned) as (keyof PlainMarks)[])
    sum += learned[name] * marks[name];
  return Math.round(1_000 / (1 + Math.exp(-sum))) / 1_000;
}
