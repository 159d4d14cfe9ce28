// Files that a message says it changed, of which the record has no write. Only where nothing else can
// have written them: no command that may write, no other agent, no tool of another server.
import type { Ledger } from "../../evidence/ledger.ts";
import type { ResultSetting } from "../gap-of.ts";
import { unsupported, type ClaimJudgement } from "../judgement.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnwrittenFile = { span: [number, number]; judged: ClaimJudgement };

const verbs =
  "added|changed|updated|edited|modified|created|wrote|rewrote|removed|deleted|renamed|extended|adjusted|" +
  "bumped|replaced|patched|refactored|introduced|documented|fixed|moved|registered|wired|corrected|" +
  "implemented|made|touched|adapted";

/** The agent tells what it changed: the verb opens the clause or has the agent before it. */
const tells = new RegExp(
  `(?:^|\\b(?:I|we|I've|we've|and|also|then|have)\\s+(?:also |then |both )?)(?:${verbs})\\b`,
  "giu",
);
/** "`a.ts` and `b.ts` are the files I touched". */
const listed = new RegExp(`\\b(?:files?|ones?) (?:that )?(?:I|we) (?:${verbs})\\b`, "iu");
/** Words right before a file that was changed, or in which something was. */
const leads = /(?:^|\b(?:in|to|into|at|and|of|the|file|both|also)|,)\s*$|^\s*$/i;
const plainPath = new RegExp(
  "(?<![\\w/@.-])(?:[\\w-]+/)*[\\w.-]+\\.(?:lock|json|toml|ya?ml|md|[cm]?[jt]sx?|py|rb|" +
    "go|rs|java|php|cs|c|h)(?![\\w/-])|\\b(?:README|CHANGELOG)\\b(?!\\.)",
  "g",
);

const isPath = (text: string): boolean =>
  /^[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*\.[a-z][a-z0-9]{0,5}$/i.test(text) &&
  !/^\.?\d|\(\)$/.test(text);

const isSaid = (statement: Statement, clause: Clause): boolean =>
  !isAside(statement) &&
  !statement.under.some((heading) => isAhead(heading)) &&
  !tellsFailure(clause.words) &&
  !isAhead(clause.words) &&
  isAsserted(statement, clause, [0, clause.words.length]);

/** Whole, and nothing on it could have written a file unseen. */
const isDecisive = ({ ledger, record }: ResultSetting): boolean =>
  ledger.delegations === 0 &&
  !ledger.truncated &&
  !ledger.isContinued &&
  ledger.toolRuns.length === 0 &&
  ledger.earlierCalls === 0 &&
  ledger.edits.length > 0 &&
  record.recognitions.every(({ recognition }) => !recognition.mayWrite);

export function unwrittenFiles(report: string, setting: ResultSetting): UnwrittenFile[] {
  if (!isDecisive(setting)) return [];
  return statementsOf(report)
    .filter(({ kind }) => kind === "sentence")
    .flatMap((statement) =>
      statement.clauses
        .filter((clause) => isSaid(statement, clause))
        .flatMap((clause) => unwrittenIn(clause, setting)),
    );
}

/** Files of a clause, as code or as words, each with where it stands. */
function filesIn({ words, code }: Clause): { at: number; path: string }[] {
  let next = 0;
  const spans = [...words.matchAll(/[§¤]/g)].map(({ index }) => ({
    at: index,
    path: code[next++] ?? "",
  }));
  const plain = [...words.matchAll(plainPath)].map(({ index, 0: path }) => ({ at: index, path }));
  return [...spans.filter(({ path }) => isPath(path)), ...plain];
}

function unwrittenIn(clause: Clause, { ledger, project }: ResultSetting): UnwrittenFile[] {
  const { words, span } = clause;
  const verb = [...words.matchAll(tells)][0];
  const from = verb ? verb.index + verb[0].length : listed.test(words) ? -1 : undefined;
  if (from === undefined) return [];
  const strange = filesIn(clause).find(
    ({ at, path }) =>
      at > from &&
      (from < 0 || leads.test(words.slice(from, at))) &&
      !isWritten(path, ledger) &&
      (/^[A-Z]+$/.test(path) || isOne(path, project.paths())),
  );
  return strange === undefined
    ? []
    : [{ span, judged: unsupported(`no write to ${strange.path} is recorded`) }];
}

const isWritten = (path: string, { edits }: Ledger): boolean => {
  const plain = path.replace(/^\.\//, "");
  if (/^[A-Z]+$/.test(plain)) return edits.some((edit) => edit.path.toUpperCase().includes(plain));
  return edits.some(
    (edit) =>
      edit.path === plain || edit.path.endsWith(`/${plain}`) || plain.endsWith(`/${edit.path}`),
  );
};

/** A name without a folder must be that of one file, or of none at all. */
const isOne = (path: string, paths: readonly string[]): boolean =>
  path.includes("/") ||
  paths.filter((one) => one === path || one.endsWith(`/${path}`)).length === 1;
