import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePrivateDir } from "./make-private-dir.ts";
import { updateFile } from "./update-file.ts";

let dir: string;
beforeAll(() => (dir = mkdtempSync(join(tmpdir(), "retinue-dir-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("every folder that was missing is there and closed to others, and a second call changes nothing", () => {
  const path = join(dir, "a", "b");
  makePrivateDir(path);
  makePrivateDir(path);
  expect([join(dir, "a"), path].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
});

test.runIf(process.platform === "linux")(
  "where no folder can be made it says so and returns, and so does who keeps a file there",
  () => {
    expect(() => makePrivateDir("/proc/none/below")).toThrow("ENOENT");
    expect(() => updateFile("/proc/none/below/trust.json", () => "")).toThrow("ENOENT");
  },
);
