// Judges statements about the tree: counter-examples are shown with their places and make a statement
// countered; what nothing speaks against is verified; what could be meant otherwise is left open.
import type { FileEvidence } from "../../evidence/judge-files.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import type { SnapshotDiff } from "../../evidence/snapshot.ts";
import type { Repository } from "../../../source/repository.ts";
import { contradicted, notJudged, onRecord, type ClaimJudgement } from "../judgement.ts";
import type { TreeClaim, TreeSubject } from "./find-tree-claims.ts";
import { judgeLength, judgeUsages } from "./judge-usages.ts";
import {
  countered,
  counteredBy,
  filesIn,
  held,
  isName,
  bareName,
  pathOf,
  spoken,
} from "./countered.ts";
import { isTest } from "./uses.ts";

export type TreeSetting = { repo: Repository; ledger: Ledger | undefined; evidence: FileEvidence };

type Judge = (claim: TreeClaim, setting: TreeSetting) => ClaimJudgement | undefined;

/** Undefined where the words need no judgement. */
export const judgeTree: Judge = (claim, setting) => judges[claim.subject](claim, setting);

const judges: Record<TreeSubject, Judge> = {
  undefined: (claim, { repo }) => {
    const name = claim.code.find(isName);
    if (name === undefined || /[./]/.test(name) || isElsewhere.test(behind(claim)))
      return undefined;
    const places = repo.definedAt(bareName(name)).filter(({ path }) => !isTest(path));
    if (places.length > 0) return countered(spoken(claim), places);
    return repo.spread(bareName(name)) === 0
      ? held(`\`${bareName(name)}\` stands nowhere`)
      : undefined;
  },
  usages: judgeUsages,
  length: judgeLength,
  reading: judgeReading,
  searching: ({ code }, { ledger }) => {
    const names = code.filter((one) => /^[\w$.-]+$/.test(one));
    if (!ledger || names.length === 0) return undefined;
    return names.every((name) => ledger.searched(name))
      ? onRecord("the search is recorded")
      : notJudged("no search for it is recorded");
  },
  undoing: ({ code }, { repo, evidence: { diff } }) => {
    const paths = code.map(pathOf).filter((path) => repo.isListed(path));
    if (!diff || paths.length === 0) return undefined;
    const changed = paths.find((path) => isChanged(diff, path));
    return changed === undefined
      ? onRecord("it is as it was before the run")
      : notJudged(`${changed} is not as it was before the run`);
  },
  changing: judgeChange,
};

/** "Not declared in `a`": other places say nothing against it. */
const isElsewhere = /^ (?:in|by|from|under) (?:the )?§/;
const behind = ({ words, match }: TreeClaim): string =>
  words.slice(words.indexOf(match) + match.length);

/** What it says it read, against what tools showed it. */
function judgeReading(claim: TreeClaim, { ledger, repo }: TreeSetting): ClaimJudgement | undefined {
  if (!ledger) return undefined;
  const names = claim.code.map(pathOf);
  const folders = names.filter((one) => repo.kindOf(one) === "directory");
  const listed = [
    ...names.filter((one) => repo.kindOf(one) === "file"),
    ...folders.flatMap((folder) => filesIn(folder, repo)),
  ];
  if (listed.length === 0) return undefined;
  const seen = new Set(ledger.seenPaths);
  const unseen = listed.filter((path) => !seen.has(path));
  if (unseen.length > 0) {
    const some = unseen.slice(0, 3).join(", ");
    const fact = `looked at ${listed.length - unseen.length} of ${listed.length} files; not at ${some}`;
    return ledger.delegations > 0 ||
      ledger.commands.some(({ tool }) => tool !== "Bash") ||
      folders.length === 0
      ? notJudged(fact)
      : counteredBy(fact);
  }
  const isWhole = new RegExp(
    "\\b(?:whole|entire|full|fully|complete\\w*|every line|all (?:of the )?lines|entirely|" +
      "line by line|vollständig|komplett)\\b",
    "i",
  );
  const partly = isWhole.test(claim.words)
    ? listed.find((path) => !isShownWhole(path, ledger, repo))
    : undefined;
  return partly === undefined
    ? onRecord("the record shows it")
    : notJudged(`${partly} was shown in parts only`);
}

function isShownWhole(path: string, ledger: Ledger, repo: Repository): boolean {
  const state = repo.open(path);
  if (!state.ok) return false;
  const { file } = state;
  return Array.from({ length: file.lineCount }, (_, index) => file.line(index + 1)).every(
    (text) => text.trim() === "" || ledger.showed(path, text),
  );
}

const isChanged = ({ created, modified, deleted }: SnapshotDiff, path: string): boolean =>
  created.includes(path) || modified.includes(path) || deleted.includes(path);

/** A run that wrote nothing, ran nothing and left the tree as it was did not change anything. */
function judgeChange(
  claim: TreeClaim,
  { ledger, repo, evidence }: TreeSetting,
): ClaimJudgement | undefined {
  const { diff } = evidence;
  if (!diff?.complete || evidence.readOnly || !ledger) return undefined;
  const changed = claim.code.map(pathOf).filter((path) => isChanged(diff, path));
  const fresh = changed.length === 0 ? undefined : newWords(claim);
  if (fresh !== undefined && !changed.some((path) => holds(repo, path, fresh)))
    return notJudged(`${changed[0]} does not hold ${fresh.slice(0, 80)}`);
  if (changed.length > 0) return held(`${changed[0]} changed in this run`);
  const paths = claim.code.map(pathOf).filter((path) => repo.isListed(path));
  const idle = diff.created.length + diff.modified.length + diff.deleted.length === 0;
  return unchangedWords(claim, { paths, idle }, ledger);
}

function unchangedWords(
  claim: TreeClaim,
  { paths, idle }: { paths: string[]; idle: boolean },
  ledger: Ledger,
): ClaimJudgement | undefined {
  const isOwn = /^\W*(?:(?:I|we)\b|\w+ (?:the|an?|all|how|§))/i.test(claim.match);
  if (
    idle &&
    isOwn &&
    paths.length > 0 &&
    ledger.commands.length + ledger.delegations + ledger.earlierCalls === 0
  )
    return contradicted("nothing was changed in this run");
  if (paths.length > 0) return notJudged(`${paths[0]} did not change in this run`);
  return idle && ledger.earlierCalls === 0
    ? notJudged("no file of the tree changed in this run")
    : undefined;
}

/** What stands there now, by the sentence's own words: "replaced § with §". */
const newWords = ({ words, code }: TreeClaim): string | undefined =>
  /^[^§]*§[^§]{0,20}\s(?:with|by|to|durch)\s+§/.test(words) ? code[1] : undefined;

function holds(repo: Repository, path: string, text: string): boolean {
  const state = repo.open(path);
  const squeezed = (one: string): string => one.replace(/\s+/g, " ").trim();
  return path === text || !state.ok || squeezed(state.file.text).includes(squeezed(text));
}
