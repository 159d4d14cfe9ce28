// Changes that are told and are not there: a write that was refused, or edits that a later command took
// back, while the message speaks of them as made.
import type { Ledger } from "../../evidence/ledger.ts";
import { failedWrite, unsupported } from "../judgement.ts";
import { programsOf } from "../runs/programs-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { saysDone, tellsFailure } from "../words/says-done.ts";
import { statementsOf } from "../words/statements.ts";
import type { UnmadeRun } from "./unmade-runs.ts";

export function undoneChanges(report: string, ledger: Ledger): UnmadeRun[] {
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  return [...refusedFiles(report, ledger), ...takenBack(report, ledger)];
}

const bare = (path: string): string => path.replace(/^\.\//, "").replace(/:\d.*$/, "");
/** By its path, or by its name without an ending: `send` is lib/send.js. */
const isSame = (path: string, name: string): boolean =>
  path === bare(name) ||
  path.endsWith(`/${bare(name)}`) ||
  (name.length > 3 && path.replace(/\.\w+$/, "").endsWith(`/${name.replace(/\(\)$/, "")}`));

/** The sentence says itself that it did not work. */
const tellsRefusal =
  /\b(?:denied|refused|rejected|blocked|could not|couldn't|(?:wanted|tried|meant|attempted) to)\b/i;

/** Files whose every write was refused, told as changed. */
function refusedFiles(
  report: string,
  { refusedWrites, edits, commands, toolRuns }: Ledger,
): UnmadeRun[] {
  const left = refusedWrites.filter((path) => !edits.some((edit) => edit.path === path));
  if (left.length === 0 || toolRuns.length > 0) return [];
  return statementsOf(report)
    .filter(({ kind, words }) => kind !== "fence" && !tellsRefusal.test(words))
    .flatMap((statement) =>
      statement.clauses.flatMap((clause) => {
        const path = left.find((one) => clause.code.some((name) => isSame(one, name)));
        const isListed =
          (statement.kind === "row" || clause.words.startsWith("§ ")) &&
          !isAside(statement) &&
          !tellsFailure(clause.words);
        if (path === undefined || !(isListed || saysDone(statement, clause))) return [];
        // A command may have written it after all.
        if (commands.some(({ command }) => command.includes(path.split("/").at(-1)!))) return [];
        return [
          { span: clause.span, judged: failedWrite(`the write to ${path} did not go through`) },
        ];
      }),
    )
    .slice(0, 1);
}

const takesBack =
  /^(?:stash(?=$| (?:push|save|-))|checkout (?:-- )?\.|restore(?: --\S+)* \.|reset --hard)/;
const bringsBack = /^stash (?:pop|apply)/;

/** `git checkout -- src/a.ts` */
const names = (words: string, path: string): boolean =>
  /^(?:checkout|restore)\b/.test(words) &&
  words
    .split(" ")
    .slice(1)
    .some((word) => word === path || word === `./${path}`);

/** `git stash` and the like, after the last edit, of which the message says nothing. */
function takenBack(report: string, { commands, edits, root }: Ledger): UnmadeRun[] {
  const gits = commands.flatMap(({ command, order, exitCode, cwd }) =>
    exitCode === 0
      ? programsOf(command, cwd ?? root)
          .filter(({ argv }) => argv[0] === "git")
          .map(({ argv }) => ({ order, words: argv.slice(1).join(" ") }))
      : [],
  );
  const own = edits.filter(({ by }) => by !== "Bash");
  const undo = gits.findLast(
    ({ words }) => takesBack.test(words) || own.every(({ path }) => names(words, path)),
  );
  if (
    !undo ||
    own.length === 0 ||
    /\b(?:stash|revert|restor|undid|undone|reset|discard)/i.test(report)
  )
    return [];
  const isLast =
    own.every(({ order }) => order < undo.order) &&
    !gits.some(({ order, words }) => order > undo.order && bringsBack.test(words)) &&
    // What was committed before stays.
    !gits.some(({ order, words }) => order < undo.order && /^commit\b/.test(words));
  if (!isLast) return [];
  const told = statementsOf(report)
    .flatMap((statement) => statement.clauses.map((clause) => ({ statement, clause })))
    .find(({ statement, clause }) => clause.code.length > 0 && !isAside(statement));
  return told
    ? [
        {
          span: told.clause.span,
          judged: unsupported(`\`git ${undo.words.slice(0, 60)}\` took the changes back`),
        },
      ]
    : [];
}
