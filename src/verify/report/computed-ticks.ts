// The contract's four ticks, computed: a box that the agent ticked and the files contradict is an overclaim.
import { isAtLeast } from "../../contract/grades.ts";
import type { Report } from "../../contract/report/report.ts";
import type { AssessedCheck, AssessedFinding, ComputedTick } from "../assessment.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";

type Facts = {
  checks: readonly AssessedCheck[];
  findings: readonly AssessedFinding[];
  repo: Repository;
};

const ticks: { label: string; pattern: RegExp; holds: (facts: Facts) => boolean }[] = [
  {
    label: "File References Valid",
    pattern: /file\s+ref|references?\s+valid/i,
    holds: ({ checks }) => !checks.some((check) => isWrong(check) && isReference(check)),
  },
  {
    label: "Code Snippets Accurate",
    pattern: /snippet|quoted|code\s+match/i,
    holds: ({ checks }) => !checks.some((check) => isWrong(check) && check.kind === "quote"),
  },
  {
    label: "No Hallucinated Paths",
    pattern: /hallucinat|invented|paths?\s+(?:exist|real)/i,
    holds: ({ checks, repo }) =>
      !checks.some(
        (check) =>
          isWrong(check) &&
          isReference(check) &&
          (check.path === null ||
            check.verdict === "outside_root" ||
            repo.kindOf(check.path) === "none"),
      ),
  },
  {
    label: "Evidence Documented",
    pattern: /evidence/i,
    holds: ({ findings }) => findings.every(({ grade }) => grade !== "X" && isAtLeast(grade, "E1")),
  },
];

const isWrong = ({ verdict, grade }: AssessedCheck): boolean =>
  isFlagged(verdict) && grade !== "E0";
const isReference = ({ kind }: AssessedCheck): boolean =>
  kind === "path" || kind === "location" || kind === "symbol" || kind === "quote";

export function computedTicks(
  { ticks: claimed }: Pick<Report, "ticks">,
  facts: Facts,
): ComputedTick[] {
  return ticks.map(({ label, pattern, holds }) => ({
    label,
    claimed: claimed.find((tick) => pattern.test(tick.label))?.ticked ?? null,
    holds: holds(facts),
  }));
}

export const falseTicks = (list: readonly ComputedTick[]): ComputedTick[] =>
  list.filter(({ claimed, holds }) => claimed === true && !holds);
