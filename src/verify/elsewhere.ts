// Where else the content of a claim stands: exact matches only, files of a near name first.
import { speaksOfPlace, lastName } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { findQuote, isSubstantial } from "./match-quote.ts";
import { isWordCode, wordsOf } from "./normalise.ts";
import { mayStandIn } from "./prose.ts";
import type { Repository } from "./repository.ts";
import type { Place } from "./verdict.ts";

/** Places of the claim's content in other files, files of a near name first. */
export function contentPlaces(claim: Claim, near: string[], repo: Repository): Place[] {
  const quote = claim.quotes.find((item) => speaksOfPlace(item) && isSubstantial(item.lines));
  if (quote) return quotePlaces(quote, { near, claimed: claim.path }, repo);
  const symbol = claim.symbols.find(
    (item) => item.accuses === "always" || item.accuses === "outside",
  );
  if (!symbol) return [];
  const word = lastName(symbol.name);
  const defined = repo.definedAt(word).filter(({ path }) => mayStandIn(path, claim.path));
  const at = claim.range?.[0] ?? 0;
  const folder = claim.path.slice(0, claim.path.lastIndexOf("/") + 1);
  const beside =
    folder === ""
      ? []
      : defined.filter(
          (place) =>
            place.path.startsWith(folder) && !place.path.slice(folder.length).includes("/"),
        );
  const ranked = [
    ...defined.filter((place) => near.includes(place.path) && place.line === at),
    ...defined.filter((place) => near.includes(place.path)),
    ...defined.filter((place) => place.line === at),
    ...beside,
    ...defined,
  ];
  return symbol.plain && ranked.length === 0
    ? []
    : [...new Map(ranked.map((place) => [`${place.path}:${place.line}`, place])).values()];
}

/** Where a quotation stands exactly: in the files of a near name first, then in those that share its rarest word. */
export function quotePlaces(
  quote: QuoteEvidence,
  { near = [], claimed }: { near?: string[]; claimed: string },
  repo: Repository,
): Place[] {
  const places: Place[] = [];
  const look = (path: string) => {
    const state = mayStandIn(path, claimed) ? repo.open(path) : undefined;
    if (state?.ok)
      places.push(
        ...findQuote(state.file, quote.lines, { limit: 5 }).map((found) => ({
          path,
          line: found.line,
        })),
      );
  };
  for (const path of near.slice(0, 20)) look(path);
  if (places.length > 0) return places;
  const rarest = rarestWord(quote.lines, repo);
  if (rarest !== undefined)
    for (const file of repo.filesWith(rarest, 64)) if (places.length < 20) look(file.path);
  return places;
}

function rarestWord(lines: string[], repo: Repository): string | undefined {
  let rarest: string | undefined;
  let least = Infinity;
  for (const word of wordsOf(lines.join(" "))) {
    if (word.length < 2 || isDigit(word.charCodeAt(0)) || !isWordCode(word.charCodeAt(0))) continue;
    const spread = repo.spread(word);
    if (spread > 0 && spread < least) [rarest, least] = [word, spread];
  }
  return rarest;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
