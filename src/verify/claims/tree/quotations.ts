// Texts in quotation marks that stand nowhere in the tree, and lines that are told in words, against what
// stands there.
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy } from "./countered.ts";
import { describedLines } from "./described-lines.ts";
import { strangeTexts, type StrangeText } from "./strange-texts.ts";
import learned from "./text-weights.json" with { type: "json" };

export type QuotationClaim = { span: [number, number]; judged: ClaimJudgement };

export function quotationClaims(
  report: string,
  repo: Repository,
  ledger: Ledger | undefined,
): QuotationClaim[] {
  if (!/["“„«`]|\n(?: {4}|\t)/.test(report)) return [];
  const strange = strangeTexts(report, repo, ledger)
    .filter((one) => one.line !== undefined || scoreOf(one) >= learned.least)
    .map(({ span, text, near, line = near }) => ({
      span,
      judged: counteredBy(
        `"${text.slice(0, 80)}" stands nowhere${line ? `; the nearest is ${line.path}:${line.line}` : ""}`,
      ),
    }));
  return [...strange, ...describedLines(report, repo)].slice(0, 40);
}

const weights: Readonly<Record<string, number>> = learned.weights;
const scoreOf = ({ marks }: StrangeText): number =>
  Object.entries(marks).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
