// "0 warnings", "no vulnerabilities": a number that the last run which the words speak of printed otherwise.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, type ClaimJudgement } from "../judgement.ts";
import { isPrinter } from "../runs/no-run.ts";
import { warningsIn } from "../runs/output-says.ts";
import { programsOf } from "../runs/programs-of.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type DeniedCount = { span: [number, number]; judged: ClaimJudgement };

/** `said`: how messages name it; `printed`: how tools do, behind its number. */
type Counted = { said: string; printed: string; isAnyRun?: true };

const counted: readonly Counted[] = [
  {
    said: "warnings?|warnungen|avertissements?|advertencias|avisos|警告",
    printed: "warnings?",
  },
  {
    said: "vulnerabilit(?:y|ies)|schwachstellen|vulnérabilités|vulnerabilidades|漏洞|脆弱性",
    printed: "(?:\\w+ )?vulnerabilit(?:y|ies)",
    isAnyRun: true,
  },
  { said: "errors?|fehler|erreurs?|errores|erros|错误", printed: "errors?" },
  { said: "offen[cs]es?|ofensas?", printed: "offen[cs]es?" },
  { said: "violations?", printed: "violations?" },
  { said: "notes?", printed: "notes?" },
  { said: "findings?", printed: "findings?" },
  { said: "issues?|probleme?|problèmes?|problemas|问题", printed: "(?:issues?|problems?)" },
  { said: "problems?", printed: "problems?" },
];

const none =
  "(?:\\b(?:0|no|zero|without(?: any)?|free of|keine?|ohne|aucune?|sans|sin|ningun[ao]|sem|nenhum[a]?) " +
  "(?:\\p{L}+ (?:(?:or|and|oder|ou|o) )?)?|(?:没有|无|0 ?个) ?(?:任何)?)";
const denials = counted.map(({ said }) => new RegExp(`${none}(?:${said})(?![\\p{L}-])`, "iu"));
/** It speaks of some of them only. */
const some = new RegExp(
  "\\b(?:new|additional|further|other|more|extra|own|besides|beyond|except|apart|aside|known|existing|" +
    "critical|high|serious|related|changed|touched|relevant|production|our|my|added|left|remaining|" +
    "blocking|neue\\w*|weitere\\w*)\\b|新",
  "iu",
);

export function deniedCounts(report: string, setting: ResultSetting): DeniedCount[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const did = ledger.commands.filter(({ command }) =>
    programsOf(command, "/").some(({ argv }) => !isPrinter(argv)),
  );
  if (did.length === 0) return [];
  return statementsOf(report)
    .filter((one) => one.kind !== "fence" && !isAside(one) && !standsAhead(one.under))
    .filter(({ words }) => !isAhead(words))
    .flatMap((statement) =>
      counted.flatMap((one, at): DeniedCount[] => {
        const denial = denials[at]!;
        const found = denial.exec(statement.words);
        if (!found || some.test(statement.words.slice(found.index).slice(0, found[0].length + 30)))
          return [];
        if (tellsSome(report, one)) return [];
        const clause = statement.clauses.find(({ words }) => denial.test(words));
        const run = lastMeant(report, statement, { one, did, setting, clause });
        const count = run ? countIn(run.output, one) : 0;
        if (!run || count === 0) return [];
        const reason = `recorded: ${commandWords(run.command)} told of ${count}`;
        return [{ span: clause?.span ?? statement.span, judged: contradicted(reason) }];
      }),
    )
    .slice(0, 1);
}

/** The message itself tells of some, here or elsewhere. */
const tellsSome = (report: string, { said }: Counted): boolean =>
  new RegExp(
    `\\b(?:[1-9]\\d*|an?|one|two|three|four|five|some|few|several|the|these|those|this|which|only|eine?|une?|un[ao]?)` +
      ` (?:\\p{L}+ ){0,2}(?:${said})(?![\\p{L}-])`,
    "iu",
  ).test(report);

type Meant = { one: Counted; did: readonly CommandRun[]; setting: ResultSetting };

/** The last run that the clause names or speaks of; where it does neither, the one of its sentence. */
function lastMeant(
  report: string,
  statement: Statement,
  { one, did, setting, clause }: Meant & { clause: Clause | undefined },
): CommandRun | undefined {
  // Whoever prints such a count tells it of the whole project.
  if (one.isAnyRun) return did.findLast(({ output }) => numbersOf(output, one).length > 0);
  const { of } = stancesOf(report);
  const meant = (clauses: readonly Clause[]): CommandRun | undefined => {
    const told = wordsIn(clauses.flatMap(({ words, code }) => [words, ...code]).join(" "));
    const subjects = clauses.flatMap((part) => of(statement, part).subjects);
    return (
      did.findLast(({ command }) => isNamed(command, told)) ??
      setting.record.runs.findLast(({ subjects: own }) =>
        own.some((subject) => subjects.some((one) => one === subject)),
      )?.run
    );
  };
  return (clause && meant([clause])) ?? meant(statement.clauses);
}

/** "ESLint" names `npm run lint`. */
const isNamed = (command: string, told: readonly string[]): boolean =>
  programsOf(command, "/").some(
    ({ argv }) =>
      !isPrinter(argv) &&
      wordsIn(argv.slice(0, 3).join(" ")).some(
        (word) => word.length > 3 && told.some((one) => one.includes(word)),
      ),
  );

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\d]+/u);

const numbersOf = (output: string, { printed }: Counted): number[] =>
  [...output.matchAll(new RegExp(`(?<![\\w.,-])(\\d{1,6}|no) ${printed}(?![\\w-])`, "gi"))].map(
    ([, number]) => (number!.toLowerCase() === "no" ? 0 : Number(number)),
  );

/** The last number that it printed; warnings may stand there one by one. */
function countIn(output: string, one: Counted): number {
  const last = numbersOf(output, one).at(-1);
  if (last !== undefined) return last;
  return one.printed === "warnings?" ? warningsIn(output) : 0;
}
