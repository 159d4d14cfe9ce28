// A check of a claim with what only this room asks of it, and how one is made from a judgement.
import type { Check, ClaimKind } from "../../verdict.ts";
import type { Accusation, ClaimJudgement } from "../judgement.ts";

/**
 * `spoken`: understood from a sentence that may be read in other ways. `deed`: it says what was done or
 * seen, not how a check ended. `judge`: who found it. `instead`: what it is accused of in spite of a doubt.
 * `told`: in logits, how plainly a file is told as changed.
 */
export type ClaimCheck = Check & {
  spoken?: true;
  deed?: true;
  judge?: string;
  told?: number;
  instead?: Accusation;
};

export const checkOf = (
  report: string,
  span: [number, number],
  judged: ClaimJudgement & { kind: ClaimKind; judge: string },
): ClaimCheck => ({
  id: "",
  span,
  text: report
    .slice(...span)
    .trim()
    .slice(0, 400),
  path: null,
  lines: null,
  ...judged,
});
