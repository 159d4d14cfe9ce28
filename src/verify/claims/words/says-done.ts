// Whether a half of a sentence tells that something was done or came out well, in the languages that
// agents write; and whether it tells of a failure, a denial or something still to do.
import { goodWords, tellsTrouble } from "./good-words.ts";
import { isAside, isAsserted } from "./is-asserted.ts";
import { anyPhrase } from "./phrase.ts";
import type { Clause, Statement } from "./statements.ts";

/** A denial of trouble is good news: "ne signale rien", "não encontrou nenhum problema". */
export const noTrouble: RegExp = anyPhrase([
  "(?:fail(?:ures?|ed)|errors?|warnings?|skipped|issues?|problems?|offenses?) ?[:=] ?0(?![.\\d])(?:)",
  "(?:no|not|none|nothing|zero|0|without|didn't|doesn't|don't)" +
    "(?: (?:a|an|any|single|one|of|them|these|those|the|new|further|more|remaining|other|unexpected|\\d+|" +
    "tests?|specs?|" +
    "checks?|type|lint|build|has|have|had|is|was|were))*" +
    " (?:fail(?:ed|s|ing|ures?)?|errors?|warnings?|problems?|issues?|complain\\p{L}*|regress\\p{L}*|" +
    "findings?|offen[cs]es?|" +
    "violations?|objections?|br(?:eaks?|oke)|hitch\\p{L}*|surprises?|trouble|crash\\p{L}*)" +
    "(?! (?:handling|messages?|cases?|paths?|codes?|class\\p{L}*|boundar\\p{L}+))",
  "(?:no|not|does not|did not|doesn't|didn't) (?:longer )?" +
    "(?:raise|report|find|flag|show|detect)\\w* (?:(?:any|a) )?(?:\\p{L}+ )?(?:anything|any more|" +
    "errors?|warnings?|problems?|issues?|complaints?|regressions?|findings?|offen[cs]es?|violations?|failures?)",
  "(?:no|zero|0) (?:[\\p{L}-]+ ){0,2}" +
    "(?:issues?|errors?|warnings?|problems?|vulnerabilit\\p{L}+|races?|findings?|leaks?|alerts?)",
  "(?:ne|n') ?(?:signale|trouve|rapporte|détecte)\\p{L}* (?:plus )?(?:rien|aucun\\p{L}*(?: \\p{L}+)?)",
  "aucun\\p{L}* (?:erreur|avertissement|problème|alerte|défaut)s?",
  "(?:não|no) (?:encontr|report|detect|aponta|muestra|mostra)\\p{L}*(?: nenhum\\p{L}*| ning\\p{L}*)? ?\\p{L}*",
  "(?:sin|sem|senza|ohne) \\p{L}+",
  "(?:no|não|ningún|nenhum) (?:(?:hubo|hay|houve|há|se encontraron|quedan) )?(?:fallos?|errores|falhas?|" +
    "erros?|problemas?)",
  "(?:keine?\\p{L}*) (?:Fehler|Warnung|Beanstandung|Problem|Befund)\\p{L}*",
  "nichts (?:gefunden|gemeldet|zu beanstanden)",
  "(?:)(?:没有(?:发现)?(?:任何)?(?:问题|错误|警告|失败)|无(?:错误|警告|问题)|0 个失败\\p{L}?|问题ありません|エラーなし)(?:)",
]);

/** Failures, denials and doubts, in the languages at hand. */
const trouble = anyPhrase([
  "fail\\p{L}*|errors?|errored|broke\\p{L}*|crash\\p{L}*|refus\\p{L}*|den(?:ied|ies|y)|reject\\p{L}*|missing",
  "un(?:committed|pushed|published|deployed|merged|released)|died|dies|blew up|hung",
  "timed out|time-?outs?|unreachable|unauthori[sz]ed|forbidden|unable|cannot|not|never|(?:)\\p{L}+n't",
  "neither|nor|stop(?:s|ped) (?:at|with|because)|aborts?|aborted|bails?|chokes?|trips? over|wants",
  "blocked|skipped|instead|dry[- ]run|nothing (?:was|has been|is)|only (?:a|as)|yet to|no such",
  "nicht|kein\\p{L}*|fehl\\p{L}*|konnte\\p{L}*|abgelehnt|verweigert|abgebrochen|noch",
  "n'(?:a|ai|est|ont|y)|ne|pas|jamais|échou\\p{L}*|échec|refusée?|impossible|erreurs?",
  "no (?:se|he|hemos|pude|pudo|está|funciona|ha)|nunca|fall[óoa]\\p{L}*",
  "fallid\\p{L}+|error(?:es)?|rechazad\\p{L}+|sin ejecutar",
  "não|falh\\p{L}+|erros?|recusad\\p{L}+|negad\\p{L}+",
  "не|нет|ошибк\\p{L}*|сбой|упал\\p{L}*|отказ\\p{L}*",
  "(?:)(?:未|没有|没能|失败|无法|不能|错误|拒绝|失敗|できません|ません|エラー|❌|✗|✘|⚠|🔴|⏭)(?:)",
]);

/** A wish, a plan, a condition or an order to the reader. */
const ahead = anyPhrase([
  "should|would|could|might|may|must|will|can|to be|if|unless|once|whether|please|next|plan(?:s|ned)? to",
  "^todo",
  "(?:you|you'll|you'd)",
  "sollte\\p{L}*|müsste\\p{L}*|würde\\p{L}*|könnte\\p{L}*|wird|werden|kann|können|wenn|falls|bitte",
  "devrait|pourra\\p{L}*|faut|si|lancez|exécutez",
  "debe|debería|podría\\p{L}*|puede\\p{L}*|ejecute|ejecuta|deve|devem|deveria|pode|podem",
  "(?:)(?:应该|可以|如果|请|需要|步骤|できます|してください|予定)(?:)",
]);

const done = anyPhrase([
  "\\p{L}{2,}ed|passes|success|valid|ran|built|sent|wrote|made|went",
  "put|set up|up and running|comes?|came|checks out|completes?",
  "is (?:now )?(?:up|live|on|in|there|ready|running|gone|out|set|clean|green|ok|fine)|exists?|reports?|returns?",
  "wurden?|\\p{L}*ge\\p{L}{3,}(?:t|en)|\\p{L}{3,}iert|läuft|laufen|meldet|liegt",
  "j'ai|nous avons|a été|ont été|passent?|signale",
  "he|hemos|se ha|ha sido|están?|pasan?|\\p{L}{3,}(?:é|ó|aron|ieron)",
  "\\p{L}{2,}ei|foi|foram|passam?|está",
  "\\p{L}{3,}(?:лся|лась|лись|ал|ил|ила|али|или|ен|ена|ены)",
  "(?:)(?:已|了|成功|通过|完成|正常|运行结果|ました|済み|完了|通り|✅|✓|✔|🟢|☑)(?:)",
]);

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** It tells that something went wrong, was not done, or is only half done. */
export const tellsFailure = (words: string): boolean => {
  const rest = words.replace(noTrouble, " ").replace(goodWords, " ");
  return has(trouble, rest) || tellsTrouble(words);
};

/** It speaks of what is still to come, or asks the reader for something. */
export const isAhead = (words: string): boolean => has(ahead, words);

/** A heading of what is still to come; one that says what must or can be so now is none. */
const aheadHeading = anyPhrase([
  // "Archived plans are hidden" names a thing of the project; "Plan", "The plan" and "Plan: …" head a plan.
  "^(?:the |my |here is the |here's the )?plans?(?=$|:)(?:)|planned|plans?$",
  "next|todos?|to ?do|please|(?<!what )you(?! get| asked| reported| wanted)(?:)|your|yours|later|future|upcoming",
  "remaining (?:work|steps?|tasks?|issues?|items?|todos?|things?|points?)|^remaining|remaining$|if|would|could|might",
  "i'd|we'd",
  "(?<!used )to (?:be|verify|test|run|check|deploy|review|finish)",
  "will (?:be|need|change|happen)|should (?:be|do|run|happen)",
  "nächste\\p{L}*|noch|bitte|prochaines?|à faire|siguientes?|próxim\\p{L}+|pendiente\\p{L}*|a fazer",
  "steps (?:to|for|after)|as soon as|^once (?!.* (?:was|were|had) )(?:)|instructions",
  "(?:not|n't|never|none|nothing) (?:[\\p{L}]+ ){0,4}" +
    "(?:run|ran|executed|tested|tried|check(?:ed)?|verif(?:y|ied))",
  "(?:ran|executed|tried) (?:none|nothing|neither)",
  "(?:)(?:下一步|后续|待办|计划|次の|今後|步骤|手順|没有(?:执行|运行)|未(?:执行|运行))(?:)",
]);

export const standsAhead = (under: readonly string[]): boolean =>
  under.some((heading) => has(aheadHeading, heading));

/** It says that it came out well. */
export const saysGood = (words: string): boolean => has(goodWords, words) || has(noTrouble, words);

const deedsOfTasks =
  "(?:builds|runs|calls|executes|starts|lints|formats|checks|tests|compiles|covers|deploys|installs|cleans)";
/** What a script does whoever calls it, what a tool's version is, where the tests run, what was read. */
const describes = anyPhrase([
  `(?:§|script|target|task|recipe|job|step|workflow|pipeline) ${deedsOfTasks}` +
    `(?:,? (?:and )?(?:then )?${deedsOfTasks})* ` +
    "(?:the|both|all|every|each|an?|its|only|everything|§)",
  "(?:tests?|specs?|suites?) runs? (?:on|under|with|through|via) (?:the|an?|§)",
  "(?:is|are) (?:checked|run|tested|built|linted|formatted) (?:separately|apart|elsewhere)",
  "(?:plugin|(?:fixed|pinned|locked|held) (?:at|to|on)) v?\\d+\\.\\d+",
  "(?:dev(?:elopment)?|runtime)(?:-only| dependenc(?:y|ies))",
  "(?:went|goes) (?:along )?with (?:it|them)",
  "I (?:checked|read|reviewed|looked at|went through) (?:each|every|all)(?: of the)? (?:\\p{L}+ )?files?",
]);

/** No good end is told, and the words are a part of such a description. */
export function describesTask(statement: Statement, words: string): boolean {
  if (saysGood(words)) return false;
  if (has(describes, words)) return true;
  const isPart = /^§? ?\p{L}+s\b/u.test(words) && !saysGood(statement.words);
  return isPart && has(describes, statement.words);
}

/** A half that is nothing but code or a name belongs to the rest of its sentence. */
export const wholeClause = (statement: Statement, clause: Clause): Clause =>
  /\p{L}{2}[^§]*\p{L}{2}/u.test(clause.words.replace(/^[\p{L}-]+$/u, ""))
    ? clause
    : {
        words: statement.words,
        code: statement.clauses.flatMap(({ code }) => code),
        span: statement.span,
      };

/** A half of a sentence that tells of something done or of a good end, and of nothing else. */
export function saysDone(statement: Statement, clause: Clause): boolean {
  const { words } = clause;
  if (isAside(statement) || standsAhead(statement.under)) return false;
  if (tellsFailure(words) || isAhead(words) || /^(?:run|use|try|deploy|execute)\b/i.test(words))
    return false;
  if (!isAsserted(statement, clause, [0, words.length])) return false;
  return statement.box === "ticked" || has(done, words) || saysGood(words);
}
