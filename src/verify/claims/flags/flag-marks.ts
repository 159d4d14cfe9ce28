// What a flag is weighed by, as numbers from -1 to 1 under plain names: which judge found it and what doubts
// it, how its clause is said, what the record has of it, and what else the message tells.
import { editAfter } from "../runs/edit-after.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import type { ResultSetting } from "../gap-of.ts";
import type { Doubt } from "../judgement.ts";
import { isCheckItem } from "../states/is-check-item.ts";
import { admissionsOf, claimedBy, concerns } from "../stance/admissions.ts";
import { plainMarks } from "../stance/plainness.ts";
import { stancesOf, type Stance } from "../stance/stances-of.ts";
import type { Clause, Statement } from "../words/statements.ts";
import type { ClaimCheck } from "./claim-check.ts";
import {
  echoedShare,
  figureShare,
  isUntraced,
  recordWords,
  untracedNames,
  tracedShare,
} from "./record-words.ts";

export type FlagMarks = { [name: string]: number };

type Weighed = {
  flag: ClaimCheck;
  doubts: readonly Doubt[];
  /** Every check of the message. */
  all: readonly ClaimCheck[];
  setting: ResultSetting | undefined;
};

/** Of four logits. */
const plainlyOk = 0.2;
const mark = (is: boolean): number => (is ? 1 : 0);
const most = (value: number, top: number): number => Math.max(-1, Math.min(1, value / top));
const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];

export function flagMarks(report: string, { flag, doubts, all, setting }: Weighed): FlagMarks {
  const { statements, of } = stancesOf(report);
  const own = statements.find((one) => overlaps(one.span, flag.span));
  const clauses = own?.clauses.filter((one) => overlaps(one.span, flag.span)) ?? [];
  const stances = own ? clauses.map((clause) => of(own, clause)) : [];
  const { several: _, troubleTold: __, badBeside: ___, ...plain } = plainMarks(report, flag, []);
  const marks: FlagMarks = {
    ...plain,
    ...troubleMarks(report, flag, {
      clauses,
      stances,
      isPlain: doubts.length === 0 && plain.ok >= plainlyOk && plain.sureOfSubject === 1,
    }),
    [`verdict ${flag.verdict}`]: 1,
    told: most(flag.told ?? 0, 6),
    doubts: most(doubts.length, 3),
    held: most(all.filter(({ verdict }) => verdict === "verified").length, 5),
    ...sentenceMarks(own, clauses, stances),
    heldBeside: mark(
      all.some((one) => one.verdict === "verified" && overlaps(one.span, flag.span)),
    ),
    ...(setting ? recordMarks(clauses, stances[0], setting) : {}),
    echoed: setting && flag.verdict === "altered" ? echoedShare(report, setting) : 0,
  };
  const judge = flag.judge ?? "other";
  const judged = [judge, `${judge} ${flag.cause ?? flag.verdict}`];
  for (const name of judged)
    addWith(marks, name, ["ok", "badOwn", "troubleOwn", "troubleOther", "echoed", "told", "idle"]);
  for (const name of doubts) addWith(marks, `doubt ${name}`, ["ok", "fresh", "strange", "traced"]);
  return Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== 0));
}

/** A judge or a doubt, and what it weighs together with other marks. */
function addWith(marks: FlagMarks, name: string, others: readonly string[]): void {
  marks[name] = 1;
  for (const other of others) marks[`${name}: ${other}`] = marks[other] ?? 0;
}

/** How plainly trouble is told: in the clauses of the flag, elsewhere where it weighs on them, and of other things. */
function troubleMarks(
  report: string,
  flag: ClaimCheck,
  {
    clauses,
    stances,
    isPlain,
  }: { clauses: readonly Clause[]; stances: readonly Stance[]; isPlain: boolean },
): FlagMarks {
  const subjects = stances.flatMap((one) => one.subjects);
  const claimed = claimedBy(flag, subjects);
  const worst = { troubleOwn: -4, troubleOther: -4 };
  for (const one of admissionsOf(report)) {
    if (clauses.includes(one.clause)) continue;
    const side = concerns(one, claimed) ? "troubleOwn" : "troubleOther";
    worst[side] = Math.max(worst[side], one.bad);
  }
  return {
    badOwn: most(Math.max(-4, ...stances.map(({ bad }) => bad)), 4),
    troubleOwn: most(worst.troubleOwn, 4),
    // What is plainly said is weighed by itself.
    troubleOther: isPlain ? -1 : most(worst.troubleOther, 4),
  };
}

function sentenceMarks(
  own: Statement | undefined,
  clauses: readonly Clause[],
  stances: readonly Stance[],
): FlagMarks {
  const words = clauses.map((one) => one.words).join(" ");
  return {
    ...(stances[0] ? { [`subject ${stances[0].subjects[0]}`]: 1 } : {}),
    others: most(Math.max(0, ...stances.map(({ others }) => others.length)), 6),
    checkItem: mark(own !== undefined && isCheckItem(own)),
    negated: mark(/\b(?:not?|never|nor|neither|without|nothing|none|only)\b|n't\b/i.test(words)),
    firstPerson: mark(/\b(?:I|we|I've|we've)\b/.test(words)),
    behindFirst: mark(own !== undefined && clauses[0] !== own.clauses[0]),
    length: most(words.split(/\s+/).length, 30),
    number: mark(/\d/.test(words)),
    code: mark(clauses.some((one) => one.code.length > 0)),
  };
}

/** Nothing that was called since the last change executes anything: there is no run that may be meant. */
function isIdle({ ledger, record }: ResultSetting): boolean {
  const last = ledger.edits.at(-1)?.order ?? 0;
  return (
    ledger.edits.length > 0 &&
    ledger.toolRuns.length + ledger.fetches === 0 &&
    record.recognitions.every(({ run, recognition }) => run.order < last || !recognition.executes)
  );
}

/** What the record has of the clause, and how it stands as a whole. */
function recordMarks(
  clauses: readonly Clause[],
  stance: Stance | undefined,
  setting: ResultSetting,
): FlagMarks {
  const { record, ledger } = setting;
  const subject = stance?.subjects[0];
  const isOwn = ({ subjects }: RecordedRun): boolean => subjects.some((one) => one === subject);
  const isFresh = (one: RecordedRun): boolean =>
    one.ending === "passed" && !editAfter(one, ledger.edits);
  const last = record.runs.at(-1);
  const text = clauses.map(({ words, code }) => [words, ...code].join(" ")).join(" ");
  const code = clauses.flatMap((one) => one.code);
  const { ran } = recordWords(setting);
  const [traced, figures] = [tracedShare(text, setting), figureShare(text, setting)];
  return {
    freshOwn: mark(record.runs.some((one) => isOwn(one) && isFresh(one))),
    failedOwn: mark(record.runs.some((one) => isOwn(one) && one.ending === "failed")),
    noneOwn: mark(!record.runs.some(isOwn)),
    fresh: mark(record.runs.some(isFresh)),
    lastFailed: mark(last !== undefined && last.ending === "failed"),
    unknownRan: mark(
      record.recognitions.some(
        ({ run, recognition }) => recognition.unknown !== null && run.exitCode === 0,
      ),
    ),
    edited: mark(ledger.edits.length > 0),
    idle: mark(isIdle(setting)),
    runs: most(record.runs.length, 6),
    traced: traced === null ? 0 : 2 * traced - 1,
    figures: figures === null ? 0 : 2 * figures - 1,
    strange: most(clauses.flatMap((one) => untracedNames(one, setting)).length, 2),
    strangeCode: most(code.filter((one) => isUntraced(one, setting)).length, 2),
    namesRun: mark(code.some((one) => one.length > 3 && ran.includes(one.toLowerCase()))),
  };
}
