// Files that a message says it changed, of which the record has no write. Only where nothing else can
// have written them: no command that may write, no other agent, no tool of another server.
import { posix } from "node:path";
import type { Ledger } from "../../evidence/ledger.ts";
import type { ResultSetting } from "../gap-of.ts";
import { failedWrite, unsupported, type ClaimJudgement } from "../judgement.ts";
import { fatesOf } from "../deeds/fates-of.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isProse } from "../runs/edit-after.ts";
import { isBuilt, knowsEdits } from "./knows-edits.ts";
import { toldFiles, isPath, isPlainFile, toldWrites } from "./told-writes.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

export type UnwrittenFile = { span: [number, number]; judged: ClaimJudgement };

const isSaid = (statement: Statement, clause: Clause): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !tellsFailure(clause.words) &&
  !isAhead(clause.words) &&
  isAsserted(statement, clause, [0, clause.words.length]);

export function unwrittenFiles(report: string, setting: ResultSetting): UnwrittenFile[] {
  const all = statementsOf(report).filter(({ kind }) => kind !== "fence");
  const told = all.filter(({ kind }) => kind === "sentence");
  // Few clauses name such a file: whether they say it is asked of those.
  const saidOf = (filesOf: (clause: Clause) => UnwrittenFile[]): UnwrittenFile[] =>
    told.flatMap((statement) =>
      statement.clauses.flatMap((clause) => {
        const files = filesOf(clause);
        return files.length > 0 && isSaid(statement, clause) ? files : [];
      }),
    );
  const refused = refusedFiles(all, setting);
  if (refused.length > 0) return refused;
  const absent = saidOf((clause) => absentFiles(clause, setting));
  if (absent.length > 0 || !knowsEdits(setting, "prose")) return absent.slice(0, 1);
  return [
    ...told
      .filter((statement) => !isAside(statement) && !standsAhead(statement.under))
      .flatMap(({ clauses }) => clauses.flatMap((clause) => unwrittenIn(clause, setting))),
    ...saidOf((clause) => unwrittenDocs(clause, setting)),
    ...unwrittenItems(all, setting),
  ];
}

const untouched = anyPhrase([
  "unchanged|untouched|as (?:before|is)|same as|left|remains?|stays?|already|still|exists?|see|only read|read only",
  "unverändert|inchangé\\p{L}*|sin cambios|inalterad\\p{L}*",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** The files that open an item of a list or a row of a table, before what was done to them. */
const opening =
  /^[|\s\d.)✅✓✔]*((?:§(?:, ?| and | und | et | y | e | & |, and )?)+)(?: ?[:–—→|(]| - )/u;

type Item = { paths: string[]; span: [number, number]; list: string; isSaid: boolean };

function itemOf(statement: Statement): Item[] {
  const { clauses, words, span, under, head } = statement;
  const [clause] = clauses;
  const marks = opening.exec(words)?.[1]?.match(/§/g)?.length ?? 0;
  const paths = clauses
    .flatMap(({ code }) => code)
    .slice(0, marks)
    .filter(isPath);
  if (clause === undefined || paths.length === 0 || paths.length < marks) return [];
  // What follows from a change says nothing of it.
  const own = words.replace(/,? so (?:that )?.*$/i, "");
  const isTold = !has(untouched, own) && isSaid(statement, { ...clause, words: own });
  return [{ paths, span, list: [...under, ...head].join("\n"), isSaid: isTold }];
}

/** "`spec/a_spec.rb`: describes `B`" beside items whose files were written. */
function unwrittenItems(told: readonly Statement[], setting: ResultSetting): UnwrittenFile[] {
  const items = told.flatMap(itemOf);
  const isBeside = ({ list }: Item): boolean =>
    items.some(
      (one) => one.list === list && one.paths.some((path) => isWritten(path, setting.ledger)),
    );
  for (const item of items.filter((one) => one.isSaid && isBeside(one))) {
    const strange = item.paths.find((path) => isStrange(path, setting));
    if (strange !== undefined)
      return [{ span: item.span, judged: unsupported(`no write to ${strange} is recorded`) }];
  }
  return [];
}

/** A file of the project that nothing on record wrote or can have written. */
const isStrange = (path: string, setting: ResultSetting): boolean =>
  !isWritten(path, setting.ledger) &&
  fatesOf(setting).of(path) !== "open" &&
  (/^[A-Z]+$/.test(path) || isOne(path, setting.project.paths())) &&
  knowsEdits(setting, isBuilt(path) ? "built" : isProse(path) ? "prose" : "sources");

/** "The README has a section on it", "changelog entry added". */
function unwrittenDocs(clause: Clause, { ledger }: ResultSetting): UnwrittenFile[] {
  const text = clause.words.replace(/§/g, () => clause.code[0] ?? "");
  const noun = /\b(README|CHANGELOG|changelog)\b/.exec(text)?.[1]?.toLowerCase();
  if (noun === undefined || has(untouched, text) || !has(docChange, text)) return [];
  const isOwn = ledger.edits.some(({ path }) =>
    (noun === "readme" ? /readme/i : /change|news|history/i).test(path),
  );
  return isOwn
    ? []
    : [{ span: clause.span, judged: unsupported(`no write to a ${noun} is recorded`) }];
}

const docChange = anyPhrase([
  "updated|added|documented|extended|mentions?|documents|lists|explains|describes|new section|entry",
  "(?:has|got|gained) (?:a|an|the|its)(?: \\p{L}+)? (?:section|entry|example|paragraph|note)",
  "ergänzt|aktualisiert|erweitert|mis à jour|complété|actualizad[oa]|atualizad[oa]",
]);

function unwrittenIn(clause: Clause, setting: ResultSetting): UnwrittenFile[] {
  const strange = toldWrites(clause).find(({ path }) => isStrange(path, setting));
  if (strange === undefined) return [];
  const [from, to] = clause.span;
  const at = setting.report.indexOf(strange.path, from);
  // Beside files that were written only its own name is wrong.
  const isBeside = toldWrites(clause).some(({ path }) => isWritten(path, setting.ledger));
  const span: [number, number] =
    isBeside && at >= 0 && at < to ? [at, at + strange.path.length] : clause.span;
  return [{ span, judged: unsupported(`no write to ${strange.path} is recorded`) }];
}

/** A file whose write failed and was not made good, in a message that names it and tells no trouble with it. */
function refusedFiles(
  all: readonly Statement[],
  { ledger, record }: ResultSetting,
): UnwrittenFile[] {
  const { refusedWrites, delegations, truncated, isContinued, toolRuns } = ledger;
  if (delegations + toolRuns.length > 0 || truncated || isContinued) return [];
  const isWriting = record.recognitions.some(
    ({ recognition }) => recognition.mayEdit && recognition.unknown === null,
  );
  const open = isWriting ? [] : refusedWrites.filter((path) => !isWritten(path, ledger));
  return open.flatMap((path): UnwrittenFile[] => {
    const name = posix.basename(path);
    const naming = all.filter(
      ({ words, clauses }) =>
        words.includes(name) || clauses.some(({ code }) => code.some((one) => endsIn(one, name))),
    );
    const [first] = naming.filter(
      (one) => !isAside(one) && !standsAhead(one.under) && !has(untouched, one.words),
    );
    if (!first || naming.some(({ words }) => has(cannot, words))) return [];
    return [{ span: first.span, judged: failedWrite(`the write to ${path} failed`) }];
  });
}

const endsIn = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

/** It was not changed, or not yet. */
const cannot = anyPhrase([
  "not|never|cannot|(?:)\\p{L}+n't|unable|fail\\p{L}*|refus\\p{L}*|denied|reject\\p{L}*|read-only|blocked|by hand",
  "permission|yourself|wanted to|tried to|blocks?|still (?:to|needs?|has)|remains? to",
  "without|would|should|could|please|todo|open|left|stays?",
  "nicht|kein\\p{L}*|noch|konnte\\p{L}*|ne|n'\\p{L}+|pas|impossible|no|nunca|não|sin|sem|falta\\p{L}*",
  "(?:)(?:未|没|无法|不能|失败|失敗|ません|ない|できず)(?:)",
]);

/** Words of making, anywhere before the file. */
const making =
  /\b(?:new|added|adding|created|creating|wrote|written|introduced|extracted|generated|documented|lives? in|put)\b/i;

/** A file that is told as made, is nowhere in the tree, and of which no command or output speaks. */
function absentFiles(clause: Clause, setting: ResultSetting): UnwrittenFile[] {
  const { ledger } = setting;
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.toolRuns.length > 0 || ledger.edits.length + ledger.refusedWrites.length === 0)
    return [];
  const absent = toldFiles(clause).find(
    ({ at, path }) =>
      path.includes("/") &&
      making.test(clause.words.slice(0, at)) &&
      !/\b(?:removed|deleted|renamed|moved|gone)\b/i.test(clause.words) &&
      !isBuilt(path) &&
      !isThere(path, setting) &&
      !ledger.commands.some((run) =>
        `${run.command}\n${run.output}`.includes(posix.basename(path)),
      ),
  );
  return absent === undefined
    ? []
    : [
        {
          span: clause.span,
          judged: unsupported(`there is no ${absent.path}, and no write to it is recorded`),
        },
      ];
}

const isThere = (path: string, { ledger, project }: ResultSetting): boolean =>
  isWritten(path, ledger) ||
  project.paths().some((one) => one === path || one.endsWith(`/${path}`)) ||
  project.read(path) !== undefined;

const isWritten = (path: string, { edits }: Ledger): boolean => {
  const plain = path.replace(/^\.\//, "");
  if (/^[A-Z]+$/.test(plain)) return edits.some((edit) => edit.path.toUpperCase().includes(plain));
  return edits.some(
    (edit) =>
      edit.path === plain || edit.path.endsWith(`/${plain}`) || plain.endsWith(`/${edit.path}`),
  );
};

/** A name without a folder must be that of one file, or of none where it is plainly a file's. */
function isOne(path: string, paths: readonly string[]): boolean {
  if (path.includes("/")) return true;
  const { length } = paths.filter((one) => one === path || one.endsWith(`/${path}`));
  return length === 1 || (length === 0 && isPlainFile(path));
}
