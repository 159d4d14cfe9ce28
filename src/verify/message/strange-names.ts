// Names that a message gives as parts of this code, and that stand nowhere in the tree.
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
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

type Named = { unit: ReadingUnit; item: Evidence; name: string };

export function strangeNames({ units, repo, files }: Setting): JudgedClaim[] {
  const named = units
    .filter(mayTell)
    .flatMap((unit) => unit.evidence.map((item) => ({ unit, item, name: nameOf(item) })))
    .filter(({ unit, item }) => isSaidOfCode(unit, item))
    .slice(0, most);
  // Most names stand in a file beside which they are named: that one is open already.
  const isBeside = ({ unit }: Named, word: string): boolean =>
    [...filesOf(unit, repo), ...files.map(({ file }) => file)].some(({ text }) =>
      text.includes(word),
    );
  const open = named.filter((one) => partsOf(one.name).some((part) => !isBeside(one, part)));
  if (open.length === 0 || !repo.complete) return [];
  repo.expect(open.flatMap(({ name }) => partsOf(name)));
  return open.flatMap((one) => {
    const isHere = (word: string): boolean =>
      isBeside(one, word) || repo.filesWith(word, 1).length > 0;
    const name = strangePart(one.name, repo, isHere);
    if (name === undefined) return [];
    const reason = `\`${name}\` is nowhere in the tree`;
    const claim = messageClaim(one.unit, one.item, files);
    return [{ claim, judged: { verdict: "missing" as const, kind: "symbol" as const, reason } }];
  });
}

const filesOf = ({ mentions }: ReadingUnit, repo: Repository): SourceFile[] =>
  mentions.slice(0, mostBeside).flatMap(({ kind, paths: [path] }) => {
    const state = kind === "file" && path !== undefined ? repo.open(path) : undefined;
    return state?.ok ? [state.file] : [];
  });

const mostBeside = 8;

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

/** What of a name may stand for itself: the thing, and what it is a part of. */
const partsOf = (name: string): string[] =>
  [...new Set([name.split(/\.|::|->|#/).at(-2), lastPart(name)])].filter(
    (part): part is string => part !== undefined && isTelling(part),
  );

/** The part of a name that no file has; what a thing of elsewhere is called stays out of it. */
function strangePart(
  name: string,
  repo: Repository,
  isHere: (word: string) => boolean,
): string | undefined {
  const holder = name.split(/\.|::|->|#/).at(-2);
  const strange = partsOf(name).find((part) => !isHere(part));
  // A method of what is only used here is another's.
  const isAnothers =
    strange !== holder && holder !== undefined && repo.definedAt(holder).length === 0;
  return strange === undefined || isAnothers ? undefined : strange;
}

/** Two words in one, and no name that languages and systems give. */
const isTelling = (word: string): boolean =>
  word.length >= shortest &&
  isCodeShaped(word) &&
  !/(?:Error|Exception|Warning)$/.test(word) &&
  word !== word.toUpperCase();
