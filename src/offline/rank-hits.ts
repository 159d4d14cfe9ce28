// Search hits in the order in which a reader wants them: where a thing is defined before where it
// is used, sources before tests and copies.

import type { Phrase } from "./read-question.ts";
import { hasStem, stem } from "./stem.ts";
import { escapeRegExp } from "../base/text/escape-reg-exp.ts";

export type Hit = { path: string; line: number; text: string };
export type RankedHit = Hit & { score: number; isDefinition: boolean };

/** `path:line:text` as Grep prints it; what does not have that form is left out. */
export function readHits(output: string): Hit[] {
  return output.split("\n").flatMap((row) => {
    const found = /^(.+?):(\d+):(.*)$/.exec(row);
    return found ? [{ path: found[1]!, line: Number(found[2]), text: found[3]! }] : [];
  });
}

export function rankBySymbol(hits: readonly Hit[], symbol: string): RankedHit[] {
  const shapes = definitionShapes(escapeRegExp(symbol));
  return sorted(
    hits.map((hit) => {
      const strength = shapes.find(([pattern]) => pattern.test(hit.text))?.[1] ?? 0;
      return {
        ...hit,
        isDefinition: strength > 0 && !isRemark(hit.text),
        score:
          (isRemark(hit.text) ? 0 : strength) + place(hit.path) - (isImport(hit.text) ? 30 : 0),
      };
    }),
  );
}

const definedName =
  /\b(?:function\*?|class|interface|type|struct|enum|trait|def|fn|func|const|let|var)\s+[*&$]?(\w+)/;

const textOfHit = ({ path, text }: Hit): string => `${path} ${text}`.toLowerCase();
const heldIn = (text: string, words: readonly string[]): number =>
  words.filter((word) => hasStem(text, stem(word))).length;

/**
 * A phrase is there where most of its words are, or the first one, which is the most specific:
 * "retry" of "retry policy".
 */
const hasPhrase = (text: string, { words }: Phrase): boolean =>
  2 * heldIn(text, words) > words.length || hasStem(text, stem(words[0]!));

export type PhraseHits = {
  hits: RankedHit[];
  /** Words of the question that stand on one of these lines, and words that stand nowhere. */
  found: string[];
  missing: string[];
};

/** Lines that have what is asked for. Lines that only have something aside of it are no answer. */
export function rankByPhrases(hits: readonly Hit[], phrases: readonly Phrase[]): PhraseHits {
  const asked = phrases.some(({ isAside }) => !isAside)
    ? phrases.filter(({ isAside }) => !isAside)
    : phrases;
  const words = phrases.flatMap((phrase) => phrase.words);
  const answering = hits.filter((hit) => asked.some((phrase) => hasPhrase(textOfHit(hit), phrase)));
  const isIn = (list: readonly Hit[], word: string): boolean =>
    list.some((hit) => hasStem(textOfHit(hit), stem(word)));
  const most = Math.max(0, ...answering.map((hit) => heldIn(textOfHit(hit), words)));
  return {
    hits: rankByWords(answering, words, Math.ceil((2 * most) / 3)),
    found: words.filter((word) => isIn(answering, word)),
    missing: words.filter((word) => !isIn(hits, word)),
  };
}

/** Lines that hold more of the words come first, lines that define something a little before others. */
export function rankByWords(
  hits: readonly Hit[],
  words: readonly string[],
  enough: number,
): RankedHit[] {
  return sorted(
    hits.flatMap((hit) => {
      const held = heldIn(textOfHit(hit), words);
      if (held < enough) return [];
      const name = definedName.exec(hit.text)?.[1] ?? "";
      // What defines something else and only mentions the words is a use of them.
      const isDefinition =
        name !== "" && heldIn(name.toLowerCase(), words) >= enough && !isRemark(hit.text);
      return {
        ...hit,
        isDefinition,
        score:
          held * 40 + (isDefinition ? 15 : 0) + place(hit.path) - (isImport(hit.text) ? 40 : 0),
      };
    }),
  );
}

function sorted(hits: RankedHit[]): RankedHit[] {
  return hits.sort(
    (a, b) =>
      b.score - a.score ||
      a.path.length - b.path.length ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

const definingWords =
  "function\\*?|class|interface|enum|struct|union|trait|namespace|module|def|fn|func|sub|proc|" +
  "macro_rules!|protocol|object|record|impl";
const beforeVariables =
  "(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:pub(?:\\([^)]*\\))?\\s+)?(?:static\\s+)?" +
  "(?:const|let|var|val|final|readonly|local|my|our)\\s+";
const methodWords =
  "public|private|protected|internal|static|async|override|final|abstract|virtual|inline|export|" +
  "get|set|unsafe|extern|constexpr|synchronized";
const besidesSource = new RegExp(
  "(?:^|/)(?:__)?(?:tests?|specs?|mocks?|fixtures?|examples?|bench(?:marks?)?|docs?)(?:__)?/|" +
    "[._-](?:test|spec|bench)\\.|_test\\.|(?:^|/)test_",
  "i",
);

type Shape = [pattern: RegExp, strength: number];

/**
 * From "this defines it and nothing else" to "this may be where it comes from". `n` is the name,
 * escaped.
 */
function definitionShapes(n: string): Shape[] {
  const end = "(?![\\w$])";
  return [
    [new RegExp(`\\b(?:${definingWords})\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?${n}${end}`), 120],
    [new RegExp(`#\\s*define\\s+${n}${end}`), 115],
    [new RegExp(`\\btype(?:def)?\\s+(?:.*\\s)?${n}\\s*(?:[=<{;]|struct|interface|func)`), 112],
    [
      new RegExp(
        `^\\s*${beforeVariables}(?:mut\\s+)?(?:[\\w<>\\[\\],.*&\\s]*\\s)?` +
          `[$*&]?${n}${end}\\s*(?:[:=;(]|$)`,
      ),
      110,
    ],
    [new RegExp(`^\\s*(?:module\\.)?exports(?:\\.|\\[['"])${n}(?:['"]\\])?\\s*=`), 95],
    [
      new RegExp(
        `(?:\\.prototype\\.|\\bthis\\.|^\\s*[\\w$.]+\\.)${n}\\s*=\\s*(?:async\\s+)?` +
          "(?:function|\\(|[\\w$]+\\s*=>|class)",
      ),
      90,
    ],
    [
      new RegExp(
        `^\\s*(?:(?:${methodWords})\\s+|\\*\\s*)*(?:[\\w<>\\[\\],.:*&]+\\s+[*&]*)?` +
          `#?${n}\\s*\\([^;]*$`,
      ),
      75,
    ],
    [
      new RegExp(
        `^\\s*['"]?${n}['"]?\\s*[:=]\\s*(?:async\\s+)?(?:function|\\(|[\\w$]+\\s*=>|class)`,
      ),
      70,
    ],
    [new RegExp(`^\\s*@?${n}\\s*(?::[^:=]+)?=(?!=)`), 65],
    [new RegExp(`^\\s*['"]?${n}['"]?\\??\\s*:`), 40],
  ];
}

const isImport = (text: string): boolean =>
  /^\s*(?:import\b|from\b|export\s*\{|export\s+\*|use\s|#include|.*\brequire\()/.test(text);
const isRemark = (text: string): boolean =>
  /^\s*(?:\/\/|\/?\*+\s|#(?!\s*define)|--\s|<!--|"""|;;)/.test(text);

/** Tests, copies, builds and declarations are read after the source itself. */
function place(path: string): number {
  let score = 0;
  if (besidesSource.test(path)) score -= 35;
  if (
    /(?:^|\/)(?:dist|build|out|vendor|third_party|node_modules|umd|cjs|min|bundles?)\/|\.min\.|\.bundle\./i.test(
      path,
    )
  )
    score -= 30;
  if (/\.d\.[cm]?ts$|\.map$|\.lock$|-lock\./.test(path)) score -= 25;
  if (/\.(?:md|txt|rst|json|ya?ml|html|css)$/i.test(path)) score -= 30;
  if (/^(?:src|lib|source|pkg|internal|app)\//.test(path)) score += 5;
  return score - Math.min(10, path.split("/").length);
}
