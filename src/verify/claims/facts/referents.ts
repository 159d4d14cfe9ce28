// What a sentence speaks of that the repository knows: files, folders, the tests, the whole project, names,
// packages. Places become `¶` and everything else in code `§`, so that phrases need no wordings for them.
import type { Repository } from "../../../source/repository.ts";
import { manifestsOf } from "../project/manifests.ts";
import { isTest } from "../tree/uses.ts";
import { pathOf } from "../tree/countered.ts";
import { isProse } from "../runs/edit-after.ts";
import type { Statement } from "../words/statements.ts";

/** `paths`: the files that a place may mean; `isOneOf`: it means one of them; `isWhole`: the project. */
export type Referent = {
  text: string;
  paths: readonly string[] | null;
  isOneOf?: boolean;
  isWhole?: boolean;
};

/** `words`: with a letter for each referent, in their order. */
export type SentenceReading = { words: string; referents: Referent[] };

/** A longer one is no sentence that a person wrote. */
const longest = 1_200;
export const isSentence = ({ kind, words }: Statement): boolean =>
  kind !== "fence" && words.length <= longest;

const readings = new WeakMap<Statement, { repo: Repository; reading: SentenceReading }>();

export function readReferents(statement: Statement, repo: Repository): SentenceReading {
  const known = readings.get(statement);
  if (known?.repo === repo) return known.reading;
  const reading = read(statement, repo);
  readings.set(statement, { repo, reading });
  return reading;
}

/** How many referents stand before a place in the words. */
export const referentsBefore = (words: string, at: number): number =>
  (words.slice(0, at).match(/[§¶]/g) ?? []).length;

const spoken = new RegExp(
  "[§¤]|" +
    "(?<=\\b(?:in|from|outside|outside of|under|apart from|besides|except|except for|by|across|" +
    "of|nor|neither) )(?:the |any of the )?" +
    "(?:unit |integration )?(?:tests|specs|test (?:suite|code|files?))\\b(?! (?:of|for))|" +
    "(?<=\\b(?:apart from|besides|except|except for|outside|outside of) )(?:the|its|its own) (?:tests?|specs?)\\b|" +
    "\\b(?:the|our) production (?:code|sources?)\\b|" +
    "\\b(?:the|this|our|your) (?:whole |entire )?(?:code ?base|repo(?:sitory)?|project|sources?|" +
    "source (?:tree|code)|" +
    "crate|package|library|app|workspace)\\b(?! [§¶])|" +
    "\\b(?:README|CHANGELOG)(?:\\.md)?\\b|(?<![\\w/.-])[\\w@.-]*[\\w-](?:/[\\w@.-]+)*\\.[a-z]{1,4}\\b(?![\\w/(])",
  "gi",
);

function read({ words, clauses }: Statement, repo: Repository): SentenceReading {
  const code = clauses.flatMap((clause) => clause.code);
  const referents: Referent[] = [];
  let at = 0;
  const marked = words.replace(spoken, (found, index: number) => {
    const isCode = found === "§" || found === "¤";
    const referent = isCode
      ? inCode(code[at++] ?? "", words.slice(index + 1), repo)
      : inWords(found, repo);
    if (!referent) return found;
    referents.push(referent);
    return referent.paths === null ? "§" : "¶";
  });
  return { words: withDigits(marked), referents };
}

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const numberWord = new RegExp(`\\b(?:${numbers.slice(2).join("|")})\\b`, "gi");
const withDigits = (words: string): string =>
  words.replace(numberWord, (word) => String(numbers.indexOf(word.toLowerCase())));

function inCode(text: string, behind: string, repo: Repository): Referent {
  const path = pathOf(text);
  const paths = filesAt(path, repo);
  if (paths.length > 0) return { text, paths };
  const ending = /^[\w@./-]+\.\w{1,5}$/.test(path) ? repo.endingIn(path) : [];
  if (ending.length > 0) return { text, paths: ending, isOneOf: ending.length > 1 };
  // `lib/parse` as it is imported: a file without its ending.
  const bare = /^[\w@.-]+\/[\w@./-]+$/.test(path)
    ? repo.reader
        .list()
        .paths.filter(
          (one) => one.startsWith(`${path}.`) && !/[/.]/.test(one.slice(path.length + 1)),
        )
    : [];
  if (bare.length === 1) return { text, paths: bare };
  // "the `api` package": a folder by its last name.
  const isFolder = /^ (?:folder|directory|package|module|crate|workspace)\b/.test(behind);
  const folders = isFolder && /^[\w@./-]+$/.test(path) ? repo.foldersEndingIn(path) : [];
  return folders.length === 1 ? { text, paths: filesAt(folders[0]!, repo) } : { text, paths: null };
}

function inWords(text: string, repo: Repository): Referent | undefined {
  const all = (): string[] => repo.reader.list().paths.filter((path) => !isVendored(path));
  if (/\bproduction \w+$/.test(text))
    return { text, paths: all().filter((path) => !isTest(path) && !isProse(path)) };
  if (/\b(?:tests?|specs?|test \w+)$/i.test(text)) return { text, paths: all().filter(isTest) };
  if (/^(?:the|this|our|your) /.test(text)) {
    const isSource = /sources?\b|source \w+$/.test(text);
    const paths = all().filter((path) => !isSource || (!isTest(path) && !isProse(path)));
    return { text, paths, isWhole: true };
  }
  const path = /^(?:README|CHANGELOG)$/.test(text) ? `${text}.md` : text;
  const paths = repo.isListed(path) ? [path] : repo.endingIn(path);
  return paths.length === 1 ? { text, paths } : undefined;
}

/** A file by its path or its last name; all files of a folder; what a pattern with a star matches. */
function filesAt(path: string, repo: Repository): string[] {
  if (path === "" || /\s/.test(path)) return [];
  const { paths } = repo.reader.list();
  const kind = repo.kindOf(path);
  if (kind === "file") return [path];
  if (kind === "directory") return paths.filter((one) => one.startsWith(`${path}/`));
  if (path.includes("*")) {
    const glob = globOf(path);
    return paths.filter((one) => glob.test(one) && !isVendored(one));
  }
  return [];
}

const globOf = (glob: string): RegExp =>
  new RegExp(
    `^(?:.*/)?${glob
      .split(/(\*\*\/?|\*)/)
      .map((part) =>
        part.startsWith("**")
          ? ".*"
          : part === "*"
            ? "[^/]*"
            : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"),
      )
      .join("")}$`,
  );

export const isVendored = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|vendor|dist|build|target|\.git)\//.test(path);

/** The declared package that a word means: by its name, its last part, or as the one whose name holds it. */
export function packageMeant(word: string, repo: Repository): string | undefined {
  const { dependencies } = manifestsOf(repo);
  const plain = word.toLowerCase().replace(/[_.]/g, "-");
  if (dependencies.has(plain)) return plain;
  if (plain.length < 3) return undefined;
  const parts = (name: string): string[] => name.split(/[/@-]/);
  const near = [...dependencies.keys()].filter(
    (name) => dependencies.get(name)!.kinds.size > 0 && parts(name).includes(plain),
  );
  return near.length === 1 ? near[0] : undefined;
}
