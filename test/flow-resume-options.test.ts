// What a flow began with is what its resume has: definitions, settings, folders, rules; never a wider mode, and no secret on disk.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { flowBegunWith, resumedOptions } from "../src/app/flows/flow-begun.ts";
import { continueFlow } from "../src/app/flows/begin-flow.ts";
import { RetinueError } from "../src/base/errors.ts";
import { retinue, type Finished } from "./retinue-process.ts";
import { answer, flowStory, type FlowStory } from "./support/flow-story.ts";

const helper = JSON.stringify({
  helper: {
    description: "helps",
    prompt: "HELPER-PROMPT",
    contract: "handoff",
    tools: ["Read", "Bash"],
  },
});
const call = ({ project, env }: FlowStory, args: string[]): Promise<Finished> =>
  retinue(["flow", ...args], { project, env });
const result = ({ stdout }: Finished): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;
const asking = answer({ status: "blocked", decision: "CLARIFY", questions: ["Which one?"] });

describe("flow with the flags of run", () => {
  test("agents, settings and folders given to the flow are there for its agents, and again for its resume", async () => {
    await using story = await flowStory({
      script: (root) => ({
        "task-1": [
          { tools: [{ name: "Read", input: { file_path: `${root}/../beside/note.txt` } }] },
          asking,
          {
            tools: [
              { name: "Bash", input: { command: "touch denied" } },
              { name: "Read", input: { file_path: `${root}/../beside/note.txt` } },
            ],
          },
          answer({ context_summary: "went on" }),
        ],
      }),
      files: { "../beside/note.txt": "FROM-BESIDE" },
    });
    const settings = JSON.stringify({ permissions: { deny: ["Bash(touch:*)"] } });
    const begun = result(
      await call(story, [
        "parallel",
        "--agents",
        helper,
        "--settings",
        settings,
        "--add-dir",
        "../beside",
        "--output-format",
        "json",
        "--task",
        "helper=look",
        "--",
        "x",
      ]),
    );
    expect(begun).toMatchObject({ decision: "CLARIFY", phases: [{ agent: "helper" }] });
    expect(story.shown("task-1")[0]).toContain("HELPER-PROMPT");
    expect(story.shown("task-1")[1]).toContain("FROM-BESIDE");
    const resumed = await call(story, [
      "resume",
      begun["flow_id"] as string,
      "--allowedTools",
      "Bash",
      "--output-format",
      "json",
      "--answer",
      "Which one?=this",
    ]);
    expect(result(resumed)).toMatchObject({
      decision: "PROCEED",
      phases: [{ agent: "helper", context_summary: "went on" }],
    });
    expect(story.shown("task-1")[3]).toMatch(/touch:\*/);
    expect(story.shown("task-1")[3]).toContain("FROM-BESIDE");
  });

  test("a flag that names nothing is told before the flow begins", async () => {
    await using story = await flowStory({ script: () => ({}) });
    for (const [flag, value] of [
      ["--agents", "{"],
      ["--settings", "nowhere.json"],
      ["--mcp-config", "nowhere.json"],
      ["--plugin-dir", "nowhere"],
      ["--add-dir", "nowhere"],
    ] as const) {
      expect(await call(story, ["sequence", flag, value, "--", "x"]), flag).toMatchObject({
        code: 2,
        stdout: "",
      });
    }
    expect(story.server.requests).toHaveLength(0);
  });

  test("a deny rule of the beginning holds in the next life, and a wider mode is refused", async () => {
    await using story = await flowStory({
      script: () => ({
        "task-1": [
          asking,
          { tools: [{ name: "Bash", input: { command: "touch denied" } }] },
          answer(),
        ],
      }),
    });
    const { flow_id: flowId } = await story.start("parallel", {
      tasks: [["type-checker", "look"]],
      options: { disallowedTools: ["Bash(touch:*)"] },
    });
    const options = {
      env: { PATH: process.env["PATH"] ?? "", HOME: story.project.home, ...story.env },
    };
    const watch = { signal: new AbortController().signal };
    await expect(
      continueFlow({ ...options, mode: "bypassPermissions" }, { flowId, answers: [] }, watch),
    ).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("bypassPermissions is wider than acceptEdits"),
    });
    await continueFlow({ ...options, allowedTools: ["Bash"] }, { flowId, answers: [] }, watch);
    expect(story.shown("task-1")[2]).toMatch(/touch:\*/);
  });

  test("a secret in settings given as text stays out of the journal, and the resume asks for the same text", async () => {
    await using story = await flowStory({
      script: () => ({ "task-1": [asking, answer({ context_summary: "went on" })] }),
    });
    const settings = JSON.stringify({
      env: { DEPLOY_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" },
    });
    const { flow_id: flowId } = await story.start("parallel", {
      tasks: [["type-checker", "look"]],
      options: { settings },
    });
    expect(readFileSync(story.journal().path, "utf8")).not.toContain("ghp_");
    const options = {
      env: { PATH: process.env["PATH"] ?? "", HOME: story.project.home, ...story.env },
    };
    const watch = { signal: new AbortController().signal };
    await expect(continueFlow(options, { flowId, answers: [] }, watch)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("give the same again"),
    });
    await expect(
      continueFlow({ ...options, settings: "{}" }, { flowId, answers: [] }, watch),
    ).rejects.toMatchObject({ code: "denied" });
    expect(
      await continueFlow({ ...options, settings }, { flowId, answers: [] }, watch),
    ).toMatchObject({ decision: "PROCEED" });
  });
});

describe("options of a resumed flow", () => {
  const begun = flowBegunWith(
    {
      cwd: "/w",
      env: {},
      settings: "s.json",
      addDirs: ["a"],
      allowedTools: ["Edit"],
      disallowedTools: ["WebFetch"],
      askRules: ["Write"],
    },
    "default",
  );

  test("rules add up, the mode stays or narrows, the rest is what it was", () => {
    expect(resumedOptions({ env: {} }, begun)).toEqual({
      env: {},
      mode: "default",
      settings: "s.json",
      addDirs: ["a"],
      allowedTools: ["Edit"],
      disallowedTools: ["WebFetch"],
      askRules: ["Write"],
    });
    expect(
      resumedOptions(
        { env: {}, mode: "plan", disallowedTools: ["Bash"], settings: "s.json", pluginDirs: [] },
        begun,
      ),
    ).toMatchObject({ mode: "plan", disallowedTools: ["WebFetch", "Bash"], settings: "s.json" });
  });

  test.each([
    { cliAgents: "{}" },
    { settings: "t.json" },
    { mcpConfigs: ["m.json"] },
    { pluginDirs: ["/p"] },
    { addDirs: ["a", "b"] },
    { mode: "acceptEdits" },
  ])("%j is refused", (more) => {
    expect(() => resumedOptions({ env: {}, ...more }, begun)).toThrow(RetinueError);
  });
});
