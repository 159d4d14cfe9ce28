// Sends one signed request to S3 or to a server that speaks like it: tries again after failures
// that pass, follows no redirect, reads no more than an object may have.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { StoreFailure } from "../object-store.ts";
import { encodedPath, encodedQuery, signRequest, type S3Credentials } from "./sign-request.ts";

export type S3Options = {
  bucket: string;
  region: string;
  /** Of a server other than AWS: `https://minio.example:9000`. */
  endpoint?: string;
  /** `path`: the bucket stands in the path; `host`: before the host's name. */
  addressing: "path" | "host";
  /** Asked for every request, because lent credentials are renewed. */
  credentials: () => S3Credentials | Promise<S3Credentials>;
};

export type S3Request = {
  method: "GET" | "PUT" | "DELETE";
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
};

const nothing = new Uint8Array();
/** Besides every status from 500 on. */
const passingStatuses = new Set([408, 425, 429]);
/** S3 answers 400 to an upload that stalled, and 409 where two writers met. */
const passingCodes = new Set(["RequestTimeout", "OperationAborted", "SlowDown"]);

export class S3Client {
  readonly name: string;
  readonly #base: URL;
  readonly #options: S3Options;

  constructor(options: S3Options) {
    const { bucket, region, endpoint, addressing } = options;
    this.#options = options;
    this.name = `s3://${bucket}`;
    const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
    if (addressing === "host") base.host = `${bucket}.${base.host}`;
    else base.pathname = `${base.pathname.replace(/\/$/, "")}/${bucket}`;
    this.#base = base;
  }

  /** The whole body of the answer; undefined for 404. Throws StoreFailure. */
  async send(request: S3Request): Promise<Buffer | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#sendOnce(request);
      } catch (error) {
        const failure = this.#asFailure(request, error);
        if (!failure.isPassing || tries > limits.store.retries) throw failure;
        await sleep(pauseMs(tries));
      }
    }
  }

  async #sendOnce({ method, key, query, body = nothing }: S3Request): Promise<Buffer | undefined> {
    const { credentials, region } = this.#options;
    const url = new URL(this.#base);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodedPath(key)}`;
    if (query) url.search = encodedQuery(query);
    const headers = {
      ...(method === "PUT" ? { "x-amz-checksum-sha256": sha256Base64(body) } : {}),
      ...(method === "GET" && key !== "" ? { "x-amz-checksum-mode": "ENABLED" } : {}),
    };
    const signed = signRequest(
      { method, url, headers, body },
      { credentials: await credentials(), region, at: new Date() },
    );
    const answer = await fetch(url, {
      method,
      headers: signed,
      // Another host would get the signature, and could answer with anything.
      redirect: "manual",
      signal: AbortSignal.timeout(limits.store.requestMs),
      ...(method === "PUT" ? { body } : {}),
    });
    const bytes = await wholeBody(answer);
    if (answer.ok) return checkedBody(answer, bytes);
    const code = tagText(bytes.toString("utf8", 0, 4096), "Code");
    // A bucket that is not there is a mistake in the settings, not an object that is missing.
    if (answer.status === 404 && key !== "" && code !== "NoSuchBucket") return undefined;
    throw refusal(answer, { code, text: bytes.toString("utf8", 0, 4096) });
  }

  #asFailure({ method, key }: S3Request, error: unknown): StoreFailure {
    const what = `${method} ${this.name}/${key}`;
    if (error instanceof StoreFailure)
      return new StoreFailure(`${what}: ${error.message}`, { isPassing: error.isPassing });
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return new StoreFailure(`${what}: ${errorText(cause)}`, { isPassing: true, cause: error });
  }
}

async function wholeBody(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > limits.store.objectBytes)
      throw new StoreFailure(`the answer has more than ${limits.store.objectBytes} bytes`, {
        isPassing: false,
      });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function checkedBody(answer: Response, bytes: Buffer): Buffer {
  const told = answer.headers.get("x-amz-checksum-sha256");
  // An object that was written in parts has a checksum of its parts' checksums, with their number.
  if (told !== null && !told.includes("-") && told !== sha256Base64(bytes))
    throw new StoreFailure("the answer does not have the checksum that it names", {
      isPassing: true,
    });
  return bytes;
}

function refusal(
  { status, headers }: Response,
  { code, text }: { code: string; text: string },
): StoreFailure {
  if (status >= 300 && status < 400)
    return new StoreFailure(
      `it answers with a redirect to ${headers.get("location") ?? "nowhere"}, which is not followed: ` +
        "set the bucket's own region or endpoint",
      { isPassing: false },
    );
  const isPassing = status >= 500 || passingStatuses.has(status) || passingCodes.has(code);
  const words = [code, tagText(text, "Message").slice(0, 300)].filter((word) => word !== "");
  return new StoreFailure([`status ${status}`, ...words].join(", "), { isPassing });
}

/** The text of the first element of this name. */
export function tagText(xml: string, tag: string): string {
  const begin = xml.indexOf(`<${tag}>`);
  const end = begin < 0 ? -1 : xml.indexOf(`</${tag}>`, begin);
  return end < 0 ? "" : unescaped(xml.slice(begin + tag.length + 2, end));
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};
const unescaped = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity]!);

const sha256Base64 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("base64");

/** Up to twice as long after every try, and never the same for two clients. */
const pauseMs = (tries: number): number =>
  Math.random() * Math.min(limits.store.maxBackoffMs, limits.store.firstBackoffMs * 2 ** tries);
