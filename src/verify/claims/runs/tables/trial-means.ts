// Ways of trying something, a row each: how messages name them, and what any run of them leaves on record.

/** `isDeed`: its words say by themselves that it was done. */
export type TrialMeans = { name: string; said: RegExp; traced: RegExp; isDeed?: true };

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join("|"), "iu");

export const trialMeans: readonly TrialMeans[] = [
  {
    name: "a race detector",
    said: /\brace[- ]detect(?:or|ion)\b|(?:^|\s)-race\b|Race-Detektor/i,
    traced: /race|tsan|sanit|helgrind|loom/i,
  },
  {
    name: "a sanitizer",
    said: /\b(?:address|undefined|thread|memory|leak)[- ]?sanitizers?\b|\b(?:asan|ubsan|tsan|msan|lsan)\b/i,
    traced: /sanit|[autm]san/i,
  },
  {
    name: "a simulator or a device",
    said: anyOf(
      "\\b(?:simulators?|emulators?|emulador|simulador|émulateur|simulateur)\\b|模拟器|シミュレータ",
      "\\b(?:real|physical) (?:device|phone|hardware)\\b",
    ),
    traced: anyOf(
      "simul|emul|run-ios|run-android|simctl|\\badb\\b|\\bavd|expo|detox|maestro|xcodebuild|qemu",
      "flutter (?:run|drive)|device|connected",
    ),
  },
  {
    name: "a browser",
    said: anyOf(
      "\\b(?:in|with|across|on|im|dans|en|no|nel) (?:the |a |my |le |el |un )?(?:real |local )?" +
        "(?:browsers?|chrome|firefox|safari|chromium|navigateur|navegador)\\b",
      "浏览器|ブラウザ",
    ),
    traced: anyOf(
      "brows|chrom|firefox|safari|webkit|playwright|puppeteer|cypress|selenium|webdriver|karma|jsdom",
      "xdg-open|open http|curl|localhost|127\\.0",
    ),
  },
  {
    name: "end-to-end tests",
    said: anyOf(
      "\\b(?:e2e|end-to-end)\\b(?:[ -]\\p{L}+)? ?(?:tests?|specs?|suite|runs?)\\b",
      "\\b(?:playwright|cypress) (?:tests?|suite|specs?)\\b",
    ),
    traced: anyOf(
      "e2e|end-to-end|playwright|cypress|puppeteer|selenium|detox|maestro|webdriver|testcafe|brows|smoke",
      "\\bui\\b",
    ),
  },
  {
    name: "mutation tests",
    said: /\bmutation (?:tests?|testing|score)\b|\bmutants?\b/i,
    traced: /mutat|mutant|stryker|mutmut|infection|pitest/i,
  },
  {
    name: "a fuzzer",
    said: /\bfuzz(?:ed|ing|er|-test\w*)\b/i,
    traced: /fuzz|afl|hypothesis|quickcheck|proptest|jazzer|atheris|random/i,
  },
  {
    name: "a load test",
    said: /\b(?:load|stress)[- ]test(?:ed|s|ing)?\b|\bunder (?:load|stress)\b/i,
    traced: anyOf(
      "load|stress|k6|\\bwrk\\b|\\bhey\\b|autocannon|locust|jmeter|artillery|vegeta|\\bab -|siege|bench",
      "parallel|xargs|\\bseq\\b|\\bfor \\w+ in",
    ),
  },
  {
    name: "a profiler",
    said: /\bprofil(?:ed|er)\b(?! (?:page|picture))|\bflame ?graphs?\b/i,
    traced: /prof|perf|flame|py-spy|trace|clinic|bench|\btime\b/i,
  },
  {
    name: "a screen reader",
    said: /\b(?:screen ?readers?|voiceover|nvda|talkback)\b/i,
    traced: /screen.?reader|voiceover|nvda|talkback|axe|a11y/i,
  },
  {
    name: "a visual comparison",
    said: /\bvisual (?:regressions?|diffs?|tests?)\b|\bscreenshot (?:tests?|diffs?)\b/i,
    traced: /visual|screenshot|percy|chromatic|snapshot|backstop|storybook/i,
  },
  {
    name: "the containers",
    said: anyOf(
      "\\bbrought (?:[\\p{L}§]+ ){0,4}(?:stack|containers?|services?|compose)(?: [\\p{L}§]+){0,2} up\\b",
      "\\bbrought up (?:[\\p{L}§]+ ){0,3}(?:stack|containers?|services?)",
    ),
    traced: anyOf(
      "compose (?:\\S+ )*(?:up|start|restart|ps|logs)\\b|docker (?:run|start|ps|inspect|logs)",
      "podman|kubectl|healthy|started",
    ),
    isDeed: true,
  },
  {
    name: "a migration",
    said: /\b(?:ran|applied|executed) (?:(?:the|all|both|a|new|pending|this|that|§|\p{L}+ing) ){0,3}migrations?\b/iu,
    traced: anyOf(
      "migrat|upgrade|db:|prisma|flyway|liquibase|schema|psql|mysql|sqlite|alembic|knex|goose|sqlx|ecto",
      "artisan|manage\\.py|typeorm|sequelize|\\bsql\\b",
    ),
    isDeed: true,
  },
];
