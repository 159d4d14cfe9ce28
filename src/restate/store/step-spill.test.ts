import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { folderStore } from "./folder-store.ts";
import { stepSpill, type ValueSeal } from "./step-spill.ts";

const project = tempProject();
mkdirSync(project.path("store"));
const store = folderStore(project.path("store"));
afterAll(() => project.remove());

const key = randomBytes(32);
const seal: ValueSeal = {
  encode(bytes) {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  },
  decode(bytes) {
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    cipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]);
  },
};
const sessionId = newUuid();
const spill = stepSpill({ store, sessionId, seal });

test("a result of 40 MiB leaves a few bytes in the journal and comes back whole", async () => {
  const value = { result: "sécret-".repeat((40 * 1024 * 1024) / 8) };
  const kept = await spill.pack(value);
  expect(JSON.stringify(kept).length).toBeLessThan(400);
  const elsewhere = stepSpill({ store, sessionId, seal });
  for (const reader of [spill, elsewhere]) {
    const back = await reader.unpack(JSON.parse(JSON.stringify(kept)) as typeof kept);
    expect(back.result === value.result).toBe(true);
  }
  const [object] = await store.list(`${sessionId}/`);
  expect((await store.get(object!.key))!.includes("cret-")).toBe(false);
});

test("a small value stays as it is, and one that looks like a pointer does not become one", async () => {
  const small = { text: "x".repeat(limits.store.stepBytes / 4) };
  expect(await spill.pack(small)).toBe(small);
  const forged = { "retinue:spilled": { key: "x/y", hash: "z", bytes: 1 } };
  const kept = await spill.pack(forged);
  expect(kept).not.toEqual(forged);
  expect(await spill.unpack(kept)).toEqual(forged);
});

test("a pointer to another session, to a changed or to a missing object is refused", async () => {
  const kept = await spill.pack("x".repeat(limits.store.stepBytes + 1));
  const other = stepSpill({ store, sessionId: newUuid(), seal });
  await expect(other.unpack(kept)).rejects.toThrow("points to");
  const { key: place } = (kept as { "retinue:spilled": { key: string } })["retinue:spilled"];
  // As another worker reads it, which has not made the step.
  const elsewhere = stepSpill({ store, sessionId, seal });
  await store.put(place, Buffer.from("changed"));
  await expect(elsewhere.unpack(kept)).rejects.toThrow("is damaged");
  await store.remove(place);
  await expect(elsewhere.unpack(kept)).rejects.toMatchObject({ isPassing: true });
});
