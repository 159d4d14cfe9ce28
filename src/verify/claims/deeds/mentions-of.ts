// The files that a message names, each with what it is said with: the words before and behind it, the
// headings above it, and the files beside it. Fitting and reading share this one list.
import { kindOfWord } from "../stance/word-kinds.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import type { FileNames } from "./names-of.ts";

/** `at`: its place among the tokens of its statement; `by`: the path itself, or a name of the file. */
export type FileMention = {
  path: string;
  /** As it is written. */
  text: string;
  by: "path" | "name";
  /** The other files of its statement, as they are written. */
  others: readonly string[];
  statement: Statement;
  clause: Clause;
  at: number;
  tokens: readonly string[];
};

const endings =
  "lock|json|toml|ya?ml|md|mdx|rst|txt|[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|php|cs|c|cc|cpp|h|hpp|ex|exs|" +
  "swift|scala|sql|css|scss|html|xml|sh|tf|proto|graphql|ini|cfg|gradle|dart|lua|pm|pl|clj|hs|ml|zig|ipynb|env|prisma";
const plainPath = new RegExp(
  `(?<![\\w/@.-])(?:[\\w@.-]+/)*[\\w@-][\\w@.-]*\\.(?:${endings})(?![\\w/-])(?!\\.\\w)|` +
    "\\b(?:README|CHANGELOG|Dockerfile|Makefile|Jenkinsfile|Gemfile|Rakefile|Procfile|LICENSE|NOTICE|" +
    "[Cc]hangelog)\\b(?![.\\w/-])",
  "g",
);

/** A path by its looks: a name with an ending, or one of the usual names without one. */
export const isFileName = (text: string): boolean =>
  (/^[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*\.[a-z][a-z0-9]{0,8}$/i.test(text) &&
    !/^\.?\d[\d.]*$|^\d+\.\d|\(\)$|^(?:\w+\.)+(?:com|org|net|io|dev)$/.test(text) &&
    (text.includes("/") || text.replace(plainPath, "") === "")) ||
  usualName.test(text);

const usualName = new RegExp(
  "^(?:[\\w@.-]+/)*(?:\\.(?:env|git|npm|nvm|editor|eslint|prettier|docker|babel|github)[\\w.-]+|" +
    "[A-Z][A-Za-z]*file|README|CHANGELOG|LICENSE|NOTICE|VERSION|BUILD|Changes)$",
);

const token =
  /[§¤@]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{L}[\p{L}'’-]*|\d[\d.,]*|[:;|/→(),–—"“„«✅✓+]/gu;
const most = 400;

const noNames: FileNames = { of: () => undefined };

/** `names`: those of files that are told without a path. */
export const mentionsOf = (report: string, names: FileNames = noNames): FileMention[] =>
  statementsOf(report)
    .flatMap((one) => (one.kind === "fence" ? listedIn(one) : one.box === "open" ? [] : [one]))
    .flatMap((statement) => mentionsIn(statement, names))
    .slice(0, most);

/** A fence below "Files changed:" that is a list of files. */
function listedIn(fence: Statement): Statement[] {
  const above = [...fence.under, fence.before].join("\n");
  if (!/files? (?:changed|touched|modified|created|added)|^changes|changed files/im.test(above))
    return [];
  return fence.parts.flatMap((line): Statement[] => {
    const path = /^\s*([\w@./-]+)(?=\s|$)/.exec(line)?.[1] ?? "";
    if (!isFileName(path)) return [];
    const words = `§: ${line.trim().slice(path.length).trim()}`;
    const clause: Clause = { words, code: [path], span: fence.span };
    return [{ ...fence, kind: "sentence", words, clauses: [clause], parts: [] }];
  });
}

type Named = Pick<FileMention, "path" | "text" | "by"> & { index: number; clause: Clause };

function mentionsIn(statement: Statement, names: FileNames): FileMention[] {
  const named = namedIn(statement, names);
  return [
    ...labelled(statement),
    ...named.map(({ index, path, text, by, clause }) => {
      const marked = named.reduceRight(
        (words, other) => put(words, other, other.index === index ? " @ " : " § "),
        statement.words,
      );
      const tokens: string[] = marked.toLowerCase().match(token) ?? [];
      const others = named.filter((one) => one.index !== index).map((one) => one.text);
      return { path, text, by, others, statement, clause, at: tokens.indexOf("@"), tokens };
    }),
  ];
}

/** Below a label that is a file: as if the file opened the item. */
function labelled(statement: Statement): FileMention[] {
  const [path = ""] = statement.label;
  const [clause] = statement.clauses;
  if (!isFileName(path) || !clause) return [];
  const file = path.replace(/^\.\//, "");
  const tokens = ["@", ":", ...(statement.words.toLowerCase().match(token) ?? [])];
  return [{ path: file, text: file, by: "path", others: [], statement, clause, at: 0, tokens }];
}

const put = (words: string, { index, text }: Named, mark: string): string =>
  words.slice(0, index) + mark + words.slice(index + (words[index] === "§" ? 1 : text.length));

/** In the order of the words; code before plain words. */
function namedIn({ words, clauses }: Statement, names: FileNames): Named[] {
  const code = clauses.flatMap((clause) => clause.code.map((text) => ({ text, clause })));
  const spans = [...words.matchAll(/[§¤]/g)].flatMap(({ index }, order): Named[] => {
    const one = code[order];
    if (!one) return [];
    // With a line it is a place, no file: "`src/a.ts:4`: unused variable".
    const path = one.text.replace(/^\.\//, "");
    if (isFileName(path)) return [{ index, ...one, path, by: "path" }];
    const known = names.of(one.text);
    return known ? [{ index, ...one, path: known.path, by: known.isWhole ? "path" : "name" }] : [];
  });
  const plain = [...words.matchAll(plainPath)].map(({ index, 0: text }) => ({
    index,
    text,
    path: /^changelog$/i.test(text) ? "CHANGELOG" : text,
    isWhole: true,
  }));
  const spoken = [...words.matchAll(spokenName)].flatMap(({ index, 0: text }) => {
    const known = names.of(text);
    const isPart = plain.some((one) => one.index <= index && index < one.index + one.text.length);
    return !known || isPart ? [] : [{ index, text, ...known }];
  });
  const said = [...plain, ...spoken].flatMap(({ isWhole, ...one }): Named[] => {
    const clause = clauses.find(({ words: own }) => own.includes(one.text)) ?? clauses[0];
    return clause ? [{ ...one, by: isWhole ? "path" : "name", clause }] : [];
  });
  return [...spans, ...said].sort((a, b) => a.index - b.index);
}
/** `Podfile` and `InvoiceExporter` without marks. */
const spokenName =
  /(?<![\w/.-])(?:[A-Z][a-z]+file|(?:[A-Z][a-z\d]+){2,}|[a-z]+(?:_[a-z\d]+)+)(?![\w/.-])/g;

/** It has a word of a change, or the heading above an item that it opens: without one a file is only described. */
export const tellsChange = ({ statement, tokens, at }: FileMention): boolean =>
  [...tokens, ...(at < 2 ? statement.under.flatMap(tokensOf) : [])].some(
    (one) => changeWords.has(one) || one === "✅" || one === "✓",
  );

/** Something was taken out of it. */
export const tellsLess = ({ tokens }: FileMention): boolean =>
  tokens.some((one) => removalWords.has(one));

/** The word of a change that stands nearest to the file tells that it is gone. */
export function tellsRemoval({ tokens, at }: FileMention): boolean {
  const near = [...tokens.keys()]
    .filter((place) => changeWords.has(tokens[place]!) && Math.abs(place - at) < 7)
    .sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
  const between =
    near === undefined ? [] : tokens.slice(Math.min(near, at) + 1, Math.max(near, at));
  return (
    near !== undefined &&
    removalWords.has(tokens[near]!) &&
    !between.some((one) => /^(?:from|in|into|of|to|§|by|aus|dans|de|en)$/.test(one))
  );
}
const removalWords = new Set(
  "removed deleted dropped gone gelöscht entfernt supprimé supprimée eliminado eliminada borrado removido".split(
    " ",
  ),
);

const near = 14;

/** `besides`: how many of the files that it stands with were written, by the record. */
export function mentionFeatures(
  { statement, clause, at, tokens }: FileMention,
  besides: "some" | "none" | "alone",
): string[] {
  const found = new Set<string>([`kind:${statement.kind}`, `box:${statement.box}`]);
  const before = tokens.slice(Math.max(0, at - near), at);
  const behind = tokens.slice(at + 1, at + 1 + near);
  found.add(`beside:${besides}`);
  addNear(found, "<", before.toReversed());
  addNear(found, ">", behind);
  const first = tokens.slice(0, 2).map((one) => (one === "@" ? "@" : one));
  found.add(`f:${first[0]}`).add(`f:${first.join(" ")}`);
  const own = tokensOf(clause.words);
  for (const one of own) found.add(`c:${kindOf(one) ?? one}`);
  found.add(`c^${own[0]}`);
  for (const heading of statement.under.slice(0, 4))
    for (const one of tokensOf(heading)) found.add(`h:${one}`).add(`h:${kindOf(one)}`);
  for (const cell of statement.head) for (const one of tokensOf(cell)) found.add(`th:${one}`);
  addBeside(found, "pv", tokensOf(statement.before));
  if (tokens.length < 4) addBeside(found, "nx", tokensOf(statement.after));
  if (tokens[0] === "§" && tokens.slice(1, at).some((one) => !/^(?:§|,|and|und|et|y|&)$/.test(one)))
    found.add("below another").add(`below another:${tokens[at - 1]}`);
  found.add(`files:${Math.min(4, tokens.filter((one) => one === "§" || one === "@").length)}`);
  return [...found];
}

const tokensOf = (words: string): string[] => words.toLowerCase().match(token)?.slice(0, 60) ?? [];

const kindOf = (word: string): string | undefined =>
  changeWords.has(word) ? "<change>" : runWords.has(word) ? "<run>" : kindOfWord(word);
/** Words that tell of a change to files, in the languages at hand: whole words, in small letters. */
const changeWords = new Set(
  (
    "added adds adding changed changes changing updated updates edited modified created creates wrote " +
    "written rewrote rewritten removed removes removing deleted dropped renamed moved extended adjusted " +
    "bumped replaced replaces patched refactored introduced documented fixed registered wired corrected " +
    "implemented made touched adapted pinned raised lowered set switched aligned translated linked " +
    "extracted split merged converted migrated regenerated generated put exported imported wrapped " +
    "rewired inlined cleaned tightened simplified reworked restructured reverted restored copied saved " +
    "stored configured enabled disabled upgraded applied swapped injected hooked mounted included inserted " +
    "appended prepended scaffolded covered mentioned noted listed explained described new gone geändert " +
    "angepasst ergänzt hinzugefügt erstellt angelegt aktualisiert entfernt gelöscht umbenannt " +
    "verschoben erweitert überarbeitet eingetragen korrigiert geschrieben neu ersetzt umgestellt " +
    "modifié modifiée modifiés ajouté ajoutée ajoutés créé créée créés mis mise supprimé supprimée " +
    "renommé déplacé déplacée complété corrigé modificado modificada modifiqué actualizado actualizada " +
    "actualicé añadido añadida añadí agregado agregué creado creada creé eliminado eliminada eliminé " +
    "borrado renombrado movido corregido cambiado cambié atualizado atualizei adicionado adicionei " +
    "criado criei removido removi alterado alterei обновил обновлён добавил удалил создал " +
    "改 加 增 删 建 更 追 作 修 変"
  ).split(" "),
);
const runWords = new Set(
  "ran run runs running tested executed started covered read reads uses use calls".split(" "),
);

/** Going away from the file: words by their distance, and the nearest word of a change. */
function addNear(found: Set<string>, side: string, tokens: readonly string[]): void {
  const [one = "^", two = "^", three = "^"] = tokens;
  found.add(`${side}1${one}`).add(`${side}2${two}`).add(`${side}3${three}`);
  found.add(`${side}${one} ${two}`).add(`${side}${one} ${two} ${three}`);
  const kinds = tokens.map(kindOf);
  for (const [place, word] of tokens.entries()) {
    found.add(`${side}${word}`);
    const kind = kinds[place];
    if (kind !== undefined) found.add(`${side}${kind}`).add(`${side}${kind}${Math.min(place, 4)}`);
  }
  const change = tokens.find((one) => changeWords.has(one));
  found.add(`${side}v:${change ?? "none"}`);
  const order = kinds.filter(
    (kind) => kind === "<change>" || kind === "<no>" || kind === "<ahead>",
  );
  found.add(`${side}o:${order.slice(0, 3).join("")}`);
}

/** How a statement beside it begins, and what kinds of words it has. */
function addBeside(found: Set<string>, side: string, tokens: readonly string[]): void {
  found.add(`${side}:${tokens[0] ?? "none"}`);
  for (const one of tokens) {
    const kind = kindOf(one);
    if (kind !== undefined) found.add(`${side}:${kind}`);
  }
}
