// Programs that were only asked for their version, their help, a list or a plan, while the message tells
// what they did or found: the names are those on record, so no table of tools is needed.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { argumentsOf, carried } from "../runs/arguments-of.ts";
import { isLookWord, isPrinter, noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, saysDone, saysGood, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { tracesOf, isTraced } from "./traces.ts";

export type VoidRun = { span: [number, number]; judged: ClaimJudgement };

/** A program by its name, with its first word where it has several deeds. */
type Called = { names: string[]; command: string };

/** `npx nyc --version` is nyc; `cargo bench --help` is `cargo bench`. */
function calledIn(command: string): (Called & { isVoid: boolean })[] {
  return programsOf(command, "/").flatMap(({ argv }) => {
    const own = carried(argv, () => true) ?? argv;
    const name = own[0];
    if (typeof name !== "string" || name.length < 3 || isPrinter(own)) return [];
    const sub = argumentsOf(own.slice(1)).find((word) => /^[a-z][\w:-]+$/.test(word));
    // `gradle tasks` is no deed of its own: gradle did nothing.
    const isDeed = sub !== undefined && sub.length > 3 && manyDeeds.test(name) && !isLookWord(sub);
    const names = isDeed ? [name, sub] : [name];
    return [{ names, command, isVoid: noRun(own) }];
  });
}

/** Programs that people name with what they are to do. */
const manyDeeds =
  /^(?:cargo|go|git|npm|pnpm|yarn|bun|deno|dotnet|mix|make|just|rake|gradle|mvn|docker|kubectl|gh|rails|php|python)$/;

/** The message speaks of a version, a list or a plan, and claims no more than that. */
const tellsVoid = anyPhrase([
  "version|versions|installed|available|lists?|listed|listing|help|usage|plan(?:s|ned)?|dry[- ]?runs?|preview\\p{L}*",
  "would|config\\p{L}*|tasks?|targets?|status|history|options?|shows? (?:that|which|the)|collect\\p{L}*|describes?",
  "set ?up|added|wrote|use[sd]?|using|uses|needs?|requires?|supports?",
]);

const holds = (text: string, word: string): boolean =>
  new RegExp(
    `(?<![\\p{L}\\d_./-])${escapeRegExp(word)}(?:e?d|s|ing|marks?)?(?![\\p{L}\\d_/-]|\\.\\w)`,
    "iu",
  ).test(text);

/** It says what came out: a good end, a deed, or a figure. */
const tells = (statement: Statement, clause: Clause): boolean =>
  (saysDone(statement, clause) || saysGood(clause.words) || /\d ?%|\b\d+\b/.test(clause.words)) &&
  isAsserted(statement, clause, [0, clause.words.length]);

const isClaim = (statement: Statement, clause: Clause): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !isAhead(clause.words) &&
  !tellsFailure(clause.words) &&
  `${clause.words} ${clause.code.join(" ")}`.search(tellsVoid) < 0 &&
  !clause.code.some((one) => programsOf(one, "/").some(({ argv }) => noRun(argv))) &&
  tells(statement, clause);

export function voidRuns(report: string, setting: ResultSetting): VoidRun[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (
    ledger.toolRuns.length > 0 ||
    record.recognitions.some(({ recognition }) => recognition.isOpaque)
  )
    return [];
  const calls = ledger.commands.flatMap(({ command }) => calledIn(command));
  const isDone = ({ names }: Called): boolean =>
    calls.some((one) => !one.isVoid && names.every((name) => one.names.includes(name)));
  const idle = calls.filter((one) => one.isVoid && !isDone(one));
  if (idle.length === 0) return [];
  const traces = tracesOf(setting);
  const left = idle.filter(({ names }) => !isTraced(names.at(-1)!, traces));
  return statementsOf(report)
    .filter(({ kind }) => kind !== "fence")
    .flatMap((statement) =>
      statement.clauses.flatMap((clause): VoidRun[] => {
        const text = `${clause.words} ${clause.code.join(" ")}`;
        const one = left.find(({ names }) => holds(text, names.at(-1)!));
        if (!one || !isClaim(statement, clause)) return [];
        const reason = `recorded: ${commandWords(one.command)}, which does not do it`;
        return [{ span: clause.span, judged: unsupported(reason) }];
      }),
    )
    .slice(0, 1);
}
