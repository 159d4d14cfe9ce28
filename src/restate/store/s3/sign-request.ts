// AWS Signature Version 4 for one request: pure, so that the published examples are its tests.
import { createHash, createHmac } from "node:crypto";

export type S3Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of credentials that are lent for some hours. */
  sessionToken?: string;
};

export type UnsignedRequest = {
  method: string;
  /** Path and query are encoded already, as `encodedPath` and `encodedQuery` do it. */
  url: URL;
  /** Names in lower case. `host` and the names that signing adds are not among them. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

export type SigningKey = { credentials: S3Credentials; region: string; at: Date };

export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

/** The headers to send, the signature among them. `host` is left to whoever sends. */
export function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { credentials, region, at }: SigningKey,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const bodyHash = sha256Hex(body);
  const sent: Record<string, string> = {
    ...headers,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": time,
    ...(credentials.sessionToken === undefined
      ? {}
      : { "x-amz-security-token": credentials.sessionToken }),
  };
  const signed: Record<string, string> = { ...sent, host: url.host };
  const names = Object.keys(signed).sort();
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${signed[name]!.trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256Hex(canonical)].join("\n");
  const key = scope.reduce<Uint8Array>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
  const signature = Buffer.from(hmac(key, text)).toString("hex");
  return {
    ...sent,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope.join("/")},` +
      `SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}

const hmac = (key: Uint8Array, text: string): Uint8Array =>
  createHmac("sha256", key).update(text).digest();

/** Signing knows fewer plain characters than `encodeURIComponent`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const encodedPath = (path: string): string => path.split("/").map(encoded).join("/");

/** Sorted by name, which the signature asks for. */
export const encodedQuery = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(query[name]!)}`)
    .join("&");
