// What several machines share: whole objects under checked keys, written once and read by anybody
// who knows the key. A folder and S3 both keep this promise, and nothing here asks for more.

export type StoredObject = { key: string; bytes: number; modifiedAtMs: number };

export type ObjectStore = {
  /** For people; without a secret. */
  readonly name: string;
  /** Whole and durable when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  /** Several at once, one after another in one piece, where that is one request instead of many. */
  getJoined?(keys: readonly string[]): Promise<Buffer | undefined>;
  /** All objects below a prefix that ends with `/`, in the order of their keys. */
  list(prefix: string): Promise<StoredObject[]>;
  remove(key: string): Promise<void>;
};

/** The store did not do what it was asked for. Every other failure is a mistake of the caller. */
export class StoreFailure extends Error {
  /** Whether it may go away by itself: a network, a full queue, a server that restarts. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing, ...rest }: ErrorOptions & { isPassing: boolean }) {
    super(message, rest);
    this.name = "StoreFailure";
    this.isPassing = isPassing;
  }
}

const partPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const longestKey = 900;

/** No part begins with a dot, so that no key leaves its store and none hides in it. */
export const isKey = (key: string): boolean =>
  key.length <= longestKey && key.split("/").every((part) => partPattern.test(part));

/** Throws for a key that a folder and S3 would not read in the same way. */
export function checkedKey(key: string): string {
  if (isKey(key)) return key;
  throw new Error(
    `${JSON.stringify(key.slice(0, 200))} is no key of a store: expected parts of letters, digits, ` +
      `".", "_" and "-" between slashes, ${longestKey} characters at most`,
  );
}

export function checkedPrefix(prefix: string): string {
  if (prefix === "") return prefix;
  if (!prefix.endsWith("/")) throw new Error(`a prefix ends with "/", and "${prefix}" does not`);
  return `${checkedKey(prefix.slice(0, -1))}/`;
}

/** The part of a store below a prefix: one tenant sees no key of another. */
export function storeBelow(store: ObjectStore, prefix: string): ObjectStore {
  const below = checkedPrefix(prefix);
  return {
    name: `${store.name}/${below.slice(0, -1)}`,
    put: (key, bytes) => store.put(below + checkedKey(key), bytes),
    get: (key) => store.get(below + checkedKey(key)),
    remove: (key) => store.remove(below + checkedKey(key)),
    list: async (at) =>
      (await store.list(below + checkedPrefix(at))).map((object) => ({
        ...object,
        key: object.key.slice(below.length),
      })),
  };
}
