// Judges "created", "modified" and "deleted" against the tree before and after the run, or against
// what the run's tools wrote; and names what changed without a word.
import { posix } from "node:path";
import type { FileClaim } from "../../contract/report/report.ts";
import { recognise } from "../claims/runs/recognise.ts";
import type { Project } from "../claims/runs/script-of.ts";
import type { Grade } from "../../contract/grades.ts";
import type { RecordState, Verdict } from "../verdict.ts";
import type { Edit } from "./edits.ts";
import type { Ledger } from "./ledger.ts";
import type { SnapshotDiff } from "./snapshot.ts";

export type FileClaimWord =
  | "created_ok"
  | "modified_ok"
  | "deleted_ok"
  | "existed_before"
  | "not_changed"
  | "read_only";
export type FileJudgement = {
  word: FileClaimWord | null;
  verdict: Verdict;
  grade: Grade;
  reason: string;
  cause?: RecordState;
  plain?: number;
};

export type FileEvidence = {
  diff: SnapshotDiff | undefined;
  ledger: Ledger | undefined;
  /** The run could not write. */
  readOnly: boolean;
  /** Whether the trees would show a change of this file: what git ignores they do not. */
  isListed: (path: string) => boolean;
  /** Whether something stands at a path now. */
  exists: (path: string) => boolean;
};

export type Undeclared = { path: string; change: "created" | "modified" | "deleted" };

/** Null where there is nothing to judge by, or the claim is a plan and no deed. */
export function judgeFileClaim(
  claim: FileClaim,
  path: string,
  evidence: FileEvidence,
): FileJudgement | null {
  const { diff, ledger, readOnly } = evidence;
  if (readOnly)
    return claim.is_done
      ? {
          word: "read_only",
          verdict: "altered",
          grade: "X",
          reason: "the run could not write: nothing was changed by it",
        }
      : null;
  if (diff)
    return claim.is_done || isChanged(diff, path)
      ? withRefusal(byDiff(claim.action, path, { ...evidence, diff }), path, evidence)
      : null;
  return ledger && claim.is_done
    ? withRefusal(byLedger(claim.action, path, { ...evidence, ledger }), path, evidence)
    : null;
}

/** The record has the write, and it failed. Only a verb with its file is read here: that is plainly said. */
const withRefusal = (
  judged: FileJudgement,
  path: string,
  { ledger, exists }: Pick<FileEvidence, "ledger" | "exists">,
): FileJudgement =>
  judged.grade === "X" &&
  ledger?.refusedWrites.includes(path) &&
  !ledger.edits.some((edit) => edit.path === path)
    ? { ...judged, cause: exists(path) ? "failed_write" : "not_there", plain: 1 }
    : judged;

const deeds: [RegExp, FileClaim["action"]][] = [
  [/created|added|wrote/i, "create"],
  [/modified|updated|edited/i, "modify"],
  [/deleted|removed/i, "delete"],
];

const sentenceStart = String.raw`(?:^|[.;:!]\s+|\bI(?:'ve|\s+have)?\s+|^\s*(?:[-*+]|\d{1,3}[.)])\s+)`;
const deedWord = "(created|added|wrote|modified|updated|edited|deleted|removed)";
const toldDeed = new RegExp(
  String.raw`${sentenceStart}[*_]{0,2}${deedWord}[*_]{0,2}:?\s+` +
    String.raw`(?:(?:an?|the)\s+)?(?:new\s+)?(?:file\s+)?$`,
  "i",
);

/**
 * What a sentence says its writer did to the file named after `before`: "Created `a.ts`", "I
 * updated `b.ts`". A tale of what others did is none.
 */
export function spokenFileClaim(before: string, path: string): FileClaim | null {
  const word = toldDeed.exec(before.slice(-120))?.[1];
  const action =
    word === undefined ? undefined : deeds.find(([pattern]) => pattern.test(word))?.[1];
  return action ? { path, action, purpose: "", is_done: true } : null;
}

const isChanged = ({ created, modified, deleted }: SnapshotDiff, path: string): boolean =>
  created.includes(path) || modified.includes(path) || deleted.includes(path);

const undecided =
  (verdict: Verdict, grade: Grade) =>
  (reason: string): FileJudgement => ({ word: null, verdict, grade, reason });
const open = undecided("not_judged", "E0");
const onlyThere = undecided("exists_only", "E1");
const ok = (word: FileClaimWord, reason: string): FileJudgement => ({
  word,
  verdict: "verified",
  grade: "E3",
  reason,
});
const wrong = (
  word: FileClaimWord | null,
  verdict: "altered" | "missing",
  reason: string,
): FileJudgement => ({ word, verdict, grade: "X", reason });

function byDiff(
  claimed: FileClaim["action"],
  path: string,
  evidence: FileEvidence & { diff: SnapshotDiff },
): FileJudgement {
  const { exists, diff, ledger } = evidence;
  const action = claimed === "change" ? actionBetween(diff, path) : claimed;
  if (action === "delete") return deletion(path, evidence);
  if (diff.created.includes(path))
    return action === "create"
      ? ok("created_ok", `${path} is new in this run`)
      : onlyThere(`${path} is new in this run, not a changed file`);
  if (diff.modified.includes(path))
    return action === "modify"
      ? ok("modified_ok", `${path} changed in this run`)
      : wrong(
          "existed_before",
          "altered",
          `${path} was there before the run; it was changed, not created`,
        );
  if (!exists(path)) return wrong(null, "missing", `there is no ${path} after the run`);
  // What the agent did in an earlier life is in the ledger and not between the trees.
  const earlier = ledger?.edits.findLast(
    (edit) => edit.path === path && edit.by !== "Bash" && edit.order <= ledger.earlierCalls,
  );
  if (earlier)
    return ok(okWords[earlier.action], `${earlier.by} wrote ${path} before this run began`);
  if (!diff.complete || !evidence.isListed(path)) return unlisted(action, path, evidence);
  return action === "create"
    ? wrong("existed_before", "altered", `${path} was there before the run and did not change`)
    : wrong("not_changed", "altered", `${path} did not change in this run`);
}

function actionBetween({ created, deleted }: SnapshotDiff, path: string): FileClaim["action"] {
  if (created.includes(path)) return "create";
  return deleted.includes(path) ? "delete" : "modify";
}

function deletion(
  path: string,
  { exists, diff }: FileEvidence & { diff: SnapshotDiff },
): FileJudgement {
  if (diff.deleted.includes(path))
    return ok("deleted_ok", `${path} was there before the run and is gone`);
  const reason = exists(path)
    ? `${path} is still there`
    : `${path} was not there before the run either`;
  return wrong("not_changed", "altered", reason);
}

/** A file that the trees do not list: the writing tools know more about it than that it exists. */
function unlisted(
  action: FileClaim["action"],
  path: string,
  { diff, ledger }: FileEvidence,
): FileJudgement {
  const own = ledger?.edits.findLast(
    (edit) => edit.path === path && edit.by !== "Bash" && edit.order > ledger.earlierCalls,
  );
  if (own) return ok(okWords[action], `${own.by} wrote ${path}`);
  return onlyThere(
    diff?.complete === false
      ? `${path} exists; the tree could not be compared whole`
      : `${path} exists; git ignores it, so nobody knows since when`,
  );
}

/** Without snapshots: a command may have written anything, so only a run without commands can contradict. */
function byLedger(
  action: FileClaim["action"],
  path: string,
  { ledger, exists }: FileEvidence & { ledger: Ledger },
): FileJudgement {
  const { edits } = ledger;
  const own = edits.filter((edit) => isOf(edit, path));
  // "Removed `a.ts` from the list" may be said of an edit; that the file is gone is not shown by one.
  if (action === "delete" && own.length > 0 && exists(path)) return open(`${path} is still there`);
  const created = own.find((edit) => edit.action === "create");
  if (action === "create" && created) return ok("created_ok", `${created.by} created ${path}`);
  if (action === "create" && own.some(({ by }) => by !== "Bash"))
    return wrong(
      "existed_before",
      "altered",
      `${path} was changed by ${own[0]!.by}; it was there before`,
    );
  if (own.length > 0) return written(action, path, own);
  if (ledger.refusedWrites.includes(path) && !mayHaveWritten(ledger))
    return wrong("not_changed", "altered", failureOf(path, ledger));
  const doubt = isElsewhere(ledger) || mayHaveWritten(ledger);
  const isReader = ledger.commands.length > 0 && edits.length === 0;
  return doubt || isReader
    ? open(`no write of ${path} is on record`)
    : wrong("not_changed", "altered", `no tool of this run wrote ${path}`);
}

const okWords: Record<FileClaim["action"], FileClaimWord> = {
  create: "created_ok",
  modify: "modified_ok",
  change: "modified_ok",
  delete: "deleted_ok",
};

/** What only a command wrote was read from its words. */
function written(action: FileClaim["action"], path: string, own: readonly Edit[]): FileJudgement {
  const judged = ok(okWords[action], `${own.at(-1)!.by} wrote ${path}`);
  return own.every(({ by }) => by === "Bash") ? { ...judged, grade: "E2" } : judged;
}

/** The command that was to do it, or the call of a tool. */
function failureOf(path: string, { commands }: Ledger): string {
  const run = commands.findLast(
    ({ command, exitCode }) => exitCode !== null && exitCode !== 0 && command.includes(path),
  );
  return run
    ? `recorded: \`${run.command.replace(/\s+/g, " ").slice(0, 80)}\` failed`
    : `the call that would have written ${path} failed`;
}

/** What other agents, other servers or an earlier conversation did is not on this record. */
const isElsewhere = ({ delegations, truncated, isContinued, toolRuns }: Ledger): boolean =>
  delegations + toolRuns.length > 0 || truncated || isContinued;

const nothingKnown: Project = { root: "/", read: () => undefined, paths: () => [], runners: [] };

/** A command that is more than a look or a check may have written anything. */
const mayHaveWritten = ({ commands }: Ledger): boolean =>
  commands.some(({ command }) => recognise(command, "/", nothingKnown).mayWrite);

const maxNamed = 500;
/** Written by the runtime while agents run. */
const ownFiles = /^\.retinue\/(progress\/|\.gitignore$)/;

/** Changes that the report does not mention. A run that could not have made them is not accused. */
export function undeclaredChanges(
  report: string,
  declared: ReadonlySet<string>,
  { diff, ledger }: Pick<FileEvidence, "diff" | "ledger">,
): Undeclared[] {
  const mentioned = (path: string): boolean =>
    declared.has(path) || report.includes(path) || report.includes(posix.basename(path));
  const able = (path: string): boolean =>
    !ledger || ledger.commands.length > 0 || ledger.edits.some((edit) => edit.path === path);
  const changes: Undeclared[] = diff
    ? [
        ...diff.created.map((path) => ({ path, change: "created" as const })),
        ...diff.modified.map((path) => ({ path, change: "modified" as const })),
        ...diff.deleted.map((path) => ({ path, change: "deleted" as const })),
      ].filter(({ path }) => able(path) && !ownFiles.test(path))
    : writtenPaths(ledger);
  return changes.filter(({ path }) => !mentioned(path)).slice(0, maxNamed);
}

/** What the writing tools did inside the root, once a path. */
function writtenPaths(ledger: Ledger | undefined): Undeclared[] {
  const byPath = new Map<string, Undeclared>();
  for (const { path, action, by } of ledger?.edits ?? []) {
    if (by === "Bash" || posix.isAbsolute(path) || byPath.has(path)) continue;
    byPath.set(path, { path, change: action === "create" ? "created" : "modified" });
  }
  return [...byPath.values()];
}

/** `sed -i … docs/*.md` writes what its pattern fits. */
function isOf({ path }: Edit, wanted: string): boolean {
  if (!path.includes("*")) return path === wanted;
  const [head = "", ...rest] = path.split("*");
  const isInFolder = path.split("/").length === wanted.split("/").length;
  return isInFolder && wanted.startsWith(head) && wanted.endsWith(rest.at(-1) ?? "");
}
