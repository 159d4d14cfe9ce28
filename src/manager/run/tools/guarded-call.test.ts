import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pathFacts } from "../../../base/files/path-facts.ts";
import { createPolicy } from "../../../permissions/policy.ts";
import { tempProject } from "../../../testing/temp-project.ts";
import { guardedCall } from "./guarded-call.ts";

test.each([
  ["a progress file", ".retinue/progress/x.json", true],
  ["its folder reached by a detour", "src/../.retinue/progress/x.json", true],
  ["a file beside it", ".retinue/other.json", false],
  ["a path that leaves it again", ".retinue/progress/../../src/a.js", false],
  ["a link out of it", ".retinue/progress/link.json", false],
  ["its own memory", "memory/MEMORY.md", true],
  ["code", "src/a.js", false],
])("%s is its own: %s → %s", (_what, path, isOwn) => {
  using project = tempProject({
    "src/a.js": "a",
    ".retinue/progress/x.json": "{}",
    "memory/MEMORY.md": "x",
  });
  symlinkSync(project.path("src/a.js"), project.path(".retinue/progress/link.json"));
  const { workspace } = createPolicy({
    workspace: { cwd: project.root, home: project.home, memoryDirectory: project.path("memory") },
  });
  expect(
    guardedCall(
      { tool: "Write", input: { file_path: path } },
      { workspace, facts: (at) => pathFacts(at, project.root, project.home) },
    ).file?.isOwn,
  ).toBe(isOwn);
});

test("a folder of progress files that is a link makes nothing its own", () => {
  using project = tempProject({ "src/a.js": "a" });
  mkdirSync(project.path(".retinue"));
  symlinkSync(project.path("src"), project.path(".retinue/progress"));
  writeFileSync(project.path("src/x.json"), "{}");
  const { workspace } = createPolicy({ workspace: { cwd: project.root, home: project.home } });
  const own = (path: string): boolean | undefined =>
    guardedCall(
      { tool: "Write", input: { file_path: path } },
      { workspace, facts: (at) => pathFacts(at, project.root, project.home) },
    ).file?.isOwn;
  expect([own(".retinue/progress/x.json"), own("src/a.js")]).toEqual([false, false]);
});

test("a Read without a window is judged by what Read shows", () => {
  const facts = (path: string) => ({ real: path, exists: true, kind: "file" as const });
  const { workspace } = createPolicy({ workspace: { cwd: "/w", home: "/h" } });
  expect(
    guardedCall({ tool: "Read", input: { file_path: "/w/a" } }, { workspace, facts }),
  ).toMatchObject({ lines: { offset: 1, limit: 2_000 }, file: { shown: "a", exists: true } });
  expect(
    guardedCall(
      { tool: "Read", input: { file_path: "/w/a", offset: 5, limit: 2 } },
      { workspace, facts },
    ),
  ).toMatchObject({ lines: { offset: 5, limit: 2 } });
});
