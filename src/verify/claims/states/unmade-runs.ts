// Deeds that no edit can be: started, called, opened in a browser, uploaded, installed. Where the record
// has nothing that executes anything, nobody did them, whatever the words are.
import type { ResultSetting } from "../gap-of.ts";
import { neverRun, type ClaimJudgement } from "../judgement.ts";
import { isAside } from "../words/is-asserted.ts";
import { isCheckItem } from "./is-check-item.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { tellsRehearsal } from "../is-rehearsal.ts";
import type { ResultSubject } from "../result-subject.ts";

export type UnmadeRun = { span: [number, number]; judged: ClaimJudgement };

const lists = {
  /** Who did it: the agent, in the past. */
  by: [
    "(?:i|we|i've|we've|i have|we have)(?: (?:then|also|even|just|already|manually|locally|briefly|subsequently))*",
    "^(?:then |also |afterwards,? |finally,? |manually |locally )*",
    "(?:and|then|afterwards|also)",
    "(?:after|by|when)",
  ],
  thing: [
    "(?:(?:the|a|an|my|your|its|both|this|that|each|every|all|real|live|local|sample|built|new|same|dev|affected|" +
      "actual|running|failing|example|compiled|whole|full|[§\\p{L}-]+) ){0,4}",
  ],
  runnable: [
    "apps?|application|servers?|dev server|service|script|program|binary|cli|example|demo|benchmarks?|" +
      "repro\\p{L}*|page",
    "site|endpoints?|api|url|route|command|scenario|flow|query|queries|job|worker|container|notebook|" +
      "simulator|emulator",
    "device|browser|container|stack|playbook|pipeline|function|requests?|form|button|screen|ui|game|tool|bot|daemon",
  ],
};

/** Ways of trying that no test runner is. */
const byHandWords = [
  "{by} ?(?:verified|confirmed|checked|tested|validated|tried)(?: [\\p{L}§']+){0,5} (?:in|with|using|from|" +
    "via) (?:the |a |my )?" +
    "(?:repl|browser|console|shell|curl|postman|playground|node|python|irb|simulator|emulator|debugger|" +
    "dev tools|devtools)",
  "{by} ?(?:verified|confirmed|tested|validated)(?: [\\p{L}§']+){0,6} (?:under load|on a real \\p{L}+|" +
    "on the device|by hand|" +
    "end[- ]to[- ]end|manually|interactively|in practice)",
];

/** Asked of something that runs, or done in a browser: a start alone does neither. */
const askedWords = [
  "(?:opened|visited|loaded|reloaded) (?:it in )?(?:the|a|my) (?:\\p{L}+ )?(?:page|site|app|browser|url|dashboard)",
  "(?:and|then|i) clicked",
];
const answerWords = [
  "(?:server|service|endpoint|app|api|it)(?: [\\p{L}§/]+){0,4} (?:answers?|answered|responds?|responded|comes up)",
];

/** Verbs of execution with what they act on, and verbs that need no object. */
const runWords = [
  "{by} ?(?:(?:re-?)?(?:ran|running)|(?:re-?)?execut(?:ed|ing)|(?:re-?)?start(?:ed|ing)|launch(?:ed|ing)|" +
    "boot(?:ed|ing)|" +
    "call(?:ed|ing)|invok(?:ed|ing)|hit(?:ting)?|quer(?:ied|ying)|request(?:ed|ing)|visit(?:ed|ing)|" +
    "load(?:ed|ing)|" +
    "open(?:ed|ing)|click(?:ed|ing)|exercis(?:ed|ing)|tr(?:ied|ying)(?: out)?|submitt(?:ed|ing)|triggered) " +
    "{thing}(?:{runnable})",
  "{by} ?(?:called|hit|queried|ran|tried|invoked) (?:it|them)(?: \\p{L}+){0,2} (?:times|twice|with|against|" +
    "again|by hand|manually|locally)",
  "{by} ?(?:restarted|rebooted|relaunched|smoke[- ]tested|load[- ]tested|stress[- ]tested|fuzzed|" +
    "benchmarked|profiled|" +
    "curled|reproduced|flashed|uploaded|downloaded|reinstalled|reloaded|redeployed|seeded|replayed)",
  "(?:health[- ]?checks?|endpoint|server|service|page|app|api|route|url)(?: [\\p{L}§/]+){0,3} " +
    "(?:responds?|responded|answers?|answered|returned|renders?|rendered|loads|loaded|shows?|" +
    "showed)(?: \\p{L}+){0,2}" +
    "(?: (?:200|201|204|ok|fine|correctly|again|now|as expected)|$|\\.)(?:)",
  "(?:ich habe|habe ich|j'ai|he|hemos|eu) (?:[\\p{L}§]+ ){0,5}(?:gestartet|aufgerufen|lancé|démarré|appelé|" +
    "ouvert|" +
    "arrancado|llamado|abierto|iniciado|rodado)",
  "(?:)(?:启动了|访问了|调用了|起動して|アクセスして)(?:)",
];
/** Opens an item of a list of checks: something was done that no check of the project does. */
const triedWords = anyPhrase([
  "^\\|? ?(?:(?:manual\\p{L}*|by hand|locally|smoke test)[ :|–—-]*)?(?:i |we )?(?:then |also )?" +
    "(?:posted|sent|started|opened|called|hit|requested|fetched|tried|clicked|loaded|visited|" +
    "queried|restarted|submitted|uploaded|downloaded|logged in|navigated|typed|pressed|curled|" +
    "pinged|booted|launched|flashed|played)",
]);
const byHand = anyPhrase([...byHandWords, ...askedWords], lists);
const unasked = anyPhrase([...byHandWords, ...askedWords, ...answerWords], lists);
const anyRun = anyPhrase([...byHandWords, ...runWords], lists);

/** Checks that run nothing of the project itself. */
const still: ReadonlySet<ResultSubject> = new Set([
  "types",
  "lint",
  "format",
  "build",
  "commit",
  "push",
  "merge",
]);

const driving = /\b(?:playwright|cypress|puppeteer|selenium|webdriver|e2e|k6|locust|bench)/i;

/** Something that is no check was executed, asked or shown: it may be meant. */
const ranOther = ({ ledger, record }: ResultSetting, { ended }: { ended: boolean }): boolean =>
  ledger.toolRuns.length > 0 ||
  ledger.fetches > 0 ||
  record.recognitions.some(
    ({ run, recognition: { executes, runsOther, unknown, runs } }) =>
      (!ended || run.exitCode !== null) &&
      (unknown !== null ||
        runsOther ||
        (executes && runs.length === 0) ||
        driving.test(run.command) ||
        runs.some(({ subjects }) => subjects.some((one) => one !== "tests" && !still.has(one)))),
  );

const ranTests = ({ record }: ResultSetting): boolean =>
  record.runs.some(({ subjects }) => subjects.includes("tests"));

/** A deed is told whatever came out of it: only a denial, a wish or a plan before it takes it back. */
export const isOwnDeed = (statement: Statement, { words }: Clause, at: number): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !isAhead(words) &&
  words.slice(0, at + 24).search(denies) < 0;

const denies = anyPhrase([
  "not|never|nothing|no|without|cannot|unable|(?:)\\p{L}+n't|nicht|kein\\p{L}*|pas|não|nunca|if|before|until|" +
    "instead of",
]);

/** Where a clause tells a run; below zero where it tells none. */
function toldIn(statement: Statement, { words }: Clause, pattern: RegExp): number {
  const tried = isCheckItem(statement) ? words.search(triedWords) : -1;
  return tried >= 0 ? tried : words.search(pattern);
}

/** Where nothing at all was executed, every item of a list of checks tells one that was not made. */
function toldAt(statement: Statement, clause: Clause): number {
  const { under, head } = statement;
  const at = toldIn(statement, clause, anyRun);
  if (at >= 0) return at;
  const isItem = isCheckItem(statement) && listsTrials.test([...under, ...head].join(" "));
  if (isItem && clause === statement.clauses[0] && !tellsFailure(statement.words)) return 0;
  return clause.words.search(ownTrial);
}

/** Below "Status" or "Results" a sentence may tell of anything. */
const listsTrials =
  /verif|check|test|valid|qa\b|proof|sanity|step|prüf|getestet|vérif|essai|comprob|prueba|验证|检查|测试|検証|確認|テスト/i;

const ownTrial = anyPhrase([
  "(?:i|i've|i have|we) (?:[\\p{L}§]+ ){0,2}(?:tested|tried|ran|re-?ran|executed|exercised|reproduced)",
  "(?:verified|confirmed|tested|reproduced) (?:it |this |that )?(?:with|by|in|on|against|using|via|under)",
  "(?:ich|habe|wir|j'ai|nous avons|he|hemos) (?:[\\p{L}§-]+ ){0,6}(?:ausprobiert|getestet|laufen lassen|ausgeführt|" +
    "durchgespielt|nachgestellt|essayé|testé|exécuté|reproduit|probado|ejecutado|comprobado)",
]);

export function unmadeRuns(report: string, setting: ResultSetting): UnmadeRun[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  // A server that was left running answers nobody who does not ask it.
  if (ledger.edits.length === 0 || ranOther(setting, { ended: true })) return [];
  const isIdle = !ranTests(setting) && !ranOther(setting, { ended: false });
  const pattern = isIdle ? anyRun : ranTests(setting) ? byHand : unasked;
  const isStill = setting.record.recognitions.every(({ recognition }) => !recognition.executes);
  return statementsOf(report)
    .filter(({ kind }) => kind !== "fence")
    .flatMap((statement) =>
      statement.clauses
        .filter((clause) => {
          const at = isStill ? toldAt(statement, clause) : toldIn(statement, clause, pattern);
          return at >= 0 && !tellsRehearsal(clause) && isOwnDeed(statement, clause, at);
        })
        .map(({ span }) => ({ span, judged: neverRun("no command on record executes it") })),
    );
}
