import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import type { Behavior } from "../decision.ts";
import { createPolicy, type Policy } from "../policy.ts";

const policy = (rules: Partial<Policy["rules"]>): Policy =>
  createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: [], ask: [], deny: [], ...rules },
  });
const noFiles = (path: string) => ({ path, real: path, kind: "absent" as const });
const behaviorOf = (
  tool: string,
  input: Record<string, unknown>,
  rules: Partial<Policy["rules"]>,
): Behavior => decide({ tool, input }, policy(rules), noFiles as never).behavior;

describe("rules about skills", () => {
  test.each<[string, string, Behavior]>([
    ["Skill(deploy)", "deploy", "deny"],
    ["Skill(deploy)", "/deploy", "deny"],
    ["Skill(deploy)", " Deploy ", "deny"],
    ["Skill(/deploy)", "deploy", "deny"],
    ["Skill(deploy)", "deploy-docs", "allow"],
    ["Skill(deploy *)", "deploy", "deny"],
    ["Skill(deploy *)", "tidy", "allow"],
    ["Skill(deploy:*)", "deploy", "deny"],
    ["Skill(deploy:*)", "deploy:now", "deny"],
    ["Skill(deploy:*)", "deployer", "allow"],
    ["Skill(deploy*)", "deployer", "deny"],
    ["Skill(release notes)", "release notes", "deny"],
    ["Skill(release notes)", "notes", "allow"],
    ["Skill(a, b)", "b", "deny"],
    ["Skill(*)", "anything", "deny"],
    ["Skill", "anything", "deny"],
  ])("%s and the skill %j: %s", (rule, skill, expected) => {
    expect(behaviorOf("Skill", { skill }, { deny: [rule] })).toBe(expected);
    expect(behaviorOf("Skill", { skill }, { ask: [rule] })).toBe(
      expected === "deny" ? "ask" : "allow",
    );
  });
});

describe("refusals that name no server", () => {
  test.each<[string, string, Behavior]>([
    ["mcp__*", "mcp__github__push", "deny"],
    ["mcp__*", "Read", "allow"],
    ["mcp__*__delete_*", "mcp__db__delete_row", "deny"],
    ["mcp__*__delete_*", "mcp__db__read_row", "ask"],
    ["mcp__git*", "mcp__github__push", "deny"],
  ])("%s and %s: %s", (rule, tool, expected) => {
    expect(behaviorOf(tool, { file_path: "a" }, { deny: [rule] })).toBe(expected);
  });

  test("are no way to allow everything", () => {
    expect(behaviorOf("mcp__github__push", {}, { allow: ["mcp__*"] })).toBe("ask");
  });
});

test.each(["WebSearch(*)", "WebFetch(*)", "mcp__github__push(*)"])(
  "%s is the whole tool",
  (rule) => {
    const tool = rule.slice(0, -3);
    expect(behaviorOf(tool, { url: "https://example.com", query: "x" }, { deny: [rule] })).toBe(
      "deny",
    );
    expect(behaviorOf("TodoWrite", { todos: [] }, { deny: [rule] })).toBe("allow");
  },
);

test.each([
  "PowerShell(Remove-Item *)",
  "NotebookEdit(secret.ipynb)",
  "ReportFindings",
  "Workflow(x)",
])("%s forbids what cannot happen here, and nothing else", (rule) => {
  expect(behaviorOf("TodoWrite", { todos: [] }, { deny: [rule] })).toBe("allow");
});

describe("refusals of a parameter", () => {
  test.each<[string, string, Record<string, unknown>, Behavior]>([
    ["Agent(model:opus)", "Agent", { subagent_type: "general-purpose", model: "opus" }, "deny"],
    [
      "Agent(model:claude-opus-*)",
      "Agent",
      { subagent_type: "general-purpose", model: "claude-opus-5-5" },
      "deny",
    ],
    ["Agent(model:opus)", "Agent", { subagent_type: "general-purpose" }, "allow"],
    ["Agent(subagent_type:Explore)", "Agent", { subagent_type: "Explore" }, "deny"],
    ["Agent(tools:reviewer)", "Agent", { subagent_type: "tools:reviewer" }, "deny"],
    ["Bash(run_in_background:true)", "Bash", { command: "ls", run_in_background: true }, "deny"],
    ["Bash(run_in_background:true)", "Bash", { command: "ls" }, "allow"],
    ["Bash(run_in_background:true)", "Bash", { command: "touch x" }, "ask"],
    ["Bash(command:rm *)", "Bash", { command: "cd x; rm y" }, "deny"],
    ["TodoWrite(merge:true)", "TodoWrite", { todos: [], merge: true }, "deny"],
    ["mcp__db(table:users)", "mcp__db__drop", { table: "users" }, "deny"],
    ["mcp__db(table:users)", "mcp__db__drop", { table: "logs" }, "ask"],
    [
      "WebFetch(domain:example.com)",
      "WebFetch",
      { url: "https://other.org", domain: "example.com" },
      "deny",
    ],
  ])("%s", (rule, tool, input, expected) => {
    expect(behaviorOf(tool, input, { deny: [rule] })).toBe(expected);
  });

  test("are still refused where they can never match", () => {
    expect(
      behaviorOf("TodoWrite", { todos: [] }, { deny: ["WebFetch(domain:https://x.example)"] }),
    ).toBe("deny");
    expect(behaviorOf("TodoWrite", { todos: [] }, { deny: ["TodoWrite(x)"] })).toBe("deny");
  });
});
