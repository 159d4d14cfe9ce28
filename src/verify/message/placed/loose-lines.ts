// Lines that a message gives without a name or a file beside them, and that no file which it names has.
import type { Repository } from "../../../source/repository.ts";
import { plainClaim } from "../../reading/claim.ts";
import { lastPart } from "../../reading/code-names.ts";
import { sentenceModality } from "../../reading/modality.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import type { NumberedLines } from "../../reading/spelled-numbers.ts";
import { weights } from "../../reading/weights.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import { lastNamed, type NamedFile } from "../named-files.ts";
import type { PlacedTally } from "./placed-tally.ts";

type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  files: readonly NamedFile[];
  tally: PlacedTally;
};

/** `placed`: the numbers that are judged with a name. */
export function looseLines(
  judged: readonly JudgedClaim[],
  placed: ReadonlySet<NumberedLines>,
  { units, repo, files, tally }: Setting,
): JudgedClaim[] {
  const isElsewhere = units.some(({ mentions }) =>
    mentions.some(({ kind }) => kind === "unknown" || kind === "foreign" || kind === "outside"),
  );
  const longest = Math.max(...files.map(({ file }) => file.lineCount));
  if (isElsewhere || !files.some(tally.isRight)) return [];
  return units.flatMap((unit) =>
    unit.numbers.flatMap((range) => {
      const isWhole = range.first <= range.last;
      if ((isWhole && range.last <= longest + 1) || placed.has(range)) return [];
      if (!isCalledLine(unit, range)) return [];
      if (isTaken(judged, unit, range) || mayBeOfName(range.last, units, repo)) return [];
      const path = lastNamed(units, { unit, start: range.start });
      const named = files.find(({ file }) => file.path === path);
      return named ? [beyond(unit, range, named)] : [];
    }),
  );
}

/** The words call it a line, and do not say that it was one, or another's. */
function isCalledLine(
  { text, block }: ReadingUnit,
  { start, weight, vague }: NumberedLines,
): boolean {
  if (block.kind === "row" || vague || weight < weights.number.word) return false;
  const sentence = text
    .slice(Math.max(0, start - 160), start)
    .split(/[.!?;][)"'*_]*\s|\n/)
    .at(-1)!;
  return sentenceModality(sentence.replace(/`[^`]*`/g, " ")) === "said";
}

/** A name of the message is defined in a file that is long enough: the line may be of that one. */
const mayBeOfName = (line: number, units: readonly ReadingUnit[], repo: Repository): boolean =>
  [...new Set(units.flatMap(({ evidence }) => evidence.map(({ name }) => lastPart(name))))]
    .filter((name) => name.length > 2)
    .slice(0, mostNames)
    .some((name) =>
      repo.definedAt(name).some(({ path }) => {
        const state = repo.open(path);
        return !state.ok || state.file.lineCount >= line;
      }),
    );

const mostNames = 80;

/** Told already; what could not be told of it is open. */
const isTaken = (
  judged: readonly JudgedClaim[],
  { block }: ReadingUnit,
  { start, end }: NumberedLines,
): boolean =>
  judged.some(
    ({ claim, judged: { verdict } }) =>
      verdict !== "exists_only" &&
      claim.start < block.start + end &&
      block.start + start < claim.end,
  );

function beyond(
  { block }: ReadingUnit,
  range: NumberedLines,
  { file, mention }: NamedFile,
): JudgedClaim {
  const claim = plainClaim(block, mention, block.start + range.start);
  claim.end = block.start + range.end;
  claim.range = range;
  const { first, last } = range;
  const reason =
    last < first
      ? `the range ${first}-${last} ends before it begins`
      : `${file.path} has ${file.lineCount} lines, so there is no line ${last}`;
  return { claim, judged: { verdict: "out_of_range", kind: "location", reason, path: file.path } };
}
