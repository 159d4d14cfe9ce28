// Removes sessions from a store in which nothing was written for the given number of days.
import type { ObjectStore, StoredObject } from "./object-store.ts";
import { isUuid } from "../../base/ids.ts";

/** Returns the sessions that were removed. Keys that belong to no session stay. */
export async function cleanStore(
  store: ObjectStore,
  { olderThanDays, now = Date.now() }: { olderThanDays: number; now?: number },
): Promise<string[]> {
  const sessions = new Map<string, StoredObject[]>();
  for (const object of await store.list("")) {
    const [session = ""] = object.key.split("/");
    if (!isUuid(session)) continue;
    const objects = sessions.get(session) ?? [];
    sessions.set(session, objects);
    objects.push(object);
  }
  const limit = now - olderThanDays * 86_400_000;
  const removed: string[] = [];
  for (const [session, objects] of sessions) {
    if (objects.some(({ modifiedAtMs }) => modifiedAtMs >= limit)) continue;
    for (const { key } of objects) await store.remove(key);
    removed.push(session);
  }
  return removed;
}
