// Names in a list of names that one file defines, and this one is nowhere: the list says of it what it says of the
// others.
import { isComment } from "../../source/definitions.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isPlainlySaid, type MessageFrame } from "./fact-features.ts";
import { listsOf } from "./lists-of.ts";
import { messageClaim, type NamedFile } from "./named-files.ts";

type Setting = {
  units: readonly ReadingUnit[];
  repo: Repository;
  files: readonly NamedFile[];
  frame: MessageFrame;
};
type Named = { unit: ReadingUnit; item: Evidence; word: string };

const leastSiblings = 3;
const mostNames = 80;
/** Of a sibling, and of the name that is looked for: short words stand for many things. */
const [leastLetters, leastOwn] = [3, 5];

export function listedNames({ units, repo, files, frame }: Setting): JudgedClaim[] {
  return listsOf(units).flatMap((list) => {
    if (list.length <= leastSiblings || list.length > mostNames) return [];
    const named = list.flatMap(leadingName);
    const home = files.find(({ file }) => isHomeOf(named, file));
    if (!home || !repo.complete) return [];
    return named.flatMap(({ unit, item, word }) => {
      if (word.length < leastOwn || home.file.holds(word)) return [];
      if (!isNowhere(word, repo) || !isPlainlySaid(unit, item, frame)) return [];
      const reason = `nothing in the tree is called \`${item.name}\``;
      const claim = messageClaim(unit, item, files);
      return [{ claim, judged: { verdict: "missing" as const, kind: "symbol" as const, reason } }];
    });
  });
}

/** The name that an item begins with, or a row has in its first cell. */
function leadingName(unit: ReadingUnit): Named[] {
  const [item] = unit.evidence;
  if (!item || item.isPlain || item.name === "" || unit.text[item.start] !== "`") return [];
  const word = lastPart(item.name);
  const isFirst = /^[\s\d.)*_|+-]*$/.test(unit.text.slice(0, item.start));
  return isFirst && word.length >= leastLetters ? [{ unit, item, word }] : [];
}

/** It defines nearly all of them. */
function isHomeOf(named: readonly Named[], file: SourceFile): boolean {
  if (named.length <= leastSiblings) return false;
  const defined = named.filter(({ word }) => file.definitionsOf(word).length > 0).length;
  return defined >= leastSiblings && defined < named.length && defined * 4 >= named.length * 3;
}

/** Words of comments name nothing. */
const isNowhere = (word: string, repo: Repository): boolean =>
  repo
    .filesWith(word, 24)
    .every((file) => file.linesWith(word).every((line) => isComment(file.line(line))));
