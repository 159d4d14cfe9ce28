// A mistake in an option is told in words that fit a program and a person at the command line: the library names no flags, the command names its own.
import { afterAll, describe, expect, test } from "vitest";
import { createManager } from "../src/app/create-manager.ts";
import type { SessionOptions } from "../src/app/session/session-options.ts";
import { openSession } from "../src/app/session/open-session.ts";
import { beginFlow } from "../src/app/flows/begin-flow.ts";
import { RetinueError } from "../src/base/errors.ts";
import { treeReader } from "../src/source/tree-reader.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

const project = tempProject();
afterAll(() => project.remove());
const env = { HOME: project.home };

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof RetinueError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const wrong: [string, Partial<SessionOptions>, string, string[]][] = [
  ["agents that are no JSON", { cliAgents: "{oops" }, "agents is not JSON", ["--agents", "{oops"]],
  [
    "an agent without a description",
    { cliAgents: { x: { prompt: "p" } } },
    "agents: `description` is missing",
    ["--agents", '{"x": {"prompt": "p"}}'],
  ],
  [
    "settings that are no JSON",
    { settings: "{oops" },
    "settings: not JSON",
    ["--settings", "{oops"],
  ],
  [
    "MCP servers that are no JSON",
    { mcpConfigs: ["{oops"] },
    "MCP servers: not JSON",
    ["--mcp-config", "{oops"],
  ],
  [
    "a plugin that is not there",
    { pluginDirs: ["/nowhere/p"] },
    "plugins: there is no folder /nowhere/p",
    ["--plugin-dir", "/nowhere/p"],
  ],
  [
    "a further folder that is not there",
    { addDirs: ["/nowhere/d"] },
    "additional directories: there is no folder /nowhere/d",
    ["--add-dir", "/nowhere/d"],
  ],
  [
    "an allow rule of no tool",
    { allowedTools: ["Bash("] },
    "allow rules: ",
    ["--allowedTools", "Bash("],
  ],
  [
    "a deny rule of no tool",
    { disallowedTools: ["Bash("] },
    "deny rules: ",
    ["--disallowedTools", "Bash("],
  ],
];

describe("in the library", () => {
  test.each(wrong)("%s", (_, options, begin) => {
    const message = messageOf(() => openSession({ cwd: project.root, env, ...options }));
    expect(message.startsWith(begin), message).toBe(true);
    expect(message).not.toMatch(/--[a-z]/);
  });

  test("a folder, a root and a key that are not there", async () => {
    for (const act of [
      () => openSession({ cwd: "/nowhere", env }),
      () => treeReader("/nowhere/root"),
      () =>
        createManager({ cwd: project.root, env, watch: false, model: "opus" }).spawn({
          description: "d",
          prompt: "p",
          subagent_type: "Explore",
        }),
    ]) {
      expect(messageOf(act)).not.toMatch(/--[a-z]/);
    }
    await expect(
      beginFlow(
        { cwd: project.root, env },
        {
          pattern: "parallel",
          feature: "x",
          tasks: [
            {
              name: "a",
              agent: "nobody",
              instructions: "x",
              required: true,
              expected_output: "validation_result",
            },
          ],
        },
        { signal: new AbortController().signal },
      ),
    ).rejects.toThrow(/there is no agent "nobody"/);
  });
});

describe("at the command line", () => {
  test.each(wrong)("%s", async (_, __, begin, args) => {
    const { code, stderr } = await retinue(["run", ...args, "--", "go"], { project });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `error ${args[0]}${begin.replace(/^(agents|settings|MCP servers|plugins|additional directories|allow rules|deny rules)/, "").trimEnd()}`,
    );
  });

  test("no key: the model that needs none, with its flag", async () => {
    expect(await retinue(["run", "go"], { project })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--model offline"),
    });
  });

  test("no key for a flow: the ways to give one, and no model that flows refuse", async () => {
    const { code, stderr } = await retinue(["flow", "sequence", "go"], { project });
    expect(code).toBe(2);
    expect(stderr).toContain("Set ANTHROPIC_API_KEY or OPENAI_API_KEY");
    expect(stderr).not.toContain("offline");
  });
});
