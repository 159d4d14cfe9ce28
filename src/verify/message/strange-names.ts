// Names that a message gives as parts of this code, and that stand nowhere in the tree.
import type { Repository } from "../../source/repository.ts";
import { isCodeShaped, lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { sectionModality } from "../reading/modality.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/flag-features.ts";
import { messageClaim } from "./message-claim.ts";
import { isFact, openingOf } from "./is-fact.ts";
import type { NamedFile } from "./named-files.ts";

type Setting = { units: readonly ReadingUnit[]; repo: Repository; files: readonly NamedFile[] };

const most = 200;

export function strangeNames({ units, repo, files }: Setting): JudgedClaim[] {
  if (!repo.complete) return [];
  const found: JudgedClaim[] = [];
  let asked = 0;
  for (const unit of units) {
    if (!mayTell(unit)) continue;
    for (const item of unit.evidence) {
      if (asked > most || !isSaidOfCode(unit, item)) continue;
      asked += 1;
      const name = strangePart(nameOf(item), repo, files);
      if (name === undefined) continue;
      const reason = `\`${name}\` is nowhere in the tree`;
      const claim = messageClaim(unit, item, files);
      found.push({ claim, judged: { verdict: "missing", kind: "symbol", reason } });
    }
  }
  return found;
}

/** A title tells no fact, and beside a path of elsewhere a name may be one of elsewhere. */
const mayTell = ({ block, mentions }: ReadingUnit): boolean =>
  (block.kind === "text" || block.kind === "item") &&
  mentions.every(({ kind }) => kind === "file" || kind === "folder") &&
  sectionModality(block) === "said";

/** Words by which code is said to do something with it, or by which it is one of the code's things. */
const ties =
  /(?:^|\s)(?:by|through|via|with|in|from|the|calls?|uses?|con|por|mit|durch|über|через|с|в|par|avec)\s[*_]*`?$/iu;
const belongs = /^`?[*_]*\s(?:in|of|from|aus|von|de|dans|en|в|из)\s[*_]*`/u;
const acts = /^`?[*_]*\s(?:is|are|\p{Ll}{2,}s)\s/u;

function isSaidOfCode(unit: ReadingUnit, item: Evidence): boolean {
  const { text } = unit;
  const { start, end, isPlain, range } = item;
  if (text[start] !== "`" || isPlain || range !== undefined) return false;
  if (nameOf(item).length < shortest) return false;
  const after = text.slice(end, end + 60);
  const isSubject = acts.test(after) && openingOf(unit, item).trim() === "";
  const isTied = isSubject || ties.test(text.slice(Math.max(0, start - 24), start));
  return (isTied || belongs.test(after)) && isFact(unit, item);
}

/** Of a quotation, what is set in it. */
const nameOf = ({ name, lines: [line] }: Evidence): string =>
  name !== "" || line === undefined ? name : (/^([A-Za-z_$][\w$]*) = /.exec(line)?.[1] ?? "");

const shortest = 8;

/** The part of a name that no file has; what a thing of elsewhere is called stays out of it. */
function strangePart(
  name: string,
  repo: Repository,
  files: readonly NamedFile[],
): string | undefined {
  const parts = name.split(/\.|::|->|#/);
  const isHere = (word: string): boolean =>
    repo.filesWith(word, 1).length > 0 || files.some(({ file }) => file.text.includes(word));
  const holder = parts.length > 1 ? parts.at(-2)! : undefined;
  if (holder !== undefined && isTelling(holder) && !isHere(holder)) return holder;
  const word = lastPart(name);
  if (!isTelling(word) || isHere(word)) return undefined;
  // A method of what is only used here is another's.
  if (holder !== undefined && repo.definedAt(holder).length === 0) return undefined;
  return word;
}

/** Two words in one, and no name that languages and systems give. */
const isTelling = (word: string): boolean =>
  word.length >= shortest &&
  isCodeShaped(word) &&
  !/(?:Error|Exception|Warning)$/.test(word) &&
  word !== word.toUpperCase();
