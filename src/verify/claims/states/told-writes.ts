// Which files a clause names, and which of them it tells as changed by the agent, in the languages at
// hand. Only what stands around the verb can deny it: "an entry on what is missing" tells of a change.
import { anyPhrase } from "../words/phrase.ts";
import type { Clause } from "../words/statements.ts";

const verbs =
  "added|changed|updated|edited|modified|created|wrote|rewrote|removed|deleted|renamed|extended|adjusted|" +
  "bumped|replaced|patched|refactored|introduced|documented|fixed|moved|registered|wired|corrected|" +
  "implemented|made|touched|adapted|pinned|raised|lowered|set|switched|aligned|translated|linked";

/** The agent tells what it changed: the verb opens the clause or has the agent before it. */
const tells = new RegExp(
  `(?:^|\\b(?:I|we|I've|we've|and|also|then|have)\\s+(?:also |then |both )?)(?:${verbs})\\b`,
  "giu",
);
/** "`a.ts` and `b.ts` are the files I touched". */
const listed = new RegExp(`\\b(?:files?|ones?) (?:that )?(?:I|we) (?:${verbs})\\b`, "iu");
/** Words right before a file that was changed, or in which something was. */
const leads = /(?:^|\b(?:in|to|into|at|and|of|the|file|both|also|from)|,)\s*$|^\s*$/i;
/** "In § I set the level": the file comes first. */
const opens = new RegExp(`^in [§¤],? (?:I|we)(?:'ve| have)?(?: also)? (?:${verbs})\\b`, "iu");

/** The same in other languages, where the verb may stand before the file or behind it. */
const foreign = anyPhrase([
  "geändert|angepasst|ergänzt|hinzugefügt|erstellt|angelegt|aktualisiert|entfernt|gelöscht|umbenannt|verschoben",
  "erweitert|überarbeitet|eingetragen|korrigiert",
  "modifiée?s?|ajoutée?s?|créée?s?|(?:mise?s?|mettre) à jour|supprimée?s?|renommée?s?|déplacée?s?|complétée?s?",
  "étendue?s?|corrigée?s?",
  "modifi(?:qué|cad[oa]s?)|actuali(?:cé|zad[oa]s?)|añad(?:í|id[oa]s?)|agreg(?:ué|ad[oa]s?)|cre(?:é|ad[oa]s?)",
  "elimin(?:é|ad[oa]s?)|borr(?:é|ad[oa]s?)|renombr(?:é|ad[oa]s?)|mov(?:í|id[oa]s?)|corre(?:gí|gid[oa]s?)",
  "cambi(?:é|ad[oa]s?)|atuali(?:zei|zad[oa]s?)|adicion(?:ei|ad[oa]s?)|cri(?:ei|ad[oa]s?)|remov(?:i|id[oa]s?)",
  "renome(?:ei|ad[oa]s?)|alter(?:ei|ad[oa]s?)",
  "(?:)(?:更新|修改了|已修改|添加|新增|创建|删除|重命名|追加|作成|修正|削除|変更)(?:)",
]);
const farthest = 40;

/** What takes a change back, or puts it off. */
const denies = anyPhrase([
  "not|never|cannot|(?:)\\p{L}+n't|unable|fail(?:s|ed)? to|would|should|could|might|may|must|will|if|unless|once",
  "please|before you|you (?:can|need|have|may|should|must)|to be|want me|plan(?:s|ned)? to|already|unchanged|untouched",
  "without|instead of|rather than|nothing|none|neither|no need|no longer",
  "nicht|kein\\p{L}*|noch|sollte\\p{L}*|müss\\p{L}*|muss|würde\\p{L}*|könnte\\p{L}*",
  "falls|wenn|bitte|unverändert|bereits",
  "ne|pas|jamais|devrait|faut|faudra\\p{L}*|si|déjà|inchangé\\p{L}*",
  "no|nunca|debe\\p{L}*|hay que|ya|sin|não|nunca|deve\\p{L}*|já|sem",
  "(?:)(?:未|没|不|请|需要|如果|ません|ない|必要|ください)(?:)",
]);

const plainPath = new RegExp(
  "(?<![\\w/@.-])(?:[\\w-]+/)*[\\w.-]+\\.(?:lock|json|toml|ya?ml|md|[cm]?[jt]sx?|py|rb|" +
    "go|rs|java|php|cs|c|h)(?![\\w/-])|\\b(?:README|CHANGELOG)\\b(?!\\.)",
  "g",
);

export const isPath = (text: string): boolean =>
  /^[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*\.[a-z][a-z0-9]{0,5}$/i.test(text) &&
  !/^\.?\d|\(\)$/.test(text);

/** A name without a folder that is plainly a file's. */
export const isPlainFile = (text: string): boolean => text.replace(plainPath, "") === "";

export type ToldFile = { at: number; path: string };

/** Files of a clause, as code or as words, each with where it stands. */
export function toldFiles({ words, code }: Pick<Clause, "words" | "code">): ToldFile[] {
  let next = 0;
  const spans = [...words.matchAll(/[§¤]/g)].map(({ index }) => ({
    at: index,
    path: code[next++] ?? "",
  }));
  const plain = [...words.matchAll(plainPath)].map(({ index, 0: path }) => ({ at: index, path }));
  return [...spans.filter(({ path }) => isPath(path)), ...plain];
}

/** Files that the clause says the agent changed. */
export function toldWrites(clause: Pick<Clause, "words" | "code">): ToldFile[] {
  const { words } = clause;
  const files = toldFiles(clause);
  if (files.length === 0) return [];
  if (opens.test(words)) return has(denies, words) ? [] : files.slice(0, 1);
  const verb = [...words.matchAll(tells)][0];
  const from = listed.test(words) ? -1 : verb && verb.index + verb[0].length;
  if (from !== undefined)
    return files.filter(
      ({ at }) =>
        at > from &&
        (from < 0 || leads.test(words.slice(from, at))) &&
        !has(denies, words.slice(0, at)),
    );
  const other = words.search(foreign);
  if (other < 0 || has(denies, words)) return [];
  return files.filter(({ at }) => Math.abs(at - other) <= farthest);
}

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
