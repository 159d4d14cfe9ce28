// Flags of a message that its form explains: a quotation that is another place's, code that the place only
// opens, a value in the cell of a line.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Repository } from "../../source/repository.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isFlagged } from "../verdict.ts";
import type { NamedFile } from "./named-files.ts";

/** `found`: what the rest of the message told. */
type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  found: readonly JudgedClaim[];
  files: readonly NamedFile[];
};

/** The same judgements; a flag that is explained becomes an abstention. */
export function doubtFlags(
  judged: readonly JudgedClaim[],
  setting: Setting,
): readonly JudgedClaim[] {
  if (!judged.some((one) => isFlagged(one.judged.verdict))) return judged;
  const at = new Map(setting.units.map(({ block }, index) => [block, index]));
  return judged.map((one) => {
    if (!isFlagged(one.judged.verdict)) return one;
    if (isFromFile(one, setting))
      return otherwise(one, "unverifiable", "a file that is named may write it so");
    const index = at.get(one.claim.block) ?? -1;
    const why = isValue(one) ? "the number may be a value" : doubtOf(one, { ...setting, index });
    return why === undefined ? one : otherwise(one, "exists_only", why);
  });
}

function otherwise(
  one: JudgedClaim,
  verdict: "exists_only" | "unverifiable",
  why: string,
): JudgedClaim {
  const { trial: _, suggestion: _other, unique: _unique, ...rest } = one.judged;
  return { claim: one.claim, judged: { ...rest, verdict, reason: `${rest.reason}; but ${why}` } };
}

/**
 * "It imports `../db/pool.js`": the way from a file of the code, not from the root, and without a line. A path
 * that no named file writes, and that leads to a file here without its steps, is a wrong one.
 */
function isFromFile(
  { claim: { mention, range }, judged }: JudgedClaim,
  { repo, files }: Setting,
): boolean {
  const { path } = mention;
  if (judged.verdict !== "outside_root" || !path.startsWith("../") || range !== null) return false;
  const isFileHere = repo.kindOf(path.replace(/^(?:\.\.\/)+/, "")) === "file";
  const stem = path.replace(/\.\w+$/, "");
  return !isFileHere || files.some(({ file }) => file.holds(stem));
}

/** "0 (19)" in the cell of a column of lines. */
const isValue = ({ claim: { block, end } }: JudgedClaim): boolean =>
  block.kind === "row" && /^\s\(\d+\)/.test(block.text.slice(end - block.start));

type Placed = Setting & { index: number };

function doubtOf(one: JudgedClaim, setting: Placed): string | undefined {
  const { units, repo, index } = setting;
  const { trial } = one.judged;
  const unit = units[index];
  if (!trial?.isQuote || !unit) return undefined;
  const { evidence, line } = trial;
  if (evidence.isBlock || unit.block.kind === "fence") {
    if (evidence.lines.some((text) => searchRow.test(text))) return "it shows several places";
    if (opens(one, line, repo)) return "the place opens what is shown";
    if (isToldBelow(setting)) return "the line that differs is told";
    const isOwn = unit.block.kind === "fence" || isLed(one, unit);
    return isOwn ? undefined : "the code has a text of its own";
  }
  if (one.claim.isSole) return undefined;
  if (isCallOf(one, evidence, repo)) return "it may be where the function is that is called";
  if (isBeside(one, unit, evidence) || isOnlyPair(one, unit, repo)) return undefined;
  return "it may be said of another place";
}

/** The text has one place and one quotation, whatever words are between them, in whatever language. */
function isOnlyPair(
  one: JudgedClaim,
  { claims, evidence }: ReadingUnit,
  repo: Repository,
): boolean {
  const { trial } = one.judged;
  const marked = evidence.filter(({ isPlain }) => !isPlain);
  return claims.length === 1 && marked.length === 1 && !opens(one, trial?.line, repo);
}

/** Of the code below the place one line is told to differ. */
const isToldBelow = ({ units, index, found }: Placed): boolean =>
  found.some(
    ({ claim, judged }) =>
      judged.verdict === "altered" &&
      units.slice(index + 1, index + 3).some(({ block }) => block === claim.block),
  );

/** "`mask(Voice.aux)` (x.ts:147)", where x.ts has the function. */
function isCallOf({ judged }: JudgedClaim, { name }: Evidence, repo: Repository): boolean {
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  const isAway = judged.verdict === "relocated" && judged.suggestion?.path !== judged.path;
  if (name === "" || !isAway || !state?.ok) return false;
  return state.file.linesWith(lastPart(name)).length > 0;
}

const searchRow = /^\s*[\w./-]+\.\w+:\d+(?::|\s)/;

/** The quoted code stands in the block that begins at the line. */
function opens(
  { claim: { range }, judged }: JudgedClaim,
  line: number | undefined,
  repo: Repository,
): boolean {
  const state = judged.path === undefined ? undefined : repo.open(judged.path);
  if (!state?.ok || !range || line === undefined || line <= range.first) return false;
  return state.file.extentOf(range.first) >= line;
}

/** The place is the last that is said above the code, or the only one of a text that leads to it. */
const isLed = ({ claim }: JudgedClaim, { text, block, claims }: ReadingUnit): boolean =>
  noWord.test(text.slice(spanIn(claim, block)[1])) || (claims.length === 1 && leads.test(text));

const leads = /[:：][\s*_`]*$/;

/** "`a.ts:5`: `x = 1`", or "`x = 1` in `a.ts:5`". What is quoted words away from a place is as often another's. */
function isBeside({ claim }: JudgedClaim, { text, block }: ReadingUnit, quoted: Evidence): boolean {
  const [from, to] = spanIn(claim, block);
  if (quoted.start >= to) return noWord.test(text.slice(to, quoted.start));
  const isWhole = text.slice(from, to).includes(claim.mention.path);
  return isWhole && shortWord.test(text.slice(quoted.end, from));
}

const noWord = /^[^\p{L}\p{N}]*$/u;
const shortWord = /^[^\p{L}\p{N},，;；]*(?:\p{L}{1,4}[^\p{L}\p{N},，;；]*)?$/u;

const spanIn = (
  claim: { start: number; end: number },
  { start }: MarkdownBlock,
): [number, number] => [claim.start - start, claim.end - start];

/**
 * A sentence that denies something says more than that a name stands in a file: that it does stand there shows that
 * the place exists, and nothing of what is said. Nor does a name show it that another sentence says of all or none.
 */
export const namedOnly = (judged: readonly JudgedClaim[]): readonly JudgedClaim[] =>
  judged.map((one) =>
    one.judged.verdict === "verified" && one.judged.kind === "symbol" && saysMore(one)
      ? { claim: one.claim, judged: { ...one.judged, verdict: "exists_only" } }
      : one,
  );

function saysMore({ claim, judged: { reason } }: JudgedClaim): boolean {
  const named = /`([^`]+)`/.exec(reason)?.[1];
  const evidence = claim.evidence.find(({ name }) => name !== "" && name === named);
  if (!evidence) return false;
  const own = sentenceAt(claim.block, claim.start - claim.block.start);
  const its = sentenceAt(claim.block, evidence.start);
  return own === its
    ? claim.range === null && denies.test(own)
    : denies.test(its) || counts.test(its);
}

const denies =
  /\b(?:no|not|never|none|nothing|nobody|neither|nor|nowhere|without|lacks?|unused|\w+n['’]t)\b/i;
const counts = /\b(?:only|sole|solely|lone|all|every|each|both|(?:two|three|four|five|\d+) of)\b/i;

/** What is written as code says nothing by its words. Of a longer text only what is near is read. */
function sentenceAt({ text }: MarkdownBlock, at: number): string {
  const first = Math.max(0, at - longestSentence);
  const before = text.slice(first, at);
  const behind = text.slice(at, at + longestSentence);
  const from = Math.max(...[...before.matchAll(end)].map(({ index }) => index + 1), 0);
  const to = behind.search(end);
  return (before.slice(from) + (to < 0 ? behind : behind.slice(0, to))).replace(/`[^`]*`/g, " ");
}

const longestSentence = 2_000;
const end = /[.!?;](?=\s)|\n/g;
