// Whether what a message gives with a line stands there in any file that it names.
import { findQuote } from "../../../source/find-quote.ts";
import type { Place, Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import type { Judgement } from "../../judgement.ts";
import { closest } from "../../judging/trial.ts";
import { isCodeShaped, lastPart } from "../../reading/code-names.ts";
import { sectionModality, sentenceModality } from "../../reading/modality.ts";
import type { ReadingUnit } from "../../reading/read-unit.ts";
import type { JudgedClaim } from "../../second-look/judged-document.ts";
import { lastNamed, type NamedFile } from "../named-files.ts";
import { looseLines } from "./loose-lines.ts";
import { tallyPlaced, type JudgedItem, type PlacedTally } from "./placed-tally.ts";
import type { PlacedItem } from "./placed-items.ts";

type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  files: readonly NamedFile[];
  placed: readonly PlacedItem[];
};

export function judgePlaced(judged: readonly JudgedClaim[], setting: Setting): JudgedClaim[] {
  const { placed, tally } = tallyPlaced(judged, setting);
  const found = placed.flatMap((one) => {
    if (one.holders.length > 0 || isWished(one)) return [];
    const told = judgeOne(one, { ...setting, tally });
    return told ? [told] : [];
  });
  const ranges = new Set(placed.map(({ range }) => range));
  return [...found, ...looseLines(judged, ranges, { ...setting, tally })];
}

/** The words before it wish for it, or its section plans what these lines shall become. */
function isWished({ unit, item, range }: JudgedItem): boolean {
  const before = unit.text.slice(Math.max(0, item.start - 120), item.start);
  const clause = before.split(/[.!?;|][)"'*_]*\s|\n| [—–-] /).at(-1)!;
  if (sentenceModality(clause.replace(/`[^`]*`/g, " ")) !== "said") return true;
  return range.first !== range.last && sectionModality(unit.block) !== "said";
}

type Judging = Setting & { tally: PlacedTally };

function judgeOne(one: JudgedItem, setting: Judging): JudgedClaim | undefined {
  const { item, claim, range, isBare } = one;
  const { repo, files, tally, units } = setting;
  const home = files.filter((file) => isHomeOf(one, file, setting));
  if (isBare && (home.length === 0 || mayBeValue(one, repo))) return undefined;
  const last = lastNamed(units, { unit: one.unit, start: item.start });
  const told = home.filter(({ file }) => file.path === last && tally.isOnly(last));
  const homes = { repo, files, home, told, isSure: !isBare || tally.isOftenRight };
  const judged = judgeName(one, homes) ?? judgeQuote(one, home) ?? judgeRange(one, home);
  if (!judged) return undefined;
  const kind = item.lines.length > 0 ? "quote" : "symbol";
  const place = `line ${range.first}`;
  return { claim, judged: { kind, ...judged, reason: `${place}: ${judged.reason}` } };
}

/** The file is what the message speaks of, or the only one that defines the name. */
function isHomeOf(
  { item, isBare, path }: JudgedItem,
  named: NamedFile,
  { repo, tally }: Judging,
): boolean {
  if (path !== undefined) return named.file.path === path;
  if (isBare ? tally.isList(named) : tally.isHome(named)) return true;
  if (!isCodeShaped(item.name) || (isBare && !tally.isShortList(named))) return false;
  const [only, ...others] = repo.definedAt(lastPart(item.name));
  return others.length === 0 && only?.path === named.file.path;
}

/** "`TIMEOUT` 30": a number that stands beside the name in the code. */
function mayBeValue({ item, range }: JudgedItem, repo: Repository): boolean {
  const word = lastPart(item.name);
  if (word === "") return false;
  const number = new RegExp(String.raw`(?<![\w.])${range.first}(?![\w.])`);
  return repo.filesWith(word, 24).some((file) =>
    file
      .linesWith(word)
      .slice(0, 200)
      .some((line) => number.test(file.line(line)) || number.test(file.line(line + 1))),
  );
}

type Found = Pick<Judgement, "verdict" | "reason" | "path" | "suggestion" | "unique">;
/** `told`: the file that is spoken of at this place, where nearly all that is said of its lines is right. */
type Homes = {
  repo: Repository;
  files: readonly NamedFile[];
  home: readonly NamedFile[];
  told: readonly NamedFile[];
  isSure: boolean;
};

function judgeName({ item, range }: JudgedItem, homes: Homes): Found | undefined {
  const { repo, files, home, told, isSure } = homes;
  const word = lastPart(item.name);
  if (word.length < 4 || !repo.complete) return undefined;
  const having = repo.filesWith(word, 24);
  if (having.length === 0) {
    const isPart = files.some(({ file }) => hasPart(file.text, word));
    const isName = isCodeShaped(item.name) || item.lines.length > 0 || home.length > 0;
    if (isPart || !isName || !isSure) return undefined;
    return { verdict: "missing", reason: `\`${item.name}\` is nowhere` };
  }
  if (having.some((file) => isAbout(file, word, range.first))) return undefined;
  const [place] = home.flatMap(({ file }) => {
    const used = isCodeShaped(item.name) ? file.linesWith(word) : [];
    const line =
      closest(file.definitionsOf(word), range.first) ??
      (used.length <= mostUsed ? closest(used, range.first) : undefined);
    return line === undefined ? [] : [{ path: file.path, line }];
  });
  const found = place ?? (isSure ? definedElsewhere(word, told, repo) : undefined);
  if (!found) return undefined;
  const reason = `\`${item.name}\` stands at ${found.path}:${found.line}`;
  const unique = place !== undefined || repo.definedAt(word).length === 1;
  return { verdict: "wrong_symbol", reason, path: found.path, suggestion: found, unique };
}

/** A name on so few lines of a file can be told to be on none of those that are given. */
const mostUsed = 4;

/** Letters of a longer word are no part of it: `pending` is none of "appending", and one of `isPending`. */
function hasPart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/^\p{Ll}\p{Ll}/u.test(text.slice(at - 1, at + 1))) return true;
  return text.includes(word[0]!.toUpperCase() + word.slice(1));
}

/** Where the name is defined, if the file that is spoken of here has it nowhere. */
function definedElsewhere(
  word: string,
  told: readonly NamedFile[],
  repo: Repository,
): Place | undefined {
  if (told.length === 0 || told.some(({ file }) => file.holds(word))) return undefined;
  return repo.definedAt(word)[0];
}

/** The quotation stands at other lines of what the message speaks of. */
function judgeQuote({ item, range }: JudgedItem, home: readonly NamedFile[]): Found | undefined {
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

/** No file that the message speaks of has so many lines; a number that is called no line needs the name there. */
function judgeRange(
  { item, range, isBare }: JudgedItem,
  home: readonly NamedFile[],
): Found | undefined {
  if (home.length === 0 || home.some(({ file }) => range.last <= file.lineCount + 1))
    return undefined;
  const { file } = home[0]!;
  const word = lastPart(item.name);
  if (isBare && !home.some((one) => word !== "" && one.file.linesWith(word).length > 0))
    return undefined;
  const reason = `${file.path} has ${file.lineCount} lines`;
  return { verdict: "out_of_range", reason, path: file.path };
}
