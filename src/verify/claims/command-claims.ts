// Commands that a message says it ran, or that it says went well, against the commands on record.
import { isAbsolute, posix } from "node:path";
import type { CommandRun } from "../evidence/command-runs.ts";
import type { RanCommand } from "../evidence/ledger.ts";
import { everywhereWords, goodWords, tellsTrouble as tellsBad } from "./words/good-words.ts";
import { commandWords, type ResultSetting } from "./gap-of.ts";
import { judgeResult } from "./judge-result.ts";
import {
  contradicted,
  executed,
  inDoubt,
  neverRun,
  notJudged,
  onRecord,
  unsupported,
} from "./judgement.ts";
import type { ClaimJudgement } from "./judgement.ts";
import { knownTools } from "./runs/tables/known-tools.ts";
import { bareClaim } from "./words/find-result-claims.ts";
import { isAside, isAsserted } from "./words/is-asserted.ts";
import { isCheckItem } from "./states/is-check-item.ts";
import { standsAhead, tellsFailure as tellsTrouble } from "./words/says-done.ts";
import { anyPhrase } from "./words/phrase.ts";
import { tellsRehearsal } from "./is-rehearsal.ts";
import { namedRun, type NamedRun } from "./runs/named/named-run.ts";
import { recognise } from "./runs/recognise.ts";
import { statementsOf, type Clause, type Statement } from "./words/statements.ts";

/** `succeeded`: the words say that it went well; otherwise only that it ran. */
export type CommandClaim = {
  kind: "command";
  span: [number, number];
  words: string;
  command: string;
  succeeded: boolean;
  failed: boolean;
};

const programs = new Set([
  ...knownTools.flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!)),
  ...(
    "npm npx pnpm yarn bun node deno python python3 pip pip3 ruby php composer bash sh curl " +
    "docker git retinue just mise task make tox bundle poetry uv pipenv pdm docker-compose kubectl rtk"
  ).split(" "),
]);

/** Words that only a shell would be given. */
export function isCommandText(text: string): boolean {
  const parts = text
    .trim()
    .replace(/^\$\s+/, "")
    .split(/\s+(?:\||&&|;)\s+/);
  return parts.some((part) => isOneCommand(part, parts.length > 1));
}

function isOneCommand(text: string, isPart: boolean): boolean {
  const words = text.split(/\s+/);
  if (isPart && words.length < 2) return false;
  const first = words.find((word) => !/^[A-Z_]+=/.test(word)) ?? "";
  return (
    (programs.has(first) &&
      (words.length > 1 ||
        ![
          "make",
          "build",
          "m",
          "black",
          "lab",
          "green",
          "standard",
          "np",
          "ward",
          "robot",
          "arch",
          "tap",
          "install",
          "swc",
          "task",
          "just",
          "prove",
          "surge",
          "git",
          "docker",
          "node",
          "python",
          "go",
          "cargo",
        ].includes(first))) ||
    /^(?:\.{1,2}\/[\w./-]+\.(?:sh|py|js)|\.\/gradlew|\.\/mvnw)(?:\s|$)/.test(words.join(" "))
  );
}

const ranBefore = anyPhrase([
  "(?:re-?)?ran",
  "(?:re-?)?executed",
  "(?:verified|confirmed|checked|validated|tested) (?:it |this |that )?(?:with|by running|via|using)",
  "(?:after|by) running",
  "(?:output|result) of",
]);
const ranJustBefore = new RegExp(
  `(?:${ranBefore.source})(?:\\s+(?:the|it|with|again|:|and))*\\s*:?\\s*$`,
  "iu",
);
const asksToRun = anyPhrase(["run", "use", "try", "execute", "via", "e\\.g\\.", "like", "such as"]);

const asksJustBefore = new RegExp(`(?:${asksToRun.source})\\s*$`, "iu");
const saysRan = (before: string, after: string): boolean =>
  /^\s*ausgeführt/i.test(after) || ranJustBefore.test(before);
const tellsFailure = (after: string): boolean =>
  /\b(?:fail\w*|errors?|exit(?:s|ed)?(?: with)?(?: code)? [1-9])\b/i.test(after.slice(0, 160));

/** What a row says in its column of results; undefined where it has none. */
function resultCell({ kind, parts, head }: Statement, command: string): boolean | undefined {
  const column = head.findIndex((name) => /exit|result|status|outcome|passed|ergebnis/i.test(name));
  if (kind !== "row" || column < 0 || !parts.some((part) => part.includes(command)))
    return undefined;
  const cell = (parts[column] ?? "").replace(/[*`]/g, "").trim();
  if (/^(?:exit(?: code)? )?0$/i.test(cell) || cell.search(goodWords) >= 0) return true;
  // Where checks are listed, a result that tells no trouble is a good one.
  const [first = ""] = cell.split(/[,;(–—]/);
  return /\p{L}{2}/u.test(first) && !tellsTrouble(first) && !tellsBad(cell);
}

/** Between a command and how it went: no other verb. */
const leadsOn = new RegExp(
  "^[\\s|]*(?:\\([^)]{0,60}\\))?\\s*(?:→|->|=>|:|[-–—|])*\\s*(?:(?:now|also|still|both|" +
    "again|is|are|was|all|runs?|ran|comes?|came|back|exits?|exited|completed?|finished|ended|" +
    "reports?|reported|returns?|returned|shows?|showed|with)[\\s|]+)*\\p{Script=Han}{0,6}$",
  "iu",
);

const nextCode = (words: string, from: number): number => {
  const at = words.slice(from).search(/[§¤]/);
  return at < 0 ? -1 : from + at;
};

export function findCommandClaims(text: string): CommandClaim[] {
  return statementsOf(text)
    .filter(({ kind, words }) => kind !== "fence" && words.includes("§"))
    .filter((statement) => !isAside(statement))
    .filter(({ under }) => !standsAhead(under))
    .flatMap((statement) => statement.clauses.flatMap((clause) => claimsIn(statement, clause)))
    .slice(0, 200);
}

function claimsIn(statement: Statement, clause: Clause): CommandClaim[] {
  const { words, code, span } = clause;
  let at = -1;
  return code.flatMap((one): CommandClaim[] => {
    at = nextCode(words, at + 1);
    if (at < 0) return [];
    const [before, after] = [words.slice(0, at), words.slice(at + 1)];
    const isTask = taskLike.test(one) && ranJustBefore.test(before);
    if (!isCommandText(one) && !isTask) return [];
    const good = after.search(goodWords);
    const cell = resultCell(statement, one);
    const isGood = good >= 0 && leadsOn.test(after.slice(0, good));
    const succeeded = cell ?? (isGood || isListed(statement, before, after));
    const ran = saysRan(before, after);
    if (!ran && (!succeeded || asksJustBefore.test(before))) return [];
    if (!isAsserted(statement, clause, [at, at + 1])) return [];
    // "`go test ./...` is ok for a but fails for b": it did not go well as a whole.
    if (succeeded && /\bbut (?:it )?(?:fails?|failed|breaks)\b/i.test(statement.words)) return [];
    const failed = !succeeded && tellsFailure(after);
    const command = one.replace(/^\$\s+/, "");
    return [{ kind: "command", span, words, command, succeeded, failed }];
  });
}

/** `lintDebug`, `csvclean customers.csv`: the name of a task, or a program with what it is given. */
const taskLike = /^[a-z]\w*(?:[A-Z:-]\w+)+$|^[a-z][\w-]*(?: [^\s(){};=]+)+$/;

/** The item of a list of checks, or a ticked one: the command that opens it held. */
const isListed = (statement: Statement, before: string, after: string): boolean =>
  (statement.box === "ticked" && (before + after).trim() === "") ||
  (isLead(statement, before) && !tellsTrouble(statement.words));

const isLead = (statement: Statement, before: string): boolean =>
  (/^[\s|✅✓✔☑🟢]*$/u.test(before) && /[✅✓✔☑🟢]/u.test(before)) ||
  (isCheckItem(statement) && /^[\s|:–—-]*(?:[\p{L} -]{0,30}[|:(]\s*)?$/u.test(before));

export function judgeCommand(claim: CommandClaim, setting: ResultSetting): ClaimJudgement {
  const { project } = setting;
  const isKnown = recognise(claim.command, project.root, project).runs.length > 0;
  if (!isCommandText(claim.command) && !isKnown && !isOwnProgram(claim.command, setting))
    return notJudged("nobody knows whether it is a command");
  const named = namedRun(claim.command, setting);
  if (named && named.found !== "made")
    return isKnown && isIdle(setting)
      ? byResult(claim, setting)
      : unmadeCommand(claim, named, setting);
  const own = named ? withRuns(setting, named.runs) : setting;
  const runs = setting.ledger.ran(claim.command);
  const last = runs.findLast((one) => one.proven) ?? runs.at(-1);
  if (last) return byLast(claim, last, isKnown ? own : undefined);
  return isKnown ? byResult(claim, own) : notJudged("it ran under another name");
}

/** `known`: the record of its runs, where it proves something. */
function byLast(
  claim: CommandClaim,
  last: RanCommand,
  known: ResultSetting | undefined,
): ClaimJudgement {
  const code = last.run.exitCode;
  // No more is said than the exit code.
  if (/\bexit(?:s|ed)?(?: with)?(?: code| status)? 0\b/i.test(claim.words) && code === 0)
    return onRecord("recorded: exit code 0");
  if (claim.failed)
    return code === 0
      ? notJudged("recorded: exit code 0")
      : executed(`recorded: exit code ${code}`);
  return claim.succeeded && known ? byResult(claim, known) : byExit(claim, last);
}

/** The record as far as these runs go: no other proves anything of the command. */
export const withRuns = (setting: ResultSetting, own: readonly CommandRun[]): ResultSetting => ({
  ...setting,
  record: { ...setting.record, runs: setting.record.runs.filter(({ run }) => own.includes(run)) },
});

/** Who changed and ran nothing tells how things are done here. */
const isIdle = ({ ledger, record }: ResultSetting): boolean =>
  ledger.edits.length === 0 &&
  record.recognitions.every(({ recognition }) => !recognition.executes);

/** The project has a file of that name. */
const isOwnProgram = (command: string, { project }: ResultSetting): boolean => {
  const name = command.split(" ")[0]!;
  return project.paths().some((path) => posix.basename(path).replace(/\.\w+$/, "") === name);
};

/** Also for a command that is named in passing. */
export function unmadeCommand(
  { words, command }: Pick<CommandClaim, "words" | "command">,
  named: Exclude<NamedRun, { found: "made" }>,
  setting: ResultSetting,
): ClaimJudgement {
  const { ledger } = setting;
  if (isIdle(setting) && !/\b(?:I|we|ich|nous|j'ai|he)\b/i.test(words))
    return notJudged("nothing was run or changed, and the message does not say who ran it");
  if (ledger.delegations > 0)
    return notJudged("no such run is recorded here; an agent that it called may have made it");
  if (ledger.truncated || ledger.isContinued) return notJudged("the record is not whole");
  if (named.found === "weaker")
    return unsupported(`recorded: ${commandWords(named.run.command)}, without ${named.without}`);
  if (named.found === "void" && tellsRehearsal({ words, code: [] }))
    return notJudged("it is told as tried, and so it was");
  if (named.found === "void")
    return unsupported(`recorded: ${commandWords(named.run.command)}, which does not do it`);
  const none = neverRun(`no run of ${commandWords(command)} is recorded`);
  return named.found === "open"
    ? inDoubt("unknown run", `${none.reason}; a program that nobody knows may have made it`, none)
    : none;
}

function byExit({ succeeded }: CommandClaim, { run, proven }: RanCommand): ClaimJudgement {
  if (run.exitCode === null)
    return inDoubt(
      "open end",
      "it ran and was stopped or left running",
      unsupported("recorded: it did not end"),
    );
  if (run.exitCode === 0 && proven) return executed("recorded: exit code 0");
  if (!succeeded) return onRecord(`recorded: exit code ${run.exitCode}`);
  const failed = contradicted(`recorded: exit code ${run.exitCode}`);
  if (proven && run.exitCode !== 0) return failed;
  const chain = "it ran as a part of a longer command, whose exit code is not its own";
  return run.exitCode === 0 ? notJudged(chain) : inDoubt("chain", chain, failed);
}

/** The same check under another spelling proves it as well. */
function byResult(
  { command, span, words, succeeded }: CommandClaim,
  setting: ResultSetting,
): ClaimJudgement {
  const { project } = setting;
  const known = recognise(command, project.root, project).runs[0]!;
  const claim = {
    ...bareClaim(known.subjects[0]!, { words, span }),
    sentenceCode: [command],
    partly: known.parts.length > 0 || isAbsolute(known.folder),
    whole: /\.\.\.|--workspace|--all\b|\s-r\b/.test(command) || words.search(everywhereWords) >= 0,
    everywhere: words.search(everywhereWords) >= 0,
  };
  const judged = judgeResult(claim, setting);
  if (!judged) return notJudged("nothing to compare");
  // That it ran is true even where it went badly.
  const isKnown = judged.verdict !== "unsupported" && judged.verdict !== "not_judged";
  return succeeded || !isKnown ? judged : onRecord(judged.reason);
}
