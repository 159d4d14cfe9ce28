// The last look before something is held against a message: each flag is weighed by its judge, its doubts,
// its sentence and the record. What weighs too little is told as not judged.
import { isFlagged } from "../../verdict.ts";
import { plainlySaid } from "../../../contract/trust/verdict-classes.ts";
import type { ResultSetting } from "../gap-of.ts";
import { notJudged } from "../judgement.ts";
import { plainMarks, plainness } from "../stance/plainness.ts";
import { stancesOf } from "../stance/stances-of.ts";
import type { ClaimCheck } from "./claim-check.ts";
import { doubtsOf, isCertain, type NamedDoubt } from "./doubts-of.ts";
import { flagMarks, type FlagMarks } from "./flag-marks.ts";
import learned from "./flag-weights.json" with { type: "json" };

/**
 * `plain`: from 0 to 1, how plainly it is said; zero where something doubts it, or where silence is meant.
 */
export type WeighedFlag = {
  flag: ClaimCheck;
  doubts: readonly NamedDoubt[];
  marks: FlagMarks;
  plain: number;
};

/** Every check that may be held against the message, as it would be, with what it is weighed by. */
export function weighFlags(
  report: string,
  checks: readonly ClaimCheck[],
  setting: ResultSetting | undefined,
): Map<ClaimCheck, WeighedFlag> {
  const accused = checks.filter(({ verdict, instead }) => isFlagged(verdict) || instead);
  if (accused.length === 0) return new Map();
  const doubting = doubtsOf(report, setting);
  const found = accused.map((one) => {
    const { instead, unrecognised: _, ...rest } = one;
    const flag: ClaimCheck = instead ? { ...rest, ...instead.judged } : one;
    const first = instead ? [{ doubt: instead.doubt, reason: one.reason }] : [];
    return { one, flag, doubts: [...first, ...doubting(flag)] };
  });
  const isIdle = setting?.ledger.commands.length === 0 && setting.ledger.toolRuns.length === 0;
  const { okAt } = stancesOf(report);
  const sure = found.filter(({ doubts }) => doubts.length === 0).map(({ flag }) => flag);
  return new Map(
    found.map(({ one, flag, doubts }) => {
      const names = doubts.map(({ doubt }) => doubt);
      const isPlain = sure.includes(flag) && flag.judge !== "passedOver";
      const said = isPlain ? plainness(plainMarks(report, flag, sure)) : 0;
      const plain = flag.told === undefined ? said : Math.min(said, chanceOf(flag.told));
      const isRefuted = isIdle ? flag.cause === "never_run" : flag.cause === "failed_run";
      // It is very plainly claimed, and its run failed, or no command at all is on record.
      const isBare = isRefuted && (okAt(flag.span) ?? 0) >= veryPlain;
      const marks = {
        ...flagMarks(report, { flag, doubts: names, all: checks, setting }),
        ...(isBare ? { bare: 1 } : {}),
        ...(plain > 0 ? { plain } : {}),
        ...(plain >= plainlySaid ? { plainly: 1 } : {}),
      };
      return [one, { flag, doubts, marks, plain }];
    }),
  );
}

/** Of what is told like this more was written than the logits say: only the records of honest runs taught them. */
const chanceOf = (told: number): number => Math.round(1_000 / (1 + Math.exp(1 - told))) / 1_000;

/** In logits: as plainly as this a clause says that something ended well, whatever stands around it. */
const veryPlain = 2;

const weights: { readonly [name: string]: number } = learned.weights;

/** In logits: above zero a flag like this was oftener right than not. */
export const weightOf = (marks: FlagMarks): number =>
  Object.entries(marks).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);

/** What something doubts has to weigh more. */
const isHeld = ({ doubts, marks }: WeighedFlag): boolean =>
  !doubts.some(isCertain) &&
  weightOf(marks) >= (doubts.length > 0 ? learned.leastDoubted : learned.least);

/** However plain its words are: what weighs less than this is not plainly said. */
const plainnessOf = ({ plain, marks }: WeighedFlag): number =>
  weightOf(marks) >= learned.leastPlain ? plain : Math.min(plain, plainlySaid - 0.001);

/** Without a setting there is no record. */
export function holdFlags(
  report: string,
  checks: readonly ClaimCheck[],
  setting: ResultSetting | undefined,
): ClaimCheck[] {
  const weighed = weighFlags(report, checks, setting);
  return checks.flatMap((one): ClaimCheck[] => {
    const { instead, judge: _, told: __, ...rest } = one;
    const found = weighed.get(one);
    if (!found) return [rest];
    if (isHeld(found)) {
      const { judge: ___, told: ____, ...flag } = found.flag;
      return [found.plain > 0 ? { ...flag, plain: plainnessOf(found) } : flag];
    }
    if (instead) return [rest];
    const { cause: ___, ...held } = rest;
    return [{ ...held, ...notJudged(found.doubts[0]?.reason ?? tooLoose), doubted: true }];
  });
}

const tooLoose = "what is said like this is too often meant otherwise to be held against it";
