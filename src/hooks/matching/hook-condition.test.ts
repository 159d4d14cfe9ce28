import { expect, test } from "vitest";
import { compileCondition } from "./hook-condition.ts";
import type { HookInput } from "../hook-event.ts";
import { matchHooks } from "./match-hooks.ts";
import { readHooks } from "../read-hooks.ts";

const call = (tool_name: string, tool_input: Record<string, string>): HookInput => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "/project",
  tool_name,
  tool_input,
  tool_use_id: "t",
});
const bash = (command: string): HookInput => call("Bash", { command });

test.each<[string, HookInput, boolean]>([
  ["Bash(git push *)", bash("git push origin main"), true],
  ["Bash(git push:*)", bash("make && git push"), true],
  ["Bash(git push *)", bash("git status"), false],
  ["Bash(git push *)", bash('eval "$(cat script)"'), true],
  ["Bash(git push *)", call("Edit", { file_path: "/project/push.ts" }), false],
  ["Bash", bash("ls"), true],
  ["Edit(**/*.ts)", call("Edit", { file_path: "/project/src/a.ts" }), true],
  ["Edit(**/*.ts)", call("Write", { file_path: "/project/src/a.ts" }), true],
  ["Edit(**/*.ts)", call("Edit", { file_path: "/project/src/a.md" }), false],
  ["Edit(**/*.ts)", bash("sed -i s/a/b/ src/a.ts"), false],
  ["Write(/docs/**)", call("Write", { file_path: "/project/docs/x.md" }), true],
  ["Task", call("Agent", { subagent_type: "x", prompt: "p" }), true],
  ["mcp__github", call("mcp__github__merge", {}), true],
  ["mcp__github", call("mcp__slack__post", {}), false],
  ["WebFetch(domain:example.com)", call("WebFetch", { url: "https://example.com/a" }), true],
  ["WebFetch(domain:example.com)", call("WebFetch", { url: "https://example.org/a" }), false],
])("`if: %s` of a hook", (rule, input, expected) =>
  expect(compileCondition(rule)(input)).toBe(expected),
);

test("an event without a tool call never fits", () =>
  expect(
    compileCondition("Bash")({ hook_event_name: "Stop", session_id: "s", cwd: "/project" }),
  ).toBe(false));

test("of hooks with the same matcher only those fire whose `if` fits; one that cannot be read fires always and is reported", () => {
  const entry = (command: string, rule: unknown) => ({ type: "command", command, if: rule });
  const { hooks, problems } = readHooks(
    {
      PreToolUse: [
        {
          matcher: "Edit|Write",
          hooks: [
            entry("ts", "Edit(*.ts)"),
            entry("py", "Edit(*.py)"),
            entry("odd", "Edti(*.ts)"),
            entry("list", ["Edit"]),
          ],
        },
      ],
    },
    "settings",
  );
  expect(
    matchHooks(hooks, call("Edit", { file_path: "/project/a.py" })).map(
      (hook) => hook.type === "command" && hook.command,
    ),
  ).toEqual(["py", "odd", "list"]);
  expect(problems.map(({ severity, where }) => `${severity} ${where}`)).toEqual([
    "error settings: hooks.PreToolUse[0].hooks[2]",
    "error settings: hooks.PreToolUse[0].hooks[3]",
  ]);
});
