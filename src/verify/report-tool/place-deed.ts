// What an agent did to a file or plans for it: the trees say which, not the words.
import type { ReportFinding } from "../../contract/report-tool/report-input.ts";
import { judgeFileClaim, type FileEvidence, type FileJudgement } from "../evidence/judge-files.ts";
import { placedAt, type LookedUp, type Lookup, type ReportEvidence } from "./lookup.ts";
import { namesInSentence, placePresent, relativePath } from "./place-present.ts";

/** A plan names a file that is there, or one that is yet to come. */
export function placePlan(given: string, at: string, { repo }: ReportEvidence): Lookup {
  const path = relativePath(given, repo);
  const kind = repo.kindOf(path);
  if (kind === "outside")
    return { problem: { at: `${at}.path`, message: `${path} leads out of the project` } };
  const isThere = kind !== "none";
  return {
    placed: placedAt(path, {
      label: path,
      action: isThere ? "modify" : "create",
      isFound: true,
    }),
    lines: null,
    hash: null,
    verdict: isThere ? "exists_only" : "unverifiable",
    grade: isThere ? "E1" : "E0",
    reason: isThere ? `${path} exists` : `${path} is planned`,
  };
}

/** What happened to the file is read off the trees, not off the words. */
export function placeDeed(
  { path: given = "", quote, near, title }: ReportFinding,
  at: string,
  evidence: ReportEvidence,
): Lookup {
  const path = relativePath(given, evidence.repo);
  const { files } = evidence;
  const action = actionOf(path, files);
  const judged = judgeFileClaim({ path, action, purpose: "", is_done: true }, path, files);
  if (judged?.grade === "X")
    return {
      problem: {
        at: `${at}.path`,
        message: `${judged.reason}: say \`present\` for what was there before, or take the finding back`,
      },
    };
  const place =
    quote === undefined || action === "delete"
      ? undefined
      : placePresent({ path, quote, near }, { at, names: namesInSentence(title) }, evidence);
  if (place && "problem" in place) return place;
  return deedAt(path, { action, judged, place });
}

function deedAt(
  path: string,
  {
    action,
    judged,
    place,
  }: {
    action: "create" | "modify" | "delete";
    judged: FileJudgement | null;
    place: LookedUp | undefined;
  },
): LookedUp {
  const unknown = {
    verdict: "exists_only" as const,
    grade: "E1" as const,
    reason: `${path} exists; nothing tells whether this run changed it`,
  };
  const { verdict, grade, reason } = judged ?? unknown;
  return {
    placed: placedAt(path, {
      label: place?.placed.label ?? path,
      action,
      isQuoted: place?.placed.isQuoted === true,
      isProven: verdict === "verified",
    }),
    lines: place?.lines ?? null,
    hash: place?.hash ?? null,
    verdict,
    grade,
    reason,
  };
}

function actionOf(path: string, { diff, ledger }: FileEvidence): "create" | "modify" | "delete" {
  if (diff?.created.includes(path)) return "create";
  if (diff?.deleted.includes(path)) return "delete";
  if (diff) return "modify";
  return ledger?.edits.find((edit) => edit.path === path)?.action ?? "modify";
}
