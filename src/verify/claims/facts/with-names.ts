// Names that a sentence of absence means without code around them: packages, marks, "it", "neither".
import { manifestsOf } from "../project/manifests.ts";
import { ordinaryWords } from "../project/plain-name.ts";
import type { Repository } from "../../../source/repository.ts";
import { packageMeant, type SentenceReading } from "./referents.ts";

const pronouns = new RegExp(
  "(?<=\\b(?:calls?|imports?|uses?|requires?|references?|mentions?|touches|reads?|refers? to|needs?|invokes?|" +
    "loads?|depends? on|(?:calls?|uses?|usages?|import|mention|references?) (?:of|to)) )(?:it|them|" +
    "either(?: of them)?|that (?:path|one|function|file|package|variable|method|constant|key|option|setting|field)|" +
    "both)\\b",
);
const bareName = /(?<![\w§¶./@-])@?[A-Za-z][\w@/-]*[\w](?![\w./]*[\w(])/g;

/** Names of packages and marks stand without code too; "it" is what the sentence names first, "either" both. */
export function withNames(
  { words, referents }: SentenceReading,
  repo: Repository,
): SentenceReading {
  const all = [...referents];
  const count = (upTo: string): number => (upTo.match(/[§¶]/g) ?? []).length;
  let done = "";
  let rest = words;
  for (const match of words.matchAll(bareName)) {
    const word = match[0];
    const isMark = /^(?:TODO|FIXME|HACK|XXX)s?$/.test(word);
    const meant = isMark ? word : isLikeName(word, repo) ? packageMeant(word, repo) : undefined;
    if (meant === undefined) continue;
    done += `${words.slice(words.length - rest.length, match.index)}§`;
    rest = words.slice(match.index + word.length);
    all.splice(count(done) - 1, 0, { text: isMark ? word.replace(/s$/, "") : word, paths: null });
  }
  const named = { words: done + rest, referents: all };
  return withPronoun(withNeither(named));
}

/** A plain word is a package only by its whole name: "agent" is not `@scope/agent`. */
const isLikeName = (word: string, repo: Repository): boolean =>
  /^[A-Z]|[-/_\d]/.test(word) ||
  (!ordinaryWords.has(word) && manifestsOf(repo).dependencies.has(word));
function withPronoun({ words, referents }: SentenceReading): SentenceReading {
  const match = pronouns.exec(words);
  const before = match
    ? referents.slice(0, (words.slice(0, match.index).match(/[§¶]/g) ?? []).length)
    : [];
  const terms = before.filter(({ paths }) => paths === null);
  // "`a` never imports it" does not speak of `a` twice.
  const told = match ? /[§¶][^§¶]*[;:,—–][^§¶]*$/.test(words.slice(0, match.index)) : false;
  const isOfAll = /either|them|both/.test(match?.[0] ?? "");
  const meant = isOfAll
    ? terms
    : terms.length > 0
      ? terms.slice(0, 1)
      : before.slice(0, told ? 1 : 0);
  if (!match || meant.length === 0) return { words, referents };
  return {
    words:
      words.slice(0, match.index) +
      meant.map(({ paths }) => (paths ? "¶" : "§")).join(" and ") +
      words.slice(match.index + match[0].length),
    referents: [...before, ...meant, ...referents.slice(before.length)],
  };
}

/** "a and b; neither is imported": both are not. */
function withNeither({ words, referents }: SentenceReading): SentenceReading {
  const match = /[;,.—–-] ?(?:but |and |yet )?neither(?: of (?:them|the two))? (?=is |are )/.exec(
    words,
  );
  const before = match ? (words.slice(0, match.index).match(/[§¶]/g) ?? []).length : 0;
  const terms = referents
    .slice(0, before)
    .filter(({ paths }) => paths === null)
    .slice(-2);
  if (!match || terms.length < 2) return { words, referents };
  const rest = words.slice(match.index + match[0].length).replace(/^(?:is|are) /, "");
  return {
    words: `${words.slice(0, match.index)}; § and § are not ${rest}`,
    referents: [...referents.slice(0, before), ...terms, ...referents.slice(before)],
  };
}
