// The verifier as a hook of Claude Code on Stop and SubagentStop: blocks once with what does not hold
// and binds, and tells the person the rest.
import { projectRoot } from "../base/files/project-folders.ts";
import { isObject } from "../base/data/json.ts";
import { assessReport } from "./assess-report.ts";
import { counted } from "../base/text/grouped.ts";
import { oneLine } from "../base/text/printable.ts";
import { binds, classOf } from "../contract/trust/verdict-classes.ts";
import { faultsOf, isOpen, type AssessedCheck } from "./assessment.ts";
import type { NamedRunner } from "./claims/runs/tools-for.ts";
import { readLedger, type Ledger } from "./evidence/ledger.ts";
import { isFlagged } from "./verdict.ts";
import { repairPrompt } from "./repair.ts";
import { treeReader } from "../source/tree-reader.ts";

export type StopHookAnswer = { decision: "block"; reason: string } | null;

export type StopJudgement = {
  /** Null: the agent may stop. */
  answer: StopHookAnswer;
  /** For the person: what does not hold and blocks nobody. */
  warning: string | null;
  flagged: AssessedCheck[];
  /** What could not be read. */
  notes: string[];
};

export async function answerStopHook(
  input: unknown,
  given: {
    /** Where the input names no folder. */
    cwd: string;
    runnersOf: (root: string) => Promise<readonly NamedRunner[]>;
  },
): Promise<StopJudgement> {
  const silent = (...notes: string[]): StopJudgement => ({
    answer: null,
    warning: null,
    flagged: [],
    notes,
  });
  if (!isObject(input)) return silent("the hook's input is no JSON object");
  // Agents write paths from where they work or from the repository's root; seen from there both are found.
  const root = projectRoot(stringOf(input["cwd"]) ?? given.cwd);
  const { ledger, note } = await ledgerOf(input, root);
  const text = stringOf(input["last_assistant_message"]) ?? ledger?.final.text ?? "";
  if (text === "") return silent(note ?? "there is no final message to check");
  const assessment = await assessReport(text, {
    reader: treeReader(root),
    contract: "none",
    ...(ledger ? { ledger, runners: await given.runnersOf(root) } : {}),
  });
  // Here the text cannot be corrected for the agent, so what could be is asked for as well.
  const wrong = assessment.checks.filter(
    (check) =>
      check.verdict === "unsupported" ||
      (isFlagged(check.verdict) &&
        (isOpen(check) || check.corrected !== undefined) &&
        check.grade !== "E0"),
  );
  // It was sent back before: now it may stop, and the person is told what still does not hold.
  const blocking = input["stop_hook_active"] === true ? [] : wrong.filter(isBinding);
  const left = faultsOf(assessment).checks.filter(
    (check) => !blocking.includes(check) && (wrong.includes(check) || !isFlagged(check.verdict)),
  );
  return {
    answer: blocking.length === 0 ? null : { decision: "block", reason: backPrompt(blocking) },
    warning: left.length === 0 ? null : warningOf(left),
    flagged: wrong,
    notes: note === undefined ? [] : [note],
  };
}

function backPrompt(checks: readonly AssessedCheck[]): string {
  const rows = checks.map(({ text, verdict, reason, suggestion }) => ({
    text,
    verdict,
    actual: reason,
    nearest: suggestion ? `${suggestion.path}:${suggestion.line}` : "none",
  }));
  return repairPrompt({ rows: rows.slice(0, 40), problems: [] });
}

const isBinding = (check: AssessedCheck): boolean => {
  const name = classOf(check);
  return name !== null && binds(name);
};

/** Claude Code cuts a message to a person at 4,000 characters. */
const maxWarned = 10;

function warningOf(checks: readonly AssessedCheck[]): string {
  const more = checks.length > maxWarned ? [`- and ${checks.length - maxWarned} more`] : [];
  return [
    `Retinue checked this message: ${counted(checks.length, "claim does", "claims do")} not hold.`,
    ...checks
      .slice(0, maxWarned)
      .map(
        ({ text, verdict, reason }) =>
          `- ${verdict}: ${oneLine(text, 100)} (${oneLine(reason, 200)})`,
      ),
    ...more,
  ].join("\n");
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/**
 * The record of who stops: the session's on Stop, the sub-agent's own on SubagentStop. There the
 * session's is somebody else's work, unless it is all there is.
 */
async function ledgerOf(
  input: Record<string, unknown>,
  root: string,
): Promise<{ ledger?: Ledger; note?: string }> {
  const isOwn =
    input["hook_event_name"] === "Stop" || stringOf(input["last_assistant_message"]) === undefined;
  const path =
    stringOf(input["agent_transcript_path"]) ??
    (isOwn ? stringOf(input["transcript_path"]) : undefined);
  if (path === undefined) return {};
  try {
    const ledger = await readLedger(path, { root });
    return ledger.isUnderstood
      ? { ledger }
      : { note: `the tool calls in ${path} are not understood; deeds were not checked` };
  } catch {
    return { note: `the transcript ${path} cannot be read; only the files were compared` };
  }
}
