import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { factsNear, pathFacts } from "./path-facts.ts";

let root = "";
let ws = "";
const server = createServer();

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "path-facts-")));
  ws = join(root, "ws");
  mkdirSync(join(ws, "dir/deep"), { recursive: true });
  mkdirSync(join(root, "out/inner"), { recursive: true });
  writeFileSync(join(ws, "file"), "x");
  writeFileSync(join(root, "out/secret"), "x");
  symlinkSync("../out", join(ws, "way-out"));
  symlinkSync(join(root, "out/inner"), join(ws, "inner"));
  symlinkSync("../out/not-yet", join(ws, "broken"));
  symlinkSync("broken", join(ws, "chain"));
  symlinkSync("loop", join(ws, "loop"));
  symlinkSync("file", join(ws, "alias"));
  execFileSync("mkfifo", [join(ws, "fifo")]);
  await new Promise<void>((done) => server.listen(join(ws, "sock"), done));
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(root, { recursive: true, force: true });
});

test.each([
  ["file", "ws/file", "file"],
  ["./dir/../file", "ws/file", "file"],
  ["alias", "ws/file", "file"],
  ["dir", "ws/dir", "directory"],
  ["way-out/secret", "out/secret", "file"],
  ["way-out/new/deeper", "out/new/deeper", "absent"],
  ["inner/../secret", "out/secret", "file"],
  ["inner/../new", "out/new", "absent"],
  ["new/../other", "ws/other", "absent"],
  ["dir/new.txt", "ws/dir/new.txt", "absent"],
  ["broken", "out/not-yet", "symlink-broken"],
  ["chain", "out/not-yet", "symlink-broken"],
  ["loop", "ws/loop", "symlink-broken"],
  ["fifo", "ws/fifo", "fifo"],
  ["sock", "ws/sock", "socket"],
  ["file/below-a-file", "ws/file/below-a-file", "absent"],
])("%s is really %s: %s", (path, real, kind) => {
  const { findBelow: _, list: _list, ...facts } = pathFacts(path, ws, "/nowhere");
  expect(facts).toEqual({
    real: join(root, real),
    exists: !["absent", "symlink-broken"].includes(kind),
    kind,
  });
});

test.each(["file", "alias", "way-out", "broken", "new", "dir", "*", "loop", "sock"])(
  "what is known of the folder changes nothing about %s",
  (name) => {
    const bare = (facts: ReturnType<typeof pathFacts>) => ({
      ...facts,
      findBelow: undefined,
      list: undefined,
    });
    for (const folder of ["", "dir/", "way-out/", "absent/", "file/", "broken/"]) {
      const path = `${ws}/${folder}${name}`;
      const known = pathFacts(`${ws}/${folder}`.replace(/\/$/, ""), "/", "/");
      expect(bare(factsNear(path, { cwd: "/", home: "/", folder: known }))).toEqual(
        bare(pathFacts(path, "/", "/")),
      );
    }
  },
);

test("finds what lies anywhere below a folder, but not in folders of packages", () => {
  mkdirSync(join(ws, "deep/a/b"), { recursive: true });
  mkdirSync(join(ws, "deep/node_modules/wanted"), { recursive: true });
  const { findBelow } = pathFacts("deep", ws, "/nowhere");
  const isWanted = (path: string): boolean => path.endsWith("/wanted");
  expect(findBelow?.({ isWanted })).toBeUndefined();
  writeFileSync(join(ws, "deep/a/b/wanted"), "");
  expect(findBelow?.({ isWanted })).toEqual({ path: join(root, "ws/deep/a/b/wanted") });
  expect(findBelow?.({ isWanted, enters: (name) => name !== "a" })).toBeUndefined();
});

test("knows home, devices, and paths that no file can have", () => {
  expect(pathFacts("~/file", "/", ws)).toEqual({
    real: join(ws, "file"),
    exists: true,
    kind: "file",
  });
  expect(pathFacts("~", "/", ws).real).toBe(ws);
  expect(pathFacts("/dev/null", ws, "/")).toEqual({
    real: "/dev/null",
    exists: true,
    kind: "device",
  });
  expect(pathFacts("a\0b", ws, "/").exists).toBe(false);
  expect(pathFacts("x".repeat(5000), ws, "/").exists).toBe(false);
});
