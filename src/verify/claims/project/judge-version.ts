// Versions of packages that a statement tells, beside a name or in a table, against what manifests ask for and
// lock files have.
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { Statement } from "../words/statements.ts";
import { languageNames, plainName, type Dependency, type Manifests } from "./manifests.ts";

const version = /(?<![\w.])(?:[\^~]|>=|<=|==|=|v)?\s?\d+(?:\.\d+){1,3}(?:-[\w.]+)?(?![\w])/g;
const bare = (text: string): string => text.replace(/^[\^~<>=v\s]+/, "").trim();

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

const farthest = 40;
/** Between a name and its version: nothing that another thing could be called. */
const isBeside = new RegExp(
  "^[\\s(@:=,`'\"v]*(?:(?:is|at|in|to|on|version|pinned|locked|resolved|resolves|installed|currently|" +
    "range|still)\\b[\\s(@:=,`'\"v]*){0,4}$",
  "i",
);

/** Every version belongs to the package that stands last before it, or first behind it where none does. */
function toldVersions(text: string, { dependencies }: Manifests): ToldVersion[] {
  const names = [...text.matchAll(/@?[A-Za-z][\w./-]*[\w]/g)]
    .map(({ index, 0: word }) => ({ at: index, end: index + word.length, name: plainName(word) }))
    .filter(({ name }) => dependencies.has(name) && !languageNames.has(name));
  const short = shortNames(dependencies);
  const isLocked = lockWords.test(text) && !/\brequirements|ranges?\b/i.test(text);
  return [...text.matchAll(version)].flatMap(({ index, 0: told }) => {
    const alias = /([A-Za-z][\w-]+) (?:is )?(?:at|pinned (?:at|to)|locked (?:at|to)) $/.exec(
      text.slice(0, index),
    )?.[1];
    const own = alias === undefined ? undefined : short.get(alias.toLowerCase());
    if (own !== undefined) return [{ name: own, told: told.trim(), isLocked }];
    const before = names.findLast(({ end }) => end <= index && index - end < farthest);
    return before && isBeside.test(text.slice(before.end, index))
      ? [{ name: before.name, told: told.trim(), isLocked }]
      : [];
  });
}

/** "chi" is `github.com/go-chi/chi/v5`, where no other module ends so. */
function shortNames(dependencies: Manifests["dependencies"]): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const name of dependencies.keys()) {
    const last = name.split("/").findLast((part) => !/^v\d+$/.test(part));
    if (name.includes("/") && last !== undefined && !dependencies.has(last))
      found.set(last, [...(found.get(last) ?? []), name]);
  }
  return new Map(
    [...found].flatMap(([last, names]) => (names.length === 1 ? [[last, names[0]!]] : [])),
  );
}

/** What is installed, whatever was asked for. */
const lockWords = /\b(?:lock\w*|installed|resolve[sd]?(?: to)?|pinned|pins)\b/i;

export function judgeVersion(
  statement: Statement,
  text: string,
  manifests: Manifests,
): ClaimJudgement | undefined {
  if (/\bfrom\b.*\bto\b|→/i.test(text)) return undefined;
  const all = [
    ...toldVersions(text, manifests),
    ...loneVersion(text, manifests),
    ...rowVersions(statement, manifests),
  ];
  let right: ClaimJudgement | undefined;
  for (const { name, told, isLocked = false } of all) {
    const own = manifests.dependencies.get(name)!;
    if (own.ranges.size + own.versions.size === 0) continue;
    const shown = [...own.ranges, ...own.versions].slice(0, 3).join(", ");
    const isRight = fits(told, own, isLocked);
    if (!isRight && mayFit(told, own)) continue;
    if (!isRight)
      return counteredBy(`"${text.slice(0, 100)}", but ${own.place} has ${name} ${shown}`);
    right = held(`${own.place} has ${name} ${shown}`);
  }
  return right;
}

type ToldVersion = { name: string; told: string; isLocked?: boolean };

/** "We are on pydantic 2 — the lock pins 2.5.3": the one package that the sentence names. */
function loneVersion(text: string, { dependencies }: Manifests): ToldVersion[] {
  const told = new RegExp(
    "\\b(?:lock ?file|lock|installed version)\\b[^.;,\\d]{0,24}(?:pins|has|is|resolves to|" +
      "says)(?: it at| it to| at)? v?(\\d+(?:\\.\\d+){1,3})",
    "i",
  ).exec(text)?.[1];
  const names = new Set(
    (text.match(/@?[A-Za-z][\w./-]*[\w]/g) ?? [])
      .map(plainName)
      .filter((name) => dependencies.has(name) && !languageNames.has(name)),
  );
  return told !== undefined && names.size === 1
    ? [{ name: [...names][0]!, told, isLocked: true }]
    : [];
}

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
