// What a name or a quotation that fails says of its place: it stands elsewhere, it differs, or it is nowhere.
import { isComment } from "../../source/definitions.ts";
import type { Judgement } from "../judgement.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { ClaimKind } from "../verdict.ts";
import type { Claim } from "../reading/claim.ts";
import { codeName, isStrongCode, lastPart } from "../reading/code-names.ts";
import { thresholds, weights } from "../reading/weights.ts";
import { elision, uncommented } from "./quotes/find-excerpt.ts";
import { normaliseCode } from "../../source/normalise.ts";
import { contentPlaces, definesNothing, type Claimed } from "./content-places.ts";
import { isUnique, unspelled, type Trial } from "./trial.ts";

type Evidence = Trial["evidence"];
export type Best = { file: SourceFile; trial: Trial };
/** Notes what makes an accusation doubtful, and says whether that ends it. */
export type Stops = (why: string, is: boolean) => boolean;
type Accusation = {
  claim: Claim;
  repo: Repository;
  kind: ClaimKind;
  strength: number;
  /** It is not sure that the number belongs to the file. */
  isLoose: boolean;
  isSeveral: boolean;
  against: readonly string[];
  stops: Stops;
};

export const accuseContent = (best: Best, setting: Accusation): Judgement | undefined =>
  best.trial.isQuote ? accuseQuote(best, setting) : accuseName(best, setting);

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
  const { claim, strength, stops } = setting;
  if (namesNothing({ file, trial })) return undefined;
  if (line === undefined) return accuseAbsent({ file, trial }, setting);
  const isSure =
    isDefined ||
    (strength >= thresholds.unmoved_name && isUnique(trial, file) && !isComment(file.line(line)));
  if (!claim.range || stops("weak", strength < thresholds.wrong_symbol)) return undefined;
  if (stops("unsure", !isSure)) return undefined;
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
  const { claim, repo, kind, isSeveral } = setting;
  const isBare = !claim.range && !evidence.isTold;
  if (!isSurelyThere(claim, setting) || (isBare && !isSaidIn(claim, evidence))) return undefined;
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
  if (evidence.isPlain || (isBare && !claim.defines) || isFamily(lastPart(evidence.name), file))
    return undefined;
  const guess = slip === undefined ? "" : `; the nearest name there is \`${slip}\``;
  return {
    ...base,
    verdict: "missing",
    reason: `${shown.words}; \`${evidence.name}\` is nowhere${guess}`,
  };
}

function isSurelyThere(
  { binding, modality, defines }: Claim,
  { strength, isLoose, against }: Accusation,
): boolean {
  const isSaid = modality === "said" || (defines && modality === "planned");
  const isBound = binding >= weights.binding.tight && !isLoose && isSaid;
  return strength >= thresholds.missing_symbol && isBound && against.length === 0;
}

/** Whoever has just looked at the tree says with a few words that a name is in a file. */
const isSaidIn = ({ document }: Claim, { weight }: Evidence): boolean =>
  document === undefined && weight >= weights.evidence.touching;

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
  const { claim, kind, strength, isSeveral, stops } = setting;
  const isPlanned = claim.modality !== "said" && !evidence.isCurrent;
  // What a plan quotes that stands elsewhere in the file is the code of today.
  const mayBeNew = isPlanned && (line === undefined || claim.document !== undefined);
  if (stops("planned", mayBeNew) || !isSaidOfLines(claim, evidence)) return undefined;
  const shown = shownAt(claim, file);
  const base = { kind, path: file.path, ...shown.actual };
  if (line !== undefined)
    return stops("weak", strength < thresholds.relocated) || !isTelling(evidence, file)
      ? undefined
      : {
          ...base,
          verdict: "relocated",
          reason: `${shown.words}; the quoted code stands at ${file.path}:${line}`,
          suggestion: { path: file.path, line },
          unique: !isSeveral && isUnique(trial, file),
        };
  if (setting.against.length > 0) return undefined;
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
function isSaidOfLines({ range }: Claim, evidence: Evidence): boolean {
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
