// Whether evidence that holds shows that its place is the one that is meant. What is said right beside a
// place does; of what stands around it, a common word, the function around the lines, a name of the
// proposed fix or one of many names hold at wrong places, too.
import { escapeRegExp } from "../../base/text/escape-reg-exp.ts";
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
  const isAround = held.every(({ line }) => isBefore(line, claim));
  // Right beside a place the function around it is said of the place, unless more is said that is not there.
  if (weight >= weights.evidence.near)
    return isAround && trials.some(isLost) ? onlyAround : undefined;
  const telling = held.filter((one) => isTelling(one, { file, claim }));
  if (telling.length === 0)
    return held.every(({ evidence }) => evidence.isAside)
      ? "it is said of a proposal or of something else"
      : "it may stand there by chance";
  if (telling.every(({ line }) => isBefore(line, claim))) return onlyAround;
  const failed = countOf(trials.filter((one) => one.evidence.weight >= weight && isLost(one)));
  if (failed > countOf(telling)) return "more of what is said does not stand there";
  const isDefined = telling.some((one) => isDefinedThere(one, file));
  return claim.mention.paths.length > 1 && !isDefined
    ? `which of ${claim.mention.paths.length} files is meant could not be told`
    : undefined;
}

const onlyAround = "nothing else of what is said stands on these lines";

const isBefore = (line: number | undefined, { range }: Claim): boolean =>
  range !== null && line !== undefined && line < range.first;

const isDefinedThere = ({ evidence, line }: Trial, file: SourceFile): boolean =>
  line !== undefined && evidence.name !== "" && file.isDefinition(lastPart(evidence.name), line);

type Setting = { file: SourceFile; claim: Claim };

/** It hardly stands there by chance, and it is said of the place. */
function isTelling(trial: Trial, setting: Setting): boolean {
  const { evidence, isQuote } = trial;
  if (evidence.isAside) return false;
  if (isQuote)
    return setting.claim.range !== null || evidence.lines.length > 1 || isWorthAQuote(evidence);
  const word = lastPart(evidence.name);
  const isCommon = commonWord.test(evidence.name);
  if (evidence.isPlain && isCommon) return false;
  const written = evidence.name.split(/\.|::|->|#|\?\./).at(-1)!;
  const isMarked = /[!?]$/.test(written);
  if (!isMarked && !isCommon) return true;
  if (isDefinedThere(trial, setting.file)) return true;
  return isMarked
    ? standsAs(asWritten(written), word, setting)
    : standsAs(asCode(word), word, setting);
}

/** `latest`, `Value`, `COPY`: a word of any text. */
const commonWord = /^(?:[A-Za-z]?[a-z]+|[A-Z]+)$/;

const isWorthAQuote = ({ lines }: Evidence): boolean => lines.some(isStrongCode);

/** Whether one of the lines that the claim names, or any of the file, has the word like this. */
function standsAs(form: RegExp, word: string, { file, claim }: Setting): boolean {
  const [first, last] = claimedLines(claim, file) ?? [1, file.lineCount];
  return file
    .linesWith(word)
    .some((line) => line >= first && line <= last && form.test(file.line(line).slice(0, 2_000)));
}

const asWritten = (written: string): RegExp => new RegExp(`(?<!\\w)${escapeRegExp(written)}`);

/** Called, assigned, quoted, a part of an object: not a word of a sentence, nor a part of `ubuntu-latest`. */
function asCode(word: string): RegExp {
  const whole = `(?<![\\w-])${escapeRegExp(word)}(?![\\w-])`;
  return new RegExp(`(?<=[.$@:([{<"'\`]|->)${whole}|${whole}(?=\\s?[=:(]|[[{"'\`]|\\.\\w)`);
}

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
