// Which file of the tree or of the record a name without a path is: its base name, its name without an ending in
// any spelling (`OldSync` is old_sync.rb).
import { posix } from "node:path";

/** `isWhole`: by its path or its base name. */
export type KnownName = { path: string; isWhole: boolean };
export type FileNames = {
  of: (text: string) => KnownName | undefined;
};

const shortest = 5;
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, "");
const stemOf = (path: string): string => posix.basename(path).replace(/(?<=.)\.\w+$/, "");

/** `files`: of the tree and of the record; a name of several is nobody's. */
export function namesOf(files: readonly string[]): FileNames {
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
  return { of };
}

/** A single word is the name of too many things. */
const isCompound = /^\w*(?:[a-z\d][A-Z]|\w[_-]\w)[\w-]*$/;
