import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../../testing/temp-project.ts";
import { readHead } from "./read-head.ts";

let project: TempProject;
beforeEach(() => {
  project = tempProject({ "a.txt": "0123456789", empty: "", "folder/x": "" });
});
afterEach(() => project.remove());

test("the beginning of a file, no more than asked for, with the size of the whole", () => {
  expect(readHead(project.path("a.txt"), 4)).toEqual({ head: Buffer.from("0123"), size: 10 });
  expect(readHead(project.path("a.txt"), 100)).toEqual({
    head: Buffer.from("0123456789"),
    size: 10,
  });
  expect(readHead(project.path("empty"), 4)).toEqual({ head: Buffer.alloc(0), size: 0 });
});

test("what is no regular file gives nothing, and a pipe is not waited for", () => {
  symlinkSync(project.path("a.txt"), project.path("link"));
  execFileSync("mkfifo", [project.path("pipe")]);
  for (const name of ["link", "pipe", "folder", "absent"])
    expect(readHead(project.path(name), 4), name).toBeUndefined();
});
