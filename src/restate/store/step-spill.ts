// Keeps steps small in an engine's journal: a step beyond the limit goes to the store, and the
// journal keeps its hash. An engine that is given a value above its own limit fails the run for
// ever.
import { createHash } from "node:crypto";
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { isUuid } from "../../base/ids.ts";
import { StoreFailure, type ObjectStore } from "./object-store.ts";

/** How values are sealed before they leave the worker; the same one that seals the journal. */
export type ValueSeal = {
  encode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
};

/** Stands in the journal in place of the value. */
export type SpilledStep = { "retinue:spilled": { key: string; hash: string; bytes: number } };

export type StepSpill = {
  /** The value itself, or what stands for it. Throws StoreFailure when the store is down. */
  pack<T>(value: T): Promise<T | SpilledStep>;
  unpack<T>(kept: T | SpilledStep): Promise<T>;
};

const mark = "retinue:spilled";
const keyPattern = /^[0-9a-f-]{36}\/steps\/[0-9a-f]{64}$/;

/** Of one session's runs. A journal holds what transcripts mask, so what leaves it is sealed too. */
export function stepSpill({
  store,
  sessionId,
  seal,
}: {
  store: ObjectStore;
  sessionId: string;
  seal: ValueSeal;
}): StepSpill {
  /** Texts that were packed a moment ago: whoever has made a step need not read it from the store. */
  const fresh = new Map<string, string>();
  if (!isUuid(sessionId)) throw new Error("a spilled step needs the id of a session");
  return {
    async pack<T>(value: T): Promise<T | SpilledStep> {
      const text = JSON.stringify(value) ?? "";
      if (text.length * 3 <= limits.store.stepBytes && !isSpilled(value)) return value;
      const bytes = Buffer.from(text);
      if (bytes.length <= limits.store.stepBytes && !isSpilled(value)) return value;
      await othersTurn();
      const sealed = await seal.encode(bytes);
      await othersTurn();
      const hash = createHash("sha256").update(sealed).digest("hex");
      const key = `${sessionId}/steps/${hash}`;
      await store.put(key, sealed);
      fresh.set(hash, text);
      return { [mark]: { key, hash, bytes: sealed.length } };
    },
    async unpack<T>(kept: T | SpilledStep): Promise<T> {
      if (!isSpilled(kept)) return kept;
      const { key, hash } = kept[mark];
      // The journal is not the worker's own memory: a key of another session is refused.
      if (!keyPattern.test(key) || key !== `${sessionId}/steps/${hash}`)
        throw new Error(`a step of session ${sessionId} points to ${key.slice(0, 200)}`);
      const text = fresh.get(hash);
      fresh.delete(hash);
      if (text !== undefined) return afterwards(JSON.parse(text) as T);
      const sealed = await store.get(key);
      if (!sealed || createHash("sha256").update(sealed).digest("hex") !== hash)
        throw new StoreFailure(`${store.name}/${key} is ${sealed ? "damaged" : "missing"}`, {
          isPassing: !sealed,
        });
      await othersTurn();
      const bytes = await seal.decode(sealed);
      await othersTurn();
      return afterwards(JSON.parse(Buffer.from(bytes).toString("utf8")) as T);
    },
  };
}

/** Large values are worked on in slices: other runs of the worker go on in between. */
const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function afterwards<T>(value: T): Promise<T> {
  await othersTurn();
  return value;
}

function isSpilled(value: unknown): value is SpilledStep {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  const pointer = value[mark];
  return (
    isObject(pointer) && typeof pointer["key"] === "string" && typeof pointer["hash"] === "string"
  );
}
