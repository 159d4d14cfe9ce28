import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startOf } from "../find-processes.ts";
import { makeScratchFolder, removeLeftFolders } from "./scratch-folder.ts";

let dir = "";
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "scratch-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The name that a process of that number and start would have given; this one's otherwise. */
function nameOf({
  space,
  pid,
  start,
}: { space?: number; pid?: number; start?: number } = {}): string {
  const own = makeScratchFolder("test");
  rmSync(own, { recursive: true });
  const [, , ownSpace, ownPid, ownStart] = basename(own).split("-");
  const words = [
    [space, ownSpace],
    [pid, ownPid],
    [start, ownStart],
  ].map(([given, usual]) => (given === undefined ? usual : given.toString(36)));
  return `retinue-test-${words.join("-")}-Ab12Cd`;
}

const made = (name: string): string => {
  mkdirSync(join(dir, name, "deep"), { recursive: true });
  writeFileSync(join(dir, name, "deep", "file"), "x");
  return name;
};

test("what a killed process left is removed, folders without permissions included", async () => {
  const child = spawn("sleep", ["60"]);
  const name = made(nameOf({ pid: child.pid!, start: startOf(child.pid!) }));
  chmodSync(join(dir, name, "deep"), 0);
  removeLeftFolders(dir);
  expect(readdirSync(dir), "while it lives").toEqual([name]);
  child.kill("SIGKILL");
  await once(child, "exit");
  removeLeftFolders(dir);
  expect(readdirSync(dir)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a number that another process has by now does not keep a folder",
  () => {
    made(nameOf({ start: startOf(process.pid) - 1 }));
    removeLeftFolders(dir);
    expect(readdirSync(dir)).toEqual([]);
  },
);

test("what is not for sure a dead process's stays: this one's, another container's, links, files, names of others", () => {
  const target = mkdtempSync(join(tmpdir(), "scratch-target-"));
  writeFileSync(join(target, "precious"), "x");
  const dead = { pid: 4_194_305, start: 1 };
  const kept = [
    made(nameOf()),
    made(nameOf({ ...dead, space: 1 })),
    made("retinue-sandbox-Ab12Cd"),
    made("retinue-test-zz-zz-zz"),
  ];
  symlinkSync(target, join(dir, nameOf(dead).replace("Ab12Cd", "Link01")));
  writeFileSync(join(dir, nameOf(dead).replace("Ab12Cd", "File01")), "x");
  const names = readdirSync(dir).sort();
  removeLeftFolders(dir);
  expect(readdirSync(dir).sort()).toEqual(names);
  expect(names).toEqual(expect.arrayContaining(kept));
  expect(readFileSync(join(target, "precious"), "utf8")).toBe("x");
  rmSync(target, { recursive: true });
});

test.runIf(process.getuid?.() === 0)("what belongs to another user stays", () => {
  const name = made(nameOf({ pid: 4_194_305, start: 1 }));
  chownSync(join(dir, name), 12_345, 12_345);
  removeLeftFolders(dir);
  expect(readdirSync(dir)).toEqual([name]);
});
