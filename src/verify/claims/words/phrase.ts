// Phrases as one writes them, compiled to one expression: `{name}` stands for a list of words, a space
// for any space, and a phrase begins and ends at a word's edge (an empty group there lifts that).

export type WordLists = Readonly<Record<string, readonly string[]>>;

/** Any of the phrases. A phrase that begins with `^` stands at the start, one that ends with `$` at the end. */
export function anyPhrase(phrases: readonly string[], lists: WordLists = {}): RegExp {
  const parts: Part[] = [];
  for (const part of phrases.map((phrase) => partOf(phrase, lists))) {
    const last = parts.at(-1);
    if (last?.head === part.head && last.tail === part.tail) last.body += `|${part.body}`;
    else parts.push(part);
  }
  const whole = parts.map(({ head, body, tail }) => `${head}(?:${body})${tail}`).join("|");
  return new RegExp(withLetterRanges(whole), "gi");
}

/**
 * Phrases in a row that begin and end alike share their edges: classes of letters are what a regular
 * expression takes longest to compile.
 */
type Part = { head: string; body: string; tail: string };

function partOf(phrase: string, lists: WordLists): Part {
  const body = expand(phrase, lists).replace(/ \?/g, "\\s*").replace(/ /g, "\\s+");
  return {
    head: /^\^|^\(\?:\)/.test(body) ? "" : "(?<![\\p{L}\\d_])",
    body,
    tail: /\$$|\(\?:\)$/.test(body) ? "" : "(?![\\p{L}\\d_])",
  };
}

/** A list may name other lists; one that names itself would be a mistake of this table. */
function expand(phrase: string, lists: WordLists): string {
  return phrase.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const words = lists[name];
    if (words === undefined) throw new Error(`no list of words is called ${name}`);
    return `(?:${words.map((word) => expand(word, lists)).join("|")})`;
  });
}

/**
 * Letters by ranges of the scripts: with `\\p{L}` and no regard to case an expression takes several
 * times as long to compile, and a short run would wait for it.
 */
const letters =
  "A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufdff" +
  "\\ufe70-\\ufefe\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc";

const withLetterRanges = (source: string): string =>
  source.replace(/\[(?:\\.|[^\]\\])*\]|\\p\{L\}/g, (piece) =>
    piece.startsWith("[") ? piece.replaceAll("\\p{L}", letters) : `[${letters}]`,
  );
