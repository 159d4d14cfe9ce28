// What agents claim, as data: a subject, the words that name it, and the phrases that claim it whole.
// No command and no tool's output stands here: those are evidence and have tables of their own.
import { anyPhrase } from "./phrase.ts";
import { wordLists as lists } from "./word-lists.ts";

/** What came out, or what was done with it. */
export type ResultSubject =
  | "tests"
  | "build"
  | "types"
  | "lint"
  | "format"
  | "checks"
  | "security"
  | "coverage"
  | "behaviour"
  | "deploy"
  | "publish"
  | "commit"
  | "push"
  | "merge"
  | "migration"
  | "measured";

export type SubjectWords = {
  subject: ResultSubject;
  /** Names it; a good word in the same clause makes it a claim. */
  noun: RegExp | null;
  /** Claims it without any further word. */
  idioms: RegExp;
};

/** A noun that is a part of a longer name speaks of something else: "the test file", "lint rules". */
const alone = (words: readonly string[], others: string): RegExp =>
  anyPhrase(
    words.map((word) => `(?<![./-])${word}(?![\\w/-]|\\.\\w|(?:'s)? (?:${others})s?\\b)`),
    lists,
  );

const said = (...phrases: string[]): RegExp => anyPhrase(phrases, lists);
const end = "(?=$|[\\s.,;:!)|])";

export const subjectWords: readonly SubjectWords[] = [
  {
    subject: "tests",
    noun: alone(
      [
        "tests?",
        "specs?",
        "(?:test ?)?suites?",
        "test ?cases?",
        "{runner}",
        "pruebas|testes|prove|тест(?:ы|ов)",
        "(?:)(?:测试|測試|テスト|테스트)(?:)",
      ],
      "file|script|plan|fixture|helper|runner|data|harness|command|setup|config|util|name",
    ),
    idioms: said(
      "\\d{1,6} ?(?:/|of|out of) ?\\d{1,6} (?:\\w+ )?(?:pass(?:ed|ing|es)?|green|succeed(?:ed)?)",
      "\\d{1,6} pass(?:ed|ing)",
      // "All three examples pass": whatever the runner calls them.
      "(?:all|both|every|each)(?: of the)?" +
        "(?: (?!(?:should|will|would|could|might|may|must|can|not|to|but) )[\\w§-]+){0,3}" +
        "(?<!{gates}) (?:(?:now|still|also|again) )*" +
        `pass(?:es|ed|ing)?${end}`,
      "{none} (?:test )?(?:regressions?|failing tests?|test failures?|failures?)",
      "(?:nothing|no tests?) (?:broke|is broken|failed|fails|regressed)",
      "alle (?:\\d+ )?tests (?:(?:sind|laufen|liefen|wurden) )?(?:\\w+ )?(?:durch|grün|bestanden)",
    ),
  },
  {
    subject: "build",
    noun: alone(
      [
        "(?:re)?builds?",
        "compil(?:ation|er)",
        "webpack|rollup|esbuild|bundling",
        "compilación|compilação|сборка",
        "(?:)(?:编译|構建|构建|ビルド|コンパイル|빌드)(?:)",
      ],
      "script|step|file|config|command|system|tool|folder|directory|output|time|pipeline|artifact|a|an|" +
        "the|its|up|on",
    ),
    idioms: said(
      "{thing} (?:(?:now|still|again|also) )*(?:compiles|builds)" +
        `(?! (?:a|an|the|its|on|up|from|to|§)(?![\\p{L}]))${end}`,
      "(?:all|every|both|each)(?: of)?(?: the)? (?:\\w+ )?" +
        "(?:packages?|modules?|crates?|projects?|workspaces?|" +
        "targets?) (?:now |still |again )*(?:builds?|compiles?)",
      "^(?:now )?(?:compiles|builds|compiled|built) (?:now|again|{clean})",
      "(?:compiles|compiled|builds|built|rebuilt) {clean}",
      "(?:clean|successful|green|passing) (?:re)?build(?! (?:script|folder|dir|step))",
      "{none} (?:build|compile(?:r|-time)?|compilation) {trouble}",
      "(?:kompiliert|baut|compila|compile|собирается) " +
        "(?:wieder|jetzt|fehlerfrei|sauber|ohne|sin|sans|sem|без)",
    ),
  },
  {
    subject: "types",
    noun: alone(
      [
        "type[- ]?check(?:s|ing|er|ed)?",
        "tsc",
        "mypy",
        "pyright",
        "typescript(?: compiler)?",
        "types",
      ],
      "file|definition|annotation|declaration|parameter|alias|script|config|argument",
    ),
    idioms: said(
      "{none} (?:new )?(?:typescript|type|typing|ts|tsc|mypy|pyright)[- ](?:check(?:ing)? )?{trouble}",
      "(?:{thing}|which) (?:(?:now|still) )*type-?checks",
      `types? (?:now )?check(?:s)?(?: out| cleanly| fine)?${end}`,
      "type-?checks (?:now|{clean})",
    ),
  },
  {
    subject: "lint",
    noun: alone(["{linter}"], "rule|config|script|file|plugin|error|warning|step|gate"),
    idioms: said(
      "{none} (?:new )?(?:{linter}|style|vet)[- ]{trouble}",
      "lint[- ](?:free|clean)",
      "clippy[- ]clean",
    ),
  },
  {
    subject: "format",
    noun: alone(
      ["format(?:ting)?(?: check)?", "prettier", "gofmt", "rustfmt", "code style", "cargo fmt"],
      "string|option|function|file|config|rule",
    ),
    idioms: said(
      "{none} (?:formatting|style) {trouble}",
      "(?:prettier|black|gofmt|rustfmt)-formatted",
      "(?:{done}|all|now)(?: {lately})* (?:re-?)?formatted" +
        "(?= (?:now|with|according|by|using|per|to|accordingly)\\b|$|[.,;!)])(?:)",
      "(?:formatting|style) (?:now )?matches",
      "(?:ran|applied|executed) (?:the )?(?:{formatter}|formatter)",
      "{formatter} (?:was|has been) (?:applied|run)",
    ),
  },
  {
    subject: "checks",
    noun: alone(
      [
        "CI",
        "pipelines?",
        "(?:(?:all|the|quality|status|other|local) )*checks",
        "workflow run",
        "everything",
        "quality gates?",
        "pre-?commit(?: hooks?)?",
      ],
      "script|config|file|step|job",
    ),
    idioms: said(
      "^(?:all|everything(?: is| looks)?|it's all|still all)(?: now)? green",
      `^(?:they|all|all of them|both|everything)(?: (?:all|now|still))* (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?)${end}`,
      "^they(?: (?:all|now|still))* are (?:all )?green",
    ),
  },
  {
    subject: "coverage",
    noun: null,
    idioms: said(
      "coverage(?! threshold)[^.\\d%(<>]{0,40}\\d{1,3}(?:\\.\\d+)? ?(?:%|percent)(?:)",
      "\\d{1,3}(?:\\.\\d+)? ?(?:%|percent) (?:\\w+ ){0,2}(?:coverage|covered)",
    ),
  },
  {
    subject: "behaviour",
    noun: null,
    idioms: said(
      "{tried}(?: (?:that|as|the|it|this))* (?:{feature} )?(?:\\w+ ){0,3}?(?:(?:now|still|correctly|" +
        "indeed|is|are) )*{runs}(?! (?:by|before))",
      "{tried}(?: (?:it|this|that|the \\w+|the \\w+ \\w+|both|everything))? {how}",
      "(?:manually|locally) {tried}",
      "{tried} (?:the )?(?:fix|reproduction|repro)(?! (?:in|is|was|of) )",
      "(?:fix|{fault}|feature|change) (?:(?:is|was|has been|now) )*(?:verified|confirmed|validated)",
      "fixed(?:,| and| &)+ (?:\\w+ )?(?:verified|confirmed|tested)",
      "(?:confirmed|verified) (?:fixed|working|resolved)",
      "(?:works?|working|runs|behaves?) {well}",
      "now works(?! (?:for|with|when|on|even|like|as|by|through)(?![\\p{L}]))",
      "is (?:now )?(?:fully )?(?:working|functional|operational)",
      "(?:can|could) no longer (?:be )?reproduced?",
      "no longer reproduc\\w+",
      "{doer} ?reproduced (?:the|it|this)",
      "(?:ran|executed|re-?ran|started|launched|tried) (?:(?:the|" +
        "my|a|your|it|sample|built|new|same|failing|whole) )*" +
        "(?:repro\\w*|script|example|demo|benchmarks?|app|server|program|" +
        "binary|cli|command|scenario|flow|service|query|job|endpoint)",
      "(?:{fault}|panic|traceback|\\w+(?:error|exception)) (?:(?:is|was|are|has) )?(?:now |finally )?gone",
      "(?:answers?|answered|responds?|responded|returns?|returned) " +
        "(?:with )?(?:a )?(?:200|201|204)(?: again| now| OK)?",
      "fixed(?:,| and| &)+ (?:\\w+ )?(?:tried|checked|run)",
      "{tried} (?:it |this )?(?:with|against|on) (?:the|a|my|an|§) ?(?:\\w+)?",
      "(?:corrigée?|réparée?) et (?:vérifiée?|testée?)|corregido y " +
        "(?:verificado|probado)|behoben und (?:geprüft|getestet|verifiziert)",
      "(?:j'ai|ich habe|he|ho|eu) (?:\\S+ ){0,4}?(?:relancé|vérifié|" +
        "testé|getestet|geprüft|verifiziert|verificado|probado|testado)",
      "(?:)(?:已(?:用|经)?.{0,12}(?:运行|验证|测试|确认)|動作(?:を|することを)?確認|実行して確認|確認(?:済み|しました))(?:)",
    ),
  },
];
