import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempProject, type TempProject } from "../../testing/temp-project.ts";
import { diffSnapshots, takeSnapshot } from "./snapshot.ts";

const git = (place: TempProject, ...args: string[]): string =>
  execFileSync(
    "git",
    ["-C", place.root, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args],
    { encoding: "utf8" },
  );

function repository(files: Record<string, string>): TempProject {
  const place = tempProject(files);
  git(place, "init", "-q");
  git(place, "add", "-A");
  git(place, "commit", "-qm", "first");
  return place;
}

const objects = (place: TempProject): number =>
  readdirSync(place.path(".git/objects"), { recursive: true }).length;

describe("a tree before and after", () => {
  const files = { "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n", ".gitignore": "dist/\n" };

  test.each([
    ["git", true],
    ["hashes", false],
  ])("%s: created, modified, deleted", (_name, withGit) => {
    using place = withGit ? repository(files) : tempProject(files);
    const before = takeSnapshot(place.root);
    place.write("new/d.ts", "d\n");
    place.write("a.ts", "changed\n");
    rmSync(place.path("b.ts"));
    chmodSync(place.path("c.ts"), 0o755);
    const diff = diffSnapshots(before, takeSnapshot(place.root));
    expect(diff).toEqual({
      created: ["new/d.ts"],
      modified: ["a.ts", "c.ts"],
      deleted: ["b.ts"],
      complete: true,
    });
    expect(before.tree === null).toBe(!withGit);
  });

  test("the same tree gives no difference, also when a file was touched", () => {
    using place = repository(files);
    const before = takeSnapshot(place.root);
    place.write("a.ts", "a\n");
    expect(diffSnapshots(before, takeSnapshot(place.root))).toEqual({
      created: [],
      modified: [],
      deleted: [],
      complete: true,
    });
  });

  test("the user's index, objects and status are untouched; ignored files are left out", () => {
    using place = repository(files);
    place.write("staged.ts", "s\n");
    git(place, "add", "staged.ts");
    place.write("untracked.ts", "u\n");
    place.write("dist/out.js", "x\n");
    const status = git(place, "status", "--porcelain");
    const [index, count] = [statSync(place.path(".git/index")).mtimeMs, objects(place)];
    const taken = takeSnapshot(place.root);
    expect([...taken.files.keys()].sort()).toEqual([
      ".gitignore",
      "a.ts",
      "b.ts",
      "c.ts",
      "staged.ts",
      "untracked.ts",
    ]);
    expect([statSync(place.path(".git/index")).mtimeMs, objects(place)]).toEqual([index, count]);
    expect(git(place, "status", "--porcelain")).toBe(status);
  });

  test("no hook and no monitor of the repository runs, and a link is not followed", () => {
    using place = repository(files);
    place.write("hooks/post-index-change", '#!/bin/sh\ntouch "$PWD/hooked"\n');
    chmodSync(place.path("hooks/post-index-change"), 0o755);
    git(place, "config", "core.hooksPath", place.path("hooks"));
    git(place, "config", "core.fsmonitor", place.path("hooks/post-index-change"));
    symlinkSync("/etc", place.path("link"));
    const taken = takeSnapshot(place.root);
    expect(existsSync(place.path("hooked"))).toBe(false);
    expect(taken.files.get("link")).toMatch(/^120000/);
  });

  test("a folder inside a repository is measured by itself", () => {
    using place = repository({ "pkg/a.ts": "a\n", "other/b.ts": "b\n" });
    const before = takeSnapshot(join(place.root, "pkg"));
    place.write("pkg/new.ts", "n\n");
    place.write("other/new.ts", "n\n");
    expect(diffSnapshots(before, takeSnapshot(join(place.root, "pkg"))).created).toEqual([
      "new.ts",
    ]);
  });
});
