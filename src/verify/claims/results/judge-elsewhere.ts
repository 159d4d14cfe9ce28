// "CI is green", "the workflow went through": what runs elsewhere is shown by a look at it, and by nothing
// that was run here. A look that shows it still running, or failed, speaks against it.
import type { CommandRun } from "../../evidence/command-runs.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import { contradicted, onRecord, unsupported, type ClaimJudgement } from "../judgement.ts";
import type { ResultClaim } from "../words/find-result-claims.ts";

const remote = new RegExp(
  "\\b(?:CI|workflows?|pipelines?|GitHub Actions|the actions?|CircleCI|Jenkins|Buildkite|GitLab|" +
    "remote (?:build|checks?))\\b",
);
/** "CI runs it", "the same commands as CI": no word about how it came out there. */
const isOther =
  /\b(?:as|like|in|by|for|same) (?:the |our )?(?:CI|workflow|pipeline)\b|\bCI (?:runs|uses|config)/i;

/** It speaks of checks that run elsewhere. */
export const runsElsewhere = ({ subject, words }: ResultClaim): boolean =>
  subject === "checks" && remote.test(words) && !isOther.test(words);

const looks =
  /\bgh (?:run|pr checks|pr view|workflow|api)|\bglab (?:ci|mr|api)|circleci|buildkite|\baz pipelines|api\.github/i;
const running =
  /^\*\s|\b(?:in[_ ]progress|queued|pending|running|waiting|requested)\b|(?:^|\s)[*○⏳]\s/im;
const failing =
  /(?:^|\s)[X✗✘❌]\s|\b(?:fail(?:ed|ure|ing)?|cancelled|timed[_ ]out|action_required)\b/im;

/** Undefined where a run here may be what is called so. */
export function judgeElsewhere({ ledger, record }: ResultSetting): ClaimJudgement | undefined {
  const isLocal = ledger.commands.some(({ command }) =>
    /\b(?:npm|pnpm|yarn|bun|make|just|task)\s+(?:run\s+)?ci(?:$|[\s:._-])/i.test(command),
  );
  if (isLocal || ledger.toolRuns.length > 0 || ledger.fetches > 0) return undefined;
  const look = ledger.commands.findLast(({ command }) => looks.test(command));
  if (look) return byLook(look);
  // Without a look, the same checks made here may be what is meant, unless something was pushed.
  return record.runs.some(
    ({ subjects, ending }) => subjects.includes("push") && ending === "passed",
  )
    ? unsupported("no look at what ran elsewhere is recorded")
    : undefined;
}

function byLook({ command, output, exitCode }: CommandRun): ClaimJudgement {
  if (exitCode === null) return unsupported(`recorded: ${commandWords(command)} did not end`);
  // A list has the newest first.
  const rows = output.split("\n").filter((line) => !/^STATUS\s/.test(line));
  const newest = /\blist\b/.test(command) ? (rows[0] ?? "") : output;
  const shown = newest.replace(/\b0 \w+/g, "");
  if (running.test(shown))
    return contradicted(`recorded: ${commandWords(command)} shows it running`);
  if (failing.test(shown))
    return contradicted(`recorded: ${commandWords(command)} shows a failure`);
  return onRecord(`recorded: ${commandWords(command)}`);
}
