// Which file of the tree or of the record a name without a path is: its base name, its name without an ending in
// any spelling (`OldSync` is old_sync.rb), or, in a row, the language in which it differs from the files beside it.
import { posix } from "node:path";
import type { Statement } from "../words/statements.ts";
import type { Fates } from "./fates-of.ts";

/** `isWhole`: by its path or its base name. */
export type KnownName = { path: string; isWhole: boolean };
export type FileNames = {
  of: (text: string) => KnownName | undefined;
  /** "| fr | Réessayer |" beside rows whose files were written. */
  inRow: (statement: Statement) => string | undefined;
};

const shortest = 5;
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");
const stemOf = (path: string): string => posix.basename(path).replace(/(?<=.)\.\w+$/, "");

/** `files`: of the tree and of the record; a name of several is nobody's. */
export function namesOf(
  files: readonly string[],
  { isWritten }: Pick<Fates, "isWritten">,
): FileNames {
  const known = new Map<string, string | undefined>();
  const add = (name: string, path: string): void => {
    if (known.get(name) !== path) known.set(name, known.has(name) ? undefined : path);
  };
  for (const path of files) {
    const [base, stem] = [posix.basename(path), stemOf(path)];
    add(`=${base}`, path);
    add(`=${path}`, path);
    if (plain(stem).length >= shortest) add(plain(stem), path);
  }
  const of = (text: string): KnownName | undefined => {
    const name = text.replace(/^\.\//, "").replace(/\/$/, "");
    const first = name.replace(/(?:#|::|\(|\.).*$/, "");
    const isWhole = known.has(`=${name}`);
    const path = isWhole
      ? known.get(`=${name}`)
      : isCompound.test(first)
        ? known.get(plain(first))
        : undefined;
    return path === undefined ? undefined : { path, isWhole };
  };
  return { of, inRow: (statement) => rowFile(statement, files, isWritten) };
}

/** A single word is the name of too many things. */
const isCompound = /^\w*(?:[a-z\d][A-Z]|\w[_-]\w)[\w-]*$/;

function rowFile(
  { words, kind }: Statement,
  files: readonly string[],
  isWritten: (path: string) => boolean,
): string | undefined {
  const label = (
    kind === "row"
      ? /^\W*(\p{L}{2}(?:-\p{L}{2})?)\s*\|/u
      : /^\W*(\p{L}{2}(?:-\p{L}{2})?)(?::| →| –| —)/u
  )
    .exec(words)?.[1]
    ?.toLowerCase();
  if (label === undefined) return undefined;
  const own = files.filter((path) => partsOf(path).includes(label));
  const [path] = own;
  if (own.length !== 1 || path === undefined) return undefined;
  const shape = shapeOf(path, label);
  return files.some((one) => one !== path && isWritten(one) && isLike(one, shape))
    ? path
    : undefined;
}

const partsOf = (path: string): string[] => stemOf(path).toLowerCase().split(/[_.-]/);
/** What stands before and behind the part that differs. */
const shapeOf = (path: string, label: string): [string, string] => {
  const at = path.toLowerCase().lastIndexOf(label);
  return [path.slice(0, at), path.slice(at + label.length)];
};
const isLike = (path: string, [before, behind]: [string, string]): boolean =>
  path.startsWith(before) &&
  path.endsWith(behind) &&
  /^\p{L}{2}(?:-\p{L}{2})?$/u.test(path.slice(before.length, path.length - behind.length));
