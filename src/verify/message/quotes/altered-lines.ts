// Lines of a block of code that stand nowhere in the tree, and that a file has with something else in them.
import { findQuote } from "../../../source/find-quote.ts";
import type { Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { contentPlaces } from "../../judging/content-places.ts";
import { commentLine, findExcerpt, type Window } from "../../judging/quotes/find-excerpt.ts";
import { isStrongCode, lastPart } from "../../reading/code-names.ts";
import { quoteEvidence, type Evidence } from "../../reading/find-evidence.ts";
import { leadModality, sectionModality } from "../../reading/modality.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import { messageClaim, type NamedFile } from "../named-files.ts";
import { editedLine, otherComment } from "./edited-line.ts";
import { nearMatch, tokensIn } from "./near-match.ts";

type Setting = { files: readonly NamedFile[]; repo: Repository };

export const elided = /\.{3}|…/;
const noCode = /^(?:bash|sh|shell|zsh|console|text|txt|diff|patch|suggestion|mermaid|http|log)\b/i;
const longestFence = 60;

/** `above`: the text that leads to the block. */
export function alteredLines(
  unit: ReadingUnit,
  above: ReadingUnit | undefined,
  { files, repo }: Setting,
): JudgedClaim[] {
  const { block } = unit;
  if (noCode.test(block.info) || block.lines.length > longestFence) return [];
  const lead = above && above.block.kind !== "fence" ? above : undefined;
  if (((lead && leadModality(lead.text)) ?? sectionModality(block)) !== "said") return [];
  const code = [...block.lines.entries()].filter(([, { text }]) => isCodeLine(text));
  const named = files.map(({ file }) => file);
  // Most code stands in what the message names: then nobody needs to search for its names.
  const away = code.filter(([, { text }]) => !stands(text, named));
  if (away.length === 0) return [];
  const others = lead ? filesOfNames(lead, files, repo) : [];
  const open = [...named, ...others];
  const strange = away.filter(([, { text }]) => !stands(text, others));
  return strangeLines(block, code, strange).flatMap((line) => {
    const altered = alteredIn(line, { unit, lead, open, files, repo });
    return altered ? [altered] : [];
  });
}

/** Files beside those that the message names, which define the names of the lead. */
function filesOfNames(
  { evidence }: ReadingUnit,
  files: readonly NamedFile[],
  repo: Repository,
): SourceFile[] {
  const names = evidence
    .map(({ name }) => lastPart(name))
    .filter((name) => name.length >= leastName);
  const paths = names.slice(0, mostNames).flatMap((name) => {
    const found = [...new Set(repo.definedAt(name).map(({ path }) => path))];
    return found.length <= mostDefining ? found : [];
  });
  return [...new Set(paths)]
    .filter((path) => !files.some(({ file }) => file.path === path))
    .flatMap((path) => {
      const state = repo.open(path);
      return state.ok ? [state.file] : [];
    });
}

const leastName = 6;
const mostNames = 8;
const mostDefining = 3;

type FenceLine = { item: Evidence; index: number };

/** As it is, and not only without its comment. */
const stands = (text: string, open: readonly SourceFile[]): boolean =>
  open.some(
    (file) =>
      findQuote(file, [text], { limit: 1 }).length > 0 && otherComment(text, file) === undefined,
  );

type NumberedLine = [number, ReadingUnit["block"]["lines"][number]];

/** Those that no file has as lines of their own, where the others do stand in one. */
function strangeLines(
  block: ReadingUnit["block"],
  code: readonly NumberedLine[],
  strange: readonly NumberedLine[],
): FenceLine[] {
  if (code.some(([, { text }]) => text.includes("→"))) return [];
  if (strange.length > 1 && strange.length * 2 > code.length) return [];
  return strange.map(([index, { text, start }]) => {
    const from = start - block.start;
    return { index, item: quoteEvidence([text.trim()], from, from + text.length) };
  });
}

const isCodeLine = (text: string): boolean =>
  !elided.test(text) &&
  !commentLine.test(text) &&
  /[A-Za-z]{2}/.test(text) &&
  tokensIn(text).length >= 3;

type Asked = Setting & {
  unit: ReadingUnit;
  lead: ReadingUnit | undefined;
  open: readonly SourceFile[];
};

function alteredIn(line: FenceLine, { unit, lead, open, files, repo }: Asked) {
  const { item, index } = line;
  const [code] = item.lines as [string];
  const said = { item, unit, files };
  for (const file of open) {
    const other = otherComment(code, file);
    if (other !== undefined) return claimOf(said, { file, line: other });
  }
  if (open.some((file) => findExcerpt(file, item.lines, wholeOf(file)))) return undefined;
  for (const file of open) {
    const told = toldLines(lead, file);
    const edited = editedLine({ block: unit.block, index, told }, file);
    if (edited !== undefined) return toldAltered(said, { file, line: edited }, repo);
  }
  if (!isStrongCode(code)) return undefined;
  const near = open.flatMap((file) => {
    const window = windowIn(unit, item, file);
    const match = window && nearMatch(code, file, { ...window, isLine: true });
    return match ? [{ ...match, file }] : [];
  });
  const [best] = near;
  if (!best || near.some(({ isSame }) => isSame)) return undefined;
  return toldAltered(said, best, repo);
}

const wholeOf = (file: SourceFile): Window => ({ from: 1, to: file.lineCount });

/** The lines that the lead gives last, where it gives them of this file. */
function toldLines(lead: ReadingUnit | undefined, file: SourceFile): number[] {
  const last = lead?.claims.at(-1);
  if (!last?.range || last.mention.paths[0] !== file.path) return [];
  const { first, last: end } = last.range;
  return end - first > longestFence
    ? []
    : Array.from({ length: end - first + 1 }, (_, at) => first + at);
}

/** The lines around those that a block of code has of a file; all of them for a single line. */
function windowIn({ block }: ReadingUnit, item: Evidence, file: SourceFile): Window | undefined {
  const others = block.lines.filter(
    ({ text, start }) => start - block.start !== item.start && text.trim().length > 3,
  );
  if (block.kind !== "fence" || others.length === 0) return { from: 1, to: file.lineCount };
  const lines = others.flatMap(({ text }) =>
    findQuote(file, [text], { limit: 8 }).map(({ line }) => line),
  );
  if (lines.length === 0) return undefined;
  const reach = block.lines.length + 4;
  return { from: Math.min(...lines) - reach, to: Math.max(...lines) + reach };
}

type Said = { item: Evidence; unit: ReadingUnit; files: readonly NamedFile[] };
type Like = { file: SourceFile; line: number };

export function standsSomewhere(
  item: Evidence,
  unit: ReadingUnit,
  files: readonly NamedFile[],
): boolean {
  const stands = ({ file }: NamedFile): boolean =>
    findExcerpt(file, item.lines, wholeOf(file)) !== undefined;
  // Mostly it is the file that the same words name.
  const own = files.find(({ file: { path } }) =>
    unit.mentions.some(({ paths }) => paths[0] === path),
  );
  return (own !== undefined && stands(own)) || files.some((one) => one !== own && stands(one));
}

/** Undefined where another file has it as it is quoted. */
export function toldAltered(said: Said, like: Like, repo: Repository): JudgedClaim | undefined {
  const claimed = { path: like.file.path, line: like.line, near: [], document: undefined };
  const isElsewhere = contentPlaces({ ...said.item, name: "" }, claimed, repo).length > 0;
  return isElsewhere ? undefined : claimOf(said, like);
}

function claimOf({ item, unit, files }: Said, { file, line }: Like): JudgedClaim {
  const claim = messageClaim(unit, item, files);
  const { path } = file;
  const actual = file.line(line).trim().slice(0, 200);
  const reason = `it is nowhere; ${path}:${line} has \`${actual.slice(0, 120)}\``;
  return { claim, judged: { verdict: "altered", kind: "quote", reason, path, actual } };
}
