// An indexed reader: finds a path however it was abbreviated, keeps files parsed, knows which files hold a word.
import { limits } from "../base/limits.ts";
import { isSecretPath } from "./reader.ts";
import type { RepositoryReader, Unreadable } from "./reader.ts";
import { SourceFile } from "./source-file.ts";
import { skeleton } from "./normalise.ts";
import type { Place } from "../verify/verdict.ts";

export type FileState = { ok: true; file: SourceFile } | { ok: false; why: Unreadable };

const maxCachedBytes = 192 * 1024 * 1024;
const searchesBeforeIndex = 24;
/** Of a larger repository most files are never asked about: they are read for their words and let go. */
const maxKeptFiles = 20_000;

/** Build one per tree and use it for every report about that tree. */
export class Repository {
  readonly reader: RepositoryReader;
  #list: Listing | undefined;
  #bySkeleton: Map<string, string | string[]> | undefined;
  #byFolder: Map<string, string | string[]> | undefined;
  #words: Map<string, number | number[]> | undefined;
  #wordPaths: string[] = [];
  #opened = new Map<string, FileState>();
  #openedBytes = 0;
  readonly #absent = new Map<string, "outside" | "none">();
  readonly #near = new Map<string, string[]>();
  readonly #searches = new Map<string, string[]>();
  #shortened: Map<string, string | string[]> | undefined;
  #byFolderName: Map<string, string | string[]> | undefined;
  readonly #definitions = new Map<string, Place[]>();
  readonly #apart = new Map<string, readonly string[]>();

  constructor(reader: RepositoryReader) {
    this.reader = reader;
  }

  static over(given: RepositoryReader | Repository): Repository {
    return given instanceof Repository ? given : new Repository(given);
  }

  /** The tree is listed for the first question about it: most short answers ask none. */
  get #listing(): Listing {
    return (this.#list ??= listingOf(this.reader));
  }

  get complete(): boolean {
    return this.#listing.complete;
  }

  get #files(): Map<string, string> {
    return this.#listing.files;
  }

  get #folders(): Set<string> {
    return this.#listing.folders;
  }

  get #byName(): Map<string, string | string[]> {
    return this.#listing.byName;
  }

  #add(path: string): void {
    if (addPath(this.#listing, path)) this.#near.clear();
  }

  hasExtension(extension: string): boolean {
    return this.#listing.extensions.has(extension.toLowerCase());
  }

  /** Listed, or really there though git ignores it. */
  kindOf(path: string): "file" | "directory" | "outside" | "none" {
    if (this.#files.has(path)) return "file";
    if (path === "" || this.#folders.has(path)) return "directory";
    const known = this.#absent.get(path);
    if (known) return known;
    const kind =
      this.#kindBelow(path.slice(0, Math.max(0, path.lastIndexOf("/")))) ?? this.reader.stat(path);
    if (kind === "file") this.#add(path);
    else if (kind === "directory") this.#folders.add(path);
    else if (this.#absent.size < 200_000) this.#absent.set(path, kind);
    return kind;
  }

  /** What everything below a folder is that is not there itself; undefined where the folder is. */
  #kindBelow(folder: string): "outside" | "none" | undefined {
    const kind = folder === "" || this.#folders.has(folder) ? "directory" : this.kindOf(folder);
    // A link to a folder is listed like a file; only the reader knows where it leads.
    return kind === "directory" || kind === "file" ? undefined : kind;
  }

  isListed(path: string): boolean {
    return this.#files.has(path) || this.#folders.has(path);
  }

  hasName(name: string): boolean {
    const tail = `/${name}`;
    return allOf(this.#byName, name.toLowerCase()).some(
      (path) => path === name || path.endsWith(tail),
    );
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

  /** Files and folders whose path ends in `tail`, whole names only. */
  endingIn(tail: string): string[] {
    const end = `/${tail}`;
    return allOf(this.#byName, foldedName(tail)).filter(
      (path) => path === tail || path.endsWith(end),
    );
  }

  /** Folders whose path ends in `tail`, whole names only; a few at most. */
  foldersEndingIn(tail: string): string[] {
    const end = `/${tail}`;
    const folders = allOf(this.#folderEndings(), tail.slice(tail.lastIndexOf("/") + 1));
    return folders.filter((folder) => folder === tail || folder.endsWith(end)).slice(0, 4);
  }

  #folderEndings(): Map<string, string | string[]> {
    if (this.#byFolderName) return this.#byFolderName;
    const map = (this.#byFolderName = new Map<string, string | string[]>());
    for (const folder of this.#folders) add(map, folder.slice(folder.lastIndexOf("/") + 1), folder);
    return map;
  }

  /** Files whose name ends in `name` behind a mark: `migration.go` for `commit_migration.go`. */
  withNameEnding(name: string): string[] {
    return [...allOf(this.#nameEndings(), name.toLowerCase())];
  }

  /** Every ending of a file's name that has a stem and an extension of its own. */
  #nameEndings(): Map<string, string | string[]> {
    if (this.#shortened) return this.#shortened;
    const map = (this.#shortened = new Map<string, string | string[]>());
    for (const [full, paths] of this.#byName)
      for (const mark of full.matchAll(/[_.-](?=[^.].*\.)/g))
        for (const path of typeof paths === "string" ? [paths] : paths)
          add(map, full.slice(mark.index + 1), path);
    return map;
  }

  /** Paths of files that hold all of these words, as far as an index or a quick search can tell. */
  pathsWithAll(words: readonly string[]): string[] {
    if (words.length === 0) return [];
    const longest = [...new Set(words)].toSorted((a, b) => b.length - a.length).slice(0, 6);
    const found = this.#searched(longest);
    if (found) return found.slice(0, 64);
    let rarest: string | undefined;
    let least = Infinity;
    for (const word of words) {
      const spread = this.spread(word);
      if (spread === 0) return [];
      if (spread < least) [rarest, least] = [word, spread];
    }
    return rarest === undefined ? [] : this.filesWith(rarest, 64).map(({ path }) => path);
  }

  /** A few questions are searched for; whoever asks often gets an index. Undefined: ask the index. */
  #searched(words: readonly string[]): string[] | undefined {
    if (this.#words || !this.reader.search) return undefined;
    const key = words.join(" ");
    const known = this.#searches.get(key);
    if (known) return known;
    if (this.#searches.size >= searchesBeforeIndex) return undefined;
    const found = this.reader.search(words)?.filter((path) => this.isListed(path));
    if (found) this.#searches.set(key, found);
    return found;
  }

  /** Paths that `path` may have meant, nearest first: same name elsewhere, look-alikes, another extension. */
  near(path: string): string[] {
    const known = this.#near.get(path);
    if (known) return known;
    const name = foldedName(path);
    const shape = skeleton(name);
    const found = new Set(allOf(this.#byName, name));
    for (const key of [shape, stemOf(shape)])
      for (const other of allOf(this.#skeletons(), key)) found.add(other);
    const nearest =
      found.size < 2
        ? [...found]
        : [...found]
            .slice(0, 400)
            .map((other) => ({ other, distance: pathDistance(path, other) }))
            .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
            .map(({ other }) => other);
    if (this.#near.size > 1024) this.#near.clear();
    this.#near.set(path, nearest);
    return nearest;
  }

  /** Files of the same folder whose name is a slip away from that of `path`. */
  misspelt(path: string): string[] {
    const slash = path.lastIndexOf("/") + 1;
    const name = path.slice(slash);
    const names = allOf(this.#folderNames(), path.slice(0, slash));
    return names
      .filter((other) => isSlip(name, other))
      .slice(0, 4)
      .map((other) => path.slice(0, slash) + other);
  }

  /** The names of the files directly in a folder. */
  namesIn(folder: string): readonly string[] {
    return allOf(this.#folderNames(), folder === "" ? "" : `${folder}/`);
  }

  #folderNames(): Map<string, string | string[]> {
    if (this.#byFolder) return this.#byFolder;
    const map = (this.#byFolder = new Map<string, string | string[]>());
    for (const path of this.#files.keys())
      add(map, path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1));
    return map;
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

  /** The first of these places that is on `line` of another file than `path`; found without reading the other files whole. */
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

  #skeletons(): Map<string, string | string[]> {
    if (this.#bySkeleton) return this.#bySkeleton;
    const map = (this.#bySkeleton = new Map<string, string | string[]>());
    for (const path of this.#files.keys()) {
      const shape = skeleton(foldedName(path));
      add(map, shape, path);
      if (stemOf(shape) !== shape) add(map, stemOf(shape), path);
    }
    return map;
  }

  open(path: string): FileState {
    const known = this.#opened.get(path);
    if (known) return known;
    const result = this.reader.read(this.#files.get(path) ?? path);
    const state: FileState = result.ok
      ? { ok: true, file: new SourceFile(path, result.text) }
      : result;
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
    for (const path of this.#searched([indexKey(word)]) ?? this.#indexed(word)) {
      if (files.length >= limit) break;
      const state = isSecretPath(path) ? undefined : this.open(path);
      if (state?.ok) files.push(state.file);
    }
    return word.includes("-") ? files.filter((file) => file.linesWith(word).length > 0) : files;
  }

  #indexed(word: string): string[] {
    const entry = this.#wordIndex().get(indexKey(word));
    const ids = entry === undefined ? [] : typeof entry === "number" ? [entry] : entry;
    return ids.map((id) => this.#wordPaths[id]!);
  }

  /** How many files hold `word`. */
  spread(word: string): number {
    const entry = this.#wordIndex().get(indexKey(word));
    return entry === undefined ? 0 : typeof entry === "number" ? 1 : entry.length;
  }

  words(): Iterable<string> {
    return this.#wordIndex().keys();
  }

  /** Reads and prepares every file, up to the limits. Without it the first question about a file or a word does. */
  index(): void {
    this.#wordIndex();
    this.#skeletons();
    this.#folderNames();
    for (const state of this.#opened.values()) if (state.ok) state.file.normal();
  }

  #wordIndex(): Map<string, number | number[]> {
    if (this.#words) return this.#words;
    const words = (this.#words = new Map<string, number | number[]>());
    let bytes = 0;
    this.#wordPaths = [...this.#files.keys()].filter((path) => !isSecretPath(path));
    for (const [id, path] of this.#wordPaths.entries()) {
      if (bytes > limits.verify.indexBytes) break;
      const text = this.#textOf(path, this.#wordPaths.length <= maxKeptFiles);
      if (text === undefined) continue;
      bytes += text.length;
      for (const word of new Set(text.match(/[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]{1,79}/g)))
        addId(words, word, id);
    }
    return words;
  }

  #textOf(path: string, keep: boolean): string | undefined {
    const known = this.#opened.get(path);
    if (keep || known) {
      const state = known ?? this.open(path);
      return state.ok ? state.file.text : undefined;
    }
    const result = this.reader.read(this.#files.get(path) ?? path);
    return result.ok ? result.text : undefined;
  }
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

type Listing = {
  complete: boolean;
  files: Map<string, string>;
  folders: Set<string>;
  byName: Map<string, string | string[]>;
  extensions: Set<string>;
};

function listingOf(reader: RepositoryReader): Listing {
  const { paths, complete } = reader.list();
  const listing: Listing = {
    complete,
    files: new Map(),
    folders: new Set(),
    byName: new Map(),
    extensions: new Set(),
  };
  for (const path of paths) addPath(listing, path);
  return listing;
}

/** False if it is there already. */
function addPath({ files, folders, byName, extensions }: Listing, path: string): boolean {
  const key = path.normalize("NFC");
  if (files.has(key)) return false;
  files.set(key, path);
  add(byName, foldedName(key), key);
  for (let at = key.lastIndexOf("/"); at > 0; at = key.lastIndexOf("/", at - 1)) {
    const folder = key.slice(0, at);
    if (folders.has(folder)) break;
    folders.add(folder);
  }
  const dot = key.lastIndexOf(".");
  if (dot > key.lastIndexOf("/") + 1) extensions.add(key.slice(dot + 1).toLowerCase());
  return true;
}

/** A name with hyphens is found by its longest part; a sigil is no part of a word. */
function indexKey(word: string): string {
  if (!word.startsWith("$") && !word.includes("-")) return word;
  const parts = word.replace(/^\$+/, "").split("-");
  return parts.reduce(
    (longest, part) => (part.length > longest.length && /^[A-Za-z_]/.test(part) ? part : longest),
    parts[0]!,
  );
}

function addId(words: Map<string, number | number[]>, word: string, id: number): void {
  const known = words.get(word);
  if (known === undefined) words.set(ownText(word), id);
  else if (typeof known === "number") words.set(word, [known, id]);
  else if (known.length < 256) known.push(id);
}

/** A longer part of a string keeps the whole string in memory; a copy of a word does not. */
const ownText = (word: string): string =>
  word.length < 13 ? word : (JSON.parse(`"${word}"`) as string);

/** Most keys have one value: a list for each would be most of the memory. */
function add(map: Map<string, string | string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  else if (typeof known === "string") map.set(key, [known, value]);
  else known.push(value);
}

function allOf(map: ReadonlyMap<string, string | string[]>, key: string): readonly string[] {
  const known = map.get(key);
  return known === undefined ? [] : typeof known === "string" ? [known] : known;
}

/** Equal but for one place of at most two letters: a letter too many, too few, wrong, or two that changed places. */
function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a.length, b.length] : [b.length, a.length];
  if (long - short > 1 || short < 4) return false;
  let head = 0;
  while (head < short && a.charCodeAt(head) === b.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < short - head &&
    a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)
  )
    tail++;
  return head + tail >= long - 2 && head + tail > 3;
}

function foldedName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Steps between two paths: folders not shared, a different spelling of the name counts one more. */
function pathDistance(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  const common = new Set(left.slice(0, -1));
  const shared = right.slice(0, -1).filter((part) => common.has(part)).length;
  const names =
    left.at(-1) === right.at(-1)
      ? 0
      : left.at(-1)!.toLowerCase() === right.at(-1)!.toLowerCase()
        ? 0.25
        : 0.5;
  return left.length + right.length - 2 - 2 * shared + names;
}
