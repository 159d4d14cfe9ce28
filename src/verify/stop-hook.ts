// The verifier as a Claude Code SubagentStop hook: blocks once with the references that do not hold, then lets go.
import { projectRoot } from "../base/files/project-folders.ts";
import { isObject } from "../base/data/json.ts";
import { assessReport } from "./assess-report.ts";
import { isOpen } from "./assessment.ts";
import { readLedger, type Ledger } from "./evidence/ledger.ts";
import { isFlagged } from "./verdict.ts";
import { repairPrompt } from "./repair.ts";
import { treeReader } from "./tree-reader.ts";

export type StopHookAnswer = { decision: "block"; reason: string } | null;

/** Null: the agent may stop. `notes` say what could not be read. */
export async function answerStopHook(
  input: unknown,
  fallback: { cwd: string },
): Promise<{ answer: StopHookAnswer; notes: string[] }> {
  if (!isObject(input)) return { answer: null, notes: ["the hook's input is no JSON object"] };
  if (input["stop_hook_active"] === true) return { answer: null, notes: [] };
  // Agents write paths from where they work or from the repository's root; seen from there both are found.
  const root = projectRoot(stringOf(input["cwd"]) ?? fallback.cwd);
  const { ledger, note } = await ledgerOf(input, root);
  const text = stringOf(input["last_assistant_message"]) ?? ledger?.final.text ?? "";
  if (text === "") return { answer: null, notes: [note ?? "there is no final message to check"] };
  const assessment = await assessReport(text, {
    reader: treeReader(root),
    contract: "none",
    ...(ledger ? { ledger } : {}),
  });
  const notes = note === undefined ? [] : [note];
  // Here the text cannot be corrected for the agent, so what could be is asked for as well.
  const wrong = assessment.checks.filter(
    (check) =>
      isFlagged(check.verdict) &&
      (isOpen(check) || check.corrected !== undefined) &&
      check.grade !== "E0",
  );
  if (wrong.length === 0) return { answer: null, notes };
  const rows = wrong.map(({ text: written, verdict, reason, suggestion }) => ({
    text: written,
    verdict,
    actual: reason,
    nearest: suggestion ? `${suggestion.path}:${suggestion.line}` : "none",
  }));
  return {
    answer: { decision: "block", reason: repairPrompt({ rows: rows.slice(0, 40), problems: [] }) },
    notes,
  };
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** The sub-agent's own transcript; the session's is somebody else's work, unless it is all there is. */
async function ledgerOf(
  input: Record<string, unknown>,
  root: string,
): Promise<{ ledger?: Ledger; note?: string }> {
  const path =
    stringOf(input["agent_transcript_path"]) ??
    (stringOf(input["last_assistant_message"]) === undefined
      ? stringOf(input["transcript_path"])
      : undefined);
  if (path === undefined) return {};
  try {
    return { ledger: await readLedger(path, { root }) };
  } catch {
    return { note: `the transcript ${path} cannot be read; only the files were compared` };
  }
}
