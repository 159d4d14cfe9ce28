// Commands and tools that a message names as run, of which the record has no trace: neither a command,
// nor an output, nor a script that was run speaks of them. A weaker form of a command is told as such.
import type { ResultSetting } from "../gap-of.ts";
import { isCommandText, unmadeCommand } from "../command-claims.ts";
import { neverRun, type ClaimJudgement } from "../judgement.ts";
import { namedRun } from "../runs/named/named-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { knownTools } from "../runs/tables/known-tools.ts";
import { runsTasks } from "../runs/tables/echoed-commands.ts";
import { isTraced, tracesOf, type Traces } from "./traces.ts";
import { anyPhrase } from "../words/phrase.ts";
import { saysDone, saysGood, wholeClause } from "../words/says-done.ts";
import { isAside } from "../words/is-asserted.ts";
import { isCheckItem } from "../states/is-check-item.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

type Given = { setting: ResultSetting; traces: Traces };
/** `deed`: a command is named, and nobody need say that it ended well. */
export type UnrunName = { span: [number, number]; judged: ClaimJudgement; deed?: true };

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
    if (statement.kind === "fence") return [];
    return statement.clauses.flatMap((clause) => {
      if (isIdle && !/\b(?:I|we|ich|nous|j'ai)\b/i.test(clause.words)) return [];
      const whole = wholeClause(statement, clause);
      const judged = judgeClause(statement, { ...whole, code: clause.code }, { setting, traces });
      return judged ? [{ span: clause.span, ...judged }] : [];
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
]);

/** "I set it up with `rake db:setup`", "checked with curl". */
const byMeans =
  /(?:^|\s)(?:with|using|via|through|by (?:running|calling|executing)) (?:the )?(?:[§]|curl\b)/i;

function judgeClause(
  statement: Statement,
  clause: Clause,
  given: Given,
): Omit<UnrunName, "span"> | undefined {
  const { words, code } = clause;
  const { traces } = given;

  if (!saysDone(statement, clause) || runsNone.test(words)) return undefined;
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
    const judged = judgeText(text, given);
    if (judged) return { judged, deed: true };
  }

  const name = words
    .match(/[\p{L}][\p{L}\d-]+/gu)
    ?.find(
      (word) =>
        tools.has(word.toLowerCase()) &&
        !isTraced(word, traces) &&
        !isDone(word.toLowerCase(), traces),
    );
  return name === undefined ? undefined : { judged: neverRun(`no command on record runs ${name}`) };
}

/** "I ran no `go get`." */
const runsNone = /(?<!\p{L})(?:no|without(?: an?)?|neither|nor|kein\p{L}*) (?:\p{L}+ )?[§¤]/iu;

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

function judgeText(text: string, { setting, traces }: Given): ClaimJudgement | undefined {
  const command = text.replace(/^\$\s+/, "");
  const named = namedRun(command, setting);
  if (!named || named.found === "made" || named.found === "open") return undefined;
  // A line of an output may name what a run called.
  const [name, sub] = programsOf(command, "/").at(-1)?.argv ?? [];
  const key = /^[a-z][\w:-]*$/i.test(sub ?? "") ? `${name} ${sub}` : name;
  if (named.found === "never" && key && isTraced(key, traces)) return undefined;
  return unmadeCommand({ words: "I", command }, named, setting);
}
