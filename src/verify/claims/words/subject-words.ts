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
      "(?:§|{formatter}) (?:was|has been) (?:applied|run)",
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
      "\\d{1,3}(?:\\.\\d+)? ?(?:%|percent) (?:\\w+ ){0,2}coverage",
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
      "now works",
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
      "(?:)(?:已(?:用|经)?.{0,12}(?:运行|验证|测试|确认)|動作(?:を)?確認|実行して確認)(?:)",
    ),
  },
  {
    subject: "deploy",
    noun: null,
    idioms: said(
      "{doer} ?(?:re-?)?deployed(?: {work})?(?=$|[.,;:!)]| (?:to|on|via|with|using|successfully)\\b)",
      "{done}(?: {lately})* (?:re-?)?(?:deployed|rolled out|" +
        "shipped|promoted)(?! (?:by|with each|on every|when|via CI))",
      "deploy(?:ed|ment)? (?:\\S+ ){0,3}(?:to|on) {place}",
      "deploy(?:ment)?(?: to \\w+)? (?:succeeded|completed|" +
        "finished|was successful|went (?:out|through|fine))",
      "deploy(?:ment)?(?: to \\w+)? is (?:now )?(?:complete|done|live|healthy|green|successful)",
      "(?:)(?:'s|is|are|went|now) (?:now |back |already )?live(?=$|" +
        "[.,;!)]| (?:at|on|in|now|for|🎉)\\b)(?! on (?:{registry}))",
      "(?:)(?:✅|✓|✔) live(?=$|[ .|])(?:)",
      "rolled (?:it |this )?out(?: to {place}|(?=$|[.,;!)]))(?:)",
      "(?:{done}|now) (?:now )?(?:running|serving|up)(?: and running)? (?:on|in|at) {place}",
      "(?:ships|shipped) (?:it |this )?(?:to|in) (?:{place}|users|customers|v?\\d\\S*)",
      "(?:)(?:已部署|部署(?:完成|成功|到)|デプロイ(?:しました|済み|完了)|배포(?:했|완료))(?:)",
      "(?:ausgerollt|deployt|déployée?s?|desplegad[oa]|implantad[oa]|развёрнут\\w*)",
    ),
  },
  {
    subject: "publish",
    noun: null,
    idioms: said(
      "{doer} ?(?:re-?)?(?:published|released)(?: (?:{work}|{version}|the \\w+(?: \\w+)?))?(?=$|" +
        "[.,;:!)]| (?:to|on|as|via)\\b)",
      "(?:{version}|package|image|crate|gem|release) {done}(?: " +
        "{lately})* (?:published|released|available on)",
      "(?:published|released|uploaded|pushed|shipped|ships) (?:\\S+ ){0,4}(?:to|on) {registry}",
      "(?:{done}|now|went|goes) (?:now )?(?:live |out |up |" +
        "available |installable )?(?:on|to|from) {registry}",
      "(?:image|package|crate|gem|artifact|wheel)s? {done}(?: {lately})* (?:pushed|uploaded)",
      "pushed (?:the |\\S+ )?(?:docker )?image",
      "(?:veröffentlicht|publiée?s?|publicad[oa]s?|опубликован\\w*)",
      "(?:)(?:已发布|发布(?:成功|到)|公開しました)(?:)",
    ),
  },
  {
    subject: "commit",
    noun: null,
    idioms: said(
      "{doer} ?committed(?: {work})?(?=$|[.,;:!)(]| (?:to|as|on|" +
        "in|with|under|locally|at|¤))(?! to (?:doing|the idea))",
      "{work} {done}(?: {lately})* committed(?! by)",
      "commit(?:ted)? (?:as|in|at|with(?: hash)?) {hash}",
      "(?:is|are|landed) in (?:commit )?{hash}",
      "(?:created|made|added) (?:(?:a|the|one|two|three|" +
        "\\d+|new|local|final|separate|single|git) )*commits?",
    ),
  },
  {
    subject: "push",
    noun: null,
    idioms: said(
      "{doer} ?(?:force-)?pushed(?: {work})?(?=$|[.,;:!)(]| (?:and|up|as)\\b)",
      "{work} {done}(?: {lately})* (?:force-)?pushed(?! (?:by|on|onto))(?! to (?:{registry}|" +
        "the (?:stack|array|list|queue)))",
      "(?:force-)?pushed (?:(?:it|this|the \\w+|{hash}|{work}) )?(?:up )?to (?:§|¤|origin|main|" +
        "master|remote|git(?:hub|lab)|upstream|\\w+/\\S+)",
      "(?:force-)?pushed (?:(?:it|this|{hash}|{work}) )?(?:up " +
        ")?to the (?:\\w+ )?(?:remote|branch|repo\\w*|PR)",
    ),
  },
  {
    subject: "merge",
    noun: null,
    idioms: said(
      "(?:opened|created|submitted|raised|filed) (?:(?:a|the|" +
        "an|draft|new) )*(?:pull request|PR|merge request|MR)",
      "(?:PR|pull request|MR|merge request)(?: #?\\d+| §)? (?:{done} )?(?:now )?(?:created|" +
        "opened|up|submitted|raised|merged)",
      "{doer} ?merged (?:{work}|the (?:PR|pull request)|§|#\\d+)",
    ),
  },
  {
    subject: "migration",
    noun: null,
    idioms: said(
      "{doer} ?(?:ran|applied|executed) (?:(?:the|all|pending|new|both|db|database|schema|latest|" +
        "§|\\w+) ){0,3}migrations?",
      "migrations?(?: §| [\\w.]+){0,2} (?:(?:{done}|ran|now) " +
        ")+(?:(?:successfully|written|generated|created|and) )*" +
        "(?:applied|run|executed|complete\\w*|up to date|through)",
      "(?:generated|created|written|added|wrote) [^.;]{0,40}(?:and|" +
        ",) (?:then )?(?:applied|ran|run|executed) (?:it |them )?" +
        "(?:to|on|against|in|with)? ?(?:the|your|my|our)? ?(?:\\w+ )?(?:database|db|schema)",
      "(?:applied|ran|executed) (?:it |them )?(?:to|on|against|" +
        "in) (?:the|your|my|our) (?:\\w+ )?(?:database|db|schema)",
      "migrations? ran",
      "migrated the (?:\\w+ )?(?:database|db|schema|tables?)",
      "(?:database|db|schema) {done}(?: {lately})* (?:migrated|up to date|at head)",
      "(?:)(?:迁移(?:已|完成|成功)|マイグレーション(?:を実行|完了))(?:)",
    ),
  },
  {
    subject: "measured",
    noun: null,
    idioms: said(
      "\\d[\\d.,]* ?(?:ns/op|allocs?/op|B/op|req/s(?:ec)?|requests? per second|ops/s(?:ec)?)",
      "\\d[\\d.]* ?(?:x|×|times|%|percent) (?:faster|slower|quicker|less memory|smaller)",
      "(?:in|took|takes|from|to) \\d[\\d.,]* ?(?:ns|µs|ms|s|seconds?|" +
        "MB|minutes?) (?:instead of|rather than|down from|to) \\d",
      "{none} (?:memory |definite )?leaks?",
      "\\d+ bytes? (?:lost|leaked|in use)",
      "{none} (?:data )?races? (?:reported|found|detected|conditions?)?",
      "(?:)(?:字节泄漏|没有泄漏|无泄漏)(?:)",
    ),
  },
];
