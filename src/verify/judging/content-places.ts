// Where else the content of a claim stands: exact matches only, files of a near name first.
import { findQuote, isSubstantial } from "../../source/find-quote.ts";
import { wordsOf } from "../../source/normalise.ts";
import type { Repository } from "../../source/repository.ts";
import type { Place } from "../verdict.ts";
import { lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";

const prose = /\.(?:md|mdx|markdown|txt|rst|adoc|log|orig)$/i;
const locked = /(?:^|[/.-])lock(?:\.\w+)?$|\.lock$|go\.sum$/i;

/** Texts, and lists of versions that a program wrote: they define nothing. */
export const definesNothing = (path: string): boolean => prose.test(path) || locked.test(path);

/** A claim about code is not proven by a text that repeats it. */
export const mayReplace = (path: string, claimed: string): boolean =>
  !definesNothing(path) || endingOf(path) === endingOf(claimed);

const endingOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

/** Endings of one language; any other ending is a language of its own. */
const families = [
  "js jsx mjs cjs ts tsx mts cts vue svelte astro",
  "c h cc cpp cxx hh hpp hxx m mm",
  "py pyi pyx",
  "kt kts java",
].map((list) => list.split(" "));

function languageOf(path: string): string {
  const ending = endingOf(path);
  return families.find((family) => family.includes(ending))?.[0] ?? ending;
}

/** `line` decides between equal places; `near`: files to look at first; `document`: the one that claims it. */
export type Claimed = {
  path: string;
  line: number;
  near: readonly string[];
  document: string | undefined;
};

export function contentPlaces(evidence: Evidence, claimed: Claimed, repo: Repository): Place[] {
  const places =
    evidence.name === ""
      ? quotePlaces(evidence.lines, claimed, repo)
      : namePlaces(evidence, claimed, repo);
  return places.filter(({ path }) => path !== claimed.document);
}

function namePlaces(
  { name, isPlain }: Evidence,
  { path, line, near }: Claimed,
  repo: Repository,
): Place[] {
  const word = lastPart(name);
  if (isPlain && word.length < 4) return [];
  const kind = languageOf(path);
  const defined = repo.definedAt(word).filter((place) => languageOf(place.path) === kind);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const score = (place: Place): number =>
    (near.includes(place.path) ? 4 : 0) +
    (place.line === line ? 2 : 0) +
    (place.path.startsWith(folder) ? 1 : 0);
  return defined.toSorted((a, b) => score(b) - score(a));
}

function quotePlaces(lines: string[], { path: claimed, near }: Claimed, repo: Repository): Place[] {
  if (!isSubstantial(lines)) return [];
  const places: Place[] = [];
  const look = (path: string): void => {
    const state = mayReplace(path, claimed) ? repo.open(path) : undefined;
    if (state?.ok)
      for (const { line } of findQuote(state.file, lines, { limit: 5 }))
        places.push({ path, line });
  };
  for (const path of near.slice(0, 20)) look(path);
  if (places.length > 0) return places;
  const words = wordsOf(lines.slice(0, 40).join(" ")).filter((word) =>
    /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]{2,}$/.test(word),
  );
  for (const path of repo.pathsWithAll(words)) if (places.length < 20) look(path);
  return places;
}
