// Nouns that a person counts with, and every list that each may mean in a place: tests, functions, methods,
// classes, files, routes, imports, steps of a workflow, scripts, dependencies, variants and fields of a type.
import type { Repository } from "../../../../source/repository.ts";
import { manifestsOf } from "../../project/manifests.ts";
import { isProse } from "../../runs/edit-after.ts";
import { isTest } from "../../tree/uses.ts";
import type { ElementKind } from "../element-rows.ts";
import { elementsIn, type Element } from "../elements-in.ts";
import { fileItem, listAssertions, listFiles, workflow } from "./file-lists.ts";
import type { CountedItem, CountScope, Listing } from "./file-lists.ts";
import { isVendored } from "../referents.ts";

/** `isLoose`: other things are called so too. */
export type Noun = { words: string; list: Listing; isLoose?: true };

const sourcesOf = (paths: readonly string[]): string[] =>
  paths.filter((path) => !isVendored(path) && !isProse(path));

const elements =
  (
    kind: ElementKind,
    fits: (one: Element) => boolean = () => true,
  ): ((scope: CountScope, repo: Repository) => Element[]) =>
  ({ paths, owner }, repo) =>
    sourcesOf(paths)
      .flatMap((path) => elementsIn(path, repo))
      .filter(
        (one) => one.kind === kind && fits(one) && (owner === undefined || one.owner === owner),
      );

const notInTests = <T extends { path: string }>(list: readonly T[]): T[] =>
  list.filter(({ path }) => !isTest(path));
export const isMade = ({ name }: CountedItem): boolean =>
  /^(?:constructor|__init__|__construct|initialize)$/.test(name);

/** With and without tests, what is inside of something, what is not shown. */
const inWays = (list: readonly Element[]): CountedItem[][] => {
  const ways = [list, notInTests(list)].flatMap((own) => [
    [...own],
    own.filter((one) => !isMade(one)),
    // Clauses and overloads of one name.
    own.filter(({ name }, at) => own.findIndex((one) => one.name === name) === at),
    own.filter(({ isShown }) => isShown),
    own.filter(({ owner }) => owner === null),
    own.filter(({ owner, isShown }) => owner === null && isShown),
  ]);
  return ways;
};

const members =
  (isMember: RegExp): Listing =>
  ({ paths, owner }, repo) => {
    const types = sourcesOf(paths)
      .flatMap((path) => elementsIn(path, repo))
      .filter(({ kind, name }) => kind === "class" && name === owner);
    if (types.length !== 1) return [];
    const lines = types[0]!.text.split("\n").slice(1);
    const depth = /^\s*/.exec(lines.find((line) => line.trim() !== "") ?? "")![0];
    const own = lines.filter(
      (line) =>
        line.startsWith(depth) &&
        isMember.test(line.slice(depth.length)) &&
        !/^\s*(?:\/\/|#|\*|\/\*|"""|@)/.test(line),
    );
    return [own.map((line) => ({ ...types[0]!, name: line.trim(), text: line, head: line }))];
  };

const named = (name: string, path: string, text = ""): CountedItem => ({
  name,
  path,
  line: 1,
  head: text,
  text,
  isShown: true,
  isDescribed: false,
});

/** Scripts of a folder are its files. */
const listTasks: Listing = (scope, repo) =>
  !scope.isWhole && scope.paths.length > 0 && scope.paths.every((path) => path.includes("/"))
    ? listFiles(scope, repo)
    : [];

/** Folders with a manifest of their own. */
const listPackages: Listing = ({ paths }, repo) => [
  paths
    .filter(
      (path) =>
        /\/(?:package\.json|Cargo\.toml|pyproject\.toml|composer\.json|go\.mod)$/.test(path) &&
        !isVendored(path),
    )
    .map(fileItem(repo)),
];

const dependencies =
  (kind: string | null): Listing =>
  ({ paths, isWhole }, repo) => {
    const manifests = manifestsOf(repo).files.filter(
      (path) =>
        !/lock|\.sum$/i.test(path) && /package\.json$|\.toml$|go\.mod$|composer\.json$/.test(path),
    );
    if (manifests.length !== 1 || (!isWhole && !paths.includes(manifests[0]!))) return [];
    const all = [...manifestsOf(repo).dependencies].filter(([, { kinds }]) => kinds.size > 0);
    const lists =
      kind === null
        ? [all, all.filter(([, { kinds }]) => kinds.has("runtime"))]
        : [all.filter(([, { kinds }]) => kinds.has(kind))];
    return lists.map((list) => list.map(([name]) => named(name, manifests[0]!)));
  };

const listMigrations: Listing = (_scope, repo) => [
  repo.reader
    .list()
    .paths.filter((path) => /(?:^|\/)migrat\w*\/[^/]*\d[^/]*$/.test(path))
    .map(fileItem(repo)),
];
/** What one line of code makes, outside of tests. */
const written =
  (kind: ElementKind): Listing =>
  (scope, repo) => [notInTests(elements(kind)(scope, repo))];
/** With and without those that are switched off. */
const withoutSkipped = (found: readonly Element[]): Element[][] => [
  [...found],
  found.filter(({ head }) => !/^\s*x|\.(?:skip|todo)\b/.test(head)),
];
const listTests: Listing = (scope, repo) => withoutSkipped(elements("test")(scope, repo));
const isTableOf = new RegExp(
  "parametrize|\\.each\\b|\\bt\\.Run\\(|ParameterizedTest|#\\[(?:case|rstest)|\\[Theory\\]|" +
    "\\bfor (?:const|_,|\\w+ in|\\w+ of)\\b",
);
/** One function may stand for many tests. */
const listCases: Listing = (scope, repo) => {
  const found = elements("test")(scope, repo);
  return found.some(({ text }) => isTableOf.test(text)) ? [] : withoutSkipped(found);
};

/** A noun with its plural; the first that fits is taken. */
export const nouns: readonly Noun[] = [
  {
    words: "test files?|spec files?",
    list: (scope, repo) => {
      const paths = scope.paths.filter(isTest);
      const holding = paths.filter((path) =>
        elementsIn(path, repo).some(({ kind }) => kind === "test"),
      );
      return [paths, holding].flatMap((own) => listFiles({ ...scope, paths: own }, repo));
    },
  },
  { words: "test (?:functions?|methods?)", list: listTests },
  {
    words: "(?:unit |integration )?tests?(?: cases?)?|specs|examples|[§¶] cases?|§ methods",
    list: listCases,
  },
  { words: "cases", list: listCases, isLoose: true },
  {
    words: "[§¶] blocks|suites?",
    list: (scope, repo) => [elements("suite")(scope, repo), ...listCases(scope, repo)],
  },
  { words: "assertions?|asserts", list: listAssertions },
  { words: "(?:source |code )?files?|modules?", list: listFiles },
  {
    words: "functions and methods|functions?(?: and methods?)?|helpers?",
    list: (scope, repo) => inWays(elements("function")(scope, repo)),
  },
  {
    words: "methods?",
    list: (scope, repo) => {
      const own = elements("function", ({ owner }) => owner !== null)(scope, repo);
      const declared =
        scope.owner === undefined
          ? []
          : members(/^(?:[\w<>]+ )*#?\w+\s*(?:<[^(]*>)?\(/)(scope, repo);
      return [...inWays(own).filter((way) => way.length > 0), ...declared];
    },
  },
  {
    words: "(?:test )?classes|class|types?|structs?|interfaces?|enums?",
    list: (scope, repo) => inWays(elements("class")(scope, repo)),
  },
  {
    words: "routes?|endpoints?|(?:route |request )?handlers?",
    list: (scope, repo) => [notInTests(elements("route")(scope, repo))],
  },
  {
    words: "imports?",
    list: (scope, repo) => [
      elements("import")(scope, repo),
      notInTests(elements("import")(scope, repo)),
    ],
  },
  { words: "constants?", list: (scope, repo) => inWays(elements("constant")(scope, repo)) },
  {
    words: "exports?|exported (?:\\w+)|identifiers?|symbols?",
    list: (scope, repo) => {
      const kinds: ElementKind[] = ["function", "class", "constant"];
      const own = kinds.flatMap((kind) =>
        elements(kind, ({ isShown, owner }) => isShown && owner === null)(scope, repo),
      );

      return [own, [], own.filter(({ kind }) => kind === "function")];
    },
  },
  { words: "variants?|members?", list: members(/^[A-Za-z_]\w*\b(?![:.]?\s*\w+\()/) },
  {
    words: "fields?|attributes|properties|property",
    list: members(
      /^(?:(?:pub|public|private|readonly|protected|final|static)\s+)*[\w?<>]+\s*(?:[:?]|\s\w+\s*[;=`])/,
    ),
  },
  { words: "jobs?", list: workflow("jobs") },
  { words: "steps?", list: workflow("steps") },
  { words: "(?:npm )?scripts?|(?:make |just )?targets?|recipes?|tasks?", list: listTasks },
  { words: "(?:sub)?commands", list: written("command"), isLoose: true },
  {
    words: "(?:command[ -]line )?(?:arguments|flags|options)",
    list: written("argument"),
    isLoose: true,
  },
  { words: "resources?|resource blocks?", list: written("resource"), isLoose: true },
  { words: "(?:input )?variables", list: written("variable"), isLoose: true },
  { words: "outputs", list: written("output"), isLoose: true },
  { words: "packages|workspaces", list: listPackages },
  { words: "migrations?", list: listMigrations },
  {
    words: "(?:runtime|direct|production) (?:dependencies|requirements)",
    list: dependencies("runtime"),
  },
  { words: "dev(?:elopment)?[ -]?dependencies", list: dependencies("dev") },
  { words: "dependencies", list: dependencies(null) },
];

export const nounWords = nouns.map(({ words }) => words).join("|");

export function nounOf(word: string): Noun | undefined {
  return nouns.find(({ words }) => new RegExp(`^(?:${words})$`, "i").test(word));
}
