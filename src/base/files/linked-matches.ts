// Finds the names that a wildcard path of the shell reaches through symbolic links, and whether one
// of its names begins with a dash or falls apart, so that a policy judges what the path really touches.
import { lstatSync, readdirSync, type Dirent } from "node:fs";

/** After this many names the search gives up. */
const maxNames = 10_000;

export type LinkedMatches = {
  /**
   * The absolute paths that the pattern matches through a link at or below its first wildcard.
   * Undefined: there are too many names to tell.
   */
  found: string[] | undefined;
  /** The first wildcard matches a name that begins with a dash. */
  dashed: boolean;
  /** A name that it matches holds blanks or wildcards, or there are too many names to tell. */
  splits: boolean;
};

/** What `pattern` (absolute, with `*`, `?` or `[…]` in any segment) matches. */
export function linkedMatches(pattern: string): LinkedMatches {
  const search: Search = { found: [], left: maxNames, dashed: false, splits: false, first: true };
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  const first = segments.findIndex(isWild);
  descend(search, {
    base: segments
      .slice(0, first)
      .map((segment) => `/${segment}`)
      .join(""),
    rest: segments.slice(first),
    linked: false,
  });
  const isWhole = search.left > 0;
  return {
    found: isWhole ? search.found : undefined,
    dashed: search.dashed,
    splits: search.splits || !isWhole,
  };
}

export const isWild = (segment: string): boolean => /[*?[]/.test(segment);

type Search = { found: string[]; left: number; dashed: boolean; splits: boolean; first: boolean };
type Place = { base: string; rest: string[]; linked: boolean };

function descend(search: Search, { base, rest, linked }: Place): void {
  if (search.left <= 0) return;
  const [segment, ...others] = rest;
  if (segment === undefined) {
    if (linked) search.found.push(base);
    return;
  }
  if (!isWild(segment)) {
    search.left -= 1;
    const isLink = linkAt(`${base}/${segment}`);
    return isLink === undefined
      ? undefined
      : descend(search, { base: `${base}/${segment}`, rest: others, linked: linked || isLink });
  }
  const entries = entriesOf(base || "/");
  noteNames(search, segment, entries);
  for (const entry of entries) {
    search.left -= 1;
    const isLink = entry.isSymbolicLink();
    // Most names end here: at the last segment only links count; before it only folders and links
    // lead further.
    const matters = others.length === 0 ? linked || isLink : isLink || entry.isDirectory();
    if (matters && matchesName(segment, entry.name))
      descend(search, { base: `${base}/${entry.name}`, rest: others, linked: linked || isLink });
  }
}

const splitsApart = /[\s*?[\]\\]/;

/** Dashes only at the first wildcard: what stands behind a slash is no option. */
function noteNames(search: Search, segment: string, entries: Dirent[]): void {
  search.splits ||= entries.some(
    ({ name }) => splitsApart.test(name) && matchesName(segment, name),
  );
  if (search.first)
    search.dashed = entries.some(({ name }) => name.startsWith("-") && matchesName(segment, name));
  search.first = false;
}

function linkAt(path: string): boolean | undefined {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Matches one name as Bash does: a hidden name needs a written dot. Remembers one star at a time,
 * so the time is never exponential.
 */
function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const tokens = pattern.match(/\[[!^]?\]?[^\]]*\]|[^]/g) ?? [];
  let [p, n, star, retry] = [0, 0, -1, 0];
  while (n < name.length) {
    const token = tokens[p];
    if (token === "*") [star, retry] = [p++, n];
    else if (token !== undefined && matchesOne(token, name[n]!)) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, n] = [star + 1, ++retry];
    else return false;
  }
  while (tokens[p] === "*") p++;
  return p === tokens.length;
}

/**
 * Takes brackets as "any character": ranges depend on the language, and too many matches do no
 * harm.
 */
const matchesOne = (token: string, character: string): boolean =>
  token === character || token === "?" || token.length > 1;
