// Versions of packages that a statement tells, beside a name or in a table, against what manifests ask for and
// lock files have.
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { Statement } from "../words/statements.ts";
import type { Dependency, Manifests } from "./manifests.ts";
import { languageNames, ordinaryWords, plainName } from "./plain-name.ts";

const version =
  /(?<![\w.])(?:~>|[\^~]|>=|<=|==|=|v)?\s?\d+(?:\.\d+){1,3}(?:-[\w.]+)?(?![\w]|\s?%)/g;
const bare = (text: string): string => text.replace(/^[\^~<>=v\s]+/, "").trim();
const asRange =
  /\b(?:declared|required|requested|listed|asked for|range|requirement|constraint)(?: (?:as|with|is|of|at))? ['"`]?$/i;

/** The told version is the asked one, the locked one, or the beginning of either. */
function fits(told: string, { ranges, versions }: Dependency, isLocked: boolean): boolean {
  const plain = bare(told);
  const isRange = /^[\^~<>=]/.test(told.trim()) && !told.trim().startsWith("==");
  const exact = isLocked && versions.size > 0 ? [...versions] : [...ranges, ...versions];
  const all = isRange ? [...ranges] : exact;
  return all.some((one) => {
    if (isRange) return one.replace(/\s/g, "").includes(told.replace(/\s/g, ""));
    const own = bare(one);
    return own === plain || own.startsWith(`${plain}.`) || one.includes(plain);
  });
}

/** Without a lock file nobody knows which version of a range is meant. */
function mayFit(told: string, { ranges, versions }: Dependency): boolean {
  const version = bare(told).split(".").map(Number);
  if (versions.size > 0 || /^[\^~<>=]/.test(told)) return false;
  return [...ranges].some((range) => {
    const base = bare(range).split(/[,\s]/)[0]!.split(".").map(Number);
    const isOpen = /^\s*>/.test(range);
    if (!/^\s*[\^~>]/.test(range) || base.some(Number.isNaN)) return false;
    const at = base.findIndex((part, index) => (version[index] ?? 0) !== part);
    const isAbove = at < 0 || (version[at] ?? 0) > base[at]!;
    return isAbove && (isOpen || version[0] === base[0]);
  });
}

const farthest = 60;
/** Between a name and its version: nothing that another thing could be called. */
const isBeside = new RegExp(
  "^[\\s(@:=,`'\"v]*(?:(?:is|at|in|to|on|version|pinned|locked|resolved|resolves|installed|currently|" +
    "range|still|already|required|listed|comes|along|along at)\\b[\\s(@:=,`'\"v]*){0,5}$",
  "i",
);
/** Words that lead from a package to its version, whatever else stands between. */
const leads =
  /\b(?:lock\w*|pin\w*|requir\w*|resolv\w*|install\w*|declar\w*|listed|range|manifest|version)\b/i;
const another =
  /\b(?:your|other|newer|latest|than|needs?|supports?|since|until|before|after|CVE\S*)\b|[.;!?] /i;

const locks = new RegExp(
  "\\b(?:lock ?file|lock|installed version)\\b[^.;,\\d]{0,24}(?:pins|has|is|resolves|says)(?: it)?(?: at| to)? v?$",
  "i",
);

type NamedAt = { at: number; end: number; name: string };

/** Every version belongs to the package that stands last before it, if no other version does already. */
function toldVersions(text: string, { dependencies }: Manifests): ToldVersion[] {
  const names = [...text.matchAll(/@?[A-Za-z][\w./-]*[\w]/g)].flatMap(
    ({ index, 0: word }): NamedAt[] => {
      const name = meantBy(word, dependencies);
      return name === undefined ? [] : [{ at: index, end: index + word.length, name }];
    },
  );
  const isLocked = lockWords.test(text) && !/\brequirements|ranges?\b/i.test(text);
  const taken = new Set<NamedAt>();
  return [...text.matchAll(version)].flatMap(({ index, 0: told }): ToldVersion[] => {
    const before = names.findLast(({ end }) => end <= index);
    if (!before) return [];
    // "… is `^8.1.0` and the lockfile has 8.2.0": two versions of one package.
    if (locks.test(text.slice(0, index)) && new Set(names.map(({ name }) => name)).size === 1)
      return [{ name: before.name, told: told.trim(), isLocked: true }];
    // "1.4.1, declared as ~> 1.4": what is asked for, behind what is locked.
    if (/^[\^~<>=]/.test(told) && asRange.test(text.slice(before.end, index)))
      return [{ name: before.name, told: told.trim() }];
    if (taken.has(before) || index - before.end > farthest) return [];
    taken.add(before);
    const between = text.slice(before.end, index);
    const isTight = isBeside.test(between);
    if (!isTight && (another.test(between) || !leads.test(between))) return [];
    return [{ name: before.name, told: told.trim(), isLocked, isTight }];
  });
}

/** By its name, or by the part of a name that no other package has: "chi" is `github.com/go-chi/chi/v5`. */
function meantBy(word: string, dependencies: Manifests["dependencies"]): string | undefined {
  const plain = plainName(word);
  if (languageNames.has(plain)) return undefined;
  if (dependencies.has(plain)) return plain;
  if (plain.length < 3 || ordinaryWords.has(plain)) return undefined;
  const isNamed = /^[A-Z]/.test(word);
  const near = [...dependencies].filter(([name, { kinds, ranges, place }]) => {
    // What only a lock file has nobody calls by half a name.
    if (kinds.size + ranges.size === 0 && /lock|\.sum$/i.test(place)) return false;
    const last = name.split("/").findLast((part) => !/^v\d+$/.test(part));
    return name.includes("/") ? last === plain : isNamed && name.startsWith(`${plain}-`);
  });
  return near.length === 1 ? near[0]![0] : undefined;
}

/** What is installed, whatever was asked for. */
const lockWords = /\b(?:lock\w*|installed|resolve[sd]?(?: to)?|pinned|pins)\b/i;

export function judgeVersion(
  statement: Statement,
  text: string,
  manifests: Manifests,
): ClaimJudgement | undefined {
  if (/\bfrom `?[\^~v]?\d[^,;]*\bto\b|→/i.test(text)) return undefined;
  const all = [...toldVersions(text, manifests), ...rowVersions(statement, manifests)];
  let right: ClaimJudgement | undefined;
  for (const { name, told, isLocked = false, isTight = true } of all) {
    const own = manifests.dependencies.get(name)!;
    if (own.ranges.size + own.versions.size === 0) continue;
    const shown = [...own.ranges, ...own.versions].slice(0, 3).join(", ");
    const isRight = fits(told, own, isLocked);
    if (!isRight && (mayFit(told, own) || (!isTight && isKnown(told, manifests)))) continue;
    if (!isRight)
      return counteredBy(`"${text.slice(0, 100)}", but ${own.place} has ${name} ${shown}`);
    right = held(`${own.place} has ${name} ${shown}`);
  }
  return right;
}

/** Some package has it. */
const isKnown = (told: string, { dependencies }: Manifests): boolean =>
  [...dependencies.values()].some((own) => fits(told, own, false));

/** `isTight`: right beside the name. */
type ToldVersion = { name: string; told: string; isLocked?: boolean; isTight?: boolean };

/** Rows of a table of packages: the column says whether what is asked for is meant or what is installed. */
function rowVersions({ kind, parts, head }: Statement, { dependencies }: Manifests): ToldVersion[] {
  const name = plainName(
    (parts[0] ?? "")
      .replace(/[`*]/g, "")
      .replace(/\s*\(.*$/, "")
      .trim(),
  );
  if (
    kind !== "row" ||
    !dependencies.has(name) ||
    !/^(?:package|dependency|name|library|gem|crate|module)s?$/i.test(head[0] ?? "")
  )
    return [];
  return parts.slice(1).flatMap((cell, at) => {
    const told = /^`?\s*((?:[\^~]|>=|==)?\s?v?\d+(?:\.\d+){1,3}(?:-[\w.]+)?)\s*`?$/.exec(cell)?.[1];
    const column = head[at + 1] ?? "";
    if (/\b(?:latest|available|new\w*|target|wanted|upgrade|proposed|after|to)\b/i.test(column))
      return [];
    return told === undefined ? [] : [{ name, told, isLocked: lockWords.test(column) }];
  });
}
