// Files in a list of files that are all here, in one folder, and this one is nowhere: the words of the list say of
// it what they say of the others.
import { posix } from "node:path";
import type { Repository } from "../../source/repository.ts";
import type { Mention } from "../reading/paths/find-mentions.ts";
import { plainClaim } from "../reading/claim.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isPlainlySaid, type MessageFrame } from "./fact-features.ts";

import { listsOf } from "./lists-of.ts";

type Setting = { units: readonly ReadingUnit[]; repo: Repository; frame: MessageFrame };

/** A file in a list; `span`: what the words around the list are around. */
type Listed = { unit: ReadingUnit; mention: Mention; span: { start: number; end: number } };

const leastSiblings = 2;

export function listedPaths({ units, repo, frame }: Setting): JudgedClaim[] {
  const items = listsOf(units).map((list) => list.flatMap(leadingPaths));
  return [...units.flatMap(rowsOfText), ...items].flatMap((list) => {
    const strange = list.filter(({ mention }) => mention.kind === "unknown");
    const here = list.filter(({ mention }) => mention.kind === "file");
    if (here.length < leastSiblings || strange.length === 0 || strange.length * 2 > here.length)
      return [];
    return strange.flatMap(({ unit, mention, span }) => {
      const path = pathBeside(mention, here, repo);
      if (path === undefined || !isPlainlySaid(unit, span, frame)) return [];
      return [missing({ unit, mention }, path)];
    });
  });
}

export function missing({ unit, mention }: Omit<Listed, "span">, path: string): JudgedClaim {
  const claim = plainClaim(unit.block, mention, unit.block.start + mention.start);
  claim.end = unit.block.start + mention.end;
  const reason = `there is no ${path}`;
  return { claim, judged: { verdict: "missing", kind: "path", reason } };
}

/** Where it would be, as its siblings are; undefined where they are not together, or it is here. */
function pathBeside(
  { path, ranges }: Mention,
  here: readonly Listed[],
  repo: Repository,
): string | undefined {
  const folders = new Set(here.map(({ mention }) => posix.dirname(mention.paths[0]!)));
  const ending = posix.extname(path);
  const isAlike = here.some(({ mention }) => posix.extname(mention.paths[0]!) === ending);
  if (!isAlike || ending === "" || ranges.length > 0) return undefined;
  const folder = posix.dirname(path);
  const own = [...folders].find((one) => one === folder || one.endsWith(`/${folder}`));
  if (folder !== ".") return own === undefined ? undefined : posix.join(own, posix.basename(path));
  const [only] = folders;
  if (folders.size > 1 || repo.hasName(path)) return undefined;
  return posix.join(only!, path);
}

const separator = /^[`*_]*\s?(?:,|;|&|\+|,?\s(?:and|und|et|y|e|as well as))\s(?:and\s)?[`*_]*$/;

/** Files that stand in one text with nothing but commas between them. */
function rowsOfText(unit: ReadingUnit): Listed[][] {
  const rows: Mention[][] = [];
  for (const mention of unit.block.kind === "row" ? [] : unit.mentions) {
    const last = rows.at(-1)?.at(-1);
    if (last && separator.test(unit.text.slice(last.end, mention.start)))
      rows.at(-1)!.push(mention);
    else rows.push([mention]);
  }
  return rows.map((row) => {
    const span = { start: row[0]!.start, end: row.at(-1)!.end };
    return row.map((mention) => ({ unit, mention, span }));
  });
}

/** The files that an item begins with. */
function leadingPaths(unit: ReadingUnit): Listed[] {
  const { text, mentions } = unit;
  const count = mentions.findIndex((mention, index) => {
    const before =
      index === 0
        ? text.slice(0, mention.start)
        : text.slice(mentions[index - 1]!.end, mention.start);
    return !(index === 0 ? /^[\s\d.)*_`|+-]*$/ : separator).test(before);
  });
  const leading = count < 0 ? mentions : mentions.slice(0, count);
  return leading.map((mention) => ({ unit, mention, span: mention }));
}
