// Phrases as one writes them, compiled to one expression: `{name}` stands for a list of words, a space
// for any space, and a phrase begins and ends at a word's edge (an empty group there lifts that).

export type WordLists = Readonly<Record<string, readonly string[]>>;

/** Any of the phrases. A phrase that begins with `^` stands at the start, one that ends with `$` at the end. */
export function anyPhrase(phrases: readonly string[], lists: WordLists = {}): RegExp {
  return new RegExp(phrases.map((phrase) => source(phrase, lists)).join("|"), "giu");
}

function source(phrase: string, lists: WordLists): string {
  const body = expand(phrase, lists).replace(/ \?/g, "\\s*").replace(/ /g, "\\s+");
  const head = /^\^|^\(\?:\)/.test(body) ? "" : "(?<![\\p{L}\\d_])";
  const tail = /\$$|\(\?:\)$/.test(body) ? "" : "(?![\\p{L}\\d_])";
  return `${head}(?:${body})${tail}`;
}

/** A list may name other lists; one that names itself would be a mistake of this table. */
function expand(phrase: string, lists: WordLists): string {
  return phrase.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const words = lists[name];
    if (words === undefined) throw new Error(`no list of words is called ${name}`);
    return `(?:${words.map((word) => expand(word, lists)).join("|")})`;
  });
}
