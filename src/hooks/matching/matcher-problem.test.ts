import { expect, test } from "vitest";
import { compileMatcher } from "./matcher.ts";
import { matcherProblem } from "./matcher-problem.ts";
import { readHooks } from "../read-hooks.ts";

const problemOf = (matcher: string, tools: string[] = []) =>
  matcherProblem("PreToolUse", matcher, { matches: compileMatcher(matcher), tools });

test.each([
  "",
  "*",
  ".*",
  "Bash",
  "Task|Bash",
  "Write|Edit|MultiEdit|NotebookEdit",
  "^(Task|TaskCreate)$",
  "Edit.*",
  "^mcp__",
  "mcp__.*",
  "mcp__github__create_issue",
  "mcp__github__.*",
  ".*_delete_.*",
  "Edit, Write",
])("has nothing to say of %s", (matcher) => {
  expect(problemOf(matcher)).toBeUndefined();
});

test.each([
  [
    "a rule where a name belongs",
    "Bash(git commit*)",
    /fits no tool.*"matcher": "Bash".*"if": "Bash\(git commit\*\)"/,
  ],
  ["a server's name", "mcp__my_server", /`mcp__my_server__\.\*`/],
  ["a server's name beside others", "Bash|mcp__github", /`mcp__github__\.\*`/],
  ["tools that exist elsewhere only", "^ExitPlanMode$", /do not exist here/],
  ["a misspelt name beside a right one", "Bash|Wirte", /no tool is named "Wirte"/],
  ["another case", "bash", /no tool is named "bash"/],
  ["words", "deploy to production", /fits no tool/],
])("tells of %s", (_what, matcher, words) => {
  expect(problemOf(matcher)?.message).toMatch(words);
});

test("names the tool that was meant", () => {
  expect([problemOf("bash")?.suggestion, problemOf("Bash|Wirte")?.suggestion]).toEqual([
    "Bash",
    "Write",
  ]);
});

test("knows tools that are not built in, and leaves matchers alone that name no tool", () => {
  expect(problemOf("Deploy")).toBeDefined();
  expect(problemOf("Deploy", ["Deploy"])).toBeUndefined();
  expect(
    matcherProblem("SubagentStop", "writer", { matches: compileMatcher("writer"), tools: [] }),
  ).toBeUndefined();
});

test("says what to write where a rule about files is no regular expression", () => {
  const { hooks, problems } = readHooks(
    { PostToolUse: [{ matcher: "Edit(src/**/*.ts)", hooks: [{ type: "command", command: "x" }] }] },
    "settings",
  );
  expect(problems).toMatchObject([
    {
      severity: "error",
      message: expect.stringMatching(
        /"matcher": "Edit" and in the hook "if": "Edit\(src.*fires for everything/,
      ),
    },
  ]);
  expect(hooks[0]!.matches("Bash")).toBe(true);
});
