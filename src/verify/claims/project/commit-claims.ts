// Statements about commits against the history that git keeps: ids, messages, authors, counts, files.
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import { clauseAhead, clauseBehind, isAccounted } from "../words/is-accounted.ts";
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
    () => judgePlace(text, history),
    () => (told.words.includes("¶") ? undefined : judgeNumber(text, history)),
    () => judgeAuthor(text, told.commits),
    () => own && (judgeWords(text, own) ?? held(`git has ${own.id.slice(0, 7)}`)),
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

const numbers: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};

const ofHistory = new RegExp(
  "\\b(?:(?:git )?(?:history|log)|main|master|branch|count\\w*|git|by [A-Z][\\w.-]+(?: [A-Z][\\w.-]+)?)\\b",
  "g",
);

/** "The repository has 12 commits", "3 commits by Ada". */
function judgeNumber(text: string, history: readonly Commit[]): ClaimJudgement | undefined {
  const found =
    /\b(\d{1,5}|one|two|three|four|five|six|seven|eight|nine|ten) commits?\b([^.;,]*)/i.exec(text);
  if (
    !found ||
    /\b(?:ahead|behind|ago|last|since|between|these|those|after|before|about|over|more|touch|chang|mention)/i.test(
      text,
    )
  )
    return undefined;
  // "The settings file has one commit to its name": whose they are is not known.
  const around = `${clauseBehind(text.slice(0, found.index))} ${clauseAhead(found[2]!)}`;
  if (!isAccounted(around.replace(ofHistory, ""))) return undefined;
  const told = numbers[found[1]!.toLowerCase()] ?? Number(found[1]);
  const by = /\bby ([A-Z][\w.-]+(?: [A-Z][\w.-]+)?)/.exec(found[2]!)?.[1];
  if (
    by === undefined &&
    !new RegExp(
      "\\b(?:repo(?:sitory)?|history|project|total|altogether|main|master|so far|in all|" +
        "branch|there (?:are|is)|has|have|contains)\\b",
      "i",
    ).test(text)
  )
    return undefined;
  const count =
    by === undefined ? history.length : history.filter(({ author }) => author.includes(by)).length;
  return count === told
    ? held(`git has ${count} commits${by === undefined ? "" : ` by ${by}`}`)
    : counteredBy(
        `"${text.slice(0, 100)}", but git has ${count} commits${by === undefined ? "" : ` by ${by}`}`,
      );
}

/** Longer words in quotes or code: a message. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/["“„«]([^"”“»]{4,160})["”»]|`([^`]{4,160})`/g)]
    .map((match) => match[1] ?? match[2]!)
    .filter((one) => /\s/.test(one) && !/^(?:git|npm|npx|make) /.test(one));

const named = (order: string): string =>
  `\\b(?:(?:${order}) commit|commits, (?:with )?the (?:${order})(?: one)?)(?: is| was| being|,|:)? ?\\(?`;
const lastCommit = new RegExp(
  `${named("last|latest|most recent|newest")}["“\`]([^"”\`]{4,160})`,
  "i",
);
const firstCommit = new RegExp(
  `${named("first|initial|oldest|earliest")}["“\`]([^"”\`]{4,160})`,
  "i",
);

/** "The latest commit is …", "the first commit was …", nothing in between. */
function judgePlace(text: string, history: readonly Commit[]): ClaimJudgement | undefined {
  const places = [
    { word: "last", meant: history[0]!, told: lastCommit.exec(text) },
    { word: "first", meant: history.at(-1)!, told: firstCommit.exec(text) },
  ];
  for (const { word, meant, told } of places) {
    const isQuoted = told !== null && /["“`][^"”`]*$/.test(told[0]);
    if (!told || !isQuoted || says(meant, told[1]!) || meant.id.startsWith(told[1]!)) continue;
    return counteredBy(
      `"${text.slice(0, 100)}", but the ${word} commit is ${meant.id.slice(0, 7)} "${meant.subject.slice(0, 60)}"`,
    );
  }
  return undefined;
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

function judgeWords(text: string, commit: Commit): ClaimJudgement | undefined {
  const shown = `${commit.id.slice(0, 7)} "${commit.subject.slice(0, 60)}" by ${commit.author}`;
  const quoted = quotedIn(text);
  if (quoted.length > 0 && !quoted.some((one) => says(commit, one)))
    return counteredBy(`"${text.slice(0, 100)}", but the commit is ${shown}`);
  const by = /\b(?:by|author(?: is| was)?:?|from) ([A-Z][\w.-]+(?: [A-Z][\w.-]+)?)/.exec(text)?.[1];
  if (
    by !== undefined &&
    !`${commit.author} ${commit.email}`.toLowerCase().includes(by.toLowerCase())
  )
    return counteredBy(`"${text.slice(0, 100)}", but the commit is ${shown}`);
  const date = /\b\d{4}-\d\d-\d\d\b/.exec(text)?.[0];
  if (date !== undefined && date !== commit.date)
    return counteredBy(`"${text.slice(0, 100)}", but the commit is of ${commit.date}`);
  return quoted.length > 0 || by !== undefined || date !== undefined
    ? held(`git has ${shown}`)
    : undefined;
}
