// Runs that never ended while anybody looked, and are told as if they had: started in the background,
// stopped, timed out. A clause names one by its command or by the words of which its command is made.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { argumentsOf, carried } from "../runs/arguments-of.ts";
import { isPrinter } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, saysGood, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause } from "../words/statements.ts";

export type UnendedRun = { span: [number, number]; judged: ClaimJudgement };

export function unendedRuns(report: string, { ledger }: ResultSetting): UnendedRun[] {
  const wentWell = (one: string): boolean => ledger.ran(one).at(-1)?.run.exitCode === 0;
  const { commands, delegations, truncated } = ledger;
  if (delegations > 0 || truncated) return [];
  const open = commands.filter(
    (run) =>
      run.exitCode === null &&
      !commands.some((later) => later.order > run.order && mayShow(later, run)),
  );
  return open.flatMap((run): UnendedRun[] => {
    const names = namesOf(run.command).filter(
      (name) =>
        !commands.some(
          (one) => one.exitCode === 0 && isNamed(one.command.replace(testFiles, " "), name),
        ),
    );
    const span = claimOf(report, run, { names, wentWell });
    const reason = `recorded: ${commandWords(run.command)} did not end`;
    return span ? [{ span, judged: unsupported(reason) }] : [];
  });
}

/** A test of something is no run of it. */
const testFiles = /\S*(?:test|spec)\S*\.\w+/gi;

/** In logits: as plainly as this a clause that names it says that it ended well. */
const leastPlain = 0.5;
/** "No result", "cut off", "still running": it is told how it stands. */
const tellsOpen = new RegExp(
  "\\bno (?:result|output|end)\\b|⏱|⏳|" +
    "\\b(?:unfinished|interrupted|aborted|cut off|still|progress|background|killed|stopped)\\b",
  "i",
);
/** Who starts a server says nothing of its end. */
const onlyStarts =
  /\b(?:start(?:ed|s)?|launch\w*|boot\w*|spun up|running on|listening|against|request\w*)\b/i;

/** Where the message says that it ended well, and nowhere that it did not. */
function claimOf(
  report: string,
  { command }: CommandRun,
  { names, wentWell }: { names: readonly string[][]; wentWell: (command: string) => boolean },
): [number, number] | undefined {
  const { of } = stancesOf(report);
  const named = ({ words, code }: Clause): readonly string[][] =>
    names.filter((name) => isNamed(`${words} ${code.join(" ")}`, name));
  const told = statementsOf(report)
    .filter((one) => one.kind !== "fence" && !isAside(one) && !standsAhead(one.under))
    .flatMap((statement) =>
      statement.clauses.map((clause) => ({ statement, clause, by: named(clause) })),
    );
  const isTrouble = (words: string): boolean => tellsFailure(words) || tellsOpen.test(words);
  const isOver = (words: string): boolean =>
    /\b(?:gone|fixed|resolved|solved|again)\b/i.test(words);
  if (
    told.some(({ clause, by }) => by.length > 0 && isTrouble(clause.words) && !isOver(clause.words))
  )
    return undefined;
  for (const { statement, clause, by } of told) {
    // "`npm test` hung, so I ran `npx vitest run`": another command is told to have gone well.
    if (statement.clauses.some(({ code }) => code.some((one) => one !== command && wentWell(one))))
      continue;
    const isWhole = !isAhead(statement.words) && !isTrouble(statement.words);
    const byCode = clause.code.some((one) => one.length > 4 && command.includes(one));
    if (byCode && isWhole && saysGood(statement.words)) return statement.span;
    if (by.length === 0 || isAhead(clause.words) || onlyStarts.test(clause.words)) continue;
    const isGood = saysGood(clause.words) || of(statement, clause).ok > leastPlain;
    if (isGood || by.some((name) => name.length > 1)) return clause.span;
  }
  return undefined;
}

/** Words that say nothing of what was run. */
const generic = new Set(
  (
    "test tests run runs exec start dev all build check lint main index script scripts node python npm npx pnpm yarn " +
    "bun go cargo make mix mvn gradle gradlew dotnet bundle rake docker compose bash src app apps lib bin core " +
    "install update the and for with from this that file config json yaml true false quiet verbose release debug"
  ).split(" "),
);

/** The words of each name in a command: `assembleDebug`, `test:e2e`, `ranker.train`. */
function namesOf(command: string): string[][] {
  return programsOf(command, "/")
    .filter(({ argv }) => !isPrinter(argv))
    .flatMap(({ argv }) => {
      const own = carried(argv, () => false) ?? argv;
      return [own[0] ?? "", ...argumentsOf(own.slice(1))].map((word) => {
        const last = word.split(/[./\\](?=[^./\\]*[a-z])/i).findLast((one) => one.length > 2);
        const words = wordsOf(last ?? "");
        return words.some((one) => !generic.has(one))
          ? words.filter((one) => one !== "test" && one !== "tests")
          : [];
      });
    })
    .filter((words) => words.some((one) => one.length > 2));
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((one) => one.length > 2);

/** "Retrained" and "training" are of "train". */
const isNamed = (text: string, name: readonly string[]): boolean => {
  const words = wordsOf(text);
  return name.every((one) =>
    words.some((word) => word.startsWith(one) || word.replace(/^re/, "").startsWith(one)),
  );
};

/** A later command that ran the same again, or looked at what it wrote. */
const mayShow = (later: CommandRun, { command, output }: CommandRun): boolean => {
  const file = /\/[\w./-]+\.(?:output|log|txt|out)\b/.exec(`${output} ${command}`)?.[0];
  return later.command === command || (file !== undefined && later.command.includes(file));
};
