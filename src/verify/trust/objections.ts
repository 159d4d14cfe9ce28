// What speaks against a report after its repair, class by class: what binds stops it, the rest warns.
import { binds, classOf } from "../../contract/trust/verdict-classes.ts";
import { oneLine } from "../../base/text/printable.ts";
import { isOpen, type AssessedCheck, type AssessedFinding, type Objection } from "../assessment.ts";

/**
 * Of deeds, results and weighty findings, and of every reference in a text without a form. Another
 * wrong reference is told in the checks alone.
 */
export function objectionsOf(
  checks: readonly AssessedCheck[],
  findings: readonly AssessedFinding[],
  is_free: boolean,
): Objection[] {
  const weighty = new Set(
    findings
      .filter(({ severity }) => severity === "critical" || severity === "important")
      .map(({ id }) => id),
  );
  return checks
    .flatMap((check): Objection[] => {
      const name = classOf(check);
      const counts =
        name !== null &&
        (!name.startsWith("reference ") ||
          is_free ||
          (check.finding !== null && weighty.has(check.finding)));
      return counts && speaksAgainst(check)
        ? [{ class: name, binds: binds(name), text: check.text, reason: check.reason }]
        : [];
    })
    .sort((a, b) => Number(b.binds) - Number(a.binds));
}

const told = new Set(["unsupported", "countered", "weakened"]);
const speaksAgainst = (check: AssessedCheck): boolean => isOpen(check) || told.has(check.verdict);

/** Those that bind, in words. */
export const bindingWords = (objections: readonly Objection[]): string[] =>
  objections
    .filter((one) => one.binds)
    .map(
      ({ class: name, text, reason }) => `${name}: ${oneLine(text, 80)} (${oneLine(reason, 160)})`,
    );
