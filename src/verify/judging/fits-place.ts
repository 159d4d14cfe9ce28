// How well the words around a place fit what stands there: where they do, the place may be meant for
// something else than the name or quotation that fails.
import type { Claim } from "../reading/claim.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Lines } from "./trial.ts";

type Words = { name: string; report: string; file: SourceFile };

/**
 * How well the words of the sentence, row or item, with or without its heading, fit these lines:
 * the share of what the best lines of the file have of them.
 */
export function fitsPlace(claim: Claim, { name, report, file }: Words, lines: Lines): number {
  const words = sentenceAround(claim, report).replaceAll(name === "" ? "\0" : name, " ");
  const title = claim.block.heading?.text ?? "";
  return Math.max(shareAt(words, lines, file), shareAt(`${words} ${title}`, lines, file));
}

const reach = 240;

function sentenceAround({ block, start, end }: Claim, report: string): string {
  const before = report.slice(Math.max(block.start, start - reach), start);
  const after = report.slice(end, Math.min(block.end, end + reach));
  if (block.kind === "fence") return `${before} ${after}`;
  return `${before.split(sentenceEnd).at(-1)!} ${after.split(sentenceEnd, 1)[0]!}`;
}

const sentenceEnd = /[.;]\s|\n/;

/** The weight of the words that stand on these lines, as a share of the most that any lines of the file have. */
function shareAt(words: string, [first, last]: Lines, file: SourceFile): number {
  const rows = stemsOf(file);
  const edges: [number, number][] = [];
  let here = 0;
  for (const stem of stems(words)) {
    const lines = rows.get(stem) ?? [];
    const weight =
      Math.log((file.lineCount + 1) / (lines.length + 0.5)) / Math.log(file.lineCount + 1);
    if (lines.length === 0 || weight < everywhere) continue;
    if (lines.some((line) => line >= first - 1 && line <= last + 1)) here += weight;
    for (const [from, to] of merged(lines, last - first + 1))
      edges.push([from, weight], [to, -weight]);
  }
  return here === 0 ? 0 : here / Math.max(here, mostAtOnce(edges));
}

/** A word on so many lines of the file tells nothing. */
const everywhere = 0.15;

/** Where a window of this size may begin to have one of the lines. */
function merged(lines: readonly number[], size: number): [number, number][] {
  const spans: [number, number][] = [];
  for (const line of lines) {
    const previous = spans.at(-1);
    if (previous && line - size <= previous[1]) previous[1] = line + 2;
    else spans.push([line - size, line + 2]);
  }
  return spans;
}

function mostAtOnce(edges: [number, number][]): number {
  let [now, most] = [0, 0];
  for (const [, weight] of edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]))
    most = Math.max(most, (now += weight));
  return most;
}

const common = new Set(
  (
    "this that with from when then into only have been does uses used using line lines file files code " +
    "true false null none also each both same over such more most than they them their which where while " +
    "will would should must being return returns function const import export class string number type " +
    "void self async await public private static"
  ).split(" "),
);

/** `getUserNames` and `user_name` speak of users and names. */
export function stems(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text.match(/[A-Za-z\u00c0-\uffff]+/g) ?? [])
    for (const part of word.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)) {
      const plain = part.toLowerCase();
      const stem = plain.replace(/(?:ations?|izing|ized?|izes|ings?|ed|es|s)$/, "");
      if (stem.length >= 3 && !common.has(plain)) found.add(stem.slice(0, 8));
    }
  return found;
}

const known = new WeakMap<SourceFile, Map<string, number[]>>();

/** The lines on which each stem stands. */
function stemsOf(file: SourceFile): Map<string, number[]> {
  const before = known.get(file);
  if (before) return before;
  const rows = new Map<string, number[]>();
  for (let line = 1; line <= file.lineCount; line++)
    for (const stem of stems(file.line(line).slice(0, 400))) {
      const lines = rows.get(stem);
      if (lines) lines.push(line);
      else rows.set(stem, [line]);
    }
  known.set(file, rows);
  return rows;
}
