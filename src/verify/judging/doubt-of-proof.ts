// Whether evidence that holds shows that its place is the one that is meant. What is said right beside a
// place mostly does; a common word, a word of a comment or of the file's own path, another owner's name,
// the function around the lines, a name of the proposed fix or one of many names hold at wrong places, too.
import { escapeRegExp } from "../../base/text/escape-reg-exp.ts";
import { isComment } from "../../source/definitions.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { isCodeShaped, isStrongCode, lastPart } from "../reading/code-names.ts";
import type { Claim } from "../reading/claim.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { weights } from "../reading/weights.ts";
import type { Tried } from "./accuse.ts";
import type { Trial } from "./trial.ts";
import { claimedLines } from "./try-evidence.ts";

/** The surest trial that holds, and all others of the same file. */
export type Held = { file: SourceFile; trial: Trial; trials: readonly Trial[] };

/** The surest evidence that holds, unless surer evidence of the same place fails. */
export function firstThatHolds(tried: readonly Tried[]): Held | undefined {
  let best: Held | undefined;
  for (const { file, trials } of tried) {
    let surest = 0;
    for (const { holds, evidence } of trials)
      if (!holds && !evidence.isPlain) surest = Math.max(surest, evidence.weight);
    for (const trial of trials) {
      const { weight } = trial.evidence;
      if (
        !trial.holds ||
        !proves(trial) ||
        weight < surest ||
        weight <= (best?.trial.evidence.weight ?? 0)
      )
        continue;
      best = { file, trial, trials };
    }
  }
  return best;
}

/** A plain or short word that happens to stand there proves nothing. */
const proves = ({ evidence }: Trial): boolean =>
  evidence.lines.length > 0 ||
  (evidence.name.length > 2 && (!evidence.isPlain || evidence.weight >= 2));

/** Why what holds proves nothing of the place; undefined where it does. */
export function doubtOfProof({ file, trial, trials }: Held, claim: Claim): string | undefined {
  const { weight } = trial.evidence;
  const held = trials.filter(({ holds }) => holds);
  if (claim.range === null && !isCalledSo(file, claim))
    return `${claim.mention.path} may be another file`;
  const telling = held.filter((one) => isTelling(one, { file, claim }));
  if (telling.length === 0)
    return held.every(({ evidence }) => evidence.isAside)
      ? "it is said of a proposal or of something else"
      : "it may stand there by chance";
  // Right beside a place the function around it is said of the place, unless more is said that is not there.
  if (weight >= weights.evidence.near)
    return isOnlyAround(held, claim, trials) ? onlyAround : undefined;
  if (telling.every(({ line }) => isBefore(line, claim))) return onlyAround;
  const failed = countOf(trials.filter((one) => one.evidence.weight >= weight && isLost(one)));
  if (failed > countOf(telling)) return "more of what is said does not stand there";
  const isDefined = telling.some((one) => isDefinedThere(one, file));
  return claim.mention.paths.length > 1 && !isDefined
    ? `which of ${claim.mention.paths.length} files is meant could not be told`
    : undefined;
}

/** `eta.go` may stand for `progress_eta.go`; without lines nothing says so. */
function isCalledSo({ path }: SourceFile, { mention, rivals }: Claim): boolean {
  const name = nameOf(path);
  return [mention, ...rivals].some((one) => name.startsWith(nameOf(one.path)));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

const onlyAround = "nothing else of what is said stands on these lines";

function isOnlyAround(held: readonly Trial[], claim: Claim, trials: readonly Trial[]): boolean {
  const isAround = (some: readonly Trial[]): boolean =>
    some.every(({ line }) => isBefore(line, claim));
  if (isAround(held)) return trials.some(isLost);
  return isAround(held.filter(isNear)) && trials.some(isMissed);
}

const isNear = ({ evidence }: Trial): boolean => evidence.weight >= weights.evidence.near;

/** Lines of code that are shown beside the place cannot be said in other words. */
const isMissed = (trial: Trial): boolean => !trial.holds && trial.evidence.isBlock && isNear(trial);

const isBefore = (line: number | undefined, { range }: Claim): boolean =>
  range !== null && line !== undefined && line < range.first;

const isDefinedThere = ({ evidence, line }: Trial, file: SourceFile): boolean =>
  line !== undefined && evidence.name !== "" && file.isDefinition(lastPart(evidence.name), line);

type Setting = { file: SourceFile; claim: Claim };

/** It hardly stands there by chance, and it is said of the place. */
function isTelling(trial: Trial, setting: Setting): boolean {
  const { evidence, isQuote } = trial;
  if (evidence.isAside || isFarBehind(trial, setting.claim)) return false;
  if (isQuote) {
    if (isCutOff(trial, setting)) return false;
    const isPlaced = setting.claim.range !== null || isNear(trial);
    return isPlaced || evidence.lines.length > 1 || isWorthAQuote(evidence);
  }
  return isTellingName(trial, setting);
}

function isTellingName(trial: Trial, setting: Setting): boolean {
  const { isPlain, name } = trial.evidence;
  const word = lastPart(name);
  const isLoose = commonWord.test(name) && !isNear(trial);
  if (isPlain && isLoose) return false;
  if (isDefinedThere(trial, setting.file)) return true;
  if (isOfPath(name, setting.file) || isEverywhere(word, setting)) return false;
  if (isAnothers(name, word, setting)) return false;
  const written = name.split(ownerEnd).at(-1)!;
  if (/[!?]$/.test(written)) return standsAs(asWritten(written), word, setting);
  return isLoose
    ? standsAs(asCode(word), word, setting)
    : standsInCode(trial.evidence, word, setting);
}

/** The lines end at the head of what is quoted, and began with something else: they were another's. */
function isCutOff({ line }: Trial, { file, claim: { range } }: Setting): boolean {
  if (!range || range.first === range.last || line === undefined) return false;
  if (line <= range.first + slack || file.extentOf(line) <= range.last + 2) return false;
  return (file.line(line).match(/\w+/g) ?? []).some((word) => file.isDefinition(word, line));
}

/** So many lines of a range may be attributes, comments or blank. */
const slack = 5;

/** "142+" is said of the lines that follow, not of all the rest of the file. */
const isFarBehind = ({ line }: Trial, { range }: Claim): boolean =>
  range?.open === true && line !== undefined && line > range.last + openReach;

const openReach = 120;

/** A file is full of the words that it is called by. */
const isOfPath = (name: string, { path }: SourceFile): boolean =>
  commonWord.test(name) && path.split(/[/._-]/).includes(name);

/** Most places of that size in the file have the name, too; a long one is given for more than a name. */
function isEverywhere(word: string, { file, claim }: Setting): boolean {
  const lines = claimedLines(claim, file);
  const found = lines ? file.linesWith(word) : [];
  if (!lines || found.length < manyLines) return false;
  const size = lines[1] - lines[0] + 1;
  if (size > longPlace) return false;
  let covered = 0;
  for (const [index, line] of found.entries())
    covered += Math.min(size, line - (found[index - 1] ?? 0));
  return covered > file.lineCount * mostlyThere;
}

const manyLines = 10;
const longPlace = 20;
const mostlyThere = 0.5;

/** `domain.Rule` is no `protocol.Rule`, where the file knows no `protocol`; `writer.get` may be `FileWriter.get`. */
function isAnothers(name: string, word: string, setting: Setting): boolean {
  const owner = name.split(ownerEnd).at(-2)?.toLowerCase();
  if (!owner || hasWord(setting.file, owner)) return false;
  const owned = new RegExp(String.raw`(\w+)(?:\.|::|->|#)${escapeRegExp(word)}(?!\w)`);
  return !someLine(word, setting, (line) => {
    const holder = owned.exec(line)?.[1]!.toLowerCase();
    return holder === undefined || itself.test(holder) || owner.includes(holder);
  });
}

const itself = /^(?:this|self|super|cls)$/;

/** In any case, in its path or its text. */
const hasWord = ({ path, text }: SourceFile, word: string): boolean =>
  `${path}\n${text}`.toLowerCase().includes(word);

const ownerEnd = /\.|::|->|#|\?\./;

/** It is no mere word of a comment or a message: of a whole file nobody says that. */
function standsInCode({ isPlain, name }: Evidence, word: string, setting: Setting): boolean {
  if (setting.claim.range !== null) return true;
  if (proseFile.test(setting.file.path)) return true;
  const isWord = isPlain || commonWord.test(name);
  const form = whole(word);
  return someLine(word, setting, (line, number) => {
    if (number <= fileHead) return form.test(line);
    if (isComment(line)) return false;
    const code = line.replace(trailingComment, "");
    return form.test(isWord ? code.replace(sentence, " ") : code);
  });
}

/** The first lines of a file say what it is about. */
const fileHead = 5;
const proseFile = /\.(?:mdx?|rst|txt|adoc)$/i;
const trailingComment = /\s(?:\/\/|#)\s.*$/;
/** Words between quotation marks. */
const sentence = /(["'`])(?:(?!\1).)*\s(?:(?!\1).)*\1/g;

/** `latest`, `Value`, `COPY`: a word of any text. */
const commonWord = /^(?:[A-Za-z]?[a-z]+|[A-Z]+)$/;

const isWorthAQuote = ({ lines }: Evidence): boolean => lines.some(isStrongCode);

/** Whether one of the lines that the claim names, or any of the file, has the word like this. */
const standsAs = (form: RegExp, word: string, setting: Setting): boolean =>
  someLine(word, setting, (line) => form.test(line));

type LineTest = (line: string, number: number) => boolean;

function someLine(word: string, { file, claim }: Setting, is: LineTest): boolean {
  const [first, last] = claimedLines(claim, file) ?? [1, file.lineCount];
  return file
    .linesWith(word)
    .some((line) => line >= first && line <= last && is(file.line(line).slice(0, 2_000), line));
}

const asWritten = (written: string): RegExp => new RegExp(`(?<!\\w)${escapeRegExp(written)}`);

/** Called, assigned, quoted, a part of an object: not a word of a sentence, nor a part of `ubuntu-latest`. */
function asCode(word: string): RegExp {
  const { source } = whole(word);
  return new RegExp(`(?<=[.$@:([{<"'\`]|->)${source}|${source}(?=\\s?[=:(]|[[{"'\`]|\\.\\w)`);
}

const whole = (word: string): RegExp => new RegExp(`(?<![\\w-])${escapeRegExp(word)}(?![\\w-])`);

/** Written as code, said of the place, and not there. */
function isLost({ holds, half, evidence }: Trial): boolean {
  const { isAside, isPlain, lines, name } = evidence;
  if (holds || half || isAside || isPlain) return false;
  if (lines.length > 0) return lines[0]!.length >= leastQuote || isWorthAQuote(evidence);
  return isCodeShaped(name) || /[.:]/.test(name);
}

/** Shorter quotations are said of many things. */
const leastQuote = 8;

/** The same name twice is one. */
const countOf = (trials: readonly Trial[]): number =>
  new Set(trials.map(({ evidence: { name, lines } }) => [name, ...lines].join("\n"))).size;
