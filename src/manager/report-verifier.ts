// Checks a run's last message before anyone reads it: against the files, against what the agent saw and did, with one chance to put right what does not hold.
import type { JsonObject } from "../base/json.ts";
import type { RunLog } from "../executors/catalog.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import { assessReport } from "../verify/assess-report.ts";
import { finalText, isOpen, type Assessment } from "../verify/assessment.ts";
import { readLedger } from "../verify/evidence/ledger.ts";
import { takeSnapshot, type Snapshot } from "../verify/evidence/snapshot.ts";
import { judgeRepair, repairPrompt } from "../verify/repair.ts";
import { reportHeader } from "../verify/report-header.ts";
import { treeReader } from "../verify/tree-reader.ts";
import type { JudgedReport } from "./judged-report.ts";
import { transcriptPath } from "./run-store.ts";
import type { Session } from "./session.ts";

export type ReportVerifier = {
  /** The answer is on its way back to the agent: until the next answer only looking is allowed. */
  isRepairing: () => boolean;
  /** What to tell the agent instead of accepting its answer; undefined when it is accepted. */
  beforeEnd: (answer: string) => Promise<string | undefined>;
};

const writingTools = ["Write", "Edit", "Bash"];

/** Made before the run's first turn, because it must know the tree as it was. */
export function createReportVerifier({ session, spec, log }: { session: Session; spec: RunSpec; log: RunLog }): ReportVerifier {
  const readOnly = !spec.tools.some((tool) => writingTools.includes(tool));
  const before = readOnly ? undefined : snapshotOf(spec.cwd);
  let first: Assessment | undefined;
  let isRepairing = false;
  const assess = async (answer: string): Promise<Assessment> => {
    const after = before && snapshotOf(spec.cwd);
    return assessReport(answer, { reader: treeReader(spec.cwd), ledger: await readLedger(transcriptPath(session, spec), { root: spec.cwd }), readOnly, contract: spec.contract, ...(before && after ? { snapshots: { before, after } } : {}) });
  };
  return {
    isRepairing: () => isRepairing,
    async beforeEnd(answer) {
      const assessment = await assess(answer);
      if (!first && assessment.repair && spec.contract === "report") {
        first = assessment;
        isRepairing = true;
        return repairPrompt(assessment.repair);
      }
      isRepairing = false;
      const repair = first ? judgeRepair(first, assessment) : null;
      const judged: JudgedReport = { assessment: repair?.assessment ?? assessment, repair };
      session.judged.set(spec.agentId, judged);
      log.record({ type: "verification", result: recordOf(judged) });
      return undefined;
    },
  };
}

/** A tree that cannot be read gives no evidence, and claims about it stay unproven. */
function snapshotOf(root: string): Snapshot | undefined {
  try {
    return takeSnapshot(root);
  } catch {
    return undefined;
  }
}

/** What stands in the transcript, so that a result read from there is the one that was told: with the report and the text as corrected. */
function recordOf(judged: JudgedReport): JsonObject {
  const report = JSON.parse(JSON.stringify(judged.assessment.report)) as JsonObject;
  return { ...verificationOf(judged), report, content: finalText(judged.assessment) };
}

const maxChecks = 500;

/** What callers and the transcript keep of it. */
export function verificationOf({ assessment, repair }: JudgedReport): JsonObject {
  const { trust, counts, confidence, outcome, decision, undeclared, withdrawn, lint, checks } = assessment;
  const kept = [...checks.filter(isOpen), ...checks.filter((check) => !isOpen(check))].slice(0, maxChecks);
  const result = { trust, outcome, decision, counts, confidence, undeclared, withdrawn, lint, checks: kept, repair: repair && { accepted: repair.accepted, problem: repair.problem, fixed: repair.fixed, failing: repair.failing } };
  return JSON.parse(JSON.stringify(result)) as JsonObject;
}

/** The text as the parent reads it: corrected, with what was withdrawn; and the runtime's header for it. */
export function judgedText({ assessment }: JudgedReport, facts: { agentId: string; tokens: number; toolUses: number; durationMs: number }): { content: string; header: string } {
  return { content: finalText(assessment), header: reportHeader(assessment, facts) };
}
