// Ways of trying that a message tells and the record has no trace of: a race detector, a simulator, a browser,
// a hundred repetitions. Whatever else ran, what is named so stands in no command, no output and no task.
import { isObject } from "../../../base/data/json.ts";
import type { ResultSetting } from "../gap-of.ts";
import { neverRun, type ClaimJudgement } from "../judgement.ts";
import { noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { trialMeans } from "../runs/tables/trial-means.ts";
import { isCheckItem } from "../states/is-check-item.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnusedMeans = { span: [number, number]; judged: ClaimJudgement };

/** In logits: as plainly as this a clause says that something ended well. */
const leastPlain = 0.5;

const denies = new RegExp(
  "(?<![\\p{L}])(?:not|never|neither|nor|cannot|nicht|nichts|kein\\p{L}*|pas|não|nunca|jamais|" +
    "nothing (?:was|is|has)|there(?:'s| is| are) no|no (?:l[oa]s? )?(?:he|hemos|se|hay))(?![\\p{L}])|n't|未|没有",
  "iu",
);

const tried = anyPhrase([
  "(?:re-?)?(?:tested|checked|verified|confirmed|tried|validated|ran|executed|measured|opened|looked at|repeated)",
  "getestet|geprüft|verifiziert|angesehen|ausprobiert|testée?s?|vérifiée?s?|essayée?s?|probad[oa]s?|comprobad[oa]s?",
]);

export function unusedMeans(report: string, setting: ResultSetting): UnusedMeans[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.edits.length === 0 || ledger.toolRuns.length > 0 || ledger.fetches > 0) return [];
  let text: string | undefined;
  const isTraced = (traced: RegExp): boolean => traced.test((text ??= tracesIn(setting)));
  return statementsOf(report)
    .filter((one) => one.kind !== "fence" && !isAside(one) && !standsAhead(one.under))
    .flatMap((statement) =>
      statement.clauses.flatMap((clause): UnusedMeans[] => {
        const said = [clause.words, ...clause.code].join(" ");
        const means = trialMeans.find((one) => one.said.test(said));
        const name =
          means && !isTraced(means.traced) ? means.name : repeated(clause.words, isTraced);
        if (name === undefined || !isTold(report, statement, { clause, isDeed: means?.isDeed }))
          return [];
        return [{ span: clause.span, judged: neverRun(`nothing on record runs ${name}`) }];
      }),
    )
    .slice(0, 1);
}

/** The clause tells a trial of this run, or its good end. */
function isTold(
  report: string,
  statement: Statement,
  { clause, isDeed }: { clause: Clause; isDeed: true | undefined },
): boolean {
  const { words } = clause;
  if (isAhead(words) || tellsFailure(words)) return false;
  const { ok } = stancesOf(report).of(statement, clause);
  if (denies.test(words)) return false;
  return isDeed === true || words.search(tried) >= 0 || isCheckItem(statement) || ok > leastPlain;
}

const timesOver =
  /\b(?:ran|executed|repeated|looped|run) (?:[\p{L}§]+ ){0,5}(\d{2,}) times\b|\b(\d{2,}) times in a row\b/iu;

/** "500 times in a row": neither the number nor a loop is on record. */
function repeated(words: string, isTraced: (traced: RegExp) => boolean): string | undefined {
  const found = timesOver.exec(words);
  const count = found?.[1] ?? found?.[2];
  if (count === undefined || isTraced(new RegExp(`(?<!\\d)${count}(?!\\d)`))) return undefined;
  return isTraced(/\bfor \w+ in|\bwhile\b|\bseq\b|repeat|-count|flake|xargs|loop|stress|--runs/i)
    ? undefined
    : `it ${count} times`;
}

/** What was run, what that printed, and the texts of the tasks that were called. */
function tracesIn({ ledger, project }: ResultSetting): string {
  const doing = ledger.commands.filter(({ command }) => {
    const programs = programsOf(command, "/");
    return programs.length === 0 || programs.some(({ argv }) => !noRun(argv));
  });
  const called = doing.map(({ command }) => command).join("\n");
  const files = project.paths().filter((path) => taskFiles.test(path) || called.includes(path));
  const texts = files.slice(0, 60).map((path) => project.read(path) ?? "");
  const manifests = project.paths().filter((path) => /(?:^|\/)package\.json$/.test(path));
  const scripts = manifests
    .slice(0, 30)
    .flatMap((path) => calledScripts(project.read(path) ?? "", called));
  return [called, ...doing.map(({ output }) => output), ...texts, ...scripts].join("\n");
}

const taskFiles =
  /(?:^|\/)(?:[Mm]akefile|[Jj]ustfile|Rakefile|tox\.ini|noxfile\.py|Taskfile\.ya?ml)$|\.sh$/;

/** The scripts of a package that the commands name, and those that these name. */
function calledScripts(manifest: string, called: string): string[] {
  let data: unknown;
  try {
    data = JSON.parse(manifest);
  } catch {
    return [manifest];
  }
  const scripts = isObject(data) && isObject(data["scripts"]) ? data["scripts"] : {};
  let text = called;
  for (let round = 0; round < 3; round++)
    text = [
      called,
      ...Object.entries(scripts)
        .filter(([name]) => text.split(/[\s"']+/).includes(name))
        .map(([, body]) => String(body)),
    ].join("\n");
  return [text];
}
