// Which sentences say that something was delivered: deployed, published, committed, pushed, merged,
// migrated. The agent or its work must be what the sentence is about; code that publishes is another matter.
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { wordLists } from "../words/word-lists.ts";
import type { SaidState } from "./read-states.ts";
import type { ResultSubject } from "../result-subject.ts";

const lists = {
  ...wordLists,
  own: [
    "(?:^|i|we|i've|we've|and|then|also|have|has been|been|successfully|just|already|now|was|were|is|are|got)",
  ],
  product: [
    "changes?|fix(?:es)?|patch|branch|commits?|tags?|releases?|versions?|packages?|images?|wheel|crate|gem|" +
      "site|website",
    "app(?:lication)?|service|function|stack|chart|build|artifacts?|update|work|code|hotfix|pr|pull request|feature",
    "it|this|that|everything|all|both|manifests?|infrastructure|server|worker|bucket|container|" +
      "v?\\d+\\.\\d[\\w.-]*|[§¤]",
    "migrations?|schema|database|db|revision|docs|documentation|deployment|rollout|dashboard|bundle|frontend|" +
      "backend|api",
  ],
  is: ["is|are|was|were|'s|has|have|been|got|went|goes|sits|lives|now|stands|runs|landed"],
  live: ["production|prod|staging|the cluster|the server|the edge|the fleet|preview|the cloud"],
};

/** `did`: participles of the agent or its work; `state`: says it without either. */
type Delivery = { subject: ResultSubject; did: string; state: readonly string[] };

const deliveries: readonly Delivery[] = [
  {
    subject: "deploy",
    did:
      "(?:re-?)?deployed|rolled(?: [\\p{L}§]+){0,4} out|shipped(?! ¤)|promoted|ausgerollt|" +
      "déployée?s?|desplegad[oa]s?|implantad[oa]s?|deployt",
    state: [
      "(?:rollout|roll-out|deploy(?:ment)?)(?: \\p{L}+){0,3} (?:done|complete[d]?|finished|succeeded|" +
        "successful|healthy|" +
        "updated|live|green)",
      "pods? (?:are|is|were|came) (?:\\p{L}+ )?(?:healthy|running|up|ready|restarted)",
      "{product}(?: [\\p{L}§@.\\d-]+){0,4} {is}(?: \\p{L}+){0,2} live",
      "(?:{product}|version)(?: [\\p{L}§@.\\d-]+){0,3} {is}(?: \\p{L}+){0,3} (?:running|serving|up|" +
        "active) (?:in|on) {live}",
      "(?:)(?:已部署|部署(?:完成|成功|到)|已上线|デプロイ(?:しました|済み|完了)|배포(?:했|완료))(?:)",
    ],
  },
  {
    subject: "publish",
    did: "(?:re-?)?published|released|veröffentlicht|publiée?s?|publicad[oa]s?|опубликован\\p{L}*",
    state: [
      "{product}(?: [\\p{L}§@.\\d-]+){0,4} {is}(?: \\p{L}+){0,3} (?:on|to|from|in|via) {registry}",
      "(?:)(?:已发布|发布(?:成功|到)|公開しました)(?:)",
    ],
  },
  {
    subject: "commit",
    did: "committed|commité\\p{L}*|committet|commiteado",
    state: [
      "(?:as|in|landed as|with) commit (?:[¤§]|[0-9a-f]{7,40})|landed (?:on|in) (?:main|master|[§¤])",
    ],
  },
  {
    subject: "push",
    did: "(?:force-)?pushed|gepusht|poussée?s?|subid[oa]s?",
    state: [
      "{product}(?: [\\p{L}§@.\\d-]+){0,3} {is}(?: \\p{L}+){0,3} (?:on the remote|upstream|on (?:origin|" +
        "github|gitlab))",
    ],
  },
  {
    subject: "merge",
    did: "merged|gemergt|fusionnée?s?",
    state: [
      "(?:opened|created|submitted|raised|filed)(?: \\p{L}+){0,3} (?:pr|pull request|mr|merge request)",
      "(?:pr|pull request|mr|merge request)(?: #?\\d+| §)? (?:{is} )+(?:\\p{L}+ )?(?:open|up|created|ready|" +
        "submitted)",
    ],
  },
  {
    subject: "migration",
    did: "migrated|migriert|migrée?s?|migrad[oa]s?",
    state: [
      "migrat(?:ion|ions)(?: [\\p{L}§\\d_.-]+){0,4} (?:applied|ran|run|executed|through|complete[d]?|done|" +
        "finished|in place)",
      "(?:applied|ran|executed|run|upgraded|brought)(?: [\\p{L}§\\d_.-]+){0,4} (?:migrations?|schema|" +
        "revision|database|db)",
      "(?:schema|database|db)(?: \\p{L}+){0,2} {is}(?: \\p{L}+){0,2} (?:up to date|at (?:head|revision|" +
        "version|[§\\d])\\p{L}*)",
      "Migration(?: \\p{L}+){0,3} (?:ausgeführt|eingespielt|angewendet)|" +
        "migración(?: \\p{L}+){0,3} (?:ejecut\\p{L}+|aplicad\\p{L}+)",
      "(?:)(?:迁移(?:已|完成|成功)|マイグレーション(?:を実行|完了))(?:)",
    ],
  },
];

/** "Events are published to the queue" tells what code does. */
const inCode = anyPhrase([
  "(?:to|on|onto|into|from) (?:the|a|an|its|this|that) (?:\\p{L}+ )?(?:queue|stack|array|list|topic|channel|" +
    "stream|heap|" +
    "buffer|slice|map|event bus|bus|history|router|transaction|lock|vector|log)",
  "(?:transaction|lock|events?|messages?|rows?|records?|resources?|memory|connections?|handles?|values?|items?) " +
    "(?:\\p{L}+ ){0,2}(?:published|released|committed|pushed|merged|shipped|migrated)",
  "(?:published|released|committed|pushed|merged) (?:by|when|whenever|on every|each|as soon as|only)",
]);

const table = deliveries.map(({ subject, did, state }) => ({
  subject,
  said: anyPhrase(
    [
      `{own} (?:\\p{L}+ly )?(?:${did})`,
      `^(?:${did})`,
      `{product}(?: [\\p{L}§@.\\d-]+){0,4} {is}(?: \\p{L}+){0,2} (?:${did})`,
      ...state,
    ],
    lists,
  ),
}));

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

const isSaid = (statement: Statement, clause: Clause): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !tellsFailure(clause.words) &&
  !isAhead(clause.words) &&
  !has(inCode, clause.words) &&
  // "On main" says where it went here, not how things were.
  isAsserted(
    statement,
    { ...clause, words: clause.words.replace(/\bon (?:main|master)\b/gi, "there") },
    [0, clause.words.length],
  );

export function readDeliveries(report: string): SaidState[] {
  return statementsOf(report)
    .filter(({ kind }) => kind !== "fence")
    .flatMap((statement) =>
      statement.clauses
        .filter((clause) => isSaid(statement, clause))
        .flatMap((clause) =>
          table
            .filter(({ said }) => has(said, clause.words))
            .map(({ subject }) => ({ subject, statement, clause })),
        ),
    );
}
