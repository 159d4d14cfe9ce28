import { expect, test } from "vitest";
import { decide } from "../../permissions/decide.ts";
import { createPolicy, type FactsOf } from "../../permissions/policy.ts";
import { offerRules } from "./offer-rules.ts";

const facts: FactsOf = (path) => ({ real: path, exists: true, kind: "file" });

function offered(
  tool: string,
  input: Record<string, unknown>,
  rules: { ask?: string[]; deny?: string[] } = {},
): string[][] {
  const policy = createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: [], ask: [], deny: [], ...rules },
  });
  const { steps } = decide({ tool, input }, policy, facts);
  return offerRules({ tool, input }, { steps, policy, facts });
}

const bash = (command: string, rules?: { ask?: string[] }) => offered("Bash", { command }, rules);
const edit = (file_path: string) =>
  offered("Edit", { file_path, old_string: "a", new_string: "b" });

test.each([
  ["npm test", [["Bash(npm test *)"], ["Bash(npm test)"]]],
  ["make all", [["Bash(make *)"], ["Bash(make all)"]]],
  [
    "npm test && make",
    [
      ["Bash(npm test *)", "Bash(make *)"],
      ["Bash(npm test)", "Bash(make)"],
    ],
  ],
  [
    "make > src/log",
    [
      ["Bash(make *)", "Edit(/src/**)"],
      ["Bash(make)", "Edit(/src/log)"],
    ],
  ],
])("for the command %s: %j", (command, offers) => {
  expect(bash(command)).toEqual(offers);
});

test.each(["python3 -c 'print(1)'", "bash x.sh", "sudo make", "node x.js"])(
  "no rule for everything that %s could run",
  (command) => {
    expect(bash(command).flat().join(" ")).not.toContain("*");
  },
);

test.each([
  ["src/deep/a.ts", [["Edit(/src/deep/**)"], ["Edit(/src/deep/a.ts)"]]],
  ["a.ts", [["Edit(/a.ts)"]]],
  ["/elsewhere/a.ts", [["Edit(//elsewhere/**)"], ["Edit(//elsewhere/a.ts)"]]],
])("for an edit of %s: %j", (path, offers) => {
  expect(edit(path)).toEqual(offers);
});

test("nothing where a rule would not answer: an ask rule, a protected path", () => {
  expect(bash("git push", { ask: ["Bash(git push *)"] })).toEqual([]);
  expect(edit(".git/config")).toEqual([]);
});

test("for an address its host, for a server's tool the tool and the server", () => {
  expect(offered("WebFetch", { url: "https://docs.example.org/x", prompt: "" })).toEqual([
    ["WebFetch(domain:docs.example.org)"],
  ]);
  expect(offered("mcp__db__query", {})).toEqual([["mcp__db__*"], ["mcp__db__query"]]);
});
