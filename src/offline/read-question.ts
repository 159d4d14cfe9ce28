// What a prompt names: symbols, files, quoted texts, and the words that are left when the small ones are gone.

export type Question = { symbols: string[]; files: string[]; texts: string[]; words: string[] };

const small = new Set(
  (
    "a about all an and any are as at be by can code could defined definition describe " +
    "do does every explain file files find for from function functions get give has have " +
    "how i if in into is it its list locate look me method module name of on or our out " +
    "please point project repository search show tell than that the their them there " +
    "these this to type types use used uses using was we what when where which who why " +
    "will with work works would you your class classes variable declared implemented " +
    "implementation located"
  ).split(" "),
);

const maxEach = 4;

export function readQuestion(prompt: string): Question {
  // The frame of a handoff names its id and its form, which nobody wants searched.
  const text = prompt
    .slice(0, 8_000)
    .replace(/^Task [\w-]+, phase .*\n/, "")
    .replace(/^Expected: \w+[^\n]*$/m, "");
  const quoted = [...text.matchAll(/`([^`\n]{2,120})`|"([^"\n]{2,120})"|'([^'\n]{3,120})'/g)].map(
    (match) => (match[1] ?? match[2] ?? match[3])!.trim(),
  );
  const bare = text.replace(/`[^`\n]*`/g, " ");
  const files = unique(
    [...quoted, ...(bare.match(/[\w@./-]*\w\.[a-z][a-z0-9]{0,5}\b/g) ?? [])].filter(isFile),
  );
  const named = [
    ...quoted.filter((item) => isIdentifier(item) && !isFile(item)),
    ...(bare.match(/[A-Za-z_$][\w$]*(?:\(\))?/g) ?? [])
      .map((word) => word.replace(/\(\)$/, ""))
      .filter(isCodeWord),
  ];
  const symbols = unique(named.map(lastPart)).filter(
    (word) => !files.some((file) => file.includes(word)),
  );
  const texts = unique(quoted.filter((item) => !isIdentifier(item) && !isFile(item)));
  const words = unique(
    (bare.toLowerCase().match(/[a-z][a-z0-9_]{2,}/g) ?? []).filter((word) => !small.has(word)),
  );
  return {
    symbols: symbols.slice(0, maxEach),
    files: files.slice(0, maxEach),
    texts: texts.slice(0, maxEach),
    words: words.slice(0, 8),
  };
}

const unique = (items: readonly string[]): string[] => [...new Set(items)];
const isFile = (item: string): boolean =>
  /^[\w@./-]+\.[A-Za-z][A-Za-z0-9]{0,5}$/.test(item) &&
  /\.(?:[cm]?[jt]sx?|json|py|go|rs|c|h|cc|cpp|hpp|java|rb|php|sh|md|ya?ml|toml|css|html|sql|kt|swift|pl|pm|lua)$/i.test(
    item,
  );
const isIdentifier = (item: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(item);
const lastPart = (item: string): string =>
  item
    .replace(/\(\)$/, "")
    .split(/\.|::|#/)
    .at(-1)!;

/**
 * A word that people would not write in prose: camelCase, PascalCase with two humps, snake_case,
 * CONSTANT_CASE, or with digits inside.
 */
const isCodeWord = (word: string): boolean =>
  /[a-z][A-Z]|_|\$|[A-Z]{2,}[a-z]|[A-Za-z]\d+[A-Za-z]/.test(word) && word.length > 2;
