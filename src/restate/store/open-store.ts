// Opens the store that a setting names: a folder, or `s3://bucket/prefix` with the credentials of
// the environment.
import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { RetinueError } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { newUuid } from "../../base/ids.ts";
import { folderStore } from "./folder-store.ts";
import { checkedPrefix, storeBelow, StoreFailure, type ObjectStore } from "./object-store.ts";
import { s3Store } from "./s3/s3-store.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const expected =
  'expected an absolute folder ("/srv/retinue"), "file:///srv/retinue" or "s3://bucket/prefix"';

/** Throws RetinueError `config`. Asks nobody yet: a store that is down is waited for. */
export function openStore(place: string, env: Variables = process.env): ObjectStore {
  if (place.startsWith("s3://")) return openBucket(place, env);
  const folder = place.startsWith("file://") ? fileURLToPath(place) : place;
  if (!isAbsolute(folder)) throw new RetinueError("config", `store "${place}": ${expected}.`);
  if (!existsSync(folder)) {
    if (!existsSync(dirname(folder)))
      throw new RetinueError(
        "config",
        `store "${place}": the folder ${dirname(folder)} does not exist. Make it, or mount it.`,
      );
    makePrivateDir(folder);
  }
  return folderStore(folder);
}

/** Writes, reads, lists and removes one small object, as a run will. Throws StoreFailure. */
export async function checkStore(store: ObjectStore): Promise<void> {
  const key = `check/${newUuid()}`;
  const bytes = Buffer.from("a check of the store\n");
  await store.put(key, bytes);
  const isThere = (await store.list("check/")).some((object) => object.key === key);
  const read = await store.get(key);
  await store.remove(key);
  if (!isThere || !read?.equals(bytes))
    throw new StoreFailure(`${store.name} does not give back what was written to it`, {
      isPassing: false,
    });
}

const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

function openBucket(place: string, env: Variables): ObjectStore {
  const [, bucket, prefix = ""] = bucketPattern.exec(place) ?? [];
  if (bucket === undefined) throw new RetinueError("config", `store "${place}": ${expected}.`);
  const endpoint = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  credentialsOf(env);
  const store = s3Store({
    bucket,
    region: env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1",
    ...(endpoint === undefined ? {} : { endpoint }),
    // A name with dots fits no certificate; other servers seldom know buckets by host.
    addressing: endpoint !== undefined || bucket.includes(".") ? "path" : "host",
    credentials: () => credentialsOf(env),
  });
  if (prefix === "") return store;
  try {
    return storeBelow(store, checkedPrefix(`${prefix.slice(1)}/`));
  } catch (cause) {
    throw new RetinueError("config", `store "${place}": ${expected}.`, { cause });
  }
}

function credentialsOf(env: Variables) {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = env["AWS_SESSION_TOKEN"];
  if (!accessKeyId || !secretAccessKey)
    throw new RetinueError(
      "missing_key",
      "A store in S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment " +
        "(AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL_S3 where they apply).",
    );
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
