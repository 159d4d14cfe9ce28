// Writes the result of a search in plain sentences: how many places match, and the line at each. It
// states no outcome, no confidence and no judgement.
import { limits } from "../base/limits.ts";
import { counted } from "../base/text/grouped.ts";
import type { RankedHit } from "./rank-hits.ts";

export type FoundPlaces = {
  about: string;
  hits: RankedHit[];
  /** Words of the question that no line has. */
  missing: string[];
};

export const whatItIs =
  "This is a search result of Retinue's offline model, which is no language model: it searched for " +
  "what the question names and quotes the lines that match. Reading and judging them is left to you.";

export function searchAnswer(found: readonly FoundPlaces[], searched: readonly string[]): string {
  const some = found.filter(({ hits }) => hits.length > 0);
  const none = found.filter(({ hits }) => hits.length === 0).map(({ about }) => about);
  if (some.length === 0) {
    const missing = found.flatMap((one) => one.missing);
    const alone = searched.filter((word) => missing.length > 0 && !missing.includes(word));
    return [
      `Nothing matches. Searched for: ${searched.join(", ") || "nothing that could be searched for"}.`,
      ...(alone.length > 0
        ? [
            `No line has ${missing.join(" or ")}; lines that only have ${alone.join(" or ")} are left out.`,
          ]
        : []),
      whatItIs,
    ].join("\n\n");
  }
  return [
    ...some.map(matches),
    ...(none.length === 0 ? [] : [`Nothing matches ${none.join(", ")}.`]),
    whatItIs,
  ].join("\n\n");
}

function matches({ about, hits, missing }: FoundPlaces): string {
  const verb = hits.length === 1 ? "matches" : "match";
  const without = missing.length > 0 ? ` (no line has ${missing.join(" or ")})` : "";
  const more =
    hits.length > limits.offline.places
      ? [`- and ${counted(hits.length - limits.offline.places, "more place", "more places")}`]
      : [];
  return [
    `${counted(hits.length, "place")} ${verb} ${about}${without}:`,
    "",
    ...hits.slice(0, limits.offline.places).map(row),
    ...more,
  ].join("\n");
}

const quotedCharacters = 160;

/**
 * A line is quoted as it stands or not at all: one that is too long, or that code marks would
 * break, is named by its place. A file that was asked for by its name has no line to quote.
 */
function row({ path, line, text, isDefinition }: RankedHit): string {
  const words = text.trim();
  if (words === "") return `- \`${path}\``;
  const place = `- \`${path}:${line}\`${isDefinition ? ", a definition" : ""}`;
  const fits = words.length <= quotedCharacters && !words.includes("`");
  return fits ? `${place}: \`${words}\`` : place;
}
