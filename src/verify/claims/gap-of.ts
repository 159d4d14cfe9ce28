// What is said of a claimed result that no recognised run shows. Where the record cannot tell, nobody is
// accused.
import { runnersSetting, runnerSubjects } from "../../base/runner-subjects.ts";
import type { Admitted } from "./admitted.ts";
import type { CommandRun } from "../evidence/command-runs.ts";
import type { Ledger } from "../evidence/ledger.ts";
import { inDoubt, neverRun, notJudged, outdated, type ClaimJudgement } from "./judgement.ts";
import { editAfter } from "./runs/edit-after.ts";
import { proofCommand } from "./runs/proof-command.ts";
import type { Project } from "./runs/script-of.ts";
import type { Record } from "./runs/recorded-runs.ts";
import type { ResultClaim } from "./words/find-result-claims.ts";
import type { ResultSubject } from "./result-subject.ts";
import { saysGood } from "./words/says-done.ts";

export type ResultSetting = {
  ledger: Ledger;
  record: Record;
  project: Project;
  /** The message itself. */
  report: string;
  admitted: Admitted;
};

/** Why the record says nothing about a claim that it does not show. */
export function gapOf(
  { words, subject }: ResultClaim,
  { ledger }: ResultSetting,
): string | undefined {
  if (ledger.delegations > 0)
    return "no such run is recorded here; an agent that it called may have made it";
  if (ledger.truncated) return "more happened than the record keeps";
  if (ledger.isContinued) return "the record begins in the middle of the work";
  const own = /\b(?:I|we)\b|\b(?:ran|re-?ran|run)\b/i.test(words);
  if (ledger.edits.length > 0 || own) return undefined;
  const figures = words.match(/\d+/g) ?? [];
  const noun =
    subject === "tests" ? /\b(?:tests?|specs?|suite|pass)/i : new RegExp(subject.slice(0, 5), "i");
  const isIt = (line: string): boolean =>
    noun.test(line) &&
    (figures.length > 0 ? figures.some((figure) => line.includes(figure)) : isResult.test(line));
  return ledger.wasTold(isIt) ? "what the agent read says so; it ran nothing itself" : undefined;
}

const isResult =
  /\b(?:pass\w*|green|clean|succe\w+|ok|0 (?:errors|failures)|deploy\w*|publish\w*|releas\w*|merged|commit\w*)\b|✅|✓/i;
export const commandWords = (command: string): string =>
  `\`${command.replace(/\s+/g, " ").slice(0, 80)}\``;

/** Who changed and ran nothing tells how things are, unless the words claim a deed or a good end. */
export const onlyExplains = (words: string, { ledger, record, report }: ResultSetting): boolean =>
  ledger.edits.length === 0 &&
  record.recognitions.every(({ recognition }) => recognition.runs.length === 0) &&
  (saysIdle.test(report) ||
    (words.split(/\s+/).length >= fewestWords && !saysGood(words) && !tellsDeed.test(words)));

/** "Types check." claims; what explains names what is done, and to what. */
const fewestWords = 5;

const tellsDeed = new RegExp(
  "\\b(?:I|we|ich|wir|j'ai|nous|he|hemos|I've|we've|ran|run|executed|committed|pushed|published|" +
    "deployed|released|merged|migrated|applied|rolled|tagged|built|formatted|linted|tested|verified|" +
    "fixed|live|out|up|now|types check|it (?:builds|compiles|works|runs))\\b|" +
    "[^\\x00-\\u024f\\u2000-\\u206f§¤¶]",
  "i",
);

const saysIdle = new RegExp(
  "\\b(?:ran|changed|executed) nothing\\b|\\bnothing (?:was |is |has been )?(?:run|executed|" +
    "changed)\\b|(?:\\bnot|n't) (?:run|executed?|changed?|edited|touched|modified) anything\\b",
  "i",
);

/** Another agent's deeds are on its own record; a program that nobody knows may have done anything. */
export function judgeWithoutRun(claim: ResultClaim, setting: ResultSetting): ClaimJudgement {
  const { ledger, record, project } = setting;
  const gap = gapOf(claim, setting);
  if (gap !== undefined) return notJudged(gap);
  const command = proofCommand(claim.subject, project);
  const tried =
    ledger.failedCalls + ledger.deniedCalls > 0 ? "; a call that was refused is no run" : "";
  const none = neverRun(
    `no run that shows it is recorded${tried}${command === undefined ? "" : `; \`${command}\` would`}`,
  );
  const all = record.recognitions.find(({ recognition }) =>
    recognition.runs.some(
      ({ subjects, folder }) => subjects.includes("checks") && !isOutside(folder),
    ),
  );
  if (all)
    return inDoubt("all checks", `${commandWords(all.run.command)} may have been such a run`, none);
  const other = record.recognitions.findLast(
    ({ run, recognition }) =>
      recognition.isOpaque || (recognition.unknown !== null && speaks(claim.subject, run)),
  );
  const edit = other && editAfter({ run: other.run, ecosystem: "any", folder: "." }, ledger.edits);
  if (edit)
    return outdated(
      `${commandWords(other.run.command)} may have been such a run; ${edit.path} was changed after it`,
    );
  if (other) return byUnknown(claim.subject, other.run.command, none);
  // A task of the project's own may hold several checks.

  return none;
}

const isOutside = (folder: string): boolean => /^(?:\/|\.\.)/.test(folder);

/** Its words or its output speak of the subject, or of nothing that anybody knows. */
function speaks(subject: ResultSubject, { command, output }: CommandRun): boolean {
  const text = `${command}\n${output}`;
  const words = speaksOf[subject] ?? deliversOf[subject];
  return words === undefined || words.test(text) || !allWords.some((one) => one.test(text));
}

export const speaksOf: Partial<{ [subject in ResultSubject]: RegExp }> = {
  tests: /\b(?:tests?|specs?|pass(?:ed|es|ing)?|assert\w*|fail(?:ed|ures?)?)\b/i,
  build: /\b(?:build|built|compil\w*|bundl\w*|make)\b/i,
  types: /\b(?:types?|typecheck|tsc|mypy|compil\w*)\b/i,
  lint: /\b(?:lint\w*|clippy|style|warnings?|issues?)\b/i,
  format: /\b(?:fmt|format\w*|prettier|style)\b/i,
  checks: /\b(?:checks?|ci|ok|pass(?:ed|es)?|tests?)\b/i,
  coverage: /\bcov(?:erage|ered)?\b/i,
};

const deliversOf: Partial<{ [subject in ResultSubject]: RegExp }> = {
  deploy:
    /\b(?:deploy\w*|release\w*|roll\w*|live|upload\w*|publish\w*|sync\w*|appl(?:y|ied)|upgrad\w*|flash\w*)\b/i,
  publish: /\b(?:publish\w*|release\w*|upload\w*|push\w*|deploy\w*|submit\w*)\b/i,
  commit: /\bcommit\w*\b/i,
  push: /\bpush\w*\b/i,
  merge: /\b(?:merge\w*|pull|pr)\b/i,
  migration: /\b(?:migrat(?:e|ed|ing)|appl(?:y|ied|ying)|upgrad\w*)\b/i,
};

const allWords = [...Object.values(speaksOf), ...Object.values(deliversOf)];

/** The owner of the project can say what such a command shows, once and for all runs. */
function byUnknown(subject: ResultSubject, command: string, none: ClaimJudgement): ClaimJudgement {
  const may = `${commandWords(command)} may have been such a run; nobody knows it`;
  return isRunnerSubject(subject)
    ? {
        ...inDoubt(
          "unknown run",
          `${may}. If it shows this, name it under ${runnersSetting}`,
          none,
        ),
        unrecognised: { command: command.slice(0, 200), subject },
      }
    : inDoubt("unknown run", may, none);
}

const isRunnerSubject = (subject: ResultSubject): boolean =>
  runnerSubjects.some((one) => one === subject);
