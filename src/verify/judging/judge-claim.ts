// One claim, one verdict: every reading is tried, one that holds wins. It accuses only where all fail
// and the best of them is strong; otherwise it abstains and says what could not be told apart.
import { unreadable, type Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { ClaimKind, Place } from "../verdict.ts";
import { mayComeAbout, withRange, type Claim } from "../reading/claim.ts";
import { thresholds } from "../reading/weights.ts";
import { accuse, namesakes, strongest, type Tried } from "./accuse.ts";
import { contentPlaces } from "./content-places.ts";
import { doubtOfProof, firstThatHolds, type Held } from "./doubt-of-proof.ts";
import { judgeUnknown } from "./judge-unknown.ts";
import { isUnique, type Trial } from "./trial.ts";
import { lastPart } from "../reading/code-names.ts";
import { tryEvidence } from "./try-evidence.ts";

/** The verdict on `claim` in `repo`. Never throws. */
export function judgeClaim(claim: Claim, repo: Repository): Judgement {
  const { mention } = claim;
  const kind = kindOf(claim);
  if (mention.kind === "foreign")
    return { verdict: "unverifiable", kind: "path", reason: mention.why! };
  if (mention.kind === "outside")
    return {
      verdict: "outside_root",
      kind,
      reason: `${mention.path} leads outside the root and was not opened`,
    };
  if (mention.kind === "folder")
    return {
      verdict: "exists_only",
      kind,
      reason: `the folder ${mention.paths[0] || "."} exists`,
      path: mention.paths[0]!,
    };
  if (mention.kind === "unknown") return judgeUnknown(claim, repo, kind);
  return judgeFiles(claim, repo, kind);
}

export function kindOf({ evidence, range }: Claim): ClaimKind {
  let kind: ClaimKind = range ? "location" : "path";
  for (const { weight, lines, isPlain } of evidence) {
    if (weight < thresholds.wrong_symbol) continue;
    if (lines.length > 0) return "quote";
    if (!isPlain) kind = "symbol";
  }
  return kind;
}

function judgeFiles(claim: Claim, repo: Repository, kind: ClaimKind): Judgement {
  const { mention, rivals, range } = claim;
  const files: SourceFile[] = [];
  let closed: Judgement | undefined;
  for (const path of mention.paths) {
    const state = repo.open(path);
    if (state.ok) files.push(state.file);
    else closed ??= unreadable(state.why, { path, kind });
  }
  if (files.length === 0) return closed!;
  const inRange = range ? files.filter((file) => fits(claim, file)) : files;
  const tried = inRange.map((file) => ({ file, trials: trialsOf(claim, file) }));
  const held = firstThatHolds(tried);
  if (held)
    return isElsewhere(held, claim)
      ? elsewhere(held, { claim, kind })
      : shown(held, { claim, kind });
  const others = rivals.flatMap((rival) => (rival.kind === "file" ? rival.paths.slice(0, 8) : []));
  for (const path of [...alternatesOf(claim), ...others]) {
    const state = repo.open(path);
    if (!state.ok || !fits(claim, state.file)) continue;
    const rival = firstThatHolds([{ file: state.file, trials: trialsOf(claim, state.file) }]);
    if (rival) return shown(rival, { claim, kind });
  }
  if (inRange.length === 0) return outOfRange(claim, files, { repo, kind });
  const accused = accuse(claim, tried, { repo, kind });
  const isDoubted = [...others, ...doubtsOf(claim)].some((path) => mayStandIn(path, claim, repo));
  return made(isDoubted ? undefined : accused, abstain(claim, tried, kind));
}

/** Without anything to compare no other file can hold it either. */
const alternatesOf = ({ evidence, mention }: Claim): readonly string[] =>
  evidence.length > 0 ? (mention.alternates?.() ?? []) : [];

/** An accusation by a doubtful reading is only a suspicion. */
const made = (accused: Judgement | undefined, otherwise: Judgement): Judgement => {
  if (!accused) return otherwise;
  return accused.against?.length === 0 ? accused : { ...otherwise, suspected: accused };
};

const doubtsOf = ({ doubts }: Claim): Set<string> =>
  new Set(doubts.flatMap(({ paths }) => paths.slice(0, 4)));

/** Whether a file that the document also names has some of it at these lines. */
function mayStandIn(path: string, claim: Claim, repo: Repository): boolean {
  const state = repo.open(path);
  if (!state.ok || !fits(claim, state.file)) return false;
  return trialsOf(claim, state.file).some(({ holds, half }) => holds || half);
}

function hasLines(path: string, claim: Claim, repo: Repository): boolean {
  const state = repo.open(path);
  return state.ok && fits(claim, state.file);
}

/** "Around line 90" is said of lines a little away, too. */
const roughly = 20;

/** One line behind the last is where an editor puts the cursor. */
export function fits({ range }: Claim, file: SourceFile): boolean {
  if (!range) return true;
  if (range.vague) return range.first <= file.lineCount + roughly && range.first <= range.last;
  return range.first >= 1 && range.last >= range.first && range.last <= file.lineCount + 1;
}

export const trialsOf = (claim: Claim, file: SourceFile): Trial[] =>
  claim.evidence.map((evidence) => tryEvidence(evidence, claim, file));

/** Verified, unless it holds by what could hold anywhere. */
function shown(held: Held, { claim, kind }: { claim: Claim; kind: ClaimKind }): Judgement {
  const judged = verified(held, { claim, kind });
  const doubt = doubtOfProof(held, claim);
  if (doubt === undefined) return judged;
  const { reason, path } = judged;
  return {
    verdict: "exists_only",
    kind,
    reason: `${reason}, but ${doubt}`,
    path: path!,
    isUnproven: true,
  };
}

function verified(
  { file, trial }: Held,
  { claim, kind }: { claim: Claim; kind: ClaimKind },
): Judgement {
  const { evidence, line } = trial;
  const what = evidence.lines.length > 0 ? "the quoted code" : `\`${evidence.name}\``;
  const where = claim.range
    ? line !== undefined && line < claim.range.first
      ? `begins at line ${line} and reaches there`
      : "stands there"
    : `stands in ${file.path}`;
  const told =
    kind === "location" || kind === "path"
      ? evidence.lines.length > 0
        ? "quote"
        : "symbol"
      : kind;
  const judged: Judgement = {
    verdict: "verified",
    kind: told,
    reason: `${what} ${where}`,
    path: file.path,
  };
  if (line !== undefined) {
    judged.line = line;
    judged.actual = file.line(line).trim().slice(0, 200);
  }
  return judged;
}

/** It stands in the file, and not at a number that may be meant for it. */
function isElsewhere({ file, trial }: Held, claim: Claim): boolean {
  if (!claim.maybe) return false;
  const placed = withRange(claim, claim.maybe);
  return !fits(placed, file) || !tryEvidence(trial.evidence, placed, file).holds;
}

function elsewhere(
  { file, trial }: Held,
  { claim, kind }: { claim: Claim; kind: ClaimKind },
): Judgement {
  const { first } = claim.maybe!;
  const where = trial.line === undefined ? `in ${file.path}` : `at ${file.path}:${trial.line}`;
  return {
    verdict: "exists_only",
    kind,
    reason: `it stands ${where}; whether ${first} is meant as a line of it could not be told`,
    path: file.path,
  };
}

type Setting = { repo: Repository; kind: ClaimKind };

function outOfRange(
  claim: Claim,
  files: readonly SourceFile[],
  { repo, kind }: Setting,
): Judgement {
  const [file] = files as [SourceFile];
  const { first, last, weight } = claim.range!;
  const count = file.lineCount;
  const many =
    files.length > 1
      ? `none of the ${files.length} files that ${claim.mention.path} fits has line ${last}`
      : undefined;
  const size = `${file.path} has ${count} line${count === 1 ? "" : "s"}`;
  const reason =
    first < 1
      ? `there is no line ${first}; lines count from 1`
      : last < first
        ? `the range ${first}-${last} ends before it begins`
        : (many ?? `${size}, so there is no line ${last}`);
  const strength = Math.min(weight, claim.binding);
  const isDoubted = [
    ...doubtsOf(claim),
    ...namesakes(claim),
    ...definersOf(claim, file, repo),
  ].some((path) => hasLines(path, claim, repo));
  const isSaid = claim.modality !== "denied" && !mayComeAbout(claim);
  const doubts = {
    weak: strength < thresholds.out_of_range,
    wished: !isSaid,
    elsewhere: isDoubted,
  };
  const isSure = !Object.values(doubts).includes(true);
  const abstention: Judgement = {
    verdict: "exists_only",
    kind,
    reason: `${size}; whether ${last} is meant as a line of it could not be told`,
    path: file.path,
  };
  if (!isSure && claim.document === undefined) return abstention;
  const better = betterPlace(claim, file, repo);
  // The end of a range is often counted roughly.
  const isRough = first <= count && last <= count + 3;
  const against = Object.entries({ rough: isRough, ...doubts }).filter(([, is]) => is);
  const accused: Judgement = {
    verdict: "out_of_range",
    against: against.map(([why]) => why),
    kind,
    reason: better ? `${reason}; it stands at ${better.path}:${better.line}` : reason,
    path: file.path,
    ...(better ? { suggestion: better, unique: true } : {}),
  };
  return isSure ? accused : { ...abstention, suspected: accused };
}

/** Other files that define what is named beside the line, and that this file does not have. */
const definersOf = ({ evidence }: Claim, file: SourceFile, repo: Repository): string[] =>
  evidence.flatMap(({ name, isPlain }) => {
    const word = lastPart(name);
    if (word === "" || isPlain || file.linesWith(word).length > 0) return [];
    return repo.definedAt(word).map(({ path }) => path);
  });

/**
 * Where the strongest evidence stands once, in the same file, else anywhere: a word of prose or one of
 * several places would lead astray.
 */
export function betterPlace(claim: Claim, file: SourceFile, repo: Repository): Place | undefined {
  const named = claim.evidence.filter(({ isPlain }) => !isPlain);
  const unplaced = withRange(claim, null);
  const trials = named.map((item) => tryEvidence(item, unplaced, file));
  const trial = strongest([{ file, trials }])?.trial;
  if (!trial) return undefined;
  if (trial.line !== undefined)
    return isUnique(trial, file) ? { path: file.path, line: trial.line } : undefined;
  const found = contentPlaces(
    trial.evidence,
    { path: file.path, line: claim.range?.first ?? 0, near: [], document: claim.document },
    repo,
  );
  return found.length === 1 ? found[0] : undefined;
}

function abstain(claim: Claim, tried: readonly Tried[], kind: ClaimKind): Judgement {
  const { mention, range, evidence, modality } = claim;
  const [first] = tried as [Tried];
  const { paths } = mention;
  if (paths.length > 1 && !paths.includes(mention.path))
    return {
      verdict: "ambiguous",
      kind,
      reason:
        `${mention.path} fits ${paths.length} files (${paths.slice(0, 3).join(", ")}) ` +
        "and the content cannot decide",
    };
  const place = range ? "the place exists" : `${first.file.path} exists`;
  const why =
    evidence.length === 0 ? "nothing is said about it that could be compared" : undecided[modality];
  return { verdict: "exists_only", kind, reason: `${place}; ${why}`, path: first.file.path };
}

const undecided: Record<Claim["modality"], string> = {
  said: "whether what is said beside it is meant to stand there could not be told",
  advised: "what is said of it is a plan, a wish or an example",
  planned: "what is said of it is a plan, a wish or an example",
  negated: "what is said of it is a denial",
  denied: "what is said of it is a denial, a question or the past",
};
