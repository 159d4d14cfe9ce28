// A store in a bucket of S3, or of a server that speaks like it.
import { limits } from "../../../base/limits.ts";
import {
  checkedKey,
  checkedPrefix,
  isKey,
  StoreFailure,
  type ObjectStore,
  type StoredObject,
} from "../object-store.ts";
import { S3Client, tagText, type S3Options } from "./s3-client.ts";

export function s3Store(options: S3Options): ObjectStore {
  const client = new S3Client(options);
  return {
    name: client.name,
    async put(key, body) {
      // A server that does not know the bucket may say so with a plain 404.
      if ((await client.send({ method: "PUT", key: checkedKey(key), body })) === undefined)
        throw new StoreFailure(`${client.name}/${key} was not kept: status 404`, {
          isPassing: false,
        });
    },
    get: (key) => client.send({ method: "GET", key: checkedKey(key) }),
    async remove(key) {
      await client.send({ method: "DELETE", key: checkedKey(key) });
    },
    list: (prefix) => listAll(client, checkedPrefix(prefix)),
  };
}

async function listAll(client: S3Client, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for (let token = ""; ;) {
    const query = {
      "list-type": "2",
      prefix,
      ...(token === "" ? {} : { "continuation-token": token }),
    };
    const xml = ((await client.send({ method: "GET", key: "", query })) ?? "").toString("utf8");
    found.push(...objectsIn(xml, prefix));
    if (found.length > limits.store.listedObjects)
      throw new StoreFailure(`${client.name}/${prefix} has too many objects to list`, {
        isPassing: false,
      });
    const next = tagText(xml, "NextContinuationToken");
    if (tagText(xml, "IsTruncated") !== "true" || next === "" || next === token) break;
    token = next;
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Whatever else stands in the bucket is nobody's here. */
function objectsIn(xml: string, prefix: string): StoredObject[] {
  return xml
    .split("<Contents>")
    .slice(1)
    .map((part) => ({
      key: tagText(part, "Key"),
      bytes: Number(tagText(part, "Size")) || 0,
      modifiedAtMs: Date.parse(tagText(part, "LastModified")) || 0,
    }))
    .filter(({ key }) => key.startsWith(prefix) && isKey(key));
}
