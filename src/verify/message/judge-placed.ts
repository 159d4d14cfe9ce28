// Whether what a message gives with a line stands there in any file that it names.
import { findQuote } from "../../source/find-quote.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Judgement } from "../judgement.ts";
import { closest } from "../judging/trial.ts";
import { tryEvidence } from "../judging/try-evidence.ts";
import type { Claim } from "../reading/claim.ts";
import { isCodeShaped, lastPart } from "../reading/code-names.ts";
import { sectionModality, sentenceModality } from "../reading/modality.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { messageClaim, type NamedFile } from "./named-files.ts";
import type { PlacedItem } from "./placed-items.ts";

type Setting = {
  repo: Repository;
  files: readonly NamedFile[];
  placed: readonly PlacedItem[];
};

export function judgePlaced(
  judged: readonly JudgedClaim[],
  { repo, files, placed: items }: Setting,
): JudgedClaim[] {
  if (items.length === 0) return [];
  const placed = items.map((one) => ({ ...one, claim: placedClaim(one, files) }));
  const holders = placed.map(({ claim }) => files.filter(({ file }) => holdsIn(claim, file)));
  const homes = countHomes(judged, placed, holders);
  const isHabit = placed.filter(({ isBare }, index) => isBare && holders[index]!.length > 0).length;
  return placed.flatMap((one, index) => {
    if (holders[index]!.length > 0 || (one.isBare && isHabit < habit) || isWished(one)) return [];
    const found = judgeOne(one, { repo, files, homes });
    return found ? [found] : [];
  });
}

/** So many numbers in brackets behind names are lines: then the next one is, too. */
const habit = 3;

type Placed = PlacedItem & { claim: Claim };

function placedClaim({ unit, item, range }: PlacedItem, files: readonly NamedFile[]): Claim {
  const claim = messageClaim(unit, item, files);
  claim.end = Math.max(claim.end, unit.block.start + range.end);
  claim.range = range;
  return claim;
}

function holdsIn(claim: Claim, file: SourceFile): boolean {
  if (claim.range!.last > file.lineCount + 1) return false;
  const { holds, half } = tryEvidence(claim.evidence[0]!, claim, file);
  return holds || half;
}

/** How many lines that the message gives are right in each file. */
function countHomes(
  judged: readonly JudgedClaim[],
  placed: readonly Placed[],
  holders: readonly (readonly NamedFile[])[],
): Map<string, number> {
  const lines = new Map<string, Set<number>>();
  const put = (path: string, line: number): void => {
    lines.set(path, (lines.get(path) ?? new Set()).add(line));
  };
  for (const { claim, judged: one } of judged)
    if (one.verdict === "verified" && claim.range && one.path !== undefined)
      put(one.path, claim.range.first);
  for (const [index, { range }] of placed.entries())
    for (const { file } of holders[index]!) put(file.path, range.first);
  return new Map([...lines].map(([path, found]) => [path, found.size]));
}

/** The words before it wish for it, or its section plans what these lines shall become. */
function isWished({ unit, item, range }: Placed): boolean {
  const before = unit.text.slice(Math.max(0, item.start - 120), item.start);
  const clause = before.split(/[.!?;|][)"'*_]*\s|\n| [—–-] /).at(-1)!;
  if (sentenceModality(clause.replace(/`[^`]*`/g, " ")) !== "said") return true;
  return range.first !== range.last && sectionModality(unit.block) !== "said";
}

type Judging = { repo: Repository; files: readonly NamedFile[]; homes: Map<string, number> };

function judgeOne(one: Placed, setting: Judging): JudgedClaim | undefined {
  const { item, claim, range } = one;
  const { repo, files, homes } = setting;
  const isHome = ({ file }: NamedFile): boolean =>
    files.length === 1 || (homes.get(file.path) ?? 0) >= leastRight;
  const home = files.filter(isHome);
  const judged =
    judgeName(one, { repo, files, home }) ?? judgeQuote(one, home) ?? judgeRange(claim, home);
  if (!judged) return undefined;
  const kind = item.lines.length > 0 ? "quote" : "symbol";
  const place = `line ${range.first}`;
  return { claim, judged: { kind, ...judged, reason: `${place}: ${judged.reason}` } };
}

/** A file of which the message gives so many lines rightly is what it speaks of. */
const leastRight = 2;

type Found = Pick<Judgement, "verdict" | "reason" | "path" | "suggestion" | "unique">;
type Homes = { repo: Repository; files: readonly NamedFile[]; home: readonly NamedFile[] };

function judgeName({ item, range }: Placed, { repo, files, home }: Homes): Found | undefined {
  const word = lastPart(item.name);
  if (word.length < 4 || !repo.complete) return undefined;
  const having = repo.filesWith(word, 24);
  if (having.length === 0) {
    const isPart = files.some(({ file }) => file.text.includes(word));
    const isName = isCodeShaped(item.name) || item.lines.length > 0 || home.length > 0;
    if (isPart || !isName) return undefined;
    return { verdict: "missing", reason: `\`${item.name}\` is nowhere` };
  }
  if (having.some((file) => isAbout(file, word, range.first))) return undefined;
  const [place] = home.flatMap(({ file }) => {
    const line = closest(file.definitionsOf(word), range.first);
    return line === undefined ? [] : [{ path: file.path, line }];
  });
  if (!place) return undefined;
  const reason = `\`${item.name}\` is defined at ${place.path}:${place.line}`;
  return { verdict: "wrong_symbol", reason, path: place.path, suggestion: place, unique: true };
}

/** The quotation stands at other lines of what the message speaks of. */
function judgeQuote({ item, range }: Placed, home: readonly NamedFile[]): Found | undefined {
  // A call may be named by where its function is defined.
  if (item.lines.length === 0 || item.name !== "") return undefined;
  const places = home.flatMap(({ file }) =>
    findQuote(file, item.lines, { limit: 5 }).map(({ line }) => ({ path: file.path, line })),
  );
  const [place] = places;
  const isNear = places.some(({ line }) => Math.abs(line - range.first) <= 3);
  if (!place || places.length > 3 || isNear) return undefined;
  const reason = `it stands at ${place.path}:${place.line}`;
  const unique = places.length === 1;
  return { verdict: "relocated", reason, path: place.path, suggestion: place, unique };
}

/** A line or two beside it is the same statement. */
const isAbout = (file: SourceFile, word: string, line: number): boolean =>
  file.linesWith(word).some((other) => Math.abs(other - line) <= 3);

/** No file that the message speaks of has so many lines. */
function judgeRange({ range }: Claim, home: readonly NamedFile[]): Found | undefined {
  if (home.length === 0 || home.some(({ file }) => range!.last <= file.lineCount + 1))
    return undefined;
  const { file } = home[0]!;
  const reason = `${file.path} has ${file.lineCount} lines`;
  return { verdict: "out_of_range", reason, path: file.path };
}
