// What a prompt names: symbols, files, quoted texts, and the words that are left when the small ones are gone.

import { stem } from "./stem.ts";

export type Question = { symbols: string[]; files: string[]; texts: string[]; phrases: Phrase[] };

/**
 * Words that stand side by side, in their order: "retry policy". `isAside`: a preposition leads it in
 * ("sent to customers"), so it is not what is asked for where something else is.
 */
export type Phrase = { words: string[]; isAside: boolean };

const wordsOf = (text: string): Set<string> => new Set(text.split(" "));

/** Say nothing about what is asked for. */
const small = wordsOf(
  "a about all also an and any are as at be been being but by can code could defined definition " +
    "describe did do does each every exactly explain file files find for from function functions get " +
    "gets give had has have how i if in into is it its just list locate look me method module my name " +
    "no not of on only or our out over please point project repository search should show so some " +
    "tell than that the their them then there these they this those to type types under use used " +
    "uses using was we were what when where whether which while who whose why will with within " +
    "without work works working would you your class classes variable declared implemented " +
    "implementation located",
);

/** Stand in any code: asked for only where a question has no other word. */
const general = wordsOf(
  "actually begin begins call called calls change changed changes check checked checks choose " +
    "chooses chosen come comes decide decided decides decision done end ends error errors fail failed " +
    "failing fails happen happens handle handled handles handling kind known logic made main make " +
    "makes making new number part pass passed passes place places put return returned returns run " +
    "running runs see send sends sent set sets start started starts stop stops thing things value way " +
    "whole write written",
);

const leadsAside = wordsOf("about at by for from in into of on over to under with within without");
/** Stand between a preposition and its noun, or between two nouns. */
const keepsAside = wordsOf(
  "a all an and any each every its my or our some the their these this those your",
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
  return {
    symbols: symbols.slice(0, maxEach),
    files: files.slice(0, maxEach),
    texts: texts.slice(0, maxEach),
    phrases: phrasesOf(bare),
  };
}

const maxWords = 8;

/** What is asked for; where that is nothing, what a preposition leads in; where that is nothing, any word. */
function phrasesOf(text: string): Phrase[] {
  const specific = readPhrases(text, (word) => general.has(word));
  return specific.length > 0 ? specific : readPhrases(text, () => false);
}

function readPhrases(text: string, isGeneral: (word: string) => boolean): Phrase[] {
  const phrases: Phrase[] = [];
  const seen = new Set<string>();
  let [isOpen, isAside] = [false, false];
  for (const [token] of text
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .matchAll(/\w+|[^\w\s]+/g)) {
    const isWord = /^[a-z]\w{2,}$/.test(token) && !small.has(token) && !isGeneral(token);
    if (!isWord) {
      isOpen = false;
      if (leadsAside.has(token)) isAside = true;
      else if (!keepsAside.has(token)) isAside = false;
      continue;
    }
    if (seen.has(stem(token)) || seen.size >= maxWords) continue;
    seen.add(stem(token));
    if (isOpen) phrases.at(-1)!.words.push(token);
    else phrases.push({ words: [token], isAside });
    isOpen = true;
  }
  return phrases;
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
