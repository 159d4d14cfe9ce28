// Judges what a report says was done against what the ledger recorded: a matching fresh run is the best evidence there is, a run before an edit is stale, no run at all is a contradiction.
import type { Grade, Verdict } from "../verdict.ts";
import type { ActionClaim, CommandClaim, TestClaim } from "./action-claims.ts";
import { linksOf, type CommandRun } from "./command-runs.ts";
import type { Edit, Ledger } from "./ledger.ts";
import { isTestCommand, readTestOutput } from "./test-output.ts";

export type ActionJudgement = { verdict: Verdict; grade: Grade; reason: string };

/** Runs a recorded command again; its word counts more than the record. Undefined: this one is not to be run. */
export type Rerun = (
  command: string,
) => Promise<{ exitCode: number | null; output: string } | undefined>;

export const unknown = (reason: string): ActionJudgement => ({
  verdict: "unverifiable",
  grade: "E0",
  reason,
});
export const executed = (reason: string): ActionJudgement => ({
  verdict: "verified",
  grade: "E4",
  reason,
});
export const contradicted = (verdict: "altered" | "missing", reason: string): ActionJudgement => ({
  verdict,
  grade: "X",
  reason,
});
export const weak = (reason: string): ActionJudgement => ({
  verdict: "exists_only",
  grade: "E1",
  reason,
});

export async function judgeAction(
  claim: ActionClaim,
  ledger: Ledger | undefined,
  rerun?: Rerun,
): Promise<ActionJudgement> {
  if (!ledger) return unknown("there is no record of the run to compare with");
  if (claim.kind === "command") return judgeCommand(claim, ledger);
  const fresh = rerun && (await again(testRuns(ledger), rerun));
  return fresh ? judgeFresh(claim, fresh, "run again:") : judgeTests(claim, ledger);
}

/** The runs of tests that are on record, in their order. */
export const testRuns = (ledger: Ledger): CommandRun[] =>
  ledger.commands.filter(({ tests, testing }) => tests !== null || testing !== null);

/** The last one that may be run again. */
async function again(runs: readonly CommandRun[], rerun: Rerun): Promise<CommandRun | undefined> {
  for (const run of runs.toReversed()) {
    const found = await rerun(run.command);
    if (found) return { ...run, ...found, tests: readTestOutput(found.output) };
  }
  return undefined;
}

/** Scripts of the project's own may run its tests and say so in words that nobody knows. */
const mayTest =
  /^(?:\.{0,2}\/\S|(?:ba|z)?sh\s+[^\s-]|(?:make|just|task|bazel|nx|turbo|pre-commit)(?:\s|$)|(?:npm|pnpm|yarn|bun)\s+run\s+(?:check|ci|verify|validate|all|qa|precommit|prepush)|node\s+\S+\.[cm]?js|python3?\s+\S+\.py)/;

/** Another agent's deeds are on its own record. */
const elsewhere = "no such run is recorded here; an agent that it called may have made it";

const ownScript = (ledger: Ledger): CommandRun | undefined =>
  ledger.commands.find(({ command }) => linksOf(command).some(({ text }) => mayTest.test(text)));

export const mayHaveTested = (ledger: Ledger): boolean =>
  testRuns(ledger).length > 0 || ownScript(ledger) !== undefined;

export function judgeTests(claim: TestClaim, ledger: Ledger): ActionJudgement {
  const { edits } = ledger;
  const runs = testRuns(ledger);
  if (runs.length === 0) {
    const other = ownScript(ledger);
    if (ledger.delegations > 0) return weak(elsewhere);
    return other
      ? weak(`no test run is recognised; \`${other.command.slice(0, 80)}\` may have been one`)
      : contradicted("missing", "no test run is recorded");
  }
  const last = saysAll(claim)
    ? unanswered(runs)
    : (runs.findLast((run) => fits(claim, run)) ?? runs.at(-1)!);
  // A run of everything that no edit has made old says more than a part of it that was run again.
  const full =
    claim.whole && isPart(last) && !isFailed(last)
      ? runs.findLast(
          (run) =>
            !isPart(run) &&
            !isFailed(run) &&
            !edits.some(({ order, path }) => order > run.order && isCovered(path)),
        )
      : undefined;
  const decisive = full ?? last;
  const judged = judgeFresh(claim, decisive, "recorded:");
  const edit = edits.find(({ order, path }) => order > decisive.order && isCovered(path));
  const doubt = judged.verdict === "verified" ? doubtOf(claim, decisive, edits) : undefined;
  if (doubt !== undefined && !edit) return weak(`${judged.reason}, ${doubt}`);
  return judged.verdict === "verified" && edit
    ? {
        verdict: "stale",
        grade: "E1",
        reason: `${judged.reason}, but ${edit.path} was changed after that run`,
      }
    : judged;
}

/** Why a run that fits proves less than is claimed. */
function doubtOf(
  claim: TestClaim,
  { command, order }: CommandRun,
  edits: readonly Edit[],
): string | undefined {
  if (claim.whole && isPart({ command }))
    return `but \`${command.slice(0, 80)}\` runs a part of the tests`;
  const own = edits.find(
    (edit) =>
      edit.action === "create" &&
      edit.order < order &&
      !isTestCommand(command) &&
      command.includes(edit.path),
  );
  return own && `but they are what ${own.path} prints, which the agent wrote itself`;
}

/** Names files or tests: not everything there is. */
const isPart = ({ command }: Pick<CommandRun, "command">): boolean =>
  linksOf(command).some(({ text }) => isTestCommand(text) && partial.test(text));
const partial =
  /\s(?:-t|-k|-g|--grep|--fgrep|--filter|--test-name-pattern|--testNamePattern|--testPathPattern\w*|--related|--onlyChanged|--changed|-run)(?:[\s=]|$)|\s[^\s-]\S*(?:::\S|\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|exs?)(?:[:\s]|$))/;

const saysAll = ({ passed, total }: TestClaim): boolean => passed === null && total === null;

/** For "all tests pass": a failed run that no later run of at least as many tests has answered, else the last run. */
function unanswered(runs: readonly CommandRun[]): CommandRun {
  const failed = runs.findLast(
    (run, index) =>
      isFailed(run) &&
      !runs
        .slice(index + 1)
        .some(
          (later) =>
            !isFailed(later) &&
            (later.command === run.command || (later.tests?.total ?? 0) >= (run.tests?.total ?? 1)),
        ),
  );
  return failed ?? runs.at(-1)!;
}

const isFailed = ({ tests, exitCode }: CommandRun): boolean =>
  tests ? tests.failed > 0 : exitCode !== 0;

function fits({ passed, failed, total }: TestClaim, { tests }: CommandRun): boolean {
  if (!tests) return false;
  return (
    (passed === null || passed === tests.passed) &&
    (failed === null || failed === tests.failed) &&
    (total === null || total === tests.total || total === tests.passed + tests.failed)
  );
}

function judgeFresh(claim: TestClaim, run: CommandRun, source: string): ActionJudgement {
  const { tests, exitCode, command, testing } = run;
  const shown = `\`${command.slice(0, 80)}\``;
  if (!tests) {
    if (exitCode !== 0)
      return contradicted(
        "altered",
        `${source} ${shown} ended with ${exitCode === null ? "no exit code" : `exit code ${exitCode}`}`,
      );
    if (!testing?.proven)
      return weak(`${source} ${shown}; its exit code does not prove that of the tests`);
    return saysAll(claim)
      ? executed(`${source} ${shown} ended with exit code 0`)
      : weak(
          `${source} ${shown} ended with exit code 0; its output has no numbers that could be compared`,
        );
  }
  const numbers = `${source} ${tests.passed} passed, ${tests.failed} failed (${tests.runner})`;
  if (saysAll(claim) ? tests.failed === 0 && tests.passed > 0 : fits(claim, run))
    return executed(numbers);
  return contradicted("altered", numbers);
}

/** Prose is no part of what tests cover. */
export const isCovered = (path: string): boolean =>
  !/\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG|NOTICE)[^/]*$|^\/(?:tmp|var\/tmp)\//i.test(
    path,
  );

function judgeCommand(
  { command, succeeded, failed }: CommandClaim,
  ledger: Ledger,
): ActionJudgement {
  const runs = ledger.ran(command);
  const last = runs.findLast((one) => one.proven) ?? runs.at(-1);
  if (!last)
    return ledger.delegations > 0
      ? weak(elsewhere)
      : contradicted("missing", "no run of this command is recorded");
  const { run, proven } = last;
  if (run.exitCode === 0 && proven) {
    const edit =
      succeeded && isTestCommand(command)
        ? ledger.edits.find(({ order, path }) => order > run.order && isCovered(path))
        : undefined;
    return edit
      ? {
          verdict: "stale",
          grade: "E1",
          reason: `recorded: exit code 0, but ${edit.path} was changed after that run`,
        }
      : executed("recorded: exit code 0");
  }
  if (run.exitCode === 0 || !proven)
    return weak("it ran as a part of a longer command, whose exit code does not prove its own");
  if (failed) return executed(`recorded: exit code ${run.exitCode}`);
  return run.exitCode === null
    ? weak("it ran and was stopped or left running")
    : contradicted("altered", `recorded: exit code ${run.exitCode}`);
}
