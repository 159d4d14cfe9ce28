// The rules about confidence: a number with its reason, its two parts, and what a low or a high one
// has to bring along.
import type { Report } from "../report/report.ts";
import { named, sectionText } from "../report/section-text.ts";
import type { LintRule } from "./lint-rule.ts";

const score = ({ confidence }: Report): number => confidence.score ?? -1;
const hasSection = (report: Report, name: Parameters<typeof named>[1]): boolean =>
  named(report.sections, name).length > 0;

export const confidenceRules: readonly LintRule[] = [
  {
    level: "L1",
    rule: "confidence-breakdown",
    check: (report) =>
      score(report) >= 75 &&
      (report.confidence.verified === null || report.confidence.inferred === null)
        ? `confidence ${score(report)} needs verified_confidence and inferred_confidence`
        : undefined,
  },
  {
    level: "L2",
    rule: "confidence-justification",
    check: (report) =>
      score(report) >= 85 && !hasSection(report, "Confidence Justification")
        ? `confidence ${score(report)} needs a Confidence Justification`
        : undefined,
  },
  {
    level: "L2",
    rule: "confidence",
    check: ({ confidence, outcome }) =>
      outcome !== "FAILED" && confidence.score === null
        ? `no confidence from 0 to 100${confidence.words ? `; "${confidence.words}" is no number` : ""}`
        : undefined,
  },
  {
    level: "L2",
    rule: "uncertainty",
    check: (report) =>
      score(report) >= 0 && score(report) < 70 && !hasSection(report, "Uncertainty")
        ? `confidence ${score(report)} needs an Uncertainty section`
        : undefined,
  },
  {
    level: "L2",
    rule: "clarification",
    check: (report) =>
      score(report) >= 0 && score(report) < 60 && !asks(report)
        ? `confidence ${score(report)} should come with a question`
        : undefined,
  },
  {
    level: "L2",
    rule: "confidence-reason",
    check: (report) =>
      score(report) >= 0 && !hasReason(report)
        ? `confidence ${score(report)} is a bare number: say why`
        : undefined,
  },
];

/** Words beside the number, or below it, or in the justification; "92" and "Score: 92" are none. */
function hasReason(report: Report): boolean {
  const texts = [
    report.confidence.justification ?? "",
    ...named(report.sections, "Confidence").map(sectionText),
    ...named(report.sections, "Confidence Justification").map(sectionText),
  ];
  const words = texts
    .join("\n")
    .replace(/\b(?:verified|inferred|combined)[_ -]?confidence\b/gi, "")
    .replace(/\b(?:score|confidence|certain|high|moderate|low|uncertain)\b/gi, "");
  return (words.match(/\p{L}{2,}/gu) ?? []).length >= 2;
}

const asks = (report: Report): boolean =>
  report.questions.length > 0 ||
  report.decision === "CLARIFY" ||
  report.next_steps.some((step) => step.includes("?"));
