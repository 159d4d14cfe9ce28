// Words beside a subject that say how it came out, and of how much of it they speak.
import { anyPhrase } from "./phrase.ts";
import { wordLists as lists } from "./word-lists.ts";

/** "The test passes `null` to it" speaks of a call: only these words may follow. */
const mayFollow = [
  "now|again|successfully|cleanly|on|in(?! an?\\b)|after|with(?! an?\\b)|too|as well|and|locally|without|consistently",
  "before|across|under|for|including|both|here|there|already|reliably|green|fine|unchanged|when|since|either|once",
  "all|every|lint\\w*|type\\w*|tests?|eslint|tsc|mypy|clippy|ruff|CI|checks|the (?:full|whole|entire|existing|test)",
  "\\d+ ?(?:%|/|of)(?:)",
].join("|");

/** Says of a noun beside it that it came out well. */
export const goodWords: RegExp = anyPhrase(
  [
    `pass(?:es|ed|ing)?(?=$|[.,;:!)(|/*"'✅✓✔–—-]| (?:[✅✓✔|(–—-]|(?:${mayFollow})(?![\\p{L}])))(?:)`,
    "green",
    "succeed(?:s|ed)?",
    "bestanden",
    "fehlerfrei",
    "durchgelaufen",
    "erfolgreich",
    "grün",
    "pasan",
    "(?:cleanly|successfully|all good|error-free)",
    "(?:clean|successful|ok|fine|healthy)(?=$|[.,;:!)(|]| (?:now|again|after|across|for|on|with|in|as|too|\\|))(?:)",
    "(?:{none}|keine[nr]?|ohne)(?: (?:any|a|single|new|further|remaining|more))* (?:\\w+ " +
      "){0,2}(?:{trouble}|fehlern?|warnungen)",
    "exit(?:s|ed)?(?: with)?(?: status)?(?: code)? 0",
    "(?:)(?:✅|✓|✔|🟢|☑|通过|通過|성공|успешно)(?:)",
  ],
  lists,
);

/** Says of a noun beside it that it did not. */
export const badWords: RegExp = anyPhrase([
  "fail(?:s|ed|ing|ures?)?",
  "broken",
  "red",
  "crash(?:es|ed|ing)",
  "timed? out",
  "skipped",
  "not (?:run|pass\\w*|green|clean)",
  "(?:)(?:❌|✗|✘|🔴|⚠)(?:)",
]);

/** It speaks of every test there is. */
export const wholeWords: RegExp = anyPhrase([
  "(?:all|every|whole|full|entire|complete|alle)(?! but)[^,;]{0,30}(?:tests?|suites?|specs?|pass\\w*|green)",
  "(?:the|entire|full|whole|test) (?:test )?suite",
  "no regressions",
]);

/** It speaks of some of them. */
export const someWords: RegExp = anyPhrase([
  "all but",
  "except",
  "apart from",
  "other than",
  "most",
  "some",
  "many",
  "several",
  "almost",
  "nearly",
  "half",
]);

/** These are the tests of one place; their number is not that of all. */
export const ownTests: RegExp = anyPhrase([
  "new",
  "added",
  "my",
  "these",
  "those",
  "own",
  "of them",
  "targeted",
  "relevant",
  "related",
  "affected",
  "updated",
  "focused",
  "specific",
  "failing",
  "for",
  "in",
  "covering",
]);
