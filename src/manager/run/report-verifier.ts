// Checks a run's last message before anyone reads it: against the files, against what the agent saw
// and did, with one chance to put right what does not hold.
import { jsonCopy, type JsonObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { loadOnce } from "../../base/load-once.ts";
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import { answeringTool } from "../../base/tool-names.ts";
import { jsonInText } from "../../contract/handoff/json-in-text.ts";
import { settleDecision } from "../../contract/trust/settle-decision.ts";
import type { Fact } from "../../events/event.ts";
import type { JudgedAnswer, VerificationSummary } from "../../events/judged-answer.ts";
import type { RunMetrics } from "../../events/outcome.ts";
import type { RunLog } from "../../executors/catalog.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { AnswerCheck, AnswerMoment, RunStep } from "../../loop/ports.ts";
import { assessReport } from "../../verify/assess-report.ts";
import { isOpen, type Assessment, type RepairTable } from "../../verify/assessment.ts";
import { finalText } from "../../verify/trust/final-text.ts";
import { judgeRepair, repairPrompt, type Repair } from "../../verify/repair.ts";
import { reportHeader, searchHeader } from "../../verify/report/report-header.ts";
import type { HandoffTalk } from "../../verify/report-tool/submit-handoff.ts";
import type { ReportTalk } from "../../verify/report-tool/submit-report.ts";
import { toVerifiedReport } from "../../verify/report/to-verified-report.ts";
import { errorResult, type ToolResult } from "../../tool/tool.ts";
import {
  evidenceOf,
  isReader,
  treeBefore,
  type AnswerEvidence,
  type VerifiedRun,
} from "./answer-evidence.ts";
import type { RunHandle } from "./run-handle.ts";
import type { TreeKeeper } from "./tools/tree-keeper.ts";
import type { Session } from "../session/session.ts";

export type ReportVerifier = {
  /**
   * What to tell the agent instead of accepting its answer, or what was found about the answer. The
   * last answer that a limit allows is judged as it is.
   */
  beforeEnd: (answer: string, at: AnswerMoment) => Promise<AnswerCheck>;
  /** A report that was given as data: accepted, it is the answer; else the result says why not. */
  submit: (input: unknown) => Promise<ToolResult>;
  /** What it has in mind between two answers, as plain data. */
  memory?: () => JsonObject;
  remember?: (memory: JsonObject) => void;
};

/**
 * Looks at the tree at once, because it must know it as it was before the run, in whichever process
 * the run goes on; the verifier itself is made when the run has its log.
 */
export async function prepareVerifier(
  session: Session,
  run: VerifiedRun,
  step: RunStep,
): Promise<(log: RunLog) => ReportVerifier> {
  const { spec } = run;
  const before = isReader(spec) ? undefined : await treeBefore(session, spec, step);
  const evidence = evidenceOf(session, run, { before: async () => before, isLate: false });
  return (log) => verifierOf({ run, log, evidence });
}

/** For an answer in no form: the tree is known from the first command on that may write. */
export function prepareFreeVerifier(
  session: Session,
  run: VerifiedRun,
  { before }: Pick<TreeKeeper, "before">,
): (log: RunLog) => ReportVerifier {
  const evidence = evidenceOf(session, run, { before, isLate: true });
  return (log) => verifierOf({ run, log, evidence });
}

/** Most answers are no handoff, and few are given by the tool: these rooms are loaded by those. */
const handoffs = loadOnce(() => import("../../verify/assess-handoff.ts"));
const handoffTalks = loadOnce(() => import("../../verify/report-tool/submit-handoff.ts"));
const reports = loadOnce(() => import("../../verify/report-tool/submit-report.ts"));

async function openTalk({ contract }: RunSpec): Promise<ReportTalk | HandoffTalk> {
  if (contract !== "handoff") return (await reports()).openReportTalk();
  return (await handoffTalks()).openHandoffTalk();
}

async function assessAnswer(
  answer: string,
  { contract, model }: RunSpec,
  options: AnswerEvidence,
): Promise<Assessment> {
  if (contract !== "handoff")
    return assessReport(answer, { ...options, contract, isSearch: model === "offline" });
  const assessed = await (await handoffs()).assessHandoff(answer, options);
  const found = jsonInText(answer);
  const { outcome, summary } = assessed.report;
  const hasForm = found.ok || (outcome !== null && summary !== "");
  return hasForm ? assessed : formless(assessed, found.problem);
}

/** Neither JSON nor a report where a handoff is owed: whoever reads it has no answer. */
function formless(assessed: Assessment, problem: string): Assessment {
  const reasons = [`it is no handoff: ${problem}`];
  const { trust } = assessed;
  const against = { failedChecks: [], contradictions: [], trust, require: null };
  return {
    ...assessed,
    outcome: { ...assessed.outcome, value: "INVALID", reasons },
    decision: settleDecision(assessed.decision.claimed, { ...against, outcome: "INVALID" }),
  };
}

function verifierOf({
  run,
  log,
  evidence,
}: {
  run: Pick<RunHandle, "spec" | "isRepairing">;
  log: RunLog;
  evidence: () => Promise<AnswerEvidence>;
}): ReportVerifier {
  const { spec } = run;
  let first: Assessment | undefined;
  let hadItsChance = false;
  /** Assessed when they were submitted, by their text. */
  const submitted = new Map<string, Assessment>();
  let talk: Promise<ReportTalk | HandoffTalk> | undefined;
  return {
    async submit(input) {
      const world = { ...(await evidence()), agent: spec.agentType };
      const answer = await (await (talk ??= openTalk(spec))).submit(input, world);
      if (!answer.ok) {
        const { problemsText } = await reports();
        return errorResult(problemsText(answer.problems), "not accepted");
      }
      submitted.set(answer.text, answer.assessment);
      return {
        content: "Accepted: this is your answer.",
        answer: answer.text,
        facts: { places: answer.places },
      };
    },
    async beforeEnd(answer, { isLast, metrics }) {
      const known = submitted.get(answer);
      const assessment = known ?? (await assessAnswer(answer, spec, await evidence()));
      if (!hadItsChance && !isLast && assessment.repair && !known && spec.contract !== "none") {
        first = assessment;
        hadItsChance = true;
        run.isRepairing = true;
        return { objection: repairWords(assessment.repair, spec) };
      }
      const repair = repairOf(first, assessment, known);
      // The repair is over with its answer: one that a hook asks for later stands for itself.
      first = undefined;
      run.isRepairing = false;
      if (!isStamped(assessment)) return {};
      const judged = await judgedReport(assessment, { repair, spec, metrics });
      log.record(asFact(judged));
      return { judged };
    },
    memory: () => ({
      hadItsChance,
      ...(first ? { first: jsonCopy(first) } : {}),
    }),
    remember(memory) {
      hadItsChance = memory["hadItsChance"] === true;
      first = memory["first"] as Assessment | undefined;
      run.isRepairing = first !== undefined;
    },
  };
}

/** Said once, with what has to be put right anyway. */
const pointToTool =
  "\n\nGive it with the Report tool instead of writing it out: quote the lines, and their numbers are found for you.";

/** With the report and the text as corrected: a result read from the transcript is the one told. */
function asFact({ verification, report, content }: JudgedAnswer): Fact {
  const { header: _ofTheEnd, ...found } = verification ?? {};
  return { type: "verification", result: { ...found, report, content } };
}

function repairWords(repair: RepairTable, { contract, tools }: RunSpec): string {
  const form = contract === "report" ? "report" : "JSON object";
  return `${repairPrompt(repair, form)}${tools.includes(answeringTool) ? pointToTool : ""}`;
}

/** A report by the tool holds; what it no longer says of the first one is withdrawn. */
function repairOf(
  first: Assessment | undefined,
  assessment: Assessment,
  known: Assessment | undefined,
): Repair | null {
  if (!first) return null;
  const repair = judgeRepair(first, assessment);
  if (!known) return repair;
  const gone = repair.accepted
    ? repair.withdrawn
    : first.checks.filter(isOpen).map(({ text, reason }) => ({
        text,
        reason: `withdrawn after the check: ${reason}`,
      }));
  const withdrawn = [...known.withdrawn, ...gone];
  return {
    ...repair,
    accepted: true,
    problem: null,
    withdrawn,
    assessment: { ...known, withdrawn },
  };
}

/** An answer in no form with nothing to check in it gets no word at all. */
const isStamped = ({ is_free, trust, corrected }: Assessment): boolean =>
  !is_free || trust !== null || corrected !== null;

async function judgedReport(
  last: Assessment,
  { repair, spec, metrics }: { repair: Repair | null; spec: RunSpec; metrics: RunMetrics },
): Promise<JudgedAnswer> {
  const assessment = repair?.assessment ?? last;
  const { trust, tally, counts, confidence, outcome, decision, is_free, checks } = assessment;
  const { undeclared, withdrawn, lint, objections, unrecognised } = assessment;
  const kept = [...checks.filter(isOpen), ...checks.filter((check) => !isOpen(check))].slice(
    0,
    limits.report.keptChecks,
  );
  const { findings, assertions, tests } = toVerifiedReport(assessment, {
    task_id: "",
    agent_id: spec.agentId,
    agent_type: spec.agentType,
    model: spec.model,
    required: true,
  });
  const verification = {
    model: spec.model,
    findings: findings
      .slice(0, limits.report.keptFindings)
      .map((finding) => ({ ...finding, title: maskSecrets(finding.title).slice(0, 300) })),
    assertions: assertions.slice(0, limits.report.keptFindings),
    tests,
    // A search claims nothing: that its places hold is all there is to say.
    trust: spec.model === "offline" ? null : trust,
    is_free,
    outcome,
    decision,
    objections: objections.slice(0, limits.report.keptFindings),
    tally,
    counts,
    confidence,
    unrecognised: unrecognised.slice(0, limits.report.keptFindings),
    undeclared,
    withdrawn,
    lint,
    checks: kept,
    repair: repair && {
      accepted: repair.accepted,
      problem: repair.problem,
      fixed: repair.fixed,
      failing: repair.failing,
    },
  };
  // Copied: what stands in the result is what stands on record.
  return {
    content:
      spec.contract === "handoff"
        ? (await handoffs()).finalHandoff(assessment)
        : finalText(assessment),
    report: jsonCopy(assessment.report),
    verification: {
      ...(jsonCopy(verification) as VerificationSummary),
      header: headerOf(assessment, spec, metrics),
    },
  };
}

function headerOf(
  assessment: Assessment,
  { model, agentId }: RunSpec,
  { tokens_used: tokens, tool_uses: toolUses, duration_ms: durationMs }: RunMetrics,
): string {
  return model === "offline"
    ? searchHeader(assessment)
    : reportHeader(assessment, { agentId, tokens, toolUses, durationMs });
}
