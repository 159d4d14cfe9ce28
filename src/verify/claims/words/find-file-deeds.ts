// Files that a message says it made, changed or removed: the verb stands right before the file, right
// behind it, or behind the colon of an item that the file opens.
import { lastFew } from "../../../markdown/last-few.ts";
import { isAside, isAsserted } from "./is-asserted.ts";
import { anyPhrase } from "./phrase.ts";
import { isAhead, standsAhead, tellsFailure } from "./says-done.ts";
import { statementsOf, type Clause, type Statement } from "./statements.ts";

export type FileDeed = {
  deed: "made" | "changed" | "removed";
  path: string;
  span: [number, number];
};

const verbs: readonly [FileDeed["deed"], RegExp][] = [
  [
    "removed",
    anyPhrase([
      "deleted|removed|gelöscht|entfernt|supprimée?s?|eliminad[oa]s?|eliminé|borrad[oa]s?|removid[oa]s?",
      "удалил[аи]?|удал[её]н\\p{L}*",
      "(?:)(?:删除了?|削除)(?:)",
    ]),
  ],
  [
    "made",
    anyPhrase([
      "created|wrote|written|introduced|erstellt|angelegt|geschrieben|créée?s?|creé|cread[oa]s?|criei|criad[oa]s?",
      "(?:)(?:新增了?|创建了?|作成)(?:)",
    ]),
  ],
  [
    "changed",
    anyPhrase([
      "updated|changed|edited|modified|extended|documented|adapted|adjusted|expanded|rewrote|pinned|added",
      "aktualisiert|geändert|angepasst|ergänzt|erweitert|mise?s? à jour|mettre à jour|modifiée?s?",
      "actualicé|actualizad[oa]s?|modificad[oa]s?|atualizei|atualizad[oa]s?|обновил[аи]?|обновл[её]н\\p{L}*",
      "(?:)(?:更新了?|修改了?|変更|修正)(?:)",
    ]),
  ],
];

/** Who did it, right before the verb; or nobody is named, and the message speaks of itself. */
const byItself = new RegExp(
  "^[^\\p{L}§]*$|(?:^|[\\s,])(?:I|we|I've|we've|I have|and|also|then|ich|habe|haben|j'ai|avons|" +
    "profité pour|he|hemos|eu)(?:\\s+(?:also|then|both|auch|aussi|también))?\\s*$",
  "iu",
);
/** Between a verb and its object stand no words that lead elsewhere. */
const leadsAway = new RegExp(
  "(?<![\\p{L}])(?:from|with|by|via|using|as|like|for|per|because|that|which|so|pour|avec|par|von|mit|" +
    "con|para|por|desde)(?![\\p{L}])",
  "iu",
);
/** "removed the import in `a.ts`": the file was changed. */
const place =
  /(?<![\p{L}])(?:in|into|to|at|of|on|from|dans|en|à|sur|auf|zu|no|na|em)\s+(?:the\s+|der\s+|le\s+|la\s+)?$/iu;
const listed = /^(?:\s|,|and|und|et|y|e|&|§)*$/iu;
const stands = new RegExp(
  "^(?:\\s|,|and|und|et|y|e|&|§)*(?:is|are|was|were|has been|have been|wurde|wurden|ist|sind|a été|" +
    "ont été|est|[:–—])?\\s*(?:now|also|jetzt|désormais)?\\s*$",
  "iu",
);

const isPath = (text: string): boolean =>
  /^(?:\.\/)?[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*\.[a-z][a-z0-9]{0,5}$/i.test(text) &&
  !/^\.?\d|\(\)$/.test(text);

export const findFileDeeds: (report: string) => readonly FileDeed[] = lastFew((report) =>
  statementsOf(report)
    .filter(({ kind, box }) => kind !== "fence" && box !== "open")
    .flatMap((statement) => statement.clauses.flatMap((clause) => deedsIn(statement, clause)))
    .slice(0, 200),
);

function deedsIn(statement: Statement, clause: Clause): FileDeed[] {
  const { words, code, span } = clause;
  let next = 0;
  const paths = [...words.matchAll(/[§¤]/g)]
    .map(({ index }) => ({ at: index, path: code[next++] ?? "" }))
    .filter(({ path }) => isPath(path));
  if (paths.length === 0 || isAside(statement) || standsAhead(statement.under)) return [];
  return paths.flatMap(({ at, path }): FileDeed[] => {
    const found = deedAt(words, at);
    if (found === undefined || !isSaid(statement, clause, found.until)) return [];
    return [{ deed: found.deed, path: path.replace(/^\.\//, ""), span }];
  });
}

/** Only what stands up to the deed and its file can take it back. */
const isSaid = (statement: Statement, clause: Clause, until: number): boolean => {
  const words = clause.words.slice(0, until);
  return !tellsFailure(words) && !isAhead(words) && isAsserted(statement, clause, [0, until]);
};

function deedAt(words: string, at: number): { deed: FileDeed["deed"]; until: number } | undefined {
  for (const [deed, pattern] of verbs)
    for (const { index, 0: verb } of words.matchAll(pattern)) {
      const end = index + verb.length;
      if (end <= at && byItself.test(words.slice(0, index))) {
        const gap = words.slice(end, at);
        if (leadsAway.test(gap.replace(place, "")) || gap.split(/\s+/).length > 9) continue;
        const isPlace = place.test(gap) && !listed.test(gap);
        return { deed: isPlace ? "changed" : deed, until: at };
      }
      if (index > at && stands.test(words.slice(at + 1, index))) return { deed, until: end };
    }
  return undefined;
}
