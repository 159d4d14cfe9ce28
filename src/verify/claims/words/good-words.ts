// Words beside a subject that say how it came out, and of how much of it they speak.
import { anyPhrase } from "./phrase.ts";
import type { WordLists } from "./needed-words.ts";

const lists: WordLists = {
  trouble: [
    "failures?",
    "failing",
    "errors?",
    "warnings?",
    "problems?",
    "issues?",
    "complaints?",
    "regressions?",
    "violations?",
    "findings?",
    "offenses?",
    "(?:data )?races?",
    "leaks?",
    "diagnostics?",
  ],
  none: ["no", "zero", "0", "without(?: any| a single)?"],
  hash: ["¤", "[0-9a-f]{7,40}"],
  version: ["v?\\d+\\.\\d[\\w.-]*", "version \\S+", "§"],
  linter: [
    "lint(?:ing|er|ers|s)?",
    "eslint",
    "oxlint",
    "biome",
    "ruff",
    "clippy",
    "flake8",
    "golangci-lint",
    "go vet",
    "rubocop",
    "pylint",
    "phpstan",
    "psalm",
    "shellcheck",
    "stylelint",
    "checkstyle",
    "detekt",
    "ktlint",
    "swiftlint",
    "credo",
    "(?:static )?analysis",
  ],
};

/** "The test passes `null` to it" speaks of a call: only these words may follow. */
const mayFollow = [
  "now|again|successfully|cleanly|on|in(?! an?\\b)|after|with(?! an?\\b)|too|as well|and|locally",
  "without|consistently",
  "before|across|under|for|including|both|here|there|already|" +
    "reliably|green|fine|unchanged|when|since|either|once",
  "their|its|all|every|lint\\w*|type\\w*|tests?|eslint|tsc|mypy|clippy|ruff|CI|checks",
  "the (?:full|whole|entire|existing|test)",
  "\\d+ ?(?:%|/|of)(?:)",
].join("|");

/** Says of a noun beside it that it came out well. */
export const goodWords: RegExp = anyPhrase(
  [
    `pass(?:es|ed|ing)?(?=$|[.,;:!)(|/*"'✅✓✔–—-]| (?:[✅✓✔|(–—-]|(?:${mayFollow})(?![\\p{L}])))(?:)`,
    "green",
    "succeed(?:s|ed)?",
    "happy|satisfied",
    "(?:goes|went|go|runs?|ran|sails?|sailed|gets?|got) " +
      "(?:all the way |cleanly )?through(?= |$|[.,;:!)])(?:)",
    "(?:comes?|came) (?:back|out|up) (?:all )?(?:clean|green|empty|ok|fine|good)",
    "(?:reports?|reported|finds?|found|flags?|flagged|shows?|raises?) nothing",
    "(?:has|have|had) nothing (?:\\w+ )?to (?:complain|say|report|object|add|flag)",
    "(?:none|nothing)(?: of (?:them|it))? (?:fail(?:s|ed|ing)?|broke|breaks|is broken|regress\\w*)",
    "bestanden|bestehen|fehlerfrei|durchgelaufen|erfolgreich|grün|sauber",
    "(?:läuft|laufen|lief|liefen|gehen|geht|ging|gingen) (?:\\w+ ){0,2}durch",
    "pas(?:an|aron|ados?)|en verde|sin (?:errores|fallos)|superad[oa]s?",
    "pass(?:am|aram|ando|ou)|sem (?:erros|falhas)",
    "pass(?:ent|é|és)|au vert|verte?s|réussi\\w*|sans (?:erreurs?|avertissements?)",
    "passano|superati|senza errori",
    "проход(?:ят|ит)|прошл[аи]|пройдены|успешно|без ошибок|зел[её]н\\w+",
    "(?:cleanly|successfully|all good|error-free)",
    "(?:clean|successful|ok|fine|healthy)(?=$|[.,;:!)(|]| (?:now|again|after|" +
      "across|for|on|with|in|as|too|at|under|per|any|everywhere|\\|))(?:)",
    "(?:{none}|keine[nr]?|ohne)(?: (?:any|a|single|new|further|remaining|more))* (?:\\w+ " +
      "){0,2}(?:{trouble}|fehlern?|warnungen)",
    "exit(?:s|ed)?(?: with)?(?: status)?(?: code)? 0",
    "(?:)(?:✅|✓|✔|🟢|☑|通过|通過|成功|没有(?:错误|警告|问题)|无(?:错误|警告)|合格|パス|通り|エラーなし|통과|성공)(?:)",
  ],
  lists,
);

/** Says of a noun beside it that it did not. */
const badList = anyPhrase([
  "fail(?:s|ed|ing|ures?)?",
  "broken",
  "breaks?|broke",
  "red|rot|rouges?|roj[oa]s?|vermelh[oa]s?",
  "crash(?:es|ed|ing)",
  "timed? out",
  "skipped",
  "not (?:run|pass\\w*|green|clean)",
  "(?:)(?:❌|✗|✘|🔴|⚠)(?:)",
]);

/** It speaks of every test there is. */
export const wholeWords: RegExp = anyPhrase([
  "(?:all|every|whole|full|entire|complete|alle)(?! " +
    "but)[^,;]{0,30}(?:tests?|suites?|specs?|pass\\w*|green)",
  "(?:the|entire|full|whole|test) (?:test )?suite",
  "no regressions",
  "everything(?: is| looks)? (?:green|passes|passing)",
]);

/** It speaks of the whole project, or of every package. */
export const everywhereWords: RegExp = anyPhrase([
  "(?:all|every|each|both|whole|full|entire|complete)(?: of)?(?: the| our| your)?(?: [\\w-]+){0,2} " +
    "(?:packages?|modules?|projects?|workspaces?|crates?|" +
    "services?|repo(?:sitory)?|code ?base|monorepo|reactor)",
  "(?:across|throughout|in) the (?:whole |entire )?(?:workspace|" +
    "repo(?:sitory)?|code ?base|monorepo|module|board|reactor)",
  "everywhere|anywhere(?: in)?|(?:repo|project|workspace)-?wide",
  "(?:every|each) (?:workspace )?package's",
  "no (?:\\w+ ){1,3}across the (?:repo|workspace|project|code ?base)",
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
  "other",
  "others",
  "rest",
  "remaining",
]);

/** Whether words tell of something that went wrong; "0 failures" and "nothing failed" do not. */
export const tellsTrouble = (words: string): boolean =>
  words.replace(goodWords, " ").replace(harmlessTrouble, " ").search(badList) >= 0;

const harmlessTrouble = anyPhrase(
  [
    "{none} (?:\\w+ )?(?:{trouble}|failed|skipped)",
    "(?:{trouble}|failed|skipped) ?[:=] ?0(?![.\\d])(?:)",
    "(?:no longer|used to|previously|was|were) (?:fail\\w*|red|broken)",
  ],
  lists,
);
