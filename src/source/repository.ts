// An indexed reader: finds a path however it was abbreviated, keeps files parsed, knows which files hold a word.
import { PathList } from "./path-list.ts";
import { isSecretPath, type ReadResult, type RepositoryReader, type Unreadable } from "./reader.ts";
import { SourceFile } from "./source-file.ts";
import { indexKey, isIndexed, WordIndex, WordSearch } from "./word-index.ts";

export type Place = { path: string; line: number };

export type FileState = { ok: true; file: SourceFile } | { ok: false; why: Unreadable };

const maxCachedBytes = 192 * 1024 * 1024;
/** More named files than these are looked up in the list. */
const mostUnlisted = 64;
/** Of a larger repository most files are never asked about: they are read for their words and let go. */
const maxKeptFiles = 20_000;

/** Build one per tree and use it for every report about that tree. */
export class Repository {
  readonly reader: RepositoryReader;
  #list: PathList | undefined;
  #words: WordIndex | undefined;
  #opened = new Map<string, FileState>();
  #openedBytes = 0;
  /** Files that were found by opening them, while nobody had asked for the list. */
  readonly #unlisted = new Set<string>();
  readonly #absent = new Map<string, "outside" | "none">();
  readonly #search: WordSearch;
  readonly #definitions = new Map<string, Place[]>();
  readonly #apart = new Map<string, readonly string[]>();

  constructor(reader: RepositoryReader) {
    this.reader = reader;
    this.#search = new WordSearch(reader, {
      listed: (paths) => this.#paths.inOrder(paths),
      count: () => this.#paths.files.size,
      textOf: (path) => this.#textOf(path, true),
    });
  }

  static over(given: RepositoryReader | Repository): Repository {
    return given instanceof Repository ? given : new Repository(given);
  }

  /** The tree is listed for the first question that no single file answers: most short answers ask none. */
  get #paths(): PathList {
    if (this.#list) return this.#list;
    this.#list = new PathList(this.reader);
    for (const path of this.#unlisted) this.#list.add(path);
    return this.#list;
  }

  get complete(): boolean {
    return this.#paths.complete;
  }

  hasExtension(extension: string): boolean {
    return this.#paths.hasExtension(extension);
  }

  /** Git knows the tree, and keeps this file or not; undefined where it does not know the tree. */
  isKept(path: string): boolean | undefined {
    const { untracked } = this.reader.list();
    return untracked && !untracked.includes(path);
  }

  isListed(path: string): boolean {
    return this.#paths.has(path);
  }

  hasName(name: string): boolean {
    return this.#paths.endingIn(name).length > 0;
  }

  /** Files whose path ends in `tail`, whole names only. */
  endingIn(tail: string): string[] {
    return this.#paths.endingIn(tail);
  }

  /** Folders whose path ends in `tail`, whole names only; a few at most. */
  foldersEndingIn(tail: string): string[] {
    return this.#paths.foldersEndingIn(tail);
  }

  /** Files whose name ends in `name` behind a mark: `migration.go` for `commit_migration.go`. */
  withNameEnding(name: string): string[] {
    return this.#paths.withNameEnding(name);
  }

  /** Paths that `path` may have meant, nearest first: same name elsewhere, look-alikes, another extension. */
  near(path: string): string[] {
    return this.#paths.near(path);
  }

  /** Files of the same folder whose name is a slip away from that of `path`. */
  misspelt(path: string): string[] {
    return this.#paths.misspelt(path);
  }

  /** The names of the files directly in a folder. */
  namesIn(folder: string): readonly string[] {
    return this.#paths.namesIn(folder);
  }

  /** Listed, or really there though git ignores it. */
  kindOf(path: string): "file" | "directory" | "outside" | "none" {
    if (!this.#list && this.#opensAt(path)) return "file";
    if (this.#paths.files.has(path)) return "file";
    if (path === "" || this.#paths.folders.has(path)) return "directory";
    const known = this.#absent.get(path);
    if (known) return known;
    const kind =
      this.#kindBelow(path.slice(0, Math.max(0, path.lastIndexOf("/")))) ?? this.reader.stat(path);
    if (kind === "file") this.#paths.add(path);
    else if (kind === "directory") this.#paths.folders.add(path);
    else if (this.#absent.size < 200_000) this.#absent.set(path, kind);
    return kind;
  }

  /** A file that is named is mostly there, and opened next: then no list is needed to know it. */
  #opensAt(path: string): boolean {
    if (this.#unlisted.has(path)) return true;
    if (path === "" || this.#unlisted.size >= mostUnlisted || !this.open(path).ok) return false;
    this.#unlisted.add(path);
    return true;
  }

  /** What everything below a folder is that is not there itself; undefined where the folder is. */
  #kindBelow(folder: string): "outside" | "none" | undefined {
    const kind =
      folder === "" || this.#paths.folders.has(folder) ? "directory" : this.kindOf(folder);
    // A link to a folder is listed like a file; only the reader knows where it leads.
    return kind === "directory" || kind === "file" ? undefined : kind;
  }

  /** In a submodule, or in a folder that git is told to ignore. */
  isApart(path: string): boolean {
    const parts = path.split("/");
    return parts.some((_, depth) => {
      const folder = parts.slice(0, depth).join("/");
      const rest = parts.slice(depth);
      return this.#ignoredIn(folder).some((name) =>
        name.includes("/") ? `${rest.join("/")}/`.startsWith(`${name}/`) : rest.includes(name),
      );
    });
  }

  #ignoredIn(folder: string): readonly string[] {
    let known = this.#apart.get(folder);
    if (!known) this.#apart.set(folder, (known = namesApart(this, folder)));
    return known;
  }

  /** Paths of files that hold all of these words, as far as an index or a quick search can tell. */
  pathsWithAll(words: readonly string[]): string[] {
    if (words.length === 0) return [];
    const longest = [...new Set(words)].toSorted((a, b) => b.length - a.length).slice(0, 6);
    const found = this.#searched(longest);
    if (found) return found.slice(0, 64);
    let rarest: string | undefined;
    let least = Infinity;
    for (const word of words.filter(isIndexed)) {
      const spread = this.spread(word);
      if (spread === 0) return [];
      if (spread < least) [rarest, least] = [word, spread];
    }
    return rarest === undefined ? [] : this.filesWith(rarest, 64).map(({ path }) => path);
  }

  /** Words that may be asked for next: a search for one of them looks for the next of them too. */
  expect(words: Iterable<string>): void {
    this.#search.expect(words);
  }

  /** A few questions are searched for; whoever asks often gets an index. Undefined: ask the index. */
  #searched(words: readonly string[]): string[] | undefined {
    return this.#words ? undefined : this.#search.filesWith(words);
  }

  /** Where a word is defined, as far as patterns can tell; the first 24 files that have it. */
  definedAt(word: string): Place[] {
    const known = this.#definitions.get(word);
    if (known) return known;
    const places = this.filesWith(word, 24).flatMap((file) =>
      file
        .definitionsOf(word)
        .slice(0, 20)
        .map((line) => ({ path: file.path, line })),
    );
    if (this.#definitions.size > 1024) this.#definitions.clear();
    this.#definitions.set(word, places);
    return places;
  }

  /**
   * The first of these places that is on `line` of another file than `path`; found without reading
   * the other files whole.
   */
  definedOn(word: string, line: number, path: string): Place | undefined {
    const known = this.#definitions.get(word);
    if (known) return known.find((place) => place.line === line && place.path !== path);
    const file = this.filesWith(word, 24).find(
      (other) =>
        other.path !== path &&
        other.hasWordAt(word, line) &&
        other.definitionsOf(word).slice(0, 20).includes(line),
    );
    return file && { path: file.path, line };
  }

  open(path: string): FileState {
    const known = this.#opened.get(path);
    if (known) return known;
    const result = this.#read(path);
    const state: FileState = result.ok ? { ok: true, file: fileOf(path, result) } : result;
    this.#openedBytes += result.ok ? result.text.length : 64;
    if (this.#openedBytes > maxCachedBytes) {
      this.#opened = new Map();
      this.#openedBytes = result.ok ? result.text.length : 64;
    }
    this.#opened.set(path, state);
    return state;
  }

  /** Files that hold `word`, at most `limit`; built on first use, over as much text as the limits allow. */
  filesWith(word: string, limit = 64): SourceFile[] {
    const files: SourceFile[] = [];
    for (const path of this.#searched([indexKey(word)]) ?? this.#wordIndex().pathsWith(word)) {
      if (files.length >= limit) break;
      const state = isSecretPath(path) ? undefined : this.open(path);
      if (state?.ok) files.push(state.file);
    }
    return word.includes("-") ? files.filter((file) => file.linesWith(word).length > 0) : files;
  }

  /** How many files hold `word`. */
  spread(word: string): number {
    return this.#wordIndex().spread(word);
  }

  words(): Iterable<string> {
    return this.#wordIndex().words();
  }

  /** Reads and prepares every file, up to the limits. Without it the first question about a file or a word does. */
  index(): void {
    this.#wordIndex();
    this.#paths.names();
    this.#paths.skeletons();
    this.#paths.folderNames();
    for (const state of this.#opened.values()) if (state.ok) state.file.normal();
  }

  #wordIndex(): WordIndex {
    const few = this.#paths.files.size <= maxKeptFiles;
    return (this.#words ??= new WordIndex(this.#paths.files.keys(), (path) =>
      this.#textOf(path, few),
    ));
  }

  #textOf(path: string, keep: boolean): string | undefined {
    const known = this.#opened.get(path);
    if (keep || known) {
      const state = known ?? this.open(path);
      return state.ok ? state.file.text : undefined;
    }
    const result = this.#read(path);
    return result.ok ? result.text : undefined;
  }

  /** By the name that the reader knows; where it has none of that spelling, the list may have another. */
  #read(path: string): ReadResult {
    const result = this.#list ? undefined : this.reader.read(path);
    if (result && (result.ok || result.why !== "gone")) return result;
    const own = this.#paths.files.get(path);
    return result && (own ?? path) === path ? result : this.reader.read(own ?? path);
  }
}

/** By what a reader gave: one that gives the same again says that what was found out holds. */
const files = new WeakMap<ReadResult, SourceFile>();

function fileOf(path: string, result: ReadResult & { ok: true }): SourceFile {
  let file = files.get(result);
  if (file?.path !== path) files.set(result, (file = new SourceFile(path, result.text)));
  return file;
}

/** What `.gitmodules` and `.gitignore` of a folder name without a pattern. */
function namesApart(repo: Repository, folder: string): readonly string[] {
  const textOf = (name: string): string => {
    const path = folder === "" ? name : `${folder}/${name}`;
    const state = repo.isListed(path) ? repo.open(path) : undefined;
    return state?.ok ? state.file.text : "";
  };
  const modules = textOf(".gitmodules").matchAll(/^\s*path\s*=\s*(\S+)\s*$/gm);
  const ignored = textOf(".gitignore").matchAll(/^\/?([\w.@-]+(?:\/[\w.@-]+)*)\/?\s*$/gm);
  return [...modules, ...ignored].map((match) => match[1]!);
}
