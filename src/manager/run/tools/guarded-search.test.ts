import { describe, expect, test } from "vitest";
import {
  guardSearch,
  noHistory,
  type Found,
} from "../../../permissions/orchestrator/orchestrator-rules.ts";
import { tempProject, type TempProject } from "../../../testing/temp-project.ts";
import type { ToolResult } from "../../../tool/tool.ts";
import { createTools } from "../../../tools/create-tools.ts";
import { noJudgedPath } from "../../../tool/tool.ts";
import { noSandbox } from "../../../process/sandbox/wrapped-command.ts";
import { anyPath, nothingApproved } from "../../../tools/tool-environment.ts";
import { noKnownSecrets } from "../../../base/secrets/find-secrets.ts";
import { guardedSearch } from "./guarded-search.ts";

const manyFiles = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/f${String(index).padStart(2, "0")}.js`,
      `needle ${index} CONTENT\n`,
    ]),
  );

async function search(
  project: TempProject,
  name: "Grep" | "Glob",
  input: Record<string, unknown>,
): Promise<{ result: ToolResult; asked: Found[] }> {
  const environment = {
    cwd: project.root,
    home: project.home,
    additionalDirectories: [],
    spillDir: project.path("spill"),
    mark: "m",
    env: {},
    secrets: () => noKnownSecrets,
    mayRead: anyPath,
    mayWrite: anyPath,
    sandbox: noSandbox,
    approved: nothingApproved,
    takesImages: false,
    takesDocuments: false,
  };
  const set = createTools(environment, new Set([name]));
  const asked: Found[] = [];
  const refuseFound = async (found: Found) => (asked.push(found), guardSearch(found, noHistory));
  try {
    return {
      result: await guardedSearch(
        set.tools.find((tool) => tool.name === name)!,
        { refuseFound },
        project.root,
      ).execute(input, {
        toolUseId: "1",
        judgedPath: noJudgedPath,
        signal: new AbortController().signal,
        progress: () => {},
      }),
      asked,
    };
  } finally {
    await set.close();
  }
}

describe("a search of an orchestrator", () => {
  test.each<["Grep" | "Glob", Record<string, unknown>]>([
    ["Grep", { pattern: "needle", output_mode: "content" }],
    ["Grep", { pattern: "needle", output_mode: "content", "-C": 3 }],
    ["Grep", { pattern: "needle", output_mode: "count" }],
    ["Grep", { pattern: "needle" }],
    ["Glob", { pattern: "**/*.js" }],
  ])(
    "%s %j over many files gives names, as many as are read at a glance, and says whose work it is",
    async (name, input) => {
      using project = tempProject(manyFiles(60));
      const { result } = await search(project, name, input);
      const lines = (result.content as string).split("\n");
      expect(lines.slice(0, 2)).toEqual(["src/f00.js", "src/f01.js"]);
      expect(lines[50]).toBe("(and 10 more)");
      expect(lines.at(-1)).toMatch(
        /^permission denied: orchestrator rule bulk-search .*reaches 60 files; delegate to code-explorer\. Only file names are shown\.$/,
      );
      expect(result.content).not.toContain("CONTENT");
      expect(result.denied).toMatchObject({ layer: "orchestrator-guard", rule: "bulk-search" });
      // Nothing that was kept back counts as seen.
      expect(JSON.stringify(result.facts ?? {})).not.toMatch(/\[\d/);
    },
  );

  test("a targeted look is shown as it is", async () => {
    using project = tempProject(manyFiles(3));
    const { result, asked } = await search(project, "Grep", {
      pattern: "needle",
      output_mode: "content",
    });
    expect(result.content).toContain("src/f02.js:1:needle 2 CONTENT");
    expect(result.denied).toBeUndefined();
    expect(asked).toEqual([
      {
        isContent: true,
        files: [0, 1, 2].map((index) => ({
          real: project.path(`src/f0${index}.js`),
          shown: `src/f0${index}.js`,
        })),
      },
    ]);
  });

  test.each<["Grep" | "Glob", Record<string, unknown>]>([
    ["Grep", { pattern: "nothing-like-this" }],
    ["Glob", { pattern: "*.nothing" }],
  ])("%s that finds nothing says so", async (name, input) => {
    using project = tempProject(manyFiles(1));
    const { result, asked } = await search(project, name, input);
    expect(result.content).toMatch(/^No /);
    expect(asked[0]?.files).toEqual([]);
  });
});
