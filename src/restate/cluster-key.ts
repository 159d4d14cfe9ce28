// The one secret of a cluster, which gateways and workers share. From it come the key that seals
// everything in the engine's journal, the key that signs jobs, and the token with which a gateway
// reads a worker's events. None of them leaves the process.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { RetinueError, errorText } from "../base/errors.ts";

export type ClusterKey = {
  /** The same value gives the same bytes: a replay is compared with what is kept. */
  encode(bytes: Uint8Array): Uint8Array;
  /** Throws for what was not sealed with this key, or was changed since. */
  decode(bytes: Uint8Array): Uint8Array;
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
  /** What a gateway says to a worker. */
  readonly eventsToken: string;
};

const leastBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export function openClusterKey(secret: Uint8Array): ClusterKey {
  if (secret.length < leastBytes)
    throw new RetinueError(
      "config",
      `the cluster's key has ${secret.length} bytes; expected at least ${leastBytes}. Make one ` +
        "with `openssl rand -hex 32` and give all gateways and workers the same.",
    );
  const part = (name: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "retinue", name, 32));
  const [sealKey, nonceKey, signKey] = [part("seal"), part("nonce"), part("sign")];
  const signed = (text: string): Buffer => createHmac("sha256", signKey).update(text).digest();
  return {
    encode(bytes) {
      const nonce = createHmac("sha256", nonceKey).update(bytes).digest().subarray(0, nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    decode(bytes) {
      const end = bytes.length - tagBytes;
      if (end < nonceBytes) throw new Error("it was not sealed with the cluster's key");
      const opener = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, nonceBytes));
      opener.setAuthTag(bytes.subarray(end));
      return Buffer.concat([opener.update(bytes.subarray(nonceBytes, end)), opener.final()]);
    },
    sign: (text) => signed(text).toString("base64url"),
    isSigned(text, signature) {
      const given = Buffer.from(signature, "base64url");
      const expected = signed(text);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    eventsToken: part("events").toString("base64url"),
  };
}

/** From a file, whose text is the key. Throws `config` in words. */
export function readClusterKey(path: string): ClusterKey {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new RetinueError(
      "config",
      `the cluster's key cannot be read from ${path}: ${errorText(error)}. Make one with ` +
        "`openssl rand -hex 32`, readable by this user alone.",
    );
  }
  return openClusterKey(Buffer.from(text));
}
