// Checks a run's last message before anyone reads it: against the files, against what the agent saw
// and did, with one chance to put right what does not hold.
import { join } from "node:path";
import type { JsonObject } from "../../base/data/json.ts";
import { pathFacts } from "../../base/files/path-facts.ts";
import { limits } from "../../base/limits.ts";
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import { answeringTool } from "../../base/tool-names.ts";
import type { Fact } from "../../events/event.ts";
import type { JudgedAnswer, VerificationSummary } from "../../events/judged-answer.ts";
import type { RunMetrics } from "../../events/outcome.ts";
import type { RunLog } from "../../executors/catalog.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { AnswerCheck, AnswerMoment, RunStep } from "../../loop/ports.ts";
import { mayRead } from "../../permissions/may-read.ts";
import { assessHandoff, finalHandoff } from "../../verify/assess-handoff.ts";
import { assessReport, type AssessOptions } from "../../verify/assess-report.ts";
import { isOpen, type Assessment, type RepairTable } from "../../verify/assessment.ts";
import { finalText } from "../../verify/trust/final-text.ts";
import type { CheckOptions } from "../../verify/collect-checks.ts";
import { ledgerOf, type Ledger } from "../../verify/evidence/ledger.ts";
import type { Snapshot } from "../../verify/evidence/snapshot.ts";
import { judgeRepair, repairPrompt, type Repair } from "../../verify/repair.ts";
import { reportHeader, searchHeader } from "../../verify/report-header.ts";
import { openHandoffTalk } from "../../verify/report-tool/submit-handoff.ts";
import { openReportTalk, problemsText } from "../../verify/report-tool/submit-report.ts";
import { toVerifiedReport } from "../../verify/to-verified-report.ts";
import { errorResult, type ToolResult } from "../../tool/tool.ts";
import { permittedReader, type RepositoryReader } from "../../verify/reader.ts";
import { treeReader } from "../../verify/tree-reader.ts";
import { saysSomething } from "../../verify/trust/says-something.ts";
import type { RunHandle } from "./run-handle.ts";
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

const writingTools = ["Write", "Edit", "Bash"];

/**
 * Looks at the tree at once, because it must know it as it was before the run, in whichever process
 * the run goes on; the verifier itself is made when the run has its log.
 */
export async function prepareVerifier(
  session: Session,
  run: Pick<RunHandle, "spec" | "isRepairing" | "record">,
  step: RunStep,
): Promise<(log: RunLog) => ReportVerifier> {
  const { spec } = run;
  const readOnly = !spec.tools.some((tool) => writingTools.includes(tool));
  // An answer in no form is judged by the record alone: a look at the whole tree is for contracts.
  const before =
    readOnly || spec.contract === "none" ? undefined : await treeBefore(session, spec, step);
  const evidence = async (): Promise<ReportEvidenceNow> => {
    const after = before && (await session.workspace.look(spec.place));
    return {
      reader: readerFor(spec, session.home),
      ledger: await ledgerNow(session, run),
      readOnly,
      require: spec.require,
      ...(before && after ? { snapshots: { before, after } } : {}),
    };
  };
  return (log) => verifierOf({ run, log, evidence });
}

/** The tree as this run may read it: what does not hold is told to its agent, with lines of files. */
function readerFor({ place, policy }: RunSpec, home: string): RepositoryReader {
  const tree = treeReader(place.cwd);
  const { rules, disallowed, ceilings } = policy;
  // Where nothing can refuse a file of the workspace, a large tree is not gone through by rules.
  if ([rules.deny, rules.ask, disallowed, ceilings].every((list) => list.length === 0)) return tree;
  const allowed = mayRead(policy, (path) => pathFacts(path, place.cwd, home));
  return permittedReader(tree, (path) => allowed(join(tree.root ?? place.cwd, path)));
}

/** From memory where all of the run is there, else from its transcript. */
async function ledgerNow(
  session: Session,
  { spec, record }: Pick<RunHandle, "spec" | "record">,
): Promise<Ledger> {
  return record
    ? ledgerOf(record.lines(spec, session.secrets), { root: spec.place.cwd })
    : session.transcripts.ledger(session, spec);
}

type ReportEvidenceNow = Omit<CheckOptions, "known"> & Pick<AssessOptions, "require">;

async function assessAnswer(
  answer: string,
  contract: RunSpec["contract"],
  options: ReportEvidenceNow,
): Promise<Assessment> {
  return contract === "handoff"
    ? assessHandoff(answer, options)
    : assessReport(answer, { ...options, contract });
}

function verifierOf({
  run,
  log,
  evidence,
}: {
  run: Pick<RunHandle, "spec" | "isRepairing">;
  log: RunLog;
  evidence: () => Promise<ReportEvidenceNow>;
}): ReportVerifier {
  const { spec } = run;
  let first: Assessment | undefined;
  let hadItsChance = false;
  /** Assessed when they were submitted, by their text. */
  const submitted = new Map<string, Assessment>();
  const talk = spec.contract === "handoff" ? openHandoffTalk() : openReportTalk();
  return {
    async submit(input) {
      const answer = await talk.submit(input, { ...(await evidence()), agent: spec.agentType });
      if (!answer.ok) return errorResult(problemsText(answer.problems), "not accepted");
      submitted.set(answer.text, answer.assessment);
      return {
        content: "Accepted: this is your answer.",
        answer: answer.text,
        facts: { places: answer.places },
      };
    },
    async beforeEnd(answer, { isLast, metrics }) {
      const known = submitted.get(answer);
      // Nothing is read, listed or put together for an answer that says nothing to check.
      if (!known && spec.contract === "none" && !saysSomething(answer)) return {};
      const assessment = known ?? (await assessAnswer(answer, spec.contract, await evidence()));
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
      const judged = judgedReport(assessment, { repair, spec, metrics });
      log.record(asFact(judged));
      return { judged };
    },
    memory: () => ({
      hadItsChance,
      ...(first ? { first: asData(first) } : {}),
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

/** The tree as it was before the run: kept, because a process that goes on finds another one. */
async function treeBefore(
  { workspace }: Session,
  { place }: RunSpec,
  step: RunStep,
): Promise<Snapshot | undefined> {
  const kept = await step("before", async () => {
    const seen = await workspace.look(place);
    return seen ? { ...seen, files: [...seen.files] } : null;
  });
  return kept ? { ...kept, files: new Map(kept.files) } : undefined;
}

function judgedReport(
  last: Assessment,
  { repair, spec, metrics }: { repair: Repair | null; spec: RunSpec; metrics: RunMetrics },
): JudgedAnswer {
  const assessment = repair?.assessment ?? last;
  const { trust, tally, counts, confidence, outcome, decision, is_free, checks } = assessment;
  const { undeclared, withdrawn, lint, objections } = assessment;
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
  return {
    content: spec.contract === "handoff" ? finalHandoff(assessment) : finalText(assessment),
    report: asData(assessment.report),
    verification: {
      ...(asData(verification) as VerificationSummary),
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

/** A copy as JSON keeps it: what stands in the result is what stands on record. */
const asData = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
