// Where a name is used, word-exact: definitions, comments, imports, prose and tests told apart.
import { isComment } from "../../../source/definitions.ts";
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { isTestFile } from "../runs/proof-command.ts";
import { isProse } from "../runs/edit-after.ts";

export type Uses = {
  /** Code that uses it, outside of tests. */
  code: Place[];
  imports: Place[];
  tests: Place[];
  defined: Place[];
  /** Every line with the word, prose left out. */
  lines: number;
  files: number;
};

const maxFiles = 200;

/** Null where the name is too common, or defined at several places: nobody knows which one is meant. */
export function usesOf(name: string, repo: Repository): Uses | null {
  const word = name.replace(/\(.*\)$/, "").replace(/^.*[.:#](?=\w)/, "");
  if (!/^[A-Za-z_$][\w$-]{2,}$/.test(word) || repo.spread(word) > maxFiles) return null;
  const defined = repo
    .definedAt(word)
    .filter(
      (place) => !isTest(place.path) && !isProse(place.path) && !isBareCall(place, word, repo),
    );
  if (new Set(defined.map(({ path }) => path)).size > 1) return null;
  const uses: Uses = { code: [], imports: [], tests: [], defined, lines: 0, files: 0 };
  const isDefinition = new Set(defined.map(({ path, line }) => `${path}:${line}`));
  for (const file of repo.filesWith(word, maxFiles)) {
    if (isProse(file.path)) continue;
    const lines = file.linesWith(word);
    if (lines.length > 0) uses.files++;
    uses.lines += lines.length;
    for (const line of lines) {
      const place = { path: file.path, line };
      const text = file.line(line);
      if (isDefinition.has(`${file.path}:${line}`) || isComment(text)) continue;
      if (isPrototype(text, word, file.path)) continue;
      if (isTest(file.path)) uses.tests.push(place);
      else if (isImport(text, file.path)) uses.imports.push(place);
      else if (!isQuoted(text, word)) uses.code.push(place);
    }
  }
  return uses;
}

/** `login();` has the looks of a method's declaration, and calls. */
function isBareCall({ path, line }: Place, word: string, repo: Repository): boolean {
  const state = repo.open(path);
  const call = new RegExp(`^\\s*${word.replaceAll("$", "\\$")}\\([^{]*\\);?\\s*$`);
  return state.ok && !path.endsWith(".d.ts") && call.test(state.file.line(line));
}

/** C names a function where it declares it and where it defines it. */
export const isPrototype = (line: string, word: string, path: string): boolean =>
  /\.(?:c|h|cc|cpp|hpp)$/.test(path) &&
  new RegExp(`^\\s*(?:[A-Za-z_][\\w ]*[\\s*]+)${word}\\s*\\([^;{]*\\)?\\s*(?:\\{.*|;?\\s*)$`).test(
    line,
  ) &&
  !/\b(?:return|else)\b/.test(line);

export const isTest = (path: string): boolean =>
  isTestFile(path) || /(?:^|\/)(?:tests?|__tests__|specs?|fixtures|testdata)\//.test(path);

const isImport = (line: string, path: string): boolean =>
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{|type\s*\{)|use\s|require\b|#include|using\s)/.test(
    line,
  ) ||
  /^\s*(?:const|let|var)\s+[\w{},\s:]+=\s*(?:await\s+)?(?:require|import)\(/.test(line) ||
  /^\s*(?:module\.exports|exports\.|__all__)/.test(line) ||
  /^\s*\}\s*from\s/.test(line) ||
  /^\s*[\w$]+,?\s*$/.test(line) ||
  /\.(?:json|lock|ya?ml|toml)$/.test(path);

/** The word stands only inside a string. */
function isQuoted(line: string, word: string): boolean {
  const bare = line.replace(/(["'`])(?:(?!\1|\$\{).)*\1/g, '""');
  return !new RegExp(`(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])`).test(bare);
}

export const placeWords = (places: readonly Place[], most = 4): string =>
  places
    .slice(0, most)
    .map(({ path, line }) => `${path}:${line}`)
    .join(", ") + (places.length > most ? ` and ${places.length - most} more` : "");
