// A handoff's answer checked like a report: rendered as one, assessed, and what was put right or
// found wrong written back into the JSON.
import { unreadableWords } from "../contract/handoff/check-response.ts";
import { readChecks } from "../contract/handoff/read-checks.ts";
import { jsonInText } from "../contract/handoff/json-in-text.ts";
import { settleDecision } from "../contract/trust/settle-decision.ts";
import type { Origin } from "../contract/handoff/entry-row.ts";
import { handoffAsReport, type HandoffReport } from "../contract/handoff/handoff-as-report.ts";
import { assessReport, type AssessOptions } from "./assess-report.ts";
import { isOpen, type AssessedCheck, type Assessment } from "./assessment.ts";
import type { StructuredChecks } from "./claims/record/structured-checks.ts";
import { repairTable } from "./repair.ts";
import { Repository } from "../source/repository.ts";
import { bindingWords } from "./trust/objections.ts";
import { loadClaimChecks } from "./trust/spoken-checks.ts";

/**
 * The assessment of a handoff; `text` and `corrected` are its JSON, spans are places in `text`. An
 * answer without JSON is assessed as the text it is.
 */
export async function assessHandoff(
  answer: string,
  options: Omit<AssessOptions, "contract">,
): Promise<Assessment> {
  const found = jsonInText(answer);
  if (!found.ok) return assessReport(answer, { ...options, contract: "handoff" });
  const rendered = handoffAsReport(found.value);
  const repo = Repository.over(options.reader);
  const assessed = await assessReport(rendered.text, {
    ...options,
    reader: repo,
    contract: "handoff",
  });
  const said = assessed.checks.map(unmarked);
  const isCorrected = said.map((check) => correctIn(rendered.origins, check)).includes(true);
  const place = placer(answer);
  const told = {
    ...assessed,
    text: answer,
    checks: said.map((check) => ({ ...check, span: place(check) })),
    corrected: isCorrected ? JSON.stringify(rendered.value, null, 2) : null,
  };
  return withDeeds(await withForm(told, found.value, { ...options, repo }), rendered, options);
}

/** The checks of the answer that say passed, as the record has them. */
async function recordedChecks(
  passed: readonly string[],
  { ledger, repo, runners = [], text }: FormOptions & { text: string },
): Promise<StructuredChecks> {
  if (!ledger || passed.length === 0) return { failed: [], unrecognised: [] };
  const { resultSetting, structuredChecks } = await loadClaimChecks();
  return structuredChecks(passed, resultSetting(text, ledger, { repo, runners }));
}

type FormOptions = Pick<AssessOptions, "require" | "ledger" | "runners"> & { repo: Repository };

/** A decision, a status or checks that cannot be read make it no answer; a failed check is STOP. */
async function withForm(
  assessed: Assessment,
  value: Record<string, unknown>,
  options: FormOptions,
): Promise<Assessment> {
  const { failed, passed, unreadable } = readChecks(value, "agent");
  const recorded = await recordedChecks(passed, { ...options, text: assessed.text });
  const problems = [...unreadableWords(value), ...unreadable.slice(0, 20)];
  const outcome: Assessment["outcome"] =
    problems.length === 0
      ? assessed.outcome
      : {
          ...assessed.outcome,
          value: "INVALID",
          reasons: problems.map(({ field, message }) => `${field}: ${message}`),
        };
  return {
    ...assessed,
    outcome,
    unrecognised: [...recorded.unrecognised, ...assessed.unrecognised],
    decision: settleDecision(assessed.decision.claimed, {
      failedChecks: [...failed, ...recorded.failed],
      contradictions: bindingWords(assessed.objections),
      outcome: outcome.value,
      trust: assessed.trust,
      require: options.require ?? null,
    }),
  };
}

/** In the words of the answer, without the marks of the rendering. */
function unmarked(check: AssessedCheck): AssessedCheck {
  const bare = (text: string): string => text.replace(/^`([^`]*)`$/, "$1");
  return {
    ...check,
    text: bare(check.text),
    ...(check.corrected === undefined ? {} : { corrected: bare(check.corrected) }),
  };
}

/** Whatever says that it did something without having used a tool that worked is no answer. */
function withDeeds(
  assessed: Assessment,
  { acts }: HandoffReport,
  { ledger }: Pick<AssessOptions, "ledger">,
): Assessment {
  if (!acts || !ledger || ledger.effectiveUses > 0 || assessed.outcome.value === "INVALID")
    return { ...assessed, repair: repairTable(assessed) };
  const outcome: Assessment["outcome"] = {
    ...assessed.outcome,
    value: "INVALID",
    reasons: [
      ledger.toolUses === 0
        ? "it claims actions, but no tool was used"
        : "it claims actions, but every tool call was denied or failed",
    ],
  };
  const lowered = {
    ...assessed,
    outcome,
    decision: settleDecision(assessed.decision.claimed, {
      failedChecks: [],
      contradictions: [],
      outcome: "INVALID",
      trust: assessed.trust,
      require: null,
    }),
  };
  return { ...lowered, repair: repairTable(lowered) };
}

/** Changes the string, or the entry's path and line, that the reference was written from. */
function correctIn(origins: readonly Origin[], check: AssessedCheck): boolean {
  if (check.corrected === undefined || !check.suggestion) return false;
  const origin = origins.find(({ span }) => span[0] <= check.span[0] && check.span[1] <= span[1]);
  const written = origin?.holder[origin.key];
  if (!origin || typeof written !== "string") return false;
  if (written.includes(check.text))
    origin.holder[origin.key] = written.replace(check.text, () => check.corrected!);
  else if (origin.place?.line !== undefined && check.lines) {
    const before = origin.holder[origin.place.line];
    const moved = check.suggestion.line;
    origin.holder[origin.place.path] = check.suggestion.path;
    origin.holder[origin.place.line] =
      typeof before === "number"
        ? moved
        : check.lines[0] === check.lines[1]
          ? String(moved)
          : `${moved}-${moved + check.lines[1] - check.lines[0]}`;
  } else return false;
  return true;
}

/** Where a reference stands in the answer: its own words, else its path; each occurrence serves once. */
function placer(answer: string): (check: AssessedCheck) => [number, number] {
  const next = new Map<string, number>();
  const find = (words: string): [number, number] | undefined => {
    const written = JSON.stringify(words).slice(1, -1);
    const at = written === "" ? -1 : answer.indexOf(written, next.get(written) ?? 0);
    if (at < 0) return undefined;
    next.set(written, at + written.length);
    return [at, at + written.length];
  };
  return ({ text, path }) => find(text) ?? find(path ?? "") ?? [0, 0];
}

/** The JSON as it is passed on: corrected, with what does not hold and what was withdrawn among its issues. */
export function finalHandoff({
  text,
  corrected,
  checks,
  withdrawn,
  undeclared,
}: Pick<Assessment, "text" | "corrected" | "checks" | "withdrawn" | "undeclared">): string {
  const body = corrected ?? text;
  const notes = new Set(
    [
      ...checks.filter(isOpen).map((check) => `contradicted: ${check.text} (${check.reason})`),
      ...withdrawn.map((item) => `withdrawn: ${item.text} (${item.reason})`),
      ...undeclared.map(({ path, change }) => `undeclared: ${path} was ${change} and is not named`),
    ].map((note) => note.replace(/\s+/g, " ").slice(0, 500)),
  );
  const found = notes.size > 0 ? jsonInText(body) : undefined;
  if (!found?.ok) return body;
  const own = Array.isArray(found.value["issues"]) ? (found.value["issues"] as unknown[]) : [];
  return JSON.stringify({ ...found.value, issues: [...own, ...[...notes].slice(0, 60)] }, null, 2);
}
