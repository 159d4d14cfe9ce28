// Why a record says nothing about a claim that it does not show: then nobody is accused.
import type { Ledger } from "../evidence/ledger.ts";
import type { Project } from "./runs/script-of.ts";
import type { Record } from "./runs/recorded-runs.ts";
import type { ResultClaim } from "./words/find-result-claims.ts";

export type ResultSetting = {
  ledger: Ledger;
  record: Record;
  project: Project;
  /** The message itself. */
  report: string;
  /** The message itself says that something fails. */
  admitsFailure: boolean;
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

/** A message of a run that did nothing, and that says so, tells how things are. */
export const onlyExplains = ({ ledger, record, report }: ResultSetting): boolean =>
  ledger.edits.length === 0 &&
  saysIdle.test(report) &&
  record.recognitions.every(({ recognition }) => recognition.runs.length === 0);

const saysIdle = new RegExp(
  "\\b(?:ran|changed|executed) nothing\\b|\\bnothing (?:was |has been )?(?:run|executed|" +
    "changed)\\b|\\b(?:not|n't) (?:run|executed?|changed?) anything\\b",
  "i",
);
