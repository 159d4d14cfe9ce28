// Names that a message gives as parts of this code, and that stand nowhere in the tree.
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { isCodeShaped, lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import type { MessageFrame } from "./fact-features.ts";
import { factScore, nameFeatures } from "./fact-score.ts";
import { messageClaim, type NamedFile } from "./named-files.ts";

type Setting = { units: readonly ReadingUnit[]; repo: Repository; files: readonly NamedFile[] };

const most = 200;

type Named = { unit: ReadingUnit; item: Evidence; name: string };

/** Names of elsewhere are told as facts, too: only what is said with some certainty is missed. */
const leastScore = 1.5;

export function strangeNames(setting: Setting & { frame: MessageFrame }): JudgedClaim[] {
  const isFact = ({ unit, item }: Named): boolean => {
    const features = nameFeatures(unit, item, setting.frame);
    return features !== undefined && factScore(features) >= leastScore;
  };
  return namesNowhere(setting, isFact).map(({ unit, item, strange }) => {
    const reason = `\`${strange}\` is nowhere in the tree`;
    const claim = messageClaim(unit, item, setting.files);
    return { claim, judged: { verdict: "missing" as const, kind: "symbol" as const, reason } };
  });
}

/** Those of the names that are asked about of which no file has a part. */
export function namesNowhere(
  { units, repo, files }: Setting,
  isAsked: (one: Named) => boolean,
): (Named & { strange: string })[] {
  const named = files.map(({ file }) => file);
  // Most names stand in a file beside which they are named: how those are meant is not asked.
  const open = units
    .filter(({ block }) => block.kind === "text" || block.kind === "item")
    .flatMap((unit) => unit.evidence.map((item) => ({ unit, item, name: nameOf(item) })))
    .filter(isName)
    .flatMap((one) => {
      const parts = partsAway(one, [...filesOf(one.unit, repo), ...named]);
      return parts.length > 0 && !isTakenAway(one) && isAsked(one) ? [{ ...one, parts }] : [];
    })
    .slice(0, most);
  if (open.length === 0 || !repo.complete) return [];
  repo.expect(open.flatMap(({ parts }) => parts));
  return open.flatMap(({ parts, ...one }) => {
    const strange = strangePart(one.name, parts, repo);
    return strange === undefined ? [] : [{ ...one, strange }];
  });
}

/** The parts of a name that none of these files has. */
const partsAway = ({ name }: Named, files: readonly SourceFile[]): string[] =>
  partsOf(name).filter((part) => !files.some((file) => file.holds(part)));

/** Written as code, and long enough to be no word of every language. */
const isName = ({ unit, item, name }: Named): boolean =>
  unit.text[item.start] === "`" &&
  !item.isPlain &&
  item.range === undefined &&
  name.length >= shortest;

/** "Removed the unused `x`": it stands nowhere by right. */
function isTakenAway({ unit: { text }, item: { start } }: Named): boolean {
  const before = text
    .slice(0, start)
    .split(/[.!?;]\s|\n\n/)
    .at(-1)!;
  const after = text.slice(start).split(/[.!?;](?:\s|$)|\n\n/)[0]!;
  return (
    /\b(?:remov|delet|dropp)(?:ed|es|ing)\b[^`]*$/i.test(before) ||
    /^`[^`]+` (?:is|was|are|were) (?:now )?(?:gone|removed|deleted|dropped)\b/.test(after)
  );
}

const filesOf = ({ mentions }: ReadingUnit, repo: Repository): SourceFile[] =>
  mentions.slice(0, mostBeside).flatMap(({ kind, paths: [path] }) => {
    const state = kind === "file" && path !== undefined ? repo.open(path) : undefined;
    return state?.ok ? [state.file] : [];
  });

const mostBeside = 8;

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
function strangePart(name: string, parts: readonly string[], repo: Repository): string | undefined {
  const holder = name.split(/\.|::|->|#/).at(-2);
  const strange = parts.find((part) => repo.filesWith(part, 1).length === 0);
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
