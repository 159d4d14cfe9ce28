// The one repair: what goes back to the agent, and whether its answer is a repair. Deleting evidence is none, a placeholder is no answer, what was withdrawn stays visible.
import { isPlaceholder } from "../contract/section-views.ts";
import { isOpen, type AssessedCheck, type Assessment, type RepairRow, type RepairTable, type Withdrawn } from "./assessment.ts";

const maxRows = 60;
/** Points by which coverage may fall. */
const allowedLoss = 10;

/** Null where there is nothing that the agent could put right. */
export function repairTable({ checks, undeclared, outcome, lint }: Omit<Assessment, "repair">): RepairTable | null {
  const wrong = checks.filter(isOpen).map(({ text, verdict, reason, suggestion }): RepairRow => ({ text, verdict, actual: reason, nearest: suggestion ? `${suggestion.path}:${suggestion.line}` : "none" }));
  const silent = undeclared.map(({ path, change }): RepairRow => ({ text: "(not in the report)", verdict: "undeclared_change", actual: `${path} was ${change} in this run`, nearest: "declare it" }));
  const rows = [...wrong, ...silent].slice(0, maxRows);
  // A tick that only a corrected reference contradicts is no reason to ask again: it is put right already.
  const named = rows.length > 0 ? ["standard-format", "false-tick"] : ["standard-format"];
  const problems = [...(outcome.value === "INVALID" ? outcome.reasons : []), ...lint.filter(({ rule }) => named.includes(rule)).map(({ message }) => message)];
  return rows.length + problems.length > 0 ? { rows, problems } : null;
}

/** The message for the one repair turn. */
export function repairPrompt({ rows, problems }: RepairTable): string {
  const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 300);
  const table = rows.length === 0 ? [] : ["| your text | verdict | what is really there | nearest match |", "|---|---|---|---|", ...rows.map(({ text, verdict, actual, nearest }) => `| ${cell(text)} | ${verdict} | ${cell(actual)} | ${cell(nearest)} |`), ""];
  return [
    "Your report was checked against the files and against what you did. Some of it does not hold.",
    "",
    ...problems.map((problem) => `- ${problem}`),
    ...(problems.length > 0 ? [""] : []),
    ...table,
    "For each row: look again and put the reference right, or withdraw the claim and say so. Keep everything else as it is, its evidence included; a placeholder is no answer. Reply with the whole report once more. This is the only chance: what still does not hold is marked as contradicted.",
  ].join("\n");
}

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
  const left = new Set(after.checks);
  const fates = wrong.map((check) => ({ check, now: counterpart(check, before, { after, left }) }));
  const problem = refusal(before, after);
  if (problem !== null) return { assessment: before, accepted: false, problem, fixed: 0, withdrawn: [], failing: wrong.length };
  const withdrawn = fates.filter(({ now }) => now === undefined).map(({ check }): Withdrawn => ({ text: check.text, reason: `withdrawn after the check: ${check.reason}` }));
  return { assessment: { ...after, withdrawn }, accepted: true, problem: null, fixed: fates.filter(({ now }) => now !== undefined && !isOpen(now)).length, withdrawn, failing: after.checks.filter(isOpen).length };
}

/** What became of a wrong claim: the same finding's, the suggested place, the same path, the same name; each later check answers for one earlier. */
function counterpart(check: AssessedCheck, before: Assessment, { after, left }: { after: Assessment; left: Set<AssessedCheck> }): AssessedCheck | undefined {
  const title = before.findings.find(({ id }) => id === check.finding)?.title;
  const sameFinding = title === undefined ? undefined : after.findings.find((finding) => finding.title === title)?.id;
  const tests: ((now: AssessedCheck) => boolean)[] = [
    (now) => sameFinding !== undefined && now.finding === sameFinding && now.standing === check.standing,
    (now) => check.suggestion !== undefined && now.path === check.suggestion.path && now.lines?.[0] === check.suggestion.line,
    (now) => now.text === check.text && now.kind === check.kind,
    (now) => check.symbol !== undefined && now.symbol === check.symbol && now.standing === check.standing,
    (now) => (check.kind === "test" || check.kind === "command") && now.kind === check.kind,
    (now) => check.path !== null && now.path === check.path && now.standing === check.standing && now.finding === null && !before.checks.some((old) => old.text === now.text),
  ];
  for (const test of tests) {
    const found = [...left].find(test);
    if (found) {
      left.delete(found);
      return found;
    }
  }
  return undefined;
}

function refusal(before: Assessment, after: Assessment): string | null {
  if (after.outcome.value === "INVALID" && before.outcome.value !== "INVALID") return `the answer is no report: ${after.outcome.reasons.join("; ")}`;
  const placeholder = after.findings.find(({ location }) => location !== "" && isNoPlace(location));
  if (placeholder && !before.findings.some(({ location }) => location === placeholder.location)) return `"${placeholder.location.slice(0, 60)}" is a placeholder, no place`;
  const [had, has] = [coverage(before), coverage(after)];
  if (had - has > allowedLoss) return `evidence was deleted: ${Math.round(has)} % of the findings name a place that can be checked, ${Math.round(had)} % did before`;
  const good = before.checks.filter((check) => !isOpen(check) && check.path !== null);
  const kept = good.filter((check) => after.checks.some((now) => now.path === check.path || now.text === check.text)).length;
  const share = good.length === 0 ? 100 : (100 * kept) / good.length;
  return share < 100 - allowedLoss ? `evidence was deleted: ${good.length - kept} of ${good.length} references that held are gone` : null;
}

/** Share of the findings that name something checkable, in percent. */
const coverage = ({ findings }: Assessment): number => (findings.length === 0 ? 0 : (100 * findings.filter(({ checks }) => checks.length > 0).length) / findings.length);

const isNoPlace = (location: string): boolean => isPlaceholder(location) || /^`?(?:tbd|unknown|todo|file:line|path\/to\/\S+|\?+|xxx|somewhere|withheld|redacted)`?$/i.test(location.trim());
