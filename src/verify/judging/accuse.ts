// What accuses: the surest evidence of a place that fails in every reading, where it is sure enough.
import { isComment } from "../../source/definitions.ts";
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { ClaimKind } from "../verdict.ts";
import type { Claim } from "../reading/claim.ts";
import { codeName, isStrongCode, lastPart } from "../reading/code-names.ts";
import { thresholds, weights } from "../reading/weights.ts";
import { elision, uncommented } from "./find-excerpt.ts";
import { normaliseCode } from "../../source/normalise.ts";
import { contentPlaces, definesNothing, type Claimed } from "./content-places.ts";
import { isUnique, unspelled, type Trial } from "./trial.ts";
import { tryEvidence } from "./try-evidence.ts";

/** The trials of a claim's evidence in one file. */
export type Tried = { file: SourceFile; trials: Trial[] };

/** The failed trial whose evidence speaks most surely of the place; of equal ones, one whose content is elsewhere. */
export function strongest(tried: readonly Tried[]): { file: SourceFile; trial: Trial } | undefined {
  let best: { file: SourceFile; trial: Trial; score: number } | undefined;
  for (const { file, trials } of tried)
    for (const trial of trials) {
      const score =
        trial.evidence.weight * 4 +
        (trial.evidence.isPlain ? 0 : 1) +
        (trial.line === undefined ? 0 : 1) +
        (trial.likeness > 0.5 ? 1 : 0);
      if (!best || score > best.score) best = { file, trial, score };
    }
  return best;
}

/** The other files that a name may mean which many files have. */
export function namesakes({ mention }: Claim): string[] {
  const own = `/${mention.path}`;
  const alternates = mention.alternates?.() ?? [];
  if (mention.paths.length > 1) return [...alternates];
  return alternates.filter((path) => `/${path}`.endsWith(own));
}

type Setting = { repo: Repository; kind: ClaimKind };

export function accuse(
  claim: Claim,
  tried: readonly Tried[],
  { repo, kind }: Setting,
): Judgement | undefined {
  const best = strongest(tried);
  if (claim.mention.paths.length > 1 && !claim.mention.paths.includes(claim.mention.path))
    return undefined;
  if (!best || best.trial.holds || mayBeMeantOtherwise(claim, best, tried)) return undefined;
  const { evidence } = best.trial;
  const isFirst = evidence.weight >= weights.evidence.touching;
  if (!isFirst && standsBeside(evidence, claim, repo)) return undefined;
  const isSeveral = tried.length > 1 || namesakes(claim).length > 0;
  const isLoose = claim.binding < weights.binding.alone || isSeveral;
  const strength = strengthOf(claim, evidence) - (tried.length > 1 ? 1 : 0);
  const setting = { claim, repo, kind, strength, isLoose, isSeveral };
  const judged = best.trial.isQuote ? accuseQuote(best, setting) : accuseName(best, setting);
  return judged && { ...judged, trial: best.trial };
}

/** The weakest part of the reading, less for rival names and for plans. */
function strengthOf(claim: Claim, evidence: Evidence): number {
  const isFirst = evidence.weight >= weights.evidence.touching;
  const parts = Math.min(evidence.weight, claim.range?.weight ?? 5, claim.binding + 1);
  const rivalry = isContested(claim, evidence) ? (isFirst ? 1 : 2) : 0;
  return parts - rivalry - (claim.modality === "said" || evidence.isCurrent ? 0 : 1);
}

/** Something else of the sentence stands there, or the words are too loose to tell. */
function mayBeMeantOtherwise(claim: Claim, best: Best, tried: readonly Tried[]): boolean {
  const { half, evidence } = best.trial;
  const isDenied = claim.modality === "denied" || claim.modality === "negated";
  if (half || claim.isGrouped || isDenied || claim.range?.vague) return true;
  if (claim.mention.ranges.length > 1 || isFromBody(best, tried)) return true;
  const isFirst = evidence.weight >= weights.evidence.touching;
  if (tried.some(({ trials }) => trials.some((trial) => isBesides(trial, isFirst)))) return true;
  return claim.binding < weights.binding.glued && evidence.weight <= weights.evidence.near;
}

/** Code of the body of what the place is given for: "`run` (line 12)", then lines of it. */
const isFromBody = ({ file, trial }: Best, tried: readonly Tried[]): boolean =>
  trial.line !== undefined &&
  trial.isQuote &&
  tried.some(({ trials }) =>
    trials.some(
      ({ holds, isQuote, line }) =>
        holds &&
        !isQuote &&
        line !== undefined &&
        line < trial.line! &&
        file.extentOf(line) >= trial.line!,
    ),
  );

/** Another name or quotation of the sentence stands there: it may be what the place is given for. */
const isBesides = ({ holds, half, evidence }: Trial, isFirst: boolean): boolean =>
  !evidence.isPlain &&
  (holds
    ? evidence.weight >= weights.evidence.far
    : half && !isFirst && evidence.weight >= weights.evidence.same);

/** It stands at another place of the same text: that one is given for it. */
const standsBeside = (evidence: Evidence, claim: Claim, repo: Repository): boolean =>
  claim.beside.some((other) => {
    if (other === claim || !other.range || other.mention.kind !== "file") return false;
    const state = repo.open(other.mention.paths[0]!);
    return state.ok && tryEvidence(evidence, other, state.file).holds;
  });

/** Several names or quotations of the same weight: it is less sure that each is located there. */
const isContested = ({ evidence }: Claim, best: Evidence): boolean =>
  evidence.some(
    (other) =>
      other !== best && other.weight >= best.weight && other.name !== best.name && !other.isPlain,
  );

type Evidence = Trial["evidence"];
type Best = { file: SourceFile; trial: Trial };
type Accusation = {
  claim: Claim;
  repo: Repository;
  kind: ClaimKind;
  strength: number;
  /** It is not sure that the number belongs to the file. */
  isLoose: boolean;
  isSeveral: boolean;
};

/** The file's own name, an everyday word, or a name in a text, which defines nothing. */
function namesNothing({ file: { path }, trial: { evidence, isDefined } }: Best): boolean {
  const { name, isPlain, weight } = evidence;
  // A part of the program that is called like its file is the file.
  if (isNameOf(path, lastPart(name)) || isNameOf(path, name) || definesNothing(path)) return true;
  const isLoose = !isDefined && weight < weights.evidence.touching;
  return isPlain && (isLoose || codeName(name)?.isEveryday === true);
}

function accuseName({ file, trial }: Best, setting: Accusation): Judgement | undefined {
  const { evidence, line, isDefined } = trial;
  const { claim, strength } = setting;
  if (namesNothing({ file, trial })) return undefined;
  if (line === undefined) return accuseAbsent({ file, trial }, setting);
  const isSure =
    isDefined ||
    (strength >= thresholds.unmoved_name && isUnique(trial, file) && !isComment(file.line(line)));
  if (!claim.range || strength < thresholds.wrong_symbol || !isSure) return undefined;
  const shown = shownAt(claim, file);
  return {
    kind: setting.kind,
    path: file.path,
    ...shown.actual,
    verdict: "wrong_symbol",
    reason: `${shown.words}; \`${evidence.name}\` ${isDefined ? "is defined" : "stands"} at ${file.path}:${line}`,
    suggestion: { path: file.path, line },
    unique: !setting.isSeveral && isUnique(trial, file),
  };
}

/** The file does not have the name: it is defined elsewhere, it is a slip, or it is nowhere. */
function accuseAbsent({ file, trial }: Best, setting: Accusation): Judgement | undefined {
  const { evidence, slip } = trial;
  const { claim, repo, kind, strength, isSeveral } = setting;
  const isBare = !claim.range && !evidence.isTold;
  const isBound = claim.binding >= weights.binding.tight && !setting.isLoose;
  const isSure = strength >= thresholds.missing_symbol && isBound;
  if (!isSure || claim.modality !== "said" || isBare) return undefined;
  const shown = shownAt(claim, file);
  const base = { kind, path: file.path, ...shown.actual };
  const [place, ...others] = contentPlaces(evidence, claimedAt(claim, file), repo);
  if (place)
    return {
      ...base,
      verdict: "wrong_symbol",
      reason: `${shown.words}; \`${evidence.name}\` is defined at ${place.path}:${place.line}`,
      suggestion: place,
      unique: others.length === 0 && !isSeveral,
    };
  // A part of longer names of the file is the name of their family.
  if (evidence.isPlain || isFamily(lastPart(evidence.name), file)) return undefined;
  const guess = slip === undefined ? "" : `; the nearest name there is \`${slip}\``;
  return {
    ...base,
    verdict: "missing",
    reason: `${shown.words}; \`${evidence.name}\` is nowhere${guess}`,
  };
}

/** `spawn_actions` where the file has `spawn_actions_init`. */
function isFamily(name: string, { text }: SourceFile): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (/[_A-Z]/.test(text.charAt(at + name.length))) return true;
  return false;
}

function isNameOf(path: string, name: string): boolean {
  const own = path.slice(path.lastIndexOf("/") + 1);
  const plain = (word: string): string => unspelled(word.replaceAll("-", ""));
  return name === own || plain(name) === plain(own.replace(/\..*$/, ""));
}

const claimedAt = ({ range, document }: Claim, { path }: SourceFile): Claimed => ({
  path,
  line: range?.first ?? 0,
  near: [],
  document,
});

function accuseQuote({ file, trial }: Best, setting: Accusation): Judgement | undefined {
  const { evidence, line, likeness } = trial;
  const { claim, kind, strength, isSeveral } = setting;
  if (!isSaidOfLines(claim, evidence)) return undefined;
  const shown = shownAt(claim, file);
  const base = { kind, path: file.path, ...shown.actual };
  if (line !== undefined)
    return strength < thresholds.relocated || !isTelling(evidence, file)
      ? undefined
      : {
          ...base,
          verdict: "relocated",
          reason: `${shown.words}; the quoted code stands at ${file.path}:${line}`,
          suggestion: { path: file.path, line },
          unique: !isSeveral && isUnique(trial, file),
        };
  if (likeness > 0 && strength >= thresholds.altered)
    return {
      ...base,
      verdict: "altered",
      reason: `${shown.words}, which differs from the quotation`,
    };
  return accuseLost({ file, trial }, { ...setting, shown: shown.words, base });
}

/** Words of a text stand in many places of it. */
const isTelling = ({ lines }: Evidence, { path }: SourceFile): boolean =>
  !definesNothing(path) || lines.some(isStrongCode);

/** A block below a place without a line may be about the file in any way. */
function isSaidOfLines({ range, modality }: Claim, evidence: Evidence): boolean {
  if (modality !== "said" && !evidence.isCurrent) return false;
  const { isTold, isBlock, lines, gutter, weight } = evidence;
  if (range !== null || gutter.length > 0) return true;
  const isSentence = isTold === true && !isBlock && lines.length === 1;
  return isSentence && weight >= weights.evidence.touching;
}

type Lost = Accusation & { shown: string; base: Pick<Judgement, "kind" | "path" | "actual"> };

/** The file has nothing like the quotation: it stands elsewhere, or it was made up. */
function accuseLost(
  { file, trial }: Best,
  { claim, repo, strength, isLoose, shown, base }: Lost,
): Judgement | undefined {
  const { evidence } = trial;
  const isShort = evidence.lines.length === 1 && evidence.isTold !== true;
  const least = isShort ? weights.evidence.touching : thresholds.missing_quote;
  if (strength < least || !evidence.lines.some(isStrongCode) || isLoose) return undefined;
  const [place, ...others] = contentPlaces({ ...evidence, name: "" }, claimedAt(claim, file), repo);
  if (place)
    return {
      ...base,
      verdict: "relocated",
      reason: `${file.path} does not have the quoted code; it stands at ${place.path}:${place.line}`,
      suggestion: place,
      unique: others.length === 0,
    };
  if (!evidence.isTold || !isStrange(evidence, file)) return undefined;
  const verdict = claim.range || evidence.gutter.length > 0 ? "altered" : "missing";
  return { ...base, verdict, reason: `${shown}; the quoted code is nowhere in ${file.path}` };
}

/** No line of it that is code stands in the file, and the words call it the code of today. */
function isStrange({ lines, isCurrent }: Evidence, file: SourceFile): boolean {
  if (lines.length === 1) return true;
  const code = lines.filter(isStrongCode);
  return (
    isCurrent &&
    code.length > 1 &&
    !lines.some((line) => elision.test(line)) &&
    code.every(
      (line) => file.find(normaliseCode(uncommented(line).trim()), { limit: 1 }).length === 0,
    )
  );
}

function shownAt(
  { range }: Claim,
  file: SourceFile,
): { words: string; actual: { actual?: string } } {
  if (!range) return { words: `${file.path} does not have it`, actual: {} };
  const text = file.line(range.first).trim();
  const words =
    text === ""
      ? `line ${range.first} is blank`
      : `line ${range.first} is \`${text.slice(0, 120)}\``;
  return { words, actual: { actual: text.slice(0, 200) } };
}
