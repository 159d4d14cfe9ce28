// Lines of some files where a term is called, imported, used or just stands. A definition is no use, a comment is
// no code; where nobody knows which of several definitions is meant, nothing is said.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { definitionStrength, isComment } from "../../../source/definitions.ts";
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { manifestsOf } from "../project/manifests.ts";
import { plainName } from "../project/plain-name.ts";
import { isProse } from "../runs/edit-after.ts";
import { isPrototype, isTest, usesOf } from "../tree/uses.ts";
import { elementsIn } from "./elements-in.ts";
import { wordOf } from "./predicates.ts";
import type { Referent } from "./referents.ts";

/** any: a use or an import. */
export type Manner = "call" | "import" | "throw" | "use" | "word" | "any";

/** `isWhole`: the files are (nearly) all there are; `isCode`: documents and settings are not meant. */
type Search = { manner: Manner; repo: Repository; isWhole: boolean; isCode: boolean };

export function linesWithTerm(
  { text, paths }: Referent,
  files: readonly string[],
  search: Search,
): Place[] | undefined {
  const { manner, repo } = search;
  if (paths !== null) return importsOfFile(paths, files, search);
  const term = ownName(termOf(text), repo);
  if (term.length < 3 || /\s.*\s.*\s/.test(term)) return undefined;
  const isPackage = manifestsOf(repo).dependencies.has(plainName(term));
  const owner = qualified.exec(termOf(text))?.[1];
  const isAlone = owner !== undefined || isPackage || !mayBeAnothers(term, search);
  if (!isAlone && usesOf(term, repo) === null) return undefined;
  const code = codeAmong(files, search);
  // A package may be imported under its name, or stand before what is used of it.
  const manners: Manner[] = isPackage && manner === "use" ? ["import", "any"] : [manner];
  const places = code.flatMap((path) =>
    manners.flatMap((one) => placesIn(path, term, { ...search, manner: one })),
  );
  return owner === undefined || term.includes(owner)
    ? places
    : places.filter((place) => mayBeOf(place, { term, owner, repo }));
}

/** A name that several files define may be another's at each place. */
const mayBeAnothers = (term: string, { manner, isWhole }: Search): boolean =>
  isWhole && /^[A-Za-z_$][\w$]*$/.test(term) && manner !== "word" && manner !== "import";

function codeAmong(
  files: readonly string[],
  { manner, isCode, isWhole }: Search,
): readonly string[] {
  const own =
    manner === "word" || manner === "import" ? files : files.filter((path) => !isProse(path));
  return isCode || isWhole ? own.filter((path) => !isProse(path) && !ofSettings.test(path)) : own;
}

const ofSettings =
  /\.(?:json|lock|toml|mod|sum|xml|ya?ml|gradle(?:\.kts)?|gemspec)$|(?:^|\/)(?:Gemfile|mix\.exs$|setup\.py$)/;

/** Types of every library have such methods: a call is of this type where the type is named beside it. */
const ofLibraries = new Set(
  (
    "len length size count is_empty isEmpty empty push pop get set add remove delete insert update clear " +
    "contains includes has keys values iter map filter find first last sort join split format clone copy equals " +
    "hash toString to_s inspect next new close open read write save load start stop run call send"
  ).split(" "),
);

/** Another type may have a method of this name, and one that calls itself has no caller by that. */
function mayBeOf(
  { path, line }: Place,
  { term, owner, repo }: { term: string; owner: string; repo: Repository },
): boolean {
  const state = repo.open(path);
  if (!state.ok) return false;
  const isInItself = elementsIn(path, repo)
    .filter((one) => one.kind === "function" && one.name === term)
    .some((one) => one.line <= line && line <= state.file.extentOf(one.line));
  if (isInItself) return false;
  if (!ofLibraries.has(term)) return true;
  const text = state.file.line(line).replaceAll("$", "");
  const receiver = new RegExp(
    `([A-Za-z_]\\w*)(?:\\(.*?\\))?[!?]?(?:\\.|->|::|&\\.)${escapeRegExp(term)}`,
  ).exec(text)?.[1];
  if (receiver === undefined || wordOf(owner).test(text)) return wordOf(owner).test(text);
  const isNamedSo = receiver.toLowerCase().replaceAll("_", "").includes(owner.toLowerCase());
  return (
    isNamedSo ||
    state.file
      .linesWith(owner)
      .some((one) => wordOf(receiver).test(state.file.line(one).replaceAll("$", "")))
  );
}

const qualified = /^([A-Z]\w*)(?:\.|::|#)([A-Za-z_]\w{2,})(?:\/\d)?[!?]?$/;

/** `Store::save` is called as `->save`: the last part, where one thing alone or one of that type has the name. */
function ownName(term: string, repo: Repository): string {
  const [, owner, last] = qualified.exec(term) ?? [];
  if (owner === undefined || last === undefined) return term;
  const places = repo.definedAt(last);
  const isOwn = places.some(({ path }) =>
    elementsIn(path, repo).some((one) => one.name === last && one.owner?.endsWith(owner)),
  );
  return isOwn || places.length === 1 ? last : term;
}

/** Without its arguments; of a text with a gap its longest part. */
const termOf = (text: string): string =>
  text
    .replace(/^([\w$.:#]+)\((?:[\w$, .]*|…|\.\.\.)\)$/, "$1")
    .split(/…|\.\.\./)
    .toSorted((a, b) => b.length - a.length)[0]!
    .replace(/^\.(?=\w)|[.*]+$|!$|\(\)$/g, "")
    .trim();

function placesIn(path: string, term: string, search: Search): Place[] {
  const { manner, repo } = search;
  if (manner === "import") {
    const imports = elementsIn(path, repo).filter(({ kind }) => kind === "import");
    return imports
      .filter(({ name, text }) => names(term, name) || isImportedName(term, text))
      .map(({ line }) => ({ path, line }));
  }
  const state = repo.open(path);
  if (!state.ok) return [];
  const { file } = state;
  const whole = wordOf(term);
  return file
    .linesWith(/[\w$]+/.exec(term)?.[0] ?? term)
    .filter((line) => whole.test(file.line(line)) && isUse(file.line(line), { term, path }, search))
    .map((line) => ({ path, line }));
}

/** A line that has the term has it in the manner that is asked for. */
function isUse(
  text: string,
  { term, path }: { term: string; path: string },
  { manner, isWhole }: Search,
): boolean {
  if (/^(?:TODO|FIXME|HACK|XXX)$/.test(term)) return true;
  if (isComment(text)) return false;
  if (manner === "word" && !isWhole) return true;
  // What is no name may stand in a string.
  const isBare = /^[\w$]+$/.test(term) && !/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(term);
  const bare = isBare && !inMarks.test(path) ? codeOf(text) : text;
  if (!wordOf(term).test(bare) || isDefined(text, term, path)) return false;
  if (manner === "call" && !callOf(term).test(bare)) return false;
  if (manner === "throw" && !/\b(?:raise|throws?|new|orElseThrow|Err|panic|bail)\b/.test(bare))
    return false;
  return manner === "any" || !isImportLine.test(bare);
}

/** `login();` has the looks of a method's declaration, and calls. */
const isDefined = (line: string, term: string, path: string): boolean =>
  isPrototype(line, term, path) ||
  isField(line, term, path) ||
  (definitionStrength(line, term) > 1 &&
    // `region = var.region` reads another thing of this name.
    !new RegExp(`=[^=].*[.]${escapeRegExp(term)}(?![\\w$])`).test(line) &&
    !/^\s*(?:await |return )?[\w.$:@>-]+\((?:[^{]*\)[;,]?\s*$|.*(?:=>|\bfunction\b))/.test(line));

const typeName =
  "(?:[A-Z][\\w<>,.? \\[\\]]*|bool(?:ean)?|number|string|int|long|float|double|str|[iuf]\\d+|usize|&\\S+)";

/** "val depth: Int", "Weight int", "pub depth: u32,": a part of a type where it is declared. */
function isField(line: string, term: string, path: string): boolean {
  const name = escapeRegExp(term);
  const rest = line.replace(new RegExp(`\\b(?:val|var)\\s+${name}\\b`), "");
  if (rest !== line) return !wordOf(term).test(rest);
  if (path.endsWith(".go"))
    return new RegExp(`^\\s+${name}\\s+[\\w.*\\[\\]]+(?:\\s+\`[^\`]*\`)?\\s*(?://.*)?$`).test(line);
  return new RegExp(
    `^\\s+(?:(?:pub(?:\\([^)]*\\))?|public|private|readonly|static|final)\\s+)*${name}\\??\\s*:\\s*${typeName}\\s*` +
      "(?:=[^=].*)?[,;]?\\s*$",
  ).test(line);
}

const isImportLine = new RegExp(
  "^\\s*(?:import\\b|from\\s+\\S+\\s+import\\b|export\\s+(?:\\*|\\{)|use\\s|#include|using\\s|" +
    "module\\.exports|exports\\.|\\}\\s*from\\b)|=\\s*require\\(",
);

/** There code stands in strings, as the values of attributes. */
const inMarks = /\.(?:vue|svelte|html|astro|heex)$/;

/** Without strings and without a comment at its end. */
const codeOf = (line: string): string =>
  line.replace(/(["'`])(?:(?!\1|\$\{).)*\1/g, '""').replace(/\s(?:\/\/|#\s).*$/, "");

const callOf = (term: string): RegExp => {
  const name = escapeRegExp(term);
  return new RegExp(
    `${wordOf(term).source}(?:<[^()]*>)?\\s*[!?]?[.]?\\(|\\bnew ${name}\\b|` +
      `(?:^|\\s)${name} [\\w:"'@]`,
  );
};

/** `lodash` for `lodash/merge`, `Sequel` for `sequel`, `chi` for `github.com/go-chi/chi/v5`. */
function names(term: string, specifier: string): boolean {
  const [a, b] = [
    term.toLowerCase().replaceAll("-", "_"),
    specifier.toLowerCase().replaceAll("-", "_"),
  ];
  if (
    a === b ||
    b.startsWith(`${a}/`) ||
    b.startsWith(`${a}.`) ||
    b.startsWith(`${a}::`) ||
    b.startsWith(`${a}\\`)
  )
    return true;
  const last = a.replace(/^[a-z]\w*\//, "");
  return /^\w+$/.test(last) && !b.startsWith(".") && b.split(/[/.:\\]+/).includes(last);
}

const isImportedName = (term: string, text: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(term) &&
  wordOf(term).test(
    text
      .replace(/(["'])(?:(?!\1).)*\1/g, '""')
      .replace(/^\s*(?:use|import|using)\s+[\w.:\\]+;?$/, ""),
  );

/** A file is imported by its last name without its ending, from where that name means it. */
function importsOfFile(
  meant: readonly string[],
  files: readonly string[],
  { repo, manner }: Search,
): Place[] | undefined {
  const stem = meant[0]!
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
  if (stem.length < 3 || stem === "index") return undefined;
  const testOf = (path: string): boolean =>
    manner === "any" && isTest(path) && path.split("/").at(-1)!.includes(stem);
  return files.flatMap((path): Place[] => {
    if (path === meant[0]) return [];
    if (testOf(path)) return [{ path, line: 1 }];
    return elementsIn(path, repo)
      .filter(({ kind, name }) => kind === "import" && name.split(/[/.:\\]+/).includes(stem))
      .map(({ line }) => ({ path, line }));
  });
}
