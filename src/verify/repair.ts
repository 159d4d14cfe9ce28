// The one repair: what goes back to the agent, and whether its answer is a repair. Deleting
// evidence is none, a placeholder is no answer, what was withdrawn stays visible.
import { isPlaceholder } from "../contract/report/section-text.ts";
import {
  isOpen,
  type AssessedCheck,
  type Assessment,
  type RepairRow,
  type RepairTable,
  type Withdrawn,
} from "./assessment.ts";

const maxRows = 60;
/** Points by which coverage may fall. */
const allowedLoss = 10;

/** Null where there is nothing that the agent could put right. */
export function repairTable({
  checks,
  undeclared,
  outcome,
  lint,
}: Omit<Assessment, "repair">): RepairTable | null {
  const wrong = checks.filter(isOpen).map(({ text, verdict, reason, suggestion }): RepairRow => ({
    text,
    verdict,
    actual: reason,
    nearest: suggestion ? `${suggestion.path}:${suggestion.line}` : "none",
  }));
  const silent = undeclared.map(({ path, change }): RepairRow => ({
    text: "(not in the report)",
    verdict: "undeclared_change",
    actual: `${path} was ${change} in this run`,
    nearest: "declare it",
  }));
  const rows = [...wrong, ...silent].slice(0, maxRows);
  // A tick that only a corrected reference contradicts is no reason to ask again: it is put right already.
  const named = [
    "standard-format",
    "decision",
    "summary-budget",
    ...(rows.length > 0 ? ["false-tick"] : []),
  ];
  const problems = [
    ...(outcome.value === "INVALID" ? outcome.reasons : []),
    ...lint
      .filter(({ rule }) => named.includes(rule))
      .map(({ rule, message }) =>
        rule === "summary-budget" ? `the Summary: ${message}` : message,
      ),
  ];
  return rows.length + problems.length > 0 ? { rows, problems } : null;
}

/** The message for the one repair turn. */
export function repairPrompt(
  { rows, problems }: RepairTable,
  form: "report" | "JSON object" = "report",
): string {
  const cell = (text: string): string =>
    text.replace(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 300);
  const table =
    rows.length === 0
      ? []
      : [
          "| your text | verdict | what is really there | nearest match |",
          "|---|---|---|---|",
          ...rows.map(
            ({ text, verdict, actual, nearest }) =>
              `| ${cell(text)} | ${verdict} | ${cell(actual)} | ${cell(nearest)} |`,
          ),
          "",
        ];
  return [
    `Your ${form === "report" ? "report" : "answer"} was checked against the files ` +
      "and against what you did. Some of it does not hold.",
    "",
    ...problems.map((problem) => `- ${problem}`),
    ...(problems.length > 0 ? [""] : []),
    ...table,
    "For each row: look again and put the reference right, or withdraw the claim and say so. " +
      "Keep everything else as it is, its evidence included; a placeholder is no answer. " +
      `Reply with the whole ${form} once more. ` +
      "This is the only chance: what still does not hold is marked as contradicted.",
  ].join("\n");
}

/** What a repair turn changed. */
export type Repair = {
  /** The assessment to go on with: the repaired report, or the first one where the answer was no repair. */
  assessment: Assessment;
  accepted: boolean;
  /** Why the answer was not accepted. */
  problem: string | null;
  fixed: number;
  withdrawn: Withdrawn[];
  /** References that are wrong in the accepted text. */
  failing: number;
};

/** Compares a report before and after its repair turn. */
export function judgeRepair(before: Assessment, after: Assessment): Repair {
  const wrong = before.checks.filter(isOpen);
  const problem = refusal(before, after);
  if (problem !== null)
    return {
      assessment: before,
      accepted: false,
      problem,
      fixed: 0,
      withdrawn: [],
      failing: wrong.length,
    };
  const now = counterparts(wrong, before, after);
  const fates = wrong.map((check) => ({ check, now: now.get(check) }));
  const withdrawn = fates
    .filter(({ now }) => now === undefined)
    .map(({ check }): Withdrawn => ({
      text: check.text,
      reason: `withdrawn after the check: ${check.reason}`,
    }));
  return {
    assessment: { ...after, withdrawn },
    accepted: true,
    problem: null,
    fixed: fates.filter(({ now }) => now !== undefined && !isOpen(now)).length,
    withdrawn,
    failing: after.checks.filter(isOpen).length,
  };
}

/** How a later check is known to answer for an earlier one: by what both say of themselves. */
type Likeness = {
  earlier: (check: AssessedCheck) => string | null;
  later: (check: AssessedCheck) => string | null;
};

/**
 * What became of each wrong claim: the same words, the same finding's, the suggested place, the
 * same name, the same path. Each later check answers for one earlier.
 */
function counterparts(
  wrong: readonly AssessedCheck[],
  before: Assessment,
  after: Assessment,
): Map<AssessedCheck, AssessedCheck> {
  const titles = (findings: Assessment["findings"]): Map<string, string> =>
    new Map(findings.map(({ id, title }) => [id, title]));
  const [oldTitles, newTitles] = [titles(before.findings), titles(after.findings)];
  const oldTexts = new Set(before.checks.map(({ text }) => text));
  const byTitle =
    (known: Map<string, string>) =>
    ({ finding, standing }: AssessedCheck): string | null =>
      finding !== null && known.has(finding) ? `${standing} ${known.get(finding)}` : null;
  const words = ({ kind, text }: AssessedCheck): string => `${kind} ${text}`;
  const name = ({ symbol, standing }: AssessedCheck): string | null =>
    symbol === undefined ? null : `${standing} ${symbol}`;
  const deed = ({ kind }: AssessedCheck): string | null =>
    kind === "test" || kind === "command" ? kind : null;
  const path = ({ path: at, standing, finding }: AssessedCheck): string | null =>
    at === null || finding !== null ? null : `${standing} ${at}`;
  const likenesses: Likeness[] = [
    { earlier: words, later: words },
    { earlier: byTitle(oldTitles), later: byTitle(newTitles) },
    {
      earlier: ({ suggestion }) => (suggestion ? `${suggestion.path}:${suggestion.line}` : null),
      later: ({ path: at, lines }) => (at === null || lines === null ? null : `${at}:${lines[0]}`),
    },
    { earlier: name, later: name },
    { earlier: deed, later: deed },
    { earlier: path, later: (check) => (oldTexts.has(check.text) ? null : path(check)) },
  ];
  const found = new Map<AssessedCheck, AssessedCheck>();
  const used = new Set<AssessedCheck>();
  for (const { earlier, later } of likenesses) {
    const index = indexBy(
      after.checks.filter((check) => !used.has(check)),
      later,
    );
    for (const check of wrong) {
      const key = found.has(check) ? null : earlier(check);
      const match = key === null ? undefined : index.get(key)?.shift();
      if (!match) continue;
      found.set(check, match);
      used.add(match);
    }
  }
  return found;
}

function indexBy(
  checks: readonly AssessedCheck[],
  keyOf: Likeness["later"],
): Map<string, AssessedCheck[]> {
  const index = new Map<string, AssessedCheck[]>();
  for (const check of checks) {
    const key = keyOf(check);
    const known = key === null ? undefined : index.get(key);
    if (known) known.push(check);
    else if (key !== null) index.set(key, [check]);
  }
  return index;
}

function refusal(before: Assessment, after: Assessment): string | null {
  if (after.outcome.value === "INVALID" && before.outcome.value !== "INVALID")
    return `the answer is no report: ${after.outcome.reasons.join("; ")}`;
  const said = new Set(before.findings.map(({ location }) => location));
  const placeholder = after.findings.find(
    ({ location }) => location !== "" && isNoPlace(location) && !said.has(location),
  );
  if (placeholder) return `"${placeholder.location.slice(0, 60)}" is a placeholder, no place`;
  const [had, has] = [coverage(before), coverage(after)];
  if (had - has > allowedLoss)
    return (
      `evidence was deleted: ${Math.round(has)} % of the findings name a place ` +
      `that can be checked, ${Math.round(had)} % did before`
    );
  const good = before.checks.filter((check) => !isOpen(check) && check.path !== null);
  const [paths, texts] = [
    new Set(after.checks.map(({ path }) => path)),
    new Set(after.checks.map(({ text }) => text)),
  ];
  // One that was put right by itself may come back as it was or as it is now.
  const kept = good.filter(
    ({ path, text, suggestion }) =>
      paths.has(path) ||
      texts.has(text) ||
      (suggestion !== undefined && paths.has(suggestion.path)),
  ).length;
  const share = good.length === 0 ? 100 : (100 * kept) / good.length;
  return share < 100 - allowedLoss
    ? `evidence was deleted: ${good.length - kept} of ${good.length} references that held are gone`
    : null;
}

/** Share of the findings that name something checkable, in percent. */
const coverage = ({ findings }: Assessment): number =>
  findings.length === 0
    ? 0
    : (100 * findings.filter(({ checks }) => checks.length > 0).length) / findings.length;

const isNoPlace = (location: string): boolean =>
  isPlaceholder(location) ||
  /^`?(?:tbd|unknown|todo|file:line|path\/to\/\S+|\?+|xxx|somewhere|withheld|redacted)`?$/i.test(
    location.trim(),
  );
