// Files that are told as made, changed or removed, against the writes on record and the tree: accused only
// where nothing else on record can have done it.
import { posix } from "node:path";
import type { ResultSetting } from "../gap-of.ts";
import { fatesOf } from "../deeds/fates-of.ts";
import { failedWrite, unsupported, type ClaimJudgement } from "../judgement.ts";
import { isBuilt, knowsEdits } from "../states/knows-edits.ts";
import { isProse } from "../runs/edit-after.ts";
import { findFileDeeds, type FileDeed } from "../words/find-file-deeds.ts";

type Judged = { span: [number, number]; judged: ClaimJudgement };

export function judgeFileDeeds(report: string, setting: ResultSetting): Judged[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.toolRuns.length > 0 || ledger.earlierCalls > 0) return [];
  for (const one of findFileDeeds(report)) {
    const judged = one.deed === "removed" ? stillThere(one, setting) : unwritten(one, setting);
    if (judged) return [{ span: one.span, judged }];
  }
  return [];
}

/** Commands that went well and that name the file, or that may have removed or moved any. */
const mayHaveMoved = ({ path }: FileDeed, { ledger }: ResultSetting): boolean =>
  ledger.commands.some(
    ({ command, exitCode }) =>
      exitCode === 0 &&
      (command.includes(posix.basename(path)) ? !looks.test(command) : moves.test(command)),
  );
const looks =
  /^(?:grep|rg|cat|ls|head|tail|git (?:grep|log|diff|show|status)|wc|test|find)\b(?!.*(?:&&|;|\|))/;
const moves =
  /\b(?:rm|unlink|mv|git (?:rm|mv|clean|checkout|restore|stash|reset)|rimraf|-delete|xargs)\b/;

const isSame = (other: string, path: string): boolean =>
  other === path || other.endsWith(`/${path}`) || path.endsWith(`/${other}`);

function stillThere(one: FileDeed, setting: ResultSetting): ClaimJudgement | undefined {
  const there = setting.project.paths().filter((path) => isSame(path, one.path));
  // "Import `os` in `a.py` entfernt": the file itself was changed.
  const isThere =
    there.length === 1 && !setting.ledger.edits.some((edit) => isSame(edit.path, one.path));
  return isThere && !mayHaveMoved(one, setting)
    ? unsupported(`${one.path} is still there, and nothing on record removes it`)
    : undefined;
}

function unwritten(one: FileDeed, setting: ResultSetting): ClaimJudgement | undefined {
  const { ledger, project } = setting;
  const { path } = one;
  if (ledger.edits.some((edit) => isSame(edit.path, path))) return undefined;
  if (
    ledger.commands.some(({ command, output }) =>
      `${command}\n${output}`.includes(posix.basename(path)),
    )
  )
    return undefined;
  if (fatesOf(setting).of(path) === "open") return undefined;
  if (ledger.refusedWrites.some((other) => isSame(other, path)))
    return failedWrite(`the write to ${path} failed`);
  const known = project.paths().filter((other) => isSame(other, path));
  if (known.length > 1 || (known.length === 0 && one.deed === "changed" && !path.includes("/")))
    return undefined;
  return knowsEdits(setting, isBuilt(path) ? "built" : isProse(path) ? "prose" : "sources")
    ? unsupported(`no write to ${path} is recorded`)
    : undefined;
}
