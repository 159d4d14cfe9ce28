// Failures that are not told: what was run last, ended badly and was never run again with success,
// while the message speaks of it as done. Read from the record first, from the words last.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { readers } from "../../../permissions/bash/read-only.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, sourceOf, type ClaimJudgement } from "../judgement.ts";
import { argumentsOf } from "../runs/arguments-of.ts";
import { isInline, isPrinter } from "../runs/no-run.ts";
import { showsEnd } from "../runs/output-says.ts";
import { programsOf, type Program } from "../runs/programs-of.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import type { ResultSubject } from "../result-subject.ts";
import { saysDone, tellsFailure, wholeClause } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

/** `deed`: what failed is no check, so nobody need say of it that it ended well. */
export type ToldFailure = { span: [number, number]; judged: ClaimJudgement; deed?: true };

/** `names`: groups of words; a sentence that has all of one speaks of the run. `targets`: what it works on. */
type OpenFailure = { run: CommandRun; names: string[][]; targets: string[] };

const handlesFiles = new Set("rm rmdir mv cp mkdir ln touch chmod chown tee".split(" "));
const searches = new Set(
  "grep egrep fgrep rg ag ack find fd test [ [[ diff cmp which type".split(" "),
);

/** It does more than look. */
const does = ({ argv }: Program): boolean => {
  const name = argv[0] ?? "";
  if (handlesFiles.has(name)) return true;
  return !searches.has(name) && !readers.has(name) && !isPrinter(argv) && !isInline(argv);
};

const saysBroken = new RegExp(
  "command not found|permission denied|access ?denied|unauthori[sz]ed|\\b403 forbidden|timed out|" +
    "connection refused|couldn't connect|^Traceback|^(?:fatal|error)[:!]|: \\*\\*\\* |^--- FAIL|^FAIL\\b",
  "im",
);

/** The program whose end the run's end is; undefined where the run went well or nobody can tell. */
function failedProgram(run: CommandRun, root: string): Program | undefined {
  if (run.exitCode === null) return undefined;
  const programs = programsOf(run.command, run.cwd ?? root);
  const doing = programs.filter(does);
  const last = doing.at(-1);
  if (!last || last !== programs.findLast((one) => one.argv[0] !== "true")) {
    if (!last || doing.length > 1) return undefined;
  }
  if (run.exitCode !== 0 && last.proof === "own") return last;
  const masked = last.proof !== "own" && doing.length === 1;
  return masked && (saysBroken.test(run.output) || showsEnd(run.output)) ? last : undefined;
}

const generic = new Set(
  (
    "test tests build run lint check start dev install status update main init exec script scripts index " +
    "python node bash latest master origin"
  ).split(" "),
);
const taskRunners =
  /^(?:make|gmake|just|rake|task|npm|pnpm|yarn|bun|gradle|gradlew|mvn|mix|composer)$/;

const gitVerbs = /^(?:commit|push|merge|rebase|cherry-pick)$/;
/** What such a word asks for is told by it, whatever the program: "applied", "deployed". */
const deliveryVerbs = /^(?:apply|deploy|publish|rollout|migrate|upload|flash|seed)$/;
const interpreters = /^(?:python\d?|node|bash|sh|ruby|php|java)$/;
const isWord = (word: string | undefined): word is string =>
  word !== undefined && /^[a-z][a-z0-9:-]+$/i.test(word);

function failureOf(run: CommandRun, program: Program): OpenFailure {
  const args = argumentsOf(program.argv.slice(1)).filter((word) => word !== "run");
  const scripts = [program.called, ...args].filter((word) => /\.(?:py|sh|js|ts|rb|pl)$/.test(word));
  const absent = /(?:^|\s)([\w.-]+): (?:command not found|No such file or directory|not found)/m;
  const missing = run.exitCode === 0 ? undefined : absent.exec(run.output)?.[1]?.toLowerCase();
  return {
    run,
    names: [
      ...callNames(program, args),
      ...scripts.flatMap((script) =>
        [script.split("/").at(-1)!, ...scriptWords(script)].map((one) => [one]),
      ),
      ...(missing === undefined ? [] : [[missing]]),
      // A program of the project is called by its path.
      ...(/^\.?\/?[\w-]+\/[\w./-]+$/.test(program.called)
        ? [[program.called.replace(/^\.\//, "")]]
        : []),
    ],
    targets: [...args, ...optionValues(program), ...quotedPaths(run.output)].filter(
      // The words of a commit's message are no target.
      (word) => word.length > 4 && /[./:_-]|\d/.test(word) && !/\s/.test(word),
    ),
  };
}

/** The program with its subcommand, and a task's own name. */
function callNames({ argv, called }: Program, [first, second]: readonly string[]): string[][] {
  const name = (argv[0] ?? "").toLowerCase();
  const names: string[][] = [];
  const isNamed = !called.includes("/") && !handlesFiles.has(name);
  const isRun = argv[1] === "run" && !isWord(first);
  if (isNamed && isRun) names.push([name, "run"]);
  else if (isNamed && isWord(first)) names.push([name, first]);
  else if (isNamed && !interpreters.test(name)) names.push([name]);
  if (isWord(first) && isOwnWord(name, first, second)) names.push([first]);
  return names;
}

/** A task's name; "committed", "gepusht": what git was asked to do. */
const isOwnWord = (name: string, first: string, second: string | undefined): boolean =>
  (name === "git" && gitVerbs.test(first)) ||
  deliveryVerbs.test(first) ||
  ((taskRunners.test(name) || isWord(second)) && first.length > 4 && !generic.has(first));

/** `push_hub.py`: the words of its name that say what it is for. */
const scriptWords = (script: string): string[] => {
  const words = script
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "")
    .split(/[_-]/);
  return words.length > 1
    ? words.filter((word) => word.length > 2 && !generic.has(word)).slice(-1)
    : [];
};

/** `psql -f schema.sql`: what an option points at is worked on too. */
const optionValues = ({ argv }: Program): string[] =>
  argv.filter(
    (word, index): word is string =>
      index > 1 &&
      word !== null &&
      /\/|\.\w{1,5}$/.test(word) &&
      (argv[index - 1] ?? "").startsWith("-"),
  );

/** Files that the error names. */
const quotedPaths = (output: string): string[] =>
  [...output.slice(-2_000).matchAll(/['"`]([\w./-]+\/[\w.-]+\.\w{1,5})['"`]/g)].map(
    ([, path]) => path!,
  );

/** "flash" is in "flashed": the end of a verb is left open, the beginning is not. */
const hasWord = (text: string, word: string): boolean =>
  new RegExp(
    `(?<![\\p{L}\\d_-])(?:ge|re-?)?${escapeRegExp(word).replace(/y$/, "(?:y|i(?=e))")}` +
      "(?:e?d|ing|e?s|ped|ted|tet|t|ad[oa]|é)?(?![\\p{L}\\d_-])",
    "iu",
  ).test(text);
const hasAll = (text: string, group: readonly string[]): boolean =>
  group.every((word) => hasWord(text, word));

/** What failed last, and what no later success answers. */
function openFailures({ commands, root, edits }: Ledger): OpenFailure[] {
  const edited = new Set(edits.filter(({ by }) => by !== "Bash").map(({ path }) => path));
  return commands.flatMap((run): OpenFailure[] => {
    const program = failedProgram(run, root);
    if (!program) return [];
    const { names, targets } = failureOf(run, program);
    const later = commands.filter(
      (one) =>
        one.order > run.order &&
        one.exitCode !== null &&
        !failedProgram(one, root) &&
        one.exitCode === 0,
    );
    const isOpen = commands.every((one) => one.order <= run.order || one.exitCode !== null);
    // "Nothing to commit" behind a commit that went well is no failure.
    const isSpent = /nothing to commit|up[- ]to[- ]date|already exists/i.test(run.output);
    const good = isSpent
      ? commands.filter((one) => one.order !== run.order && one.exitCode === 0)
      : later;
    const answered = (group: readonly string[]): boolean =>
      good.some(({ command }) => hasAll(command, group));
    const first = names[0];
    if (!isOpen || (first && answered(first))) return [];
    const isEdited = (word: string): boolean =>
      [...edited].some(
        (path) => path === word || path.endsWith(`/${word}`) || word.endsWith(`/${path}`),
      );
    return [
      {
        run,
        names: names.filter((group) => !answered(group) && !group.some(isEdited)),
        targets: targets.filter(
          (one) => !isEdited(one) && !later.some(({ command }) => command.includes(one)),
        ),
      },
    ];
  });
}

/** The clause names the program, its script, its task or what it worked on. */
function speaksOf(
  { words, code }: Pick<Clause, "words" | "code">,
  { names, targets }: OpenFailure,
): boolean {
  const text = `${words} ${code.join(" ")}`;
  return (
    names.some((group) => hasAll(text, group)) ||
    targets.some((target) =>
      code.some(
        (one) =>
          one.length > 4 &&
          (one === target || target.endsWith(`/${one}`) || target.startsWith(`${one}/`)),
      ),
    )
  );
}

export function untoldFailures(report: string, setting: ResultSetting): ToldFailure[] {
  const { ledger, admitted, record } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  return openFailures(ledger).flatMap((failure): ToldFailure[] => {
    const isTold = statements.some((statement) => admits(statement, failure));
    const isCounted = (failure.run.tests?.failed ?? 0) > 0;
    if (isTold || (admitted.trouble && !isCounted)) return [];
    for (const [index, statement] of statements.entries()) {
      const near = statements.slice(Math.max(0, index - 1), index + 2);
      if (
        near.some(
          (one) =>
            one !== statement &&
            tellsFailure(one.words) &&
            /\bexit|\bfail|✗|❌/i.test(one.words) &&
            !/\b(?:was|were|used to)\b/i.test(one.words),
        )
      )
        continue;
      const clause = statement.clauses.find(
        (one) => speaksOf(one, failure) && saysDone(statement, wholeClause(statement, one)),
      );
      if (!clause) continue;
      const { run } = failure;
      const code = run.exitCode ? ` (exit code ${run.exitCode})` : "";
      const said =
        run.output
          .split("\n")
          .findLast((line) => /\p{L}{3}/u.test(line))
          ?.trim()
          .slice(0, 100) ?? "";
      const reason = `${sourceOf(run)} ${commandWords(run.command)} failed${code}: ${said}`;
      const isCheck = record.runs.some((one) => one.run === run && isOfChecks(one));
      const judged = contradicted(reason);
      return [{ span: clause.span, judged, ...(isCheck ? {} : { deed: true }) }];
    }
    return [];
  });
}

const checks: ReadonlySet<ResultSubject> = new Set([
  "tests",
  "types",
  "lint",
  "format",
  "build",
  "coverage",
  "checks",
  "security",
]);
const isOfChecks = ({ subjects }: RecordedRun): boolean => subjects.some((one) => checks.has(one));

/** A sentence tells of this failure. */
const admits = (statement: Statement, failure: OpenFailure): boolean =>
  statement.clauses.some((clause) => tellsFailure(clause.words)) &&
  speaksOf(
    { words: statement.words, code: statement.clauses.flatMap(({ code }) => code) },
    failure,
  );
