// Statements about commits against the history that git keeps: ids, messages, authors, counts, files.
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import { isSentence } from "../facts/referents.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import { historyOf, keepsCommit, type Commit } from "./history-of.ts";
import { arrived, judgeCommits } from "./judge-commits.ts";
import { commitAbout, commitId, readCommits, says } from "./read-commits.ts";
import type { ProjectClaim } from "./package-claims.ts";

const speaksOfHistory =
  /\b(?:commit|commits|committed|HEAD|history|git log|revision|authored|tag(?:ged)?|merged)\b/i;
/** A message in quotation marks with what a commit does, or with another. */
const mayTellCommit = new RegExp(
  '["“][^"”\\n]{4,160}["”][^.\\n]{0,80}(?:touch|chang|modif|edit|updat|introduc|bump|preced|' +
    '["“])|(?:chang|touch|modif|edit|updat|introduc|arriv|came|brought|files of)[^.\\n]{0,60}["“]',
  "i",
);
/** "It was added before …": an order of what was done. */
const mayTellOrder = new RegExp(
  `\\b(?:${arrived})(?: in)? (?:right |just |only )?(?:before|after|later than|earlier than)\\b`,
  "i",
);

export function commitClaims(
  report: string,
  repo: Repository,
  ledger: Ledger | undefined,
): ProjectClaim[] {
  const gates = [speaksOfHistory, mayTellCommit, mayTellOrder, commitId];
  if (gates.every((gate) => report.search(gate) < 0)) return [];
  const spoken = statementsOf(report).filter(
    (statement) => isSentence(statement) && !isAside(statement),
  );
  let before: Commit | undefined;
  let lately: Commit | undefined;
  const made = (ledger?.commands ?? []).flatMap(
    ({ output }) => /^\[[^\]\n]+ ([0-9a-f]{7,40})\]/m.exec(output)?.[1] ?? [],
  );
  const lastEdit = Math.max(
    -1,
    ...(ledger?.edits ?? []).map(({ order, by }) => (by === "Bash" ? -1 : order)),
  );
  const isMade = (ledger?.commands ?? []).some(
    ({ command, exitCode, order }) =>
      exitCode === 0 && order > lastEdit && /\bgit (?:-\S+ \S+ )?commit\b/.test(command),
  );
  const isRecorded = (text: string): boolean =>
    ledger?.commands.some(
      ({ command, output }) => output.includes(text) || command.includes(text),
    ) ?? false;
  return spoken.flatMap((statement) => {
    const history = historyOf(repo);
    const told = readCommits(statement, { history, before, lately, repo });
    const judged = judgeHistory(statement, { told, history, repo, isRecorded, made, isMade });
    lately = new Set(told.commits).size === 1 ? told.commits[0] : undefined;
    before = told.commits.at(-1) ?? before ?? commitAbout(statement.words, history);
    return judged ? [{ span: statement.span, judged }] : [];
  });
}

const spelledOut = ({ words, clauses }: Statement): string => {
  const code = clauses.flatMap((clause) => clause.code);
  let at = 0;
  return words.replace(/[§¤]/g, () => `\`${code[at++] ?? ""}\``);
};

type Seen = {
  told: ReturnType<typeof readCommits>;
  history: readonly Commit[];
  repo: Repository;
  /** A command of the run gave or printed it. */
  isRecorded: (text: string) => boolean;
  /** The ids that commits of the run printed. */
  made: readonly string[];
  /** A commit of the run went well, and nothing was edited after it. */
  isMade: boolean;
};

function judgeHistory(
  statement: Statement,
  { told, history, repo, isRecorded, made, isMade }: Seen,
): ClaimJudgement | undefined {
  const text = spelledOut(statement);
  const ids = text.match(commitId) ?? [];
  const mayTell = speaksOfHistory.test(text) || mayTellOrder.test(text);
  if (history.length === 0 || (told.commits.length === 0 && !mayTell)) return undefined;
  const own = ids.length === 1 ? history.find((one) => one.id.startsWith(ids[0])) : undefined;
  const known =
    judgeMade(text, made) ??
    judgeUnmade(text, isMade) ??
    judgeIds(text, { history, isRecorded, repo });
  if (known?.verdict === "countered") return known;
  const judges: readonly (() => ClaimJudgement | undefined)[] = [
    () => judgeMessage(text, history, isRecorded),
    () => judgeCommits(told, history, repo),
    () => judgeAuthor(text, told.commits),
    () => own && held(`git has ${own.id.slice(0, 7)}`),
  ];
  for (const judge of judges) {
    const judged = judge();
    if (judged) return judged;
  }
  return known;
}

/** "Committed as `1234abc`": the id that the commit printed. */
function judgeMade(text: string, made: readonly string[]): ClaimJudgement | undefined {
  const told = /\bcommit(?:ted)?\b[^.;]{0,30}\b(?:as|is|in) `?((?=[a-f]*\d)[0-9a-f]{7,40})\b/i.exec(
    text,
  )?.[1];
  if (told === undefined || made.length === 0 || !/\bcommitted\b/i.test(text)) return undefined;
  return made.some((id) => id.startsWith(told) || told.startsWith(id))
    ? held(`the record shows ${told}`)
    : counteredBy(`"${text.slice(0, 100)}", but the commit printed ${made[0]}`);
}

/** "I left it uncommitted", where a commit is on record. */
function judgeUnmade(text: string, isMade: boolean): ClaimJudgement | undefined {
  const told =
    /\b(?:uncommitted|(?:not|n't)(?: yet| been)* committed|nothing (?:is|was) committed|did(?: not|n't) commit)\b/i;
  return isMade && told.test(text) && !/\b(?:other|rest|still|remaining|before)\b/i.test(text)
    ? counteredBy(`"${text.slice(0, 100)}", but a commit is on record`)
    : undefined;
}

function judgeIds(
  text: string,
  { history, isRecorded, repo }: Pick<Seen, "history" | "isRecorded" | "repo">,
): ClaimJudgement | undefined {
  const ids = text.match(commitId) ?? [];
  if (ids.length > 0 && ids.every(isRecorded)) return held(`the record shows ${ids[0]}`);
  const strange = ids.find(
    (id) => !history.some((one) => one.id.startsWith(id)) && !keepsCommit(repo, id),
  );
  return strange === undefined
    ? undefined
    : counteredBy(`"${text.slice(0, 100)}", but no commit begins with ${strange}`);
}

/** "committed with the message “…”": git or a command of this run has it. */
function judgeMessage(
  text: string,
  history: readonly Commit[],
  isRecorded: (text: string) => boolean,
): ClaimJudgement | undefined {
  const told =
    /\bcommitted (?:it )?(?:with the (?:message|subject)|as)[: ]*["“]([^"”]{4,160})["”]/i;
  const message = told.exec(text)?.[1];
  if (message === undefined) return undefined;
  return isRecorded(message) || history.some((one) => says(one, message))
    ? held("a commit has this message")
    : counteredBy(`"${text.slice(0, 100)}", but no commit has the message "${message}"`);
}

/** "written with Ada Byron, who is named in “x”": the one commit of the sentence names the person. */
function judgeAuthor(text: string, commits: readonly Commit[]): ClaimJudgement | undefined {
  const [commit] = commits;
  const name = /\b(?:by|author(?: is| was)?:?|co-authors?|with) (\p{Lu}\p{L}+ \p{Lu}\p{L}+)/u.exec(
    text,
  )?.[1];
  if (!commit || name === undefined || commits.some((one) => one !== commit)) return undefined;
  const { author, body, subject } = commit;
  return `${author} ${body}`.toLowerCase().includes(name.toLowerCase())
    ? held(`${commit.id.slice(0, 7)} names ${name}`)
    : counteredBy(`"${text.slice(0, 80)}", but "${subject.slice(0, 60)}" does not name ${name}`);
}
