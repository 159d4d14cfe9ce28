// What the runtime puts before a report: what was looked at, trust, confidence claimed and
// computed, cost, id. The agent's words in it are kept to one line each.
import { neutraliseTags } from "../../base/text/data-block.ts";
import { counted, grouped } from "../../base/text/grouped.ts";
import { oneLine } from "../../base/text/printable.ts";
import { bandOf } from "../../contract/report/read-confidence.ts";
import type { Trust } from "../../contract/axes.ts";
import { isOpen, isUnproven, type Assessment, type CheckTally } from "../assessment.ts";
import { tallyWords, type Corrections } from "../trust/trust-word.ts";

export type HeaderFacts = {
  agentId: string;
  tokens?: number;
  toolUses?: number;
  durationMs?: number;
};

const maxListed = 8;

/** What was checked and found, in lines that begin with `[retinue]`. */
export function reportHeader(assessment: Assessment, facts: HeaderFacts): string {
  const { checks, undeclared, withdrawn, lint, is_free } = assessment;
  const lines = [
    stampWords(assessment, "made"),
    ...cutWords(assessment),
    ...(is_free ? [] : [`${outcomeWords(assessment)} · ${decisionWords(assessment)}`]),
    ...listed(
      checks.filter(({ corrected }) => corrected !== undefined),
      (check) => `corrected: ${oneLine(check.text, 80)} is now ${oneLine(check.corrected!, 80)}`,
    ),
    ...flagLines(assessment),
    ...listed(
      withdrawn,
      ({ text, reason }) => `withdrawn: ${oneLine(text, 80)} (${oneLine(reason, 160)})`,
    ),
    ...listed(
      undeclared,
      ({ path, change }) =>
        `undeclared: ${oneLine(path, 120)} was ${change} and is not in the report`,
    ),
    ...listed(
      checks.filter(isUnproven),
      (check) => `not judged: ${oneLine(check.text, 80)} (${oneLine(check.reason, 160)})`,
    ),
    ...lint
      .filter(({ rule }) => rule.startsWith("success-"))
      .map(({ message }) => `noted: ${oneLine(message, 200)}`),
    costWords(facts),
  ];
  return lines.map((line) => `[retinue] ${neutraliseTags(line)}`).join("\n");
}

/** Of a search: its places, and no word of trust. */
export const searchHeader = ({ tally: { places } }: Assessment): string =>
  `[retinue] search result: ${places.hold} of ${places.of} places hold`;

/** Counts by kind first; the trust word stands behind them, and only where something was looked at. */
export function stampWords(assessment: Assessment, corrections: Corrections): string {
  const { tally, trust, confidence } = assessment;
  return [
    tallyWords(tally, corrections),
    ...(trust === null ? [] : [trustPart(trust, tally, corrections)]),
    ...(assessment.is_free && confidence.claimed === null ? [] : [confidenceWords(assessment)]),
  ].join(" · ");
}

/** Why a report of which only a part was checked is not VERIFIED. */
export const cutWords = ({ truncated, checks }: Assessment): string[] =>
  truncated
    ? [
        `only a part was checked (${counted(checks.length, "claim")}): the report is longer, or has more ` +
          "references, than is checked; it cannot be VERIFIED as a whole",
      ]
    : [];

/** Trust is that of the text with its corrections in it. */
export const trustPart = (trust: Trust, { places }: CheckTally, corrections: Corrections): string =>
  corrections === "offered" && places.corrected > 0
    ? `trust ${trust} with --fix`
    : `trust ${trust}`;

/** What does not hold, each with its reason. */
export const flagLines = ({ checks }: Pick<Assessment, "checks">): string[] =>
  listed(
    checks.filter((check) => isOpen(check) || told.has(check.verdict)),
    ({ grade, verdict, text, reason }) => {
      const word = grade === "X" ? "contradicted" : verdict;
      return `${word}: ${oneLine(text, 80)} (${oneLine(reason, 200)})`;
    },
  );

const told = new Set<string>(["unsupported", "countered", "weakened"]);

function outcomeWords({ outcome }: Assessment): string {
  const why = outcome.reasons.join("; ");
  const isLowered = outcome.claimed !== null && outcome.claimed !== outcome.value;
  if (isLowered) return `outcome ${outcome.value} (claimed ${outcome.claimed}: ${why})`;
  return `outcome ${outcome.value}${why === "" ? "" : ` (${why})`}`;
}

export const decisionWords = ({ decision }: Pick<Assessment, "decision">): string =>
  decision.overridden === undefined
    ? `decision ${decision.decision}`
    : `decision ${decision.decision} (the agent said ${decision.claimed}: ${decision.overridden})`;

function costWords({ tokens, toolUses, durationMs, agentId }: HeaderFacts): string {
  return [
    ...(tokens === undefined ? [] : [`${grouped(tokens)} tokens`]),
    ...(toolUses === undefined ? [] : [counted(toolUses, "tool use")]),
    ...(durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
    `agent ${agentId}`,
  ].join(" · ");
}

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more =
    items.length > maxListed ? [`and ${items.length - maxListed} more of the same kind`] : [];
  return [...items.slice(0, maxListed).map(line), ...more];
}

export function confidenceWords({
  confidence: { claimed, combined, cap },
}: Pick<Assessment, "confidence">): string {
  if (combined === null) return "no confidence given";
  return `confidence ${claimed ?? "not claimed"} → ${combined} (${bandOf(combined)}, cap ${cap})`;
}
