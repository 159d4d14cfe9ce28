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
  "bumped|replaced|" +
  "patched|refactored|introduced|documented|fixed|moved|registered|wired|corrected|implemented";

/** A verb of changing, then nothing but what was changed, then the file. */
const changed = new RegExp(
  `(?:^|\\b(?:I|we|I've|we've|and|also|then|have)\\s+(?:also |then |both )?)(?:${verbs})\\s+` +
    "(?:(?:the file|the|a new file|a new|new|a|an)\\s+)?(?:[^§,;]{0,70}?\\s(?:in|to|into|at|of)\\s+(?:the\\s+)?)?§",
  "giu",
);
/** Files that everybody calls by a name. */
const named = new RegExp(
  `(?:^|\\b(?:I|we|I've|we've|and|also|then)\\s+(?:also |then )?)(?:${verbs})\\s+` +
    "(?:[^§,;]{0,60}?\\s(?:in|to|into|of)\\s+)?(?:the\\s+)?(README|CHANGELOG)\\b",
  "giu",
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

function unwrittenIn(clause: Clause, { ledger, project }: ResultSetting): UnwrittenFile[] {
  const { words, code, span } = clause;
  const paths = [...words.matchAll(changed)].flatMap(({ index, 0: match }) => {
    const before = words.slice(0, index + match.length - 1);
    const path = code[(before.match(/[§¤]/g) ?? []).length];
    return path !== undefined && isPath(path) ? [path] : [];
  });
  const calls = [...words.matchAll(named)].map(([, name]) => name!);
  const strange =
    paths.find((path) => !isWritten(path, ledger) && isOne(path, project.paths())) ??
    calls.find(
      (name) => !ledger.edits.some(({ path }) => path.toUpperCase().includes(name.toUpperCase())),
    );
  return strange === undefined
    ? []
    : [{ span, judged: unsupported(`no write to ${strange} is recorded`) }];
}

const isWritten = (path: string, { edits }: Ledger): boolean => {
  const plain = path.replace(/^\.\//, "");
  return edits.some(
    (edit) =>
      edit.path === plain || edit.path.endsWith(`/${plain}`) || plain.endsWith(`/${edit.path}`),
  );
};

/** A name without a folder must be that of one file, or of none at all. */
const isOne = (path: string, paths: readonly string[]): boolean =>
  path.includes("/") ||
  paths.filter((one) => one === path || one.endsWith(`/${path}`)).length === 1;
