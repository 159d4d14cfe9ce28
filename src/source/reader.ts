// How verification sees files: a list of paths and the text of one. Working tree, git commit and
// memory look the same through it.
import { limits } from "../base/limits.ts";

/** Why a listed path has no text to compare. */
export type Unreadable =
  | "binary"
  | "too_large"
  | "secret"
  | "denied"
  | "outside"
  | "special"
  | "gone";

export type ReadResult = { ok: true; text: string } | { ok: false; why: Unreadable };

/** The text of a file before a commit changed or removed it; `commit` is empty where that was not committed. */
export type PastVersion = { text: string; commit: string; date: string; removed: boolean };

/** Files by path, and deleted ones by name alone. */
export type PastQuestion = { paths: readonly string[]; deleted: readonly string[] };

/** By path, the newest first. */
export type PastVersions = ReadonlyMap<string, readonly PastVersion[]>;

/** Reads the files that a report is checked against. */
export type RepositoryReader = {
  /** The absolute root, where there is one; a report's absolute paths are measured against it. */
  readonly root?: string;
  /** Names the repository goes by: root folder, package name. */
  readonly names: readonly string[];
  /**
   * Every file, relative to the root with `/`; listing may have stopped at a limit. `untracked`: those
   * that git does not keep, where git listed them.
   */
  list(): { paths: readonly string[]; complete: boolean; untracked?: readonly string[] };
  /** A path of the list, or one that the list left out (ignored files). */
  read(path: string): ReadResult;
  /**
   * Files that hold all of these words, or with `any` one of them, found by a quick search;
   * undefined where there is none.
   */
  search?(words: readonly string[], any?: "any"): string[] | undefined;
  /** What stands at a relative path that the list does not have. */
  stat(path: string): "file" | "directory" | "outside" | "none";
  /** The same tree at another commit; undefined where it is not to be had. */
  at?(commit: string): RepositoryReader | undefined;
  /** What files held before; undefined where nothing is known of the past. */
  past?(asked: PastQuestion): PastVersions;
};

/**
 * The same tree without what `mayRead` refuses: such a file is neither listed nor found nor opened,
 * because what a check says of it would reach an agent that may not read it.
 */
export function permittedReader(
  reader: RepositoryReader,
  mayRead: (path: string) => boolean,
): RepositoryReader {
  let listed: ReturnType<RepositoryReader["list"]> | undefined;
  return {
    ...reader,
    list: () => {
      const { paths, ...rest } = reader.list();
      return (listed ??= { ...rest, paths: paths.filter(mayRead) });
    },
    read: (path) => (mayRead(path) ? reader.read(path) : { ok: false, why: "denied" }),
    ...(reader.search
      ? { search: (words, any) => reader.search?.(words, any)?.filter(mayRead) }
      : {}),
    at: (commit) => {
      const then = reader.at?.(commit);
      return then && permittedReader(then, mayRead);
    },
    past: ({ paths, deleted }) => {
      const versions = reader.past?.({ paths: paths.filter(mayRead), deleted }) ?? new Map();
      return new Map([...versions].filter(([path]) => mayRead(path)));
    },
  };
}

/** A reader over a map of path to text. */
export function memoryReader(
  files: Record<string, string> | Map<string, string>,
  { root, names = [] }: { root?: string; names?: string[] } = {},
): RepositoryReader {
  const texts = files instanceof Map ? files : new Map(Object.entries(files));
  const paths = [...texts.keys()];
  return {
    ...(root === undefined ? {} : { root }),
    names,
    list: () => ({ paths, complete: true }),
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? { ok: false, why: "gone" } : textResult(path, Buffer.from(text));
    },
    stat: () => "none",
  };
}

const maxFileBytes = limits.verify.fileBytes;

/** The text of a file's bytes, or why it is not compared. */
export function textResult(path: string, bytes: Buffer): ReadResult {
  if (isSecretPath(path)) return { ok: false, why: "secret" };
  if (bytes.length > maxFileBytes) return { ok: false, why: "too_large" };
  if (bytes.subarray(0, 8192).includes(0)) return decodeUtf16(bytes);
  return { ok: true, text: stripBom(bytes.toString("utf8")) };
}

function decodeUtf16(bytes: Buffer): ReadResult {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { ok: true, text: stripBom(bytes.toString("utf16le")) };
  return { ok: false, why: "binary" };
}

function stripBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export const readLimit = maxFileBytes;

const secretNames = [
  String.raw`\.env(?:\..+)?`,
  String.raw`.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|ppk)`,
  "id_(?:rsa|dsa|ecdsa|ed25519)",
  String.raw`\.(?:npmrc|pypirc|netrc|pgpass|htpasswd|git-credentials)`,
  String.raw`credentials(?:\.(?:json|ya?ml|ini|toml))?`,
  String.raw`secrets?\.(?:json|ya?ml|ini|toml|env)`,
  String.raw`service-account.*\.json`,
];
const secretName = new RegExp(`^(?:${secretNames.join("|")})$`, "i");
const harmlessSecretName = /^\.env\.(?:example|sample|template|dist|defaults?)$/i;

/** Files that usually hold secrets: they are checked for existence and never opened. */
export function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    (secretName.test(name) && !harmlessSecretName.test(name)) ||
    /(?:^|\/)\.(?:ssh|aws|gnupg)\//.test(path)
  );
}
