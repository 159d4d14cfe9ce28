// What a kept document says of places that were right in an earlier version of their file: it is outdated.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import { SourceFile } from "../../source/source-file.ts";
import type { PastQuestion, PastVersion, PastVersions } from "../../source/reader.ts";
import type { Repository } from "../../source/repository.ts";
import { doubtOfProof, firstThatHolds, type Held } from "../judging/doubt-of-proof.ts";
import { betterPlace, fits, trialsOf } from "../judging/judge-claim.ts";
import { tryEvidence } from "../judging/try-evidence.ts";
import { holds, type Judgement } from "../judgement.ts";
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
import { isFlagged } from "../verdict.ts";
import type { JudgedClaim } from "./judged-document.ts";

/** The version of the file in which a place was right; asked for all of a document at once. */
export function heldBefore(
  all: readonly JudgedClaim[],
  repo: Repository,
): (claim: Claim) => PastVersion | undefined {
  const open = all.filter(isOpen);
  const versions = open.length === 0 ? undefined : repo.reader.past?.(questionOf(open));
  if (!versions || versions.size === 0) return () => undefined;
  const find = finder(versions, repo);
  const found = new Map<Claim, Found>();
  const places = new Map<PastVersion, number>();
  for (const { claim } of open) {
    const one = find(claim);
    if (!one) continue;
    found.set(claim, one);
    places.set(one.version, (places.get(one.version) ?? 0) + 1);
  }
  return (claim) => {
    const one = found.get(claim);
    return one && (one.isSure || places.get(one.version)! > 1) ? one.version : undefined;
  };
}

type Found = { version: PastVersion; isSure: boolean };

function finder(versions: PastVersions, repo: Repository): (claim: Claim) => Found | undefined {
  const parsed = new Map<PastVersion, SourceFile>();
  const fileOf = (path: string, version: PastVersion): SourceFile => {
    let file = parsed.get(version);
    if (!file) parsed.set(version, (file = new SourceFile(path, version.text)));
    return file;
  };
  return (claim) => {
    for (const path of pathsOf(claim, versions))
      for (const version of versions.get(path)!) {
        if (claim.range === null) {
          if (version.removed) return { version, isSure: true };
          continue;
        }
        const held = holdsIn(claim, fileOf(path, version));
        if (!held) continue;
        const state = repo.kindOf(path) === "file" ? repo.open(path) : undefined;
        const file = state?.ok ? state.file : undefined;
        return isStillAt(claim, held, file) ? undefined : { version, isSure: isGone(held, file) };
      }
    return undefined;
  };
}

/** What of the claim stands at its lines of this file and shows that they are meant. */
function holdsIn(claim: Claim, file: SourceFile): Held | undefined {
  if (!fits(claim, file)) return undefined;
  const held = firstThatHolds([{ file, trials: trialsOf(claim, file) }]);
  return held && doubtOfProof(held, claim) === undefined ? held : undefined;
}

/** A line before or behind the place shows it, too: a statement begins above what it says. */
const isBeside = (line: number, { first, last }: { first: number; last: number }): boolean =>
  line >= first - 1 && line <= last + 1;

/** A longer range whose ends do not fit any more still has the name in it, and one line away a reader finds it. */
function isStillAt(claim: Claim, { trial }: Held, file: SourceFile | undefined): boolean {
  const { range } = claim;
  if (!file || !range) return false;
  const isThere = (line: number | undefined): boolean =>
    line !== undefined && isBeside(line, range);
  const word = lastPart(trial.evidence.name);
  return word === ""
    ? isThere(tryEvidence(trial.evidence, claim, file).line)
    : file.linesWith(word).some(isThere);
}

/** A name that the file still has may have stood there by chance; a quotation, and what is gone, does not. */
const isGone = ({ trial: { evidence } }: Held, file: SourceFile | undefined): boolean =>
  evidence.lines.length > 0 || !file || !file.holds(evidence.name);

/** It names lines and what stands there, or a file, which is not so today. */
function isOpen({ claim, judged }: JudgedClaim): boolean {
  const { range, evidence, modality, mention } = claim;
  if (modality === "denied" || holds(judged)) return false;
  if (mention.kind === "unknown" && !mention.path.includes("/")) return false;
  if (range === null) return isNamedAsHere(claim);
  const isUndecided = judged.verdict === "exists_only" || mention.kind === "unknown";
  return evidence.length > 0 && (isUndecided || isFlagged(judged.verdict));
}

/** A path with its folder that is not here, where nothing around it speaks of loss. */
function isNamedAsHere({ mention, modality, block }: Claim): boolean {
  if (mention.kind !== "unknown" || modality !== "said" || !mention.path.includes("/"))
    return false;
  for (let at: MarkdownBlock | null = block; at; at = at.parent ?? at.heading)
    if (loss.test(at.text)) return false;
  return true;
}

const loss = new RegExp(
  String.raw`\b(?:delet|remov|drop|dead|gone|mov(?:e|ing)\b|renam|replac|old|legacy|former|missing|absent|` +
    String.raw`not\b|no longer|never|unused|borrad|elimin|gel[öo]scht|entfern|supprim)|удал|[删刪]除|移除|削除|不存在|삭제`,
  "i",
);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function questionOf(open: readonly JudgedClaim[]): PastQuestion {
  const here = open.filter(({ claim }) => claim.mention.kind === "file");
  const gone = open.filter(({ claim }) => claim.mention.kind === "unknown");
  return {
    paths: [...new Set(here.flatMap(({ claim }) => claim.mention.paths.slice(0, mostNamesakes)))],
    deleted: [...new Set(gone.map(({ claim }) => nameOf(claim.mention.path)))],
  };
}

const mostNamesakes = 4;

function pathsOf({ mention }: Claim, versions: PastVersions): string[] {
  if (mention.kind === "file")
    return mention.paths.slice(0, mostNamesakes).filter((path) => versions.has(path));
  const tail = `/${mention.path.replace(/^(?:\.?\/)+/, "")}`;
  const gone = [...versions.keys()].filter((path) => `/${path}`.endsWith(tail));
  return gone.slice(0, mostNamesakes);
}

/** What was right once, with what stands there now and where it went. */
export function stale(
  { claim, judged }: JudgedClaim,
  { commit, date, removed }: PastVersion,
  repo: Repository,
): Judgement {
  const { kind, path, unique } = judged;
  const state = path === undefined || removed ? undefined : repo.open(path);
  const file = state?.ok ? state.file : undefined;
  const suggestion = judged.suggestion ?? (file && betterPlace(claim, file, repo));
  const what = removed ? "removed the file" : "changed the file";
  const until =
    commit === "" ? "it was changed" : `commit ${commit.slice(0, 10)} of ${date} ${what}`;
  const outdated: Judgement = {
    verdict: "stale",
    kind,
    reason: `it stood there until ${until}; now ${nowThere(claim, file)}`,
  };
  if (path !== undefined) outdated.path = path;
  if (judged.suggestion && unique) outdated.unique = unique;
  if (!suggestion) return outdated;
  const where = `${file ? "it stands at" : "nearest is"} ${suggestion.path}:${suggestion.line}`;
  return { ...outdated, suggestion, reason: `${outdated.reason}; ${where}` };
}

function nowThere({ range, mention }: Claim, file: SourceFile | undefined): string {
  if (!range || !file) return `there is no ${mention.path}`;
  if (range.first > file.lineCount) return `${file.path} has ${file.lineCount} lines`;
  const text = file.line(range.first).trim().slice(0, 120);
  return text === "" ? `line ${range.first} is blank` : `line ${range.first} is \`${text}\``;
}
