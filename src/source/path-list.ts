// Every path of a repository, found by the part of it that a writer gives: its end, its name, a slip of it.
import { emptyList } from "../markdown/empty-list.ts";
import { skeleton } from "./normalise.ts";
import type { RepositoryReader } from "./reader.ts";

/** Most keys have one value: a list for each would be most of the memory. */
type Lists = Map<string, string | string[]>;

/** So many questions about endings are answered without a map of them. */
const fewQuestions = 8;

/** The paths that a reader lists, and those that were found later. */
export class PathList {
  readonly complete: boolean;
  /** In the form in which they are compared, to the form that the reader knows. */
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  #byName: Lists | undefined;
  #extensions: Set<string> | undefined;
  readonly #near = new Map<string, string[]>();
  #bySkeleton: Lists | undefined;
  #byFolder: Lists | undefined;
  #byFolderName: Lists | undefined;
  #byNameEnding: Lists | undefined;
  #endingsAsked = 0;
  #lastFolder = "";

  constructor(reader: RepositoryReader) {
    const { paths, complete } = reader.list();
    this.complete = complete;
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    // Most names are plain letters, which have one form only.
    const key = /[^\0-\x7f]/.test(path) ? path.normalize("NFC") : path;
    if (this.files.has(key)) return;
    this.files.set(key, path);
    if (this.#byName) add(this.#byName, foldedName(key), key);
    this.#extensions?.add(extensionOf(key));
    const slash = key.lastIndexOf("/");
    // Most paths stand behind one of the same folder.
    if (slash > 0 && !(slash === this.#lastFolder.length && key.startsWith(this.#lastFolder)))
      this.#addFolder(key.slice(0, slash));
    if (this.#near.size > 0) this.#near.clear();
  }

  #addFolder(path: string): void {
    this.#lastFolder = path;
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (this.folders.has(folder)) break;
      this.folders.add(folder);
    }
  }

  has(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }

  /** Those of the paths that are listed, in the order of the list. */
  inOrder(paths: readonly string[]): string[] {
    const wanted = new Set(paths.filter((path) => this.files.has(path)));
    if (wanted.size < 2) return [...wanted];
    return [...this.files.keys()].filter((path) => wanted.has(path));
  }

  hasExtension(extension: string): boolean {
    this.#extensions ??= new Set(Array.from(this.files.keys(), extensionOf));
    return extension !== "" && this.#extensions.has(extension.toLowerCase());
  }

  /** A name that is written in full needs no map of names: most answers name their files so. */
  names(): Lists {
    if (this.#byName) return this.#byName;
    const map: Lists = (this.#byName = new Map());
    for (const path of this.files.keys()) add(map, foldedName(path), path);
    return map;
  }

  /** Files whose path ends in `tail`, whole names only. */
  endingIn(tail: string): string[] {
    const end = `/${tail}`;
    return allOf(this.names(), foldedName(tail)).filter(
      (path) => path === tail || path.endsWith(end),
    );
  }

  /** Folders whose path ends in `tail`, whole names only; a few at most. */
  foldersEndingIn(tail: string): string[] {
    const end = `/${tail}`;
    const folders = allOf(this.#folderEndings(), tail.slice(tail.lastIndexOf("/") + 1));
    return folders.filter((folder) => folder === tail || folder.endsWith(end)).slice(0, 4);
  }

  #folderEndings(): Lists {
    if (this.#byFolderName) return this.#byFolderName;
    const map: Lists = (this.#byFolderName = new Map());
    for (const folder of this.folders) add(map, folder.slice(folder.lastIndexOf("/") + 1), folder);
    return map;
  }

  /** Files whose name ends in `name` behind a mark: `migration.go` for `commit_migration.go`. */
  withNameEnding(name: string): string[] {
    const end = name.toLowerCase();
    // One question is answered by looking at every name; a map of all endings takes many times that.
    if (this.#byNameEnding || ++this.#endingsAsked > fewQuestions)
      return [...allOf(this.#nameEndings(), end)];
    if (!/^[^.].*\./.test(end)) return [];
    const isBehindMark = (full: string): boolean =>
      full.endsWith(end) && /[_.-]/.test(full.charAt(full.length - end.length - 1));
    const found: string[] = [];
    for (const [full, paths] of this.names())
      if (isBehindMark(full))
        for (const path of typeof paths === "string" ? [paths] : paths) found.push(path);
    return found;
  }

  /** Every ending of a file's name that has a stem and an extension of its own. */
  #nameEndings(): Lists {
    if (this.#byNameEnding) return this.#byNameEnding;
    const map: Lists = (this.#byNameEnding = new Map());
    for (const [full, paths] of this.names())
      for (const mark of full.matchAll(/[_.-](?=[^.].*\.)/g))
        for (const path of typeof paths === "string" ? [paths] : paths)
          add(map, full.slice(mark.index + 1), path);
    return map;
  }

  /** Paths that `path` may have meant, nearest first: same name elsewhere, look-alikes, another extension. */
  near(path: string): string[] {
    const known = this.#near.get(path);
    if (known) return known;
    const name = foldedName(path);
    const shape = skeleton(name);
    const found = new Set(allOf(this.names(), name));
    for (const key of [shape, stemOf(shape)])
      for (const other of allOf(this.skeletons(), key)) found.add(other);
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

  /** Files by their name as it looks, with and without its extension. */
  skeletons(): Lists {
    if (this.#bySkeleton) return this.#bySkeleton;
    const map: Lists = (this.#bySkeleton = new Map());
    for (const path of this.files.keys()) {
      const shape = skeleton(foldedName(path));
      add(map, shape, path);
      if (stemOf(shape) !== shape) add(map, stemOf(shape), path);
    }
    return map;
  }

  /** Files of the same folder whose name is a slip away from that of `path`. */
  misspelt(path: string): string[] {
    const slash = path.lastIndexOf("/") + 1;
    const name = path.slice(slash);
    const names = allOf(this.folderNames(), path.slice(0, slash));
    return names
      .filter((other) => isSlip(name, other))
      .slice(0, 4)
      .map((other) => path.slice(0, slash) + other);
  }

  /** The names of the files directly in a folder. */
  namesIn(folder: string): readonly string[] {
    return allOf(this.folderNames(), folder === "" ? "" : `${folder}/`);
  }

  folderNames(): Lists {
    if (this.#byFolder) return this.#byFolder;
    const map: Lists = (this.#byFolder = new Map());
    for (const path of this.files.keys())
      add(map, path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1));
    return map;
  }
}

function add(map: Lists, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  else if (typeof known === "string") map.set(key, [known, value]);
  else known.push(value);
}

const noPaths: readonly string[] = emptyList();

function allOf(map: Lists, key: string): readonly string[] {
  const known = map.get(key);
  return known === undefined ? noPaths : typeof known === "string" ? [known] : known;
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

/** Empty for a name without one. */
function extensionOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? path.slice(dot + 1).toLowerCase() : "";
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
