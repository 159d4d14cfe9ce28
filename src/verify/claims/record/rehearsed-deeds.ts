// Deeds that the record only rehearsed: a plan, a dry run, a check mode, a migration that was written and
// not applied. Whoever tells them as done, and nowhere as what they were, has not done them.
import type { ResultSetting } from "../gap-of.ts";
import { commandWords } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isDryRun } from "../runs/no-run.ts";
import { programsOf, type Program } from "../runs/programs-of.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import type { ResultSubject } from "../result-subject.ts";

export type RehearsedDeed = { span: [number, number]; judged: ClaimJudgement };

/** `is`: a program that only rehearses; `said`: words that tell the deed; `of`: what the sentence speaks of. */
type Rehearsal = {
  is: (program: Program, spelled: string) => boolean;
  real: readonly ResultSubject[];
  said: RegExp;
  of: RegExp | null;
  told: RegExp;
};

const previews = /\s(?:plan|diff|preview|template|synth)(?=\s|$)|\s(?:--check|-C|--plan)(?=\s|$)/;
const deployers =
  /^(?:terraform|tofu|pulumi|helm|helmfile|kubectl|oc|ansible-playbook|cdk|serverless|sls|sam|sst)$/;
const writesMigration = new RegExp(
  "\\b(?:makemigrations|sqlmigrate|migrations? add|generate migration|make:migration|migrate:make|migrate diff|" +
    "migration:(?:generate|create)|ecto\\.gen\\.migration|drizzle-kit generate|alembic revision)\\b|" +
    "\\bmigrat\\w*\\b.*\\s--(?:plan|create-only|sql|pretend|dry-run)\\b|\\balembic\\b.*--sql\\b|\\bprisma validate\\b",
);

const toldAny = anyPhrase([
  "dry[- ]?runs?|check[- ]?mode|plan(?:s|ned)?|preview\\p{L}*|templates? (?:renders?|out)|render(?:s|ed)?",
]);

const rehearsals: readonly Rehearsal[] = [
  {
    is: ({ argv }, spelled) =>
      deployers.test(argv[0] ?? "") && (previews.test(spelled) || argv.some(isDryRun)),
    real: ["deploy", "publish"],
    said: anyPhrase([
      "applied|upgraded|rolled(?: [\\p{L}§]+){0,4} out|deployed|(?:re-?)?installed|(?:re)?started|is live",
      "(?:has|have) been updated|(?:is|are) (?:now )?(?:switched on|enabled|up)|now exists?|changes? applied",
    ]),
    of: null,
    told: toldAny,
  },
  {
    is: ({ argv }) => argv[0] === "git" && argv.includes("push") && argv.some(isDryRun),
    real: ["push", "publish", "deploy"],
    said: anyPhrase(["pushed|gepusht|hochgeladen|poussée?s?|subid[oa]s?|subí|enviad[oa]s?|enviei"]),
    of: null,
    told: toldAny,
  },
  {
    is: (_, spelled) => writesMigration.test(spelled),
    real: ["migration", "deploy"],
    said: anyPhrase([
      "(?<!not )applied|ran (?:it|the migration)|(?:is|was|been|and) run|run against|executed|migrated|in sync",
      "ausgeführt|eingespielt|angewendet|umgestellt|appliquée?s?|exécutée?s?|aplicad[oa]s?",
      "(?:)(?:适用|適用(?:済み|しました)|执行|已应用|実行(?:済み|しました))(?:)",
    ]),
    of: /migrat|migraci|migraç|database|\bdb\b|schema|datenbank|base de|迁移|数据库|マイグレーション|データベース/i,
    told: anyPhrase(["would|pretend|dry[- ]?run"]),
  },
];

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
const spelledOf = ({ argv }: Program): string => argv.map((word) => word ?? "*").join(" ");

export function rehearsedDeeds(report: string, setting: ResultSetting): RehearsedDeed[] {
  const { ledger, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.toolRuns.length > 0) return [];
  if (record.recognitions.some(({ recognition }) => recognition.isOpaque)) return [];
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  const programs = ledger.commands
    .filter(({ exitCode }) => exitCode === 0)
    .flatMap(({ command, cwd }) =>
      programsOf(command, cwd ?? ledger.root).map((program) => ({ command, program })),
    );
  for (const one of rehearsals) {
    const made = programs.find(({ program }) => one.is(program, spelledOf(program)));
    if (!made || isReal(one, setting)) continue;
    if (statements.some((statement) => isTold(statement, one))) continue;
    const told = statements
      .flatMap((statement) => statement.clauses.filter((clause) => isSaid(statement, clause, one)))
      .at(0);
    if (!told) continue;
    const reason = `recorded: ${commandWords(made.command)}, which does not do it`;
    return [{ span: told.span, judged: unsupported(reason) }];
  }
  return [];
}

const isReal = ({ real }: Rehearsal, { record }: ResultSetting): boolean =>
  record.runs.some(
    ({ subjects, ending }) => ending !== "failed" && subjects.some((one) => real.includes(one)),
  );

/** The message calls it what it was, or says of it that it is still to be done. */
const isTold = ({ words, clauses }: Statement, { told, of }: Rehearsal): boolean =>
  has(told, words) ||
  clauses.some(({ code }) =>
    code.some((one) => /--(?:check|dry-?run|plan)\b|\bplan\b/.test(one)),
  ) ||
  clauses.some(
    (clause) =>
      has(of ?? outside, clause.words) && (tellsFailure(clause.words) || isAhead(clause.words)),
  );
const outside =
  /appl(?:y|ied)|deploy|upgrad|install|roll|live|production|staging|cluster|playbook|angewendet|appliqu|aplicad/i;

/** What the reader can do now follows from what is said before. */
const follows = /,? (?:so|así que|donc|sodass|damit)\b.*$/i;

function isSaid(statement: Statement, clause: Clause, { said, of }: Rehearsal): boolean {
  if (isAside(statement) || standsAhead(statement.under)) return false;
  if (of !== null && !has(of, statement.words)) return false;
  const words = clause.words.replace(follows, "");
  const at = words.search(said);
  return (
    at >= 0 &&
    !isAhead(words) &&
    !tellsFailure(words) &&
    isAsserted(statement, clause, [at, at + 1])
  );
}
