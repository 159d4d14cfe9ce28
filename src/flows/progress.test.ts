import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { progressPath, writeProgress, type Progress } from "./progress.ts";

const progress: Progress = {
  flow: { id: "f", pattern: "sequence", feature: "x" },
  phases: [],
  todos: [],
  warnings: [],
};

let project: TempProject;
beforeEach(() => void (project = tempProject()));
afterEach(() => project.remove());

test("stands in the project, where neither git nor a search takes it for work", () => {
  expect(writeProgress(project.root, progress)).toBeUndefined();
  expect(JSON.parse(project.read(".retinue/progress/f.json"))).toEqual(progress);
  expect(progressPath(project.root, "f")).toBe(project.path(".retinue/progress/f.json"));
  expect(project.read(".retinue/.gitignore")).toBe("*\n");
});

test.each([".retinue", ".retinue/progress"])(
  "is not written through a link that the repository brought: %s",
  (name) => {
    const elsewhere = join(project.home, "elsewhere");
    mkdirSync(elsewhere);
    if (name.includes("/")) mkdirSync(project.path(".retinue"));
    symlinkSync(elsewhere, project.path(name));
    expect(writeProgress(project.root, progress)).toContain("is a link");
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);
