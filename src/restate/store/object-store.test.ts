import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startS3, type S3Server } from "../../../test/support/s3-server.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { cleanStore } from "./clean-store.ts";
import { folderStore } from "./folder-store.ts";
import { isKey, storeBelow, StoreFailure, type ObjectStore } from "./object-store.ts";
import { checkStore, openStore } from "./open-store.ts";

const project = tempProject();
let server: S3Server;
beforeAll(async () => {
  mkdirSync(project.path("s3"));
  mkdirSync(project.path("folder"));
  server = await startS3(project.path("s3"));
});
afterAll(async () => {
  await server.close();
  project.remove();
});

/** What both kinds promise, through the setting that names them. */
const kinds: [kind: string, open: () => ObjectStore][] = [
  ["a folder", () => openStore(project.path("folder"))],
  ["S3", () => openStore("s3://retinue-test/some/prefix", server.env)],
];

describe.each(kinds)("%s", (_, open) => {
  test("gives back what was put, lists by prefix in order, and removes", async () => {
    const store = open();
    const large = Buffer.alloc(3 * 1024 * 1024, "größer ");
    await store.put("run/b/2.json", Buffer.from("two"));
    await store.put("run/a.jsonl", large);
    await store.put("running/c", Buffer.from(""));
    expect((await store.get("run/a.jsonl"))?.equals(large)).toBe(true);
    expect(await store.get("running/c")).toEqual(Buffer.alloc(0));
    expect(await store.get("run/none")).toBeUndefined();
    expect(await store.get("none/at/all")).toBeUndefined();
    const listed = await store.list("run/");
    expect(listed.map(({ key, bytes }) => [key, bytes])).toEqual([
      ["run/a.jsonl", large.length],
      ["run/b/2.json", 3],
    ]);
    expect(listed.every(({ modifiedAtMs }) => Math.abs(modifiedAtMs - Date.now()) < 60_000)).toBe(
      true,
    );
    expect(await store.list("nothing/")).toEqual([]);
    await store.remove("run/a.jsonl");
    await store.remove("run/a.jsonl");
    expect((await store.list("run/")).map(({ key }) => key)).toEqual(["run/b/2.json"]);
  });

  test("passes the check, and the check leaves nothing behind", async () => {
    await checkStore(open());
    expect(await open().list("check/")).toEqual([]);
    const forgetful = { ...open(), get: async () => undefined };
    await expect(checkStore(forgetful)).rejects.toThrow("does not give back");
  });

  test.each(["../out", "a//b", "/a", "a/", ".a", "a/.b", "a b", "ü", "a?x", "a%2fb", "a\0", ""])(
    "takes %j for no key",
    async (key) => {
      const store = open();
      expect(isKey(key)).toBe(false);
      await expect(Promise.resolve().then(() => store.put(key, Buffer.from("x")))).rejects.toThrow(
        "is no key of a store",
      );
      await expect(Promise.resolve().then(() => store.get(key))).rejects.toThrow();
      await expect(Promise.resolve().then(() => store.list("no-slash"))).rejects.toThrow();
    },
  );

  test("keeps one tenant's part from another's, and removes sessions that are over long since", async () => {
    const store = open();
    const [old, recent] = ["1", "2"].map((sign) => `${sign.repeat(8)}-1111-4111-8111-111111111111`);
    const [one, other] = [storeBelow(store, "tenant-1/"), storeBelow(store, "tenant-2/")];
    await one.put(`${old}/x`, Buffer.from("1"));
    await other.put(`${recent}/y`, Buffer.from("2"));
    await one.put("kept/z", Buffer.from("3"));
    expect((await other.list("")).map(({ key }) => key)).toEqual([`${recent}/y`]);
    expect(await other.get(`${old}/x`)).toBeUndefined();
    expect(await cleanStore(one, { olderThanDays: 30 })).toEqual([]);
    const later = Date.now() + 31 * 86_400_000;
    expect(await cleanStore(one, { olderThanDays: 30, now: later })).toEqual([old]);
    expect((await one.list("")).map(({ key }) => key)).toEqual(["kept/z"]);
    expect(await other.list("")).toHaveLength(1);
  });
});

describe("a folder", () => {
  test("that is not mounted is a failure that passes, and is never made anew", async () => {
    const folder = project.path("mounted");
    mkdirSync(folder);
    const store = folderStore(folder);
    await store.put("a/b", Buffer.from("1"));
    renameSync(folder, `${folder}-away`);
    const failure = await store.put("a/c", Buffer.from("2")).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreFailure);
    expect(failure).toMatchObject({ isPassing: true });
    renameSync(`${folder}-away`, folder);
    await store.put("a/c", Buffer.from("2"));
    expect(await store.list("")).toHaveLength(2);
  });

  test("leads nowhere else by a link, and lists nothing half written", async () => {
    const folder = project.path("linked");
    mkdirSync(folder);
    writeFileSync(project.path("secret"), "s");
    symlinkSync(project.path("secret"), join(folder, "link"));
    writeFileSync(join(folder, ".half"), "x");
    const store = folderStore(folder);
    await expect(store.get("link")).rejects.toThrow(StoreFailure);
    expect(await store.list("")).toEqual([]);
  });
});

test.each([
  ["retinue", "expected an absolute folder"],
  ["/no/such/place/at/all", "does not exist"],
  ["s3://Bucket", "expected an absolute folder"],
  ["s3://bucket/a/../b", "expected an absolute folder"],
])("a store %j is refused with what was expected", (place, words) => {
  expect(() => openStore(place, { AWS_ACCESS_KEY_ID: "k", AWS_SECRET_ACCESS_KEY: "s" })).toThrow(
    words,
  );
});

test("a bucket without credentials is refused at once", () => {
  expect(() => openStore("s3://bucket", {})).toThrow("AWS_SECRET_ACCESS_KEY");
});
