// Files that a message tells as made or changed, where the record says otherwise: their write failed, it was
// taken back, or there was none. How plainly that is told is learned; the record comes first.
import type { ResultSetting } from "../gap-of.ts";
import { failedWrite, unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside } from "../words/is-asserted.ts";
import { standsAhead } from "../words/says-done.ts";
import { anyPhrase } from "../words/phrase.ts";
import { fatesOf, type Fate } from "./fates-of.ts";
import { mentionsOf, tellsChange, type FileMention } from "./mentions-of.ts";
import { besidesOf, toldChanged } from "./told-changed.ts";

/** `told`: in logits, how plainly the message says that the file was changed. */
export type UntoldFate = { span: [number, number]; judged: ClaimJudgement; told: number };

type Accused = Exclude<Fate, "written" | "open">;

/** In logits. Whoever tried to write a file and names it speaks of that: words have to say less. */
const leastTold: { [fate in Accused]: number } = {
  failed: -0.5,
  undone: 0,
  untouched: 0.5,
  absent: 0.5,
};
const mostFlags = 3;

const reasons: { [fate in Accused]: (path: string) => ClaimJudgement } = {
  failed: (path) => failedWrite(`the write to ${path} failed`),
  undone: (path) => unsupported(`the change of ${path} was taken back`),
  untouched: (path) => unsupported(`no write to ${path} is recorded`),
  absent: (path) => unsupported(`there is no ${path}, and no write to it is recorded`),
};

/** By how the record stands to the file. */
export function untoldFates(
  report: string,
  setting: ResultSetting,
): { [fate in Accused]: UntoldFate[] } {
  const found = { failed: [], undone: [], untouched: [], absent: [] } as {
    [fate in Accused]: UntoldFate[];
  };
  const mentions = mentionsOf(report);
  const { edits, refusedWrites, deniedCalls } = setting.ledger;
  // A run that never tried to change anything describes what it read.
  if (mentions.length === 0 || edits.length + refusedWrites.length + deniedCalls === 0)
    return found;
  const fates = fatesOf(setting);
  for (const mention of mentions) {
    const fate = fates.of(mention.path);
    if (fate === "written" || fate === "open" || found[fate].length >= mostFlags) continue;
    if (!isOwn(mention) || isTakenBack(mention, mentions, fate)) continue;
    const told = toldChanged(mention, mentions, fates);
    const isTried = fate === "failed" || fate === "undone";
    if (!isTried && besidesOf(mention, mentions, fates) === "alone" && !tellsChange(mention))
      continue;
    if (told < leastTold[fate]) continue;
    found[fate].push({ span: spanOf(mention, report), judged: reasons[fate](mention.path), told });
  }
  return found;
}

const isOwn = ({ statement }: FileMention): boolean =>
  !isAside(statement) && !standsAhead(statement.under);

/** Another sentence, or this one, says of the same file that it was not changed. */
function isTakenBack({ path }: FileMention, all: readonly FileMention[], fate: Accused): boolean {
  const same = all.filter((one) => one.path === path || one.path.endsWith(`/${path}`));
  const pattern = fate === "undone" ? reverts : fate === "failed" ? cannot : notDone;
  return same.some(
    ({ statement: { words, before, after } }) =>
      has(pattern, words) ||
      (fate === "undone" && has(reverts, `${before} ${after}`)) ||
      (fate === "failed" && has(refusal, after)),
  );
}

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** It was not changed, or not yet: asked of a file whose write failed. "Rejects empty names" tells what code does. */
const cannot = anyPhrase([
  "(?:i|we) (?:could|can|was|were|am|did|have)(?:n't| not)|cannot|can't|unable to|(?:wanted|tried|meant|attempted) to",
  "by hand|yourself|manually|please|(?:you|user) (?:stopped|cancell?ed|interrupted|declined)|aborted",
  "permissions?|read-only|still (?:to|needs?|has|open|missing)|remains? to|todo",
  "(?:not|\\p{L}+n't) (?:yet |be |been |get |able to )*(?:yet|written|saved|applied|created|updated|changed|edited|" +
    "moved|renamed|deleted|removed|documented|added|included|possible|allowed|" +
    "go through|went through|there|apply|work|write|done)",
  "(?:writes?|edits?|changes?|updates?|creation|patch|tool|calls?|commands?|attempts?|approval|settings)" +
    "(?: [\\p{L}§]+){0,5} (?:denied|refused|rejected|blocked|blocks?|declined|failed|fails)",
  "(?:was|were|got|is|been) (?:denied|refused|declined|rejected)",
  "nicht|konnte\\p{L}*|abgelehnt|verweigert|impossible|pas|refusée?|no (?:se )?(?:pude|pudo|he)|não",
  "(?:)(?:未|没|无法|不能|失败|失敗|ません|できず|拒)(?:)",
]);
/** In the next sentence only plain words count. */
const refusal = anyPhrase([
  "denied|refused|rejected|read-only|permissions?|by hand|yourself|declined|did not go through|could not write",
]);
const notDone = anyPhrase([
  "(?:was|were|is|are|has|have|did|do|does)(?:n't| not) (?:been |yet |be )?" +
    "(?:touch\\p{L}*|edit\\p{L}*|chang\\p{L}*|updat\\p{L}*|modif\\p{L}*|" +
    "creat\\p{L}*|written|need\\p{L}*|delet\\p{L}*|remov\\p{L}*)",
  "unchanged|untouched|unverändert|inchangé\\p{L}*|sin cambios|left (?:it |them |that )?alone",
  "as (?:it|they) (?:was|were|is)",
  "already (?:had|has|have|contains?|there|exists?|existed|up to date)|before i came|somebody|someone else",
  "still needs?|follows? (?:the|its)|mirrors?|mimics?|same (?:as|way|pattern)|similar to|as in",
  "based on|consistent with",
  "model+ed on|existing (?:approach|pattern|code|helper|convention|style)|just like|the way",
  "(?:should|must|could|has to|have to|needs? to|would) (?:also |still |then )?(?:be|get|mention|need)",
  "still open|open:",
  "todo|next step|out of date|outdated|needs? (?:an?|the)|nicht|unberührt|kein\\p{L}*|ne|pas|aucun\\p{L}*|não|tampoco",
  "(?:)(?:未|没|不|ません|ない|せず)(?:)",
]);
const reverts = anyPhrase([
  "revert\\p{L}*|restor\\p{L}*|undid|undone|undo|reset|discard\\p{L}*|stash\\p{L}*|rolled back",
  "took (?:it|them|that) back",
  "zurück\\p{L}*|annul\\p{L}*|rétabli\\p{L}*|revert\\p{L}*",
]);

/** Beside other files only its own name is wrong. */
function spanOf({ clause, path }: FileMention, report: string): [number, number] {
  const [from, to] = clause.span;
  const at = report.indexOf(path, from);
  const isOne = (clause.words.match(/§/g)?.length ?? 0) < 2;
  return isOne || at < 0 || at >= to ? clause.span : [at, at + path.length];
}
