// The verifier as a hook of Claude Code on Stop and SubagentStop: blocks once with what does not hold,
// then lets go.
import { projectRoot } from "../base/files/project-folders.ts";
import { isObject } from "../base/data/json.ts";
import { assessReport } from "./assess-report.ts";
import { oneLine } from "../base/text/printable.ts";
import { binds, classOf } from "../contract/trust/verdict-classes.ts";
import { isOpen, type AssessedCheck } from "./assessment.ts";
import { readLedger, type Ledger } from "./evidence/ledger.ts";
import { isFlagged } from "./verdict.ts";
import { repairPrompt } from "./repair.ts";
import { treeReader } from "./tree-reader.ts";

export type StopHookAnswer = { decision: "block"; reason: string } | null;

/** `answer` null: the agent may stop. `flagged`: what does not hold. `notes` say what could not be read. */
export type StopJudgement = { answer: StopHookAnswer; flagged: AssessedCheck[]; notes: string[] };

export async function answerStopHook(
  input: unknown,
  fallback: { cwd: string },
): Promise<StopJudgement> {
  const silent = (...notes: string[]): StopJudgement => ({ answer: null, flagged: [], notes });
  if (!isObject(input)) return silent("the hook's input is no JSON object");
  if (input["stop_hook_active"] === true) return silent();
  // Agents write paths from where they work or from the repository's root; seen from there both are found.
  const root = projectRoot(stringOf(input["cwd"]) ?? fallback.cwd);
  const { ledger, note } = await ledgerOf(input, root);
  const text = stringOf(input["last_assistant_message"]) ?? ledger?.final.text ?? "";
  if (text === "") return silent(note ?? "there is no final message to check");
  const assessment = await assessReport(text, {
    reader: treeReader(root),
    contract: "none",
    ...(ledger ? { ledger } : {}),
  });
  const notes = note === undefined ? [] : [note];
  // Here the text cannot be corrected for the agent, so what could be is asked for as well.
  const wrong = assessment.checks.filter(
    (check) =>
      check.verdict === "unsupported" ||
      (isFlagged(check.verdict) &&
        (isOpen(check) || check.corrected !== undefined) &&
        check.grade !== "E0"),
  );
  // What does not bind is told to the person and left to the agent.
  const blocking = wrong.filter(isBinding);
  if (blocking.length === 0)
    return { answer: null, flagged: wrong, notes: [...notes, ...warnings(wrong)] };
  const rows = blocking.map(({ text: written, verdict, reason, suggestion }) => ({
    text: written,
    verdict,
    actual: reason,
    nearest: suggestion ? `${suggestion.path}:${suggestion.line}` : "none",
  }));
  return {
    answer: { decision: "block", reason: repairPrompt({ rows: rows.slice(0, 40), problems: [] }) },
    flagged: wrong,
    notes,
  };
}

const isBinding = (check: AssessedCheck): boolean => {
  const name = classOf(check);
  return name !== null && binds(name);
};

const warnings = (checks: readonly AssessedCheck[]): string[] =>
  checks
    .slice(0, 20)
    .map(
      ({ text, verdict, reason }) => `${verdict}: ${oneLine(text, 100)} (${oneLine(reason, 200)})`,
    );

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
