// Commands and tools that a message names as run, of which the record has no trace: neither a command,
// nor an output, nor a script that was run speaks of them. A weaker form of a command is told as such.
import type { ResultSetting } from "../gap-of.ts";
import { commandWords } from "../gap-of.ts";
import { isCommandText } from "../command-claims.ts";
import { neverRun, unsupported, type ClaimJudgement } from "../judgement.ts";
import { argumentsOf, carried } from "../runs/arguments-of.ts";
import { isPrinter, noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { knownTools } from "../runs/tables/known-tools.ts";
import { runsTasks } from "../runs/tables/echoed-commands.ts";
import { isTraced, tracesOf, type Traces } from "./traces.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, saysDone, saysGood, tellsFailure, wholeClause } from "../words/says-done.ts";
import { isAside } from "../words/is-asserted.ts";
import { isCheckItem } from "../states/is-check-item.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnrunName = { span: [number, number]; judged: ClaimJudgement };

export function unrunNames(report: string, setting: ResultSetting): UnrunName[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  // A program that nobody knows may have run any other that the project names.
  const isOpaque = setting.record.recognitions.some(
    ({ run, recognition }) => recognition.isOpaque && run.exitCode !== null,
  );
  // Who only looked tells how things are done here.
  const isIdle =
    ledger.edits.length === 0 &&
    setting.record.recognitions.every(({ recognition }) => !recognition.executes);
  const traces = isOpaque ? withProject(tracesOf(setting), setting) : tracesOf(setting);
  return statementsOf(report).flatMap((statement): UnrunName[] => {
    if (isAside(statement)) return [];
    if (statement.kind === "fence") return fenceNames(statement, traces);
    return statement.clauses.flatMap((clause) => {
      if (isIdle && !/\b(?:I|we|ich|nous|j'ai)\b/i.test(clause.words)) return [];
      const whole = wholeClause(statement, clause);
      const judged = judgeClause(statement, { ...whole, code: clause.code }, traces);
      return judged ? [{ span: clause.span, judged }] : [];
    });
  });
}

const mostFiles = 300;

/** Whatever a file of the project names may have been run. */
const withProject = (traces: Traces, { project }: ResultSetting): Traces => ({
  ...traces,
  shown: [
    traces.shown,
    ...project
      .paths()
      .slice(0, mostFiles)
      .map((path) => (project.read(path) ?? "").toLowerCase()),
  ].join("\n"),
});

/** Names of tools that are no other word. */
const tools = new Set(
  [
    ...knownTools.flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!)),
    ...(
      "valgrind bandit trivy checkov tflint tfsec terratest staticcheck govulncheck semgrep gosec hadolint shfmt " +
      "mutmut lighthouse hyperfine autocannon snyk grype cppcheck clang-tidy clang-format pylint cypress playwright " +
      "dialyzer dialyxir sobelow brakeman html-proofer htmlproofer lychee linkchecker latexmk pdflatex xelatex " +
      "gofmt goimports detekt ktlint swiftlint svelte-check vue-tsc phpstan psalm phpcs axe-core pa11y webpagetest " +
      "miri tarpaulin kcov gcovr lcov locust jmeter gatling artillery vegeta pip-audit " +
      "infection stryker knip depcheck size-limit helm kubectl terraform pulumi ansible-playbook"
    ).split(" "),
  ].filter((name) => name.length > 4 && /^[a-z][\w-]*$/.test(name)),
);
for (const word of (
  "black green standard robot install prove surge build task mocha docker gradle cargo maven " +
  "swift stack serve coverage check format deploy release publish test tests rails flask django server invoke"
).split(" "))
  tools.delete(word);

const isCommand = (text: string): boolean =>
  isCommandText(text) ||
  /^R CMD \w/.test(text) ||
  (/\s/.test(text) && tools.has(text.split(/\s/)[0]!));

const usedWords = anyPhrase([
  "(?:)§ (?:was|were|has been|is) (?:also |then |now )?(?:run|executed|checked|tested|tried|used|applied)",
  "(?:)§ (?:(?:now|then|also|still|again) )*(?:reports?|says|prints?|shows?|gives?|returns?|exits?|outputs?|yields?)",
  "ran|re-?ran|executed",
  "(?:confirmed|verified|checked|measured|tested|validated) (?:it )?(?:with|by|using|under|in|via)",
  "ausgeführt|geprüft|verifiziert|lancé|exécuté|vérifié|ejecuté|ejecutado|comprobé|verifiqué|rodei|executei|verifiquei",
  "(?:)(?:已运行|已执行|运行了|执行了|用.{0,40}(?:验证|检查)了|実行しました)(?:)",
]);

/** "I set it up with `rake db:setup`", "checked with curl". */
const byMeans =
  /(?:^|\s)(?:with|using|via|through|by (?:running|calling|executing)) (?:the )?(?:[§]|curl\b)/i;

/** Programs that a sentence may name as what something was tried or compared with. */
const meansNames = new Set(
  (
    "curl wget httpie psql sqlite3 redis-cli mongosh jq wc diff cmp md5sum sha256sum openssl ffmpeg ffprobe strace " +
    "gdb lldb wrk hey k6 ab nc dig file xxd od objdump nm readelf ldd pandoc exiftool identify"
  ).split(" "),
);

/** What a clause says was used or run, and no command has: a program by its name, or an option. */
function untracedMeans({ words, code }: Clause, { ran }: Traces): string | undefined {
  let at = -1;
  for (const one of code) {
    at = words.slice(at + 1).search(/[§¤]/) + at + 1;
    const before = words.slice(0, at);
    const isMeans = /(?:with|using|via|through|against|ran|executed)\s+$/i.test(before);
    if (isMeans && meansNames.has(one) && !ran.some((command) => hasProgram(command, one)))
      return `runs ${one}`;
    const option = /(?:^|\s)(?:re-?)?(?:ran|executed)\s+$/i.test(before)
      ? /\s(--[a-z][\w-]+)/.exec(one)?.[1]
      : undefined;
    if (option !== undefined && !ran.some((command) => command.includes(option)))
      return `is given ${option}`;
  }
  const plain = /\b(?:with|using|via|through) (curl|wget|httpie|psql|jq)\b/i.exec(words)?.[1];
  return plain !== undefined && !ran.some((command) => hasProgram(command, plain.toLowerCase()))
    ? `runs ${plain}`
    : undefined;
}

const hasProgram = (command: string, name: string): boolean =>
  command.split(/[^\w-]+/).includes(name);

function judgeClause(
  statement: Statement,
  clause: Clause,
  traces: Traces,
): ClaimJudgement | undefined {
  const { words, code } = clause;
  const idle = voided(statement, clause, traces);
  if (idle) return idle;
  if (!saysDone(statement, clause)) return undefined;
  const isTold =
    saysGood(words) ||
    words.search(usedWords) >= 0 ||
    byMeans.test(words) ||
    statement.box === "ticked" ||
    isCheckItem(statement);
  if (!isTold) return undefined;
  const cells =
    statement.kind === "row"
      ? statement.parts
          .filter((cell) => !/`[^`]*`\s*\S/.test(cell.trim()))
          .map((cell) => cell.replace(/[`*]/g, "").trim())
      : [];
  for (const text of new Set([...code, ...cells].filter(isCommand))) {
    const judged = judgeText(text, traces);
    if (judged) return judged;
  }
  const means = untracedMeans(clause, traces);
  if (means !== undefined) return neverRun(`no command on record ${means}`);
  const name = words
    .match(/[\p{L}][\p{L}\d-]+/gu)
    ?.find(
      (word) =>
        tools.has(word.toLowerCase()) &&
        !isTraced(word, traces) &&
        !isDone(word.toLowerCase(), traces),
    );
  return name === undefined ? undefined : neverRun(`no command on record runs ${name}`);
}

/** "`make check` builds it": the command is told as run, and the record has it under `-n` only. */
function voided(
  statement: Statement,
  { words, code }: Clause,
  traces: Traces,
): ClaimJudgement | undefined {
  if (isAside(statement) || isAhead(words) || tellsFailure(words)) return undefined;
  if (!/§ (?:\p{L}+ ){0,2}\p{L}+(?:s|ed)(?![\p{L}])/u.test(words) || asksFor.test(words))
    return undefined;
  const text = code.find((one) => /\s/.test(one) && isCommand(one));
  const wanted = text === undefined ? undefined : programsOf(text, "/").at(-1);
  const name = wanted?.argv[0];
  if (!wanted || typeof name !== "string" || noRun(wanted.argv)) return undefined;
  const sub = argumentsOf(wanted.argv.slice(1))[0];
  const same = traces.ran.flatMap((command) =>
    programsOf(command, "/").filter(({ argv }) => isSame(argv, name, sub)),
  );
  return same.length > 0 && same.every(({ argv }) => noRun(argv))
    ? unsupported(`recorded: ${commandWords(same.at(-1)!.argv.join(" "))}, which does not do it`)
    : undefined;
}

const asksFor = /\b(?:run|use|try|via|by|with|using|execute|script|defined|configured)\b/i;

/** A run of the same kind in the same language may have called it. */
const isDone = (tool: string, { runs }: Traces): boolean =>
  knownTools
    .filter(({ calls }) => calls.some((call) => call.split(" ")[0] === tool))
    .some(({ subjects, ecosystem }) =>
      runs.some(
        (run) =>
          run.ending === "passed" &&
          runsTasks(run.run.command) &&
          (run.ecosystem === ecosystem || run.ecosystem === "any") &&
          run.subjects.includes(subjects[0]!),
      ),
    );

/** Options whose absence makes another run of it. */
const telling =
  /^--?(?:race|cov(?:erage)?|e2e|all|workspace|all-features|all-targets|release|strict|doc|prod(?:uction)?)\b/;

function judgeText(text: string, traces: Traces): ClaimJudgement | undefined {
  const called = programsOf(text.replace(/^\$\s+/, ""), "/").at(-1);
  if (!called || isPrinter(called.argv)) return undefined;
  const argv = carried(called.argv, (one) => tools.has(one)) ?? called.argv;
  const name = argv[0];
  if (typeof name !== "string") return undefined;
  const sub = argumentsOf(argv.slice(1))[0];
  const same = traces.ran.flatMap((command) =>
    programsOf(command, "/")
      .filter(({ argv }) => isSame(argv, name, sub))
      .map(({ argv }) => ({ argv, command })),
  );
  if (same.length > 0) return judgeWeaker(argv, same, traces);
  const key = isSubcommand(sub) ? `${name} ${sub}` : name;
  if (isTraced(key, traces) || inner(text, traces)) return undefined;
  const other = traces.ran.find((command) => command.includes(name));
  const instead = other === undefined ? "" : `; recorded: ${commandWords(other)}`;
  return neverRun(`no run of ${commandWords(text)} is recorded${instead}`);
}

const isSubcommand = (word: string | undefined): boolean =>
  word !== undefined && /^[a-z][\w:-]*$/i.test(word);

type Argv = readonly (string | null)[];

/** It was run, but as a dry run or without the option that is told. */
function judgeWeaker(
  wanted: Argv,
  same: readonly { argv: Argv; command: string }[],
  { ran, shown }: Traces,
): ClaimJudgement | undefined {
  const last = commandWords(same.at(-1)!.command);
  if (!noRun(wanted) && same.every(({ argv }) => noRun(argv)))
    return unsupported(`recorded: ${last}, which does not do it`);
  const option = wanted.find((word) => word !== null && telling.test(word)) ?? undefined;
  const isGiven = (given: string): boolean =>
    shown.includes(given) || ran.some((command) => command.includes(given));
  return option === undefined || isGiven(option)
    ? undefined
    : unsupported(`recorded: ${last}, without ${option}`);
}

/** `npm run x`, `npx x`: what it carries was run under another name. */
const inner = (text: string, traces: Traces): boolean => {
  const words = text.split(/\s+/);
  const carriers = /^(?:npx|npm|pnpm|yarn|bunx?|uv|poetry|python3?|run|exec|-m|bundle|make|just)$/;
  if (!carriers.test(words[0] ?? "")) return false;
  const rest = words.filter((word) => !carriers.test(word) && !word.startsWith("-"))[0];
  return rest !== undefined && traces.ran.some((command) => command.includes(rest));
};

function isSame(argv: readonly (string | null)[], name: string, sub: string | undefined): boolean {
  const words = argv.filter((word): word is string => word !== null);
  const at = words.findIndex((word) => word.split("/").at(-1) === name.split("/").at(-1));
  if (at < 0) return false;
  return sub === undefined || !isSubcommand(sub) || words.slice(at + 1).includes(sub);
}

/** `$ x` with an output below it, in a message that does not ask for it. */
function fenceNames(statement: Statement, traces: Traces): UnrunName[] {
  const { parts, under, span } = statement;
  const arrows = parts.flatMap((line) => /^\s*([^→]*?\S)\s+(?:→|=>|->)\s+\S/.exec(line)?.[1] ?? []);
  if (!under.some((words) => isAhead(words) || tellsFailure(words)))
    for (const text of arrows.filter(isCommand)) {
      const judged = judgeText(text, traces);
      if (judged) return [{ span, judged }];
    }
  const prompts = parts.filter((line) => /^\s*[$❯]\s+\S/.test(line));
  if (prompts.length === 0 || parts.filter((line) => line.trim() !== "").length === prompts.length)
    return [];
  if (under.some((words) => isAhead(words) || tellsFailure(words))) return [];
  for (const line of prompts) {
    const text = line.replace(/^\s*[$❯]\s+/, "").trim();
    const judged = isCommand(text) ? judgeText(text, traces) : undefined;
    if (judged) return [{ span, judged }];
  }
  return [];
}
