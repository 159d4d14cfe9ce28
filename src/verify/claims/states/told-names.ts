// Names of code that a message tells as added and that stand nowhere, or as removed and that still stand where
// nothing took them away: the tree decides, and the record of every write.
import { isUntraced } from "../flags/record-words.ts";
import type { ResultSetting } from "../gap-of.ts";
import { fatesOf } from "../deeds/fates-of.ts";
import { isFileName } from "../deeds/mentions-of.ts";
import { unsupported } from "../judgement.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause } from "../words/statements.ts";
import type { UnmadeRun } from "./unmade-runs.ts";

/** By what the tree has of them. */
export const toldNames = (
  report: string,
  setting: ResultSetting,
): { absent: UnmadeRun[]; left: UnmadeRun[] } => ({
  absent: absentNames(report, setting),
  left: leftNames(report, setting),
});

const mostFiles = 400;
const mostFlags = 2;

type Told = { clause: Clause; names: string[] };

/** Clauses of a run whose every write is known. */
function toldIn(report: string, setting: ResultSetting, says: RegExp): Told[] {
  const { ledger, project } = setting;
  if (ledger.delegations + ledger.earlierCalls > 0 || ledger.truncated || ledger.isContinued)
    return [];
  if (ledger.toolRuns.length > 0 || ledger.edits.length + ledger.refusedWrites.length === 0)
    return [];
  if (project.paths().length > mostFiles) return [];
  return statementsOf(report)
    .filter(
      (one) =>
        one.kind !== "fence" && one.box !== "open" && !isAside(one) && !standsAhead(one.under),
    )
    .flatMap((statement) =>
      statement.clauses
        .filter(
          (clause) =>
            clause.words.search(says) >= 0 &&
            !isAhead(clause.words) &&
            !/\b(?:propos|suggest|sketch|had |table|column|database)/i.test(clause.words) &&
            !tellsFailure(clause.words) &&
            isAsserted(statement, clause, [0, clause.words.length]),
        )
        .map((clause) => ({ clause, names: objectsOf(clause).flatMap(nameIn) })),
    );
}

/** Code that is no place: neither "in `clean()`" nor "by `calc`". */
function objectsOf({ words, code }: Clause): string[] {
  const before = words.split(/[§¤]/).slice(0, -1);
  return code.filter((_, at) => !isPlace.test(before[at] ?? ""));
}
const isPlace =
  /(?:^| )(?:in|into|by|from|of|via|with|to|at|on|for|like|as|im|dans|en)(?: the| der| la)? $/i;

/** Code that is a name of its own kind: `RING_CAP`, `ipcMain.handle`, `toDate()`; no file, no option, no plain word. */
function nameIn(code: string): string[] {
  if (!/^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(code)) return [];
  if (isFileName(code)) return [];
  const last = code
    .replace(/\(\)$/, "")
    .split(/\.|::|#|->/)
    .at(-1)!;
  const isShaped =
    /[a-z\d][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z]+[a-z]+[A-Z]/.test(last) || code.endsWith("()");
  return isShaped && last.length > 4 ? [last] : [];
}

const word = (name: string): RegExp =>
  new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$&")}(?![\\w$])`);
const filesWith = (name: string, { project }: ResultSetting): string[] =>
  project.paths().filter((path) => word(name).test(project.read(path) ?? ""));

const adds = anyPhrase([
  "added|introduced|defined|declared|extracted|wrote|created|registered|implemented|renamed",
  "new(?: \\p{L}+){0,3}[,:]? §|^new: ",
  "hinzugefügt|eingeführt|ergänzt|ajouté\\p{L}*|añadid\\p{L}+|adicionad\\p{L}+|(?:)(?:追加|添加|新增|导入)(?:)",
]);
const removes = anyPhrase([
  "removed|deleted|dropped|gone|eliminated|stripped|got rid of|took out|taken (?:\\p{L}+ ){0,4}out",
  "entfernt|gelöscht|supprimée?s?|eliminad\\p{L}+|removid\\p{L}+|(?:)(?:削除|删除|移除)(?:)",
]);

/** "Introduced `RING_CAP`": it stands in no file, and nothing on record has it. */
const absentNames = (report: string, setting: ResultSetting): UnmadeRun[] =>
  toldIn(report, setting, adds)
    .flatMap(({ clause, names }): UnmadeRun[] => {
      const name = names.find(
        (one) => isUntraced(one, setting) && filesWith(one, setting).length === 0,
      );
      const judged = unsupported(`${name} stands in no file, and no write of it is recorded`);
      return name === undefined ? [] : [{ span: clause.span, judged }];
    })
    .slice(0, mostFlags);

/** "`old_hash()` is removed": it still stands, and no write took it away anywhere. */
const leftNames = (report: string, setting: ResultSetting): UnmadeRun[] => {
  const { edits } = setting.ledger;
  const takes = (name: string): boolean =>
    edits.some(({ change, action }) =>
      change === null
        ? action !== "create"
        : change.from.split(name).length > change.to.split(name).length,
    );
  const fates = fatesOf(setting);
  return toldIn(report, setting, removes)
    .flatMap(({ clause, names }): UnmadeRun[] => {
      for (const name of names) {
        const left = filesWith(name, setting);
        // "… from `util.c`": that file still has it, whatever was taken out of others.
        const own = left.find((path) =>
          clause.code.some((one) => isFileName(one) && (path === one || path.endsWith(`/${one}`))),
        );
        const isLeft = own
          ? fates.of(own) === "untouched"
          : left.length > 0 && !takes(name) && left.every((path) => fates.of(path) !== "open");
        if (isLeft)
          return [
            { span: clause.span, judged: unsupported(`${name} still stands in ${own ?? left[0]}`) },
          ];
      }
      return [];
    })
    .slice(0, mostFlags);
};
