// What the runtime puts before a report: trust, what was checked, confidence claimed and computed, cost, id. The agent's words in it are kept to one line each.
import { neutraliseTags } from "../base/text/data-block.ts";
import { grouped } from "../base/text/grouped.ts";
import { oneLine } from "../base/text/printable.ts";
import { bandOf } from "../contract/report/confidence-words.ts";
import { isOpen, isUnproven, type Assessment } from "./assessment.ts";

export type HeaderFacts = {
  agentId: string;
  tokens?: number;
  toolUses?: number;
  durationMs?: number;
};

const maxListed = 8;

/** Lines that begin with `[retinue]`; the report follows after a blank line. */
export function reportHeader(assessment: Assessment, facts: HeaderFacts): string {
  const { outcome, decision, trust, checks, undeclared, withdrawn, lint } = assessment;
  const lowered =
    outcome.claimed !== null && outcome.claimed !== outcome.value
      ? ` (claimed ${outcome.claimed}: ${outcome.reasons.join("; ")})`
      : outcome.reasons.length > 0
        ? ` (${outcome.reasons.join("; ")})`
        : "";
  const overridden =
    decision.overridden === undefined
      ? ""
      : ` (claimed ${decision.claimed}: ${decision.overridden})`;
  const cost = [
    facts.tokens === undefined ? "" : `${grouped(facts.tokens)} tokens`,
    facts.toolUses === undefined
      ? ""
      : `${facts.toolUses} tool use${facts.toolUses === 1 ? "" : "s"}`,
    facts.durationMs === undefined ? "" : `${(facts.durationMs / 1000).toFixed(1)} s`,
  ].filter(Boolean);
  const lines = [
    `trust ${trust} · ${checkedWords(assessment)} · ${confidenceWords(assessment)}`,
    `outcome ${outcome.value}${lowered} · decision ${decision.decision}${overridden}`,
    ...listed(
      checks.filter(({ corrected }) => corrected !== undefined),
      (check) => `corrected: ${oneLine(check.text, 80)} is now ${oneLine(check.corrected!, 80)}`,
    ),
    ...listed(
      checks.filter(isOpen),
      (check) =>
        `${check.grade === "X" ? "contradicted" : check.verdict}: ${oneLine(check.text, 80)} (${oneLine(check.reason, 200)})`,
    ),
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
      (check) => `${toldWord(check)}: ${oneLine(check.text, 80)} (${oneLine(check.reason, 160)})`,
    ),
    ...uncheckedWords(assessment),
    ...lint
      .filter(({ rule }) => rule.startsWith("success-"))
      .map(({ message }) => `noted: ${oneLine(message, 200)}`),
    [...cost, `agent ${facts.agentId}`].join(" · "),
  ];
  return lines.map((line) => `[retinue] ${neutraliseTags(line)}`).join("\n");
}

/** A counter-example and a bent proof are facts, not a lack of them. */
const toldWord = ({ verdict }: Assessment["checks"][number]): string =>
  verdict === "countered" || verdict === "weakened" ? verdict : "not judged";

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more =
    items.length > maxListed ? [`and ${items.length - maxListed} more of the same kind`] : [];
  return [...items.slice(0, maxListed).map(line), ...more];
}

function checkedWords({ checks, counts }: Assessment): string {
  const corrected = checks.filter((check) => check.corrected !== undefined).length;
  const open = checks.filter(isOpen).length;
  const unproven = checks.filter(isUnproven).length;
  const exist = checks.filter(
    (check) => check.verdict === "exists_only" && !isUnproven(check),
  ).length;
  const parts = [
    `${counts.verified} verified`,
    ...(corrected > 0 ? [`${corrected} corrected`] : []),
    ...(exist > 0 ? [`${exist} exist`] : []),
    ...(open > 0 ? [`${open} wrong`] : []),
    ...(unproven > 0 ? [`${unproven} not judged`] : []),
  ];
  return counts.total === 0
    ? "nothing to check"
    : `${counts.total} ${counts.total === 1 ? "claim" : "claims"} checked: ${parts.join(", ")}`;
}

/** How much trust says nothing about; not the sentences themselves, which would speak with the runtime's voice here. */
function uncheckedWords({ unchecked }: Assessment): string[] {
  return unchecked.length === 0
    ? []
    : [
        `not checked: ${unchecked.length === 1 ? "a sentence that holds" : `${unchecked.length} sentences that hold`} nothing to compare`,
      ];
}

export function confidenceWords({
  confidence: { claimed, combined, cap },
}: Pick<Assessment, "confidence">): string {
  if (combined === null) return "no confidence given";
  return `confidence ${claimed ?? "not claimed"} → ${combined} (${bandOf(combined)}, cap ${cap})`;
}
