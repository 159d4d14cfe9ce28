// Whether a name stands at the lines of a claim: on them, or in the body or the head of what it defines.
import { suggest } from "../../base/text/suggest.ts";
import type { Claim } from "../reading/claim.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { stems } from "./fits-place.ts";
import {
  closest,
  unspelled,
  headLines,
  isHead,
  newTrial,
  spelledAt,
  type Lines,
  type Trial,
} from "./trial.ts";

export function tryName(
  evidence: Evidence,
  lines: Lines | undefined,
  { file, claim }: NameSetting,
): Trial {
  const word = lastPart(evidence.name);
  const trial = newTrial(evidence, false);
  // What stands on the one line that is named need not be looked for in the rest of the file.
  if (lines && lines[0] === lines[1] && file.hasWordAt(word, lines[0]))
    return heldAt(trial, lines[0], true);
  const found = file.linesWith(word);
  const definitions = found.length === 0 ? [] : file.definitionsOf(word);
  if (!lines) {
    const line = definitions[0] ?? found[0];
    return line === undefined ? trial : heldAt(trial, line, definitions.length > 0);
  }
  const held = lineThatHolds({ found, definitions, lines }, { file, claim });
  if (held === undefined) return elsewhere(trial, { found, definitions, lines }, file);
  const isShifted = !claim.range!.vague && isShiftedRange(held, lines, { file, definitions });
  heldAt(trial, held, true);
  trial.holds = !isShifted;
  trial.half = isShifted;
  return trial;
}

function heldAt(trial: Trial, line: number, isDefined: boolean): Trial {
  trial.holds = true;
  trial.line = line;
  trial.isDefined = isDefined;
  return trial;
}

/** The best other line of the file, and what makes it doubtful that the name is meant. */
function elsewhere(trial: Trial, { found, definitions, lines }: Stands, file: SourceFile): Trial {
  const { evidence } = trial;
  const word = lastPart(evidence.name);
  trial.line = closest(definitions.length > 0 ? definitions : found, lines[0]);
  trial.isDefined = definitions.length > 0;
  if (trial.line === undefined) trial.slip = slipOf(word, file.line(lines[0]));
  trial.half =
    isHolderThere(evidence.name, word, { file, lines, isNamed: definitions.length > 0 }) ||
    (!isSlip(word, trial.slip) && isRespelled(word, file, lines));
  return trial;
}

/** The name on a line that this one is a letter or two away from. */
function slipOf(word: string, line: string): string | undefined {
  if (word.length < 4) return undefined;
  const names = line.slice(0, 2_000).match(word.includes("-") ? joinedWord : plainWord);
  return suggest(word, names ?? []);
}

/** A letter or two are no other words for a name; case and underscores are a spelling of it. */
const isSlip = (word: string, slip: string | undefined): boolean =>
  slip !== undefined &&
  Math.abs(slip.length - word.length) <= 2 &&
  (slip.includes("-") || unspelled(slip) !== unspelled(word));

const plainWord = /[\w$\u0080-\uffff]{3,80}/g;
const joinedWord = /[\w$\u0080-\uffff][\w$\u0080-\uffff-]{2,79}/g;

type NameSetting = { file: SourceFile; claim: Claim };
type Stands = { found: number[]; definitions: number[]; lines: Lines };

/** On the lines, in the body of its definition, or in what belongs to the head of it. */
function lineThatHolds(
  { found, definitions, lines }: Stands,
  { file, claim: { defines } }: NameSetting,
): number | undefined {
  const [first, last] = lines;
  const isThere = (line: number): boolean => line >= first && line <= last;
  const here = definitions.find(isThere) ?? found.find(isThere);
  if (here !== undefined) return here;
  return definitions.find((line) =>
    line <= first
      ? !defines && file.extentOf(line) >= first
      : line <= last + headLines && isHead(file, first, line),
  );
}

/** It begins early and ends in the middle of what it is given for, or far behind it: it was another's. */
function isShiftedRange(
  at: number,
  [first, last]: Lines,
  { file, definitions }: { file: SourceFile; definitions: number[] },
): boolean {
  if (last === first || !definitions.includes(at)) return false;
  const end = file.extentOf(at);
  if (at >= first) return at > first + slack && end > last + 2;
  return (Math.min(end, last) - first + 1) * 2 < last - first + 1;
}

/** So many lines of a range may be attributes, comments or blank. */
const slack = 5;

/** `FilterOptionsParams` where `FILTER_OPTIONS_TEST_PARAMS` stands. */
function saysAll(name: string, line: string): boolean {
  const there = stems(line.slice(0, 2_000));
  const parts = [...stems(name)];
  return parts.length > 1 && parts.every((part) => there.has(part));
}

/** So long a name is no part of another by chance. */
const longName = 8;

/** The name stands there in another spelling, `PRIVATE_KEY` for `privateKey`, or in a longer name. */
function isRespelled(name: string, file: SourceFile, [first, last]: Lines): boolean {
  const spelled = spelledAt(file, [first - 1, last + 1]);
  const plain = unspelled(name);
  const there = spelled.get(plain);
  // `PostConflict` where `postConflictEvent` stands.
  if (there === undefined || there === name) {
    const isInLonger = [...spelled.keys()].some(
      (word) => word.length > plain.length + 2 && word.includes(plain),
    );
    return plain.length >= longName && (isInLonger || saysAll(name, file.line(first)));
  }
  const isLoud = (word: string): boolean => word === word.toUpperCase();
  return there.includes("_") !== name.includes("_") || isLoud(there) !== isLoud(name);
}

type Holding = { file: SourceFile; lines: Lines; isNamed: boolean };

/** `signal.rvol` where `signal` stands there; of a name that the file defines, the head of its holder. */
function isHolderThere(name: string, word: string, { file, lines, isNamed }: Holding): boolean {
  const holder = name === word ? "" : name.split(/\.|::|->|#/)[0]!;
  if (holder === "") return false;
  if (!isNamed) return isAround(file, holder, lines);
  return file
    .definitionsOf(holder)
    .some(
      (line) => line >= lines[0] && line <= lines[0] + headLines && isHead(file, lines[0], line),
    );
}

const isAround = (file: SourceFile, word: string, [first, last]: Lines): boolean =>
  file.linesWith(word).some((line) => line >= first && line <= last) ||
  file.definitionsOf(word).some((line) => line <= first && file.extentOf(line) >= last);
