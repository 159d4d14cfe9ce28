// What agents claim to have delivered or measured, as data: the phrases that claim it whole.
import { anyPhrase } from "./phrase.ts";
import { subjectWords, type SubjectWords } from "./subject-words.ts";
import { wordLists as lists } from "./word-lists.ts";

const said = (...phrases: string[]): RegExp => anyPhrase(phrases, lists);

export const deliveryWords: readonly SubjectWords[] = [
  {
    subject: "deploy",
    noun: null,
    idioms: said(
      "{doer} ?(?:re-?)?deployed(?: {work})?(?=$|[.,;:!)]| (?:to|on|via|with|using|successfully)\\b)",
      "{done}(?: {lately})* (?:re-?)?(?:deployed|rolled out|" +
        "shipped(?! ¤)|promoted)(?! (?:by|with each|on every|when|via CI))",
      "deploy(?:ed|ment)? (?:\\S+ ){0,3}(?:to|on) {place}",
      "deploy(?:ment)?(?: to \\w+)? (?:succeeded|completed|" +
        "finished|was successful|went (?:out|through|fine))",
      "deploy(?:ment)?(?: to \\w+)? is (?:now )?(?:complete|done|live|healthy|green|successful)",
      "(?:)(?:'s|is|are|went|now) (?:now |back |already )?live(?=$|" +
        "[.,;!)]| (?:at|on|in|now|for|🎉)\\b)(?! on (?:{registry}))",
      "(?:)(?:✅|✓|✔) live(?=$|[ .|])(?:)",
      "rolled (?:it |this )?out(?: to {place}|(?=$|[.,;!)]))(?:)",
      "(?:{done}|now) (?:now )?(?:running|serving|up)(?: and running)? (?:on|in|at) {place}",
      "applied (?:it|them|this|the \\w+|§)(?: \\w+)? to (?:the |our |your )?(?:\\w+ )?(?:cluster|account|namespace)",
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

/** Everything that a message can claim a result of. */
export const claimSubjects: readonly SubjectWords[] = [...subjectWords, ...deliveryWords];

/** Those that a text names or claims. */
export const subjectsNamed = (text: string): SubjectWords[] =>
  claimSubjects.filter(
    ({ noun, idioms }) => text.search(idioms) >= 0 || (noun !== null && text.search(noun) >= 0),
  );
