import { describe, expect, test } from "vitest";
import { parseRule, splitRuleList } from "./parse-rule.ts";
import { cpuMs } from "../testing/cpu-ms.ts";

describe("parseRule", () => {
  test.each([
    ["Read", { tool: "Read" }],
    [" Bash ", { tool: "Bash" }],
    ["Bash(git log:*)", { tool: "Bash", specifier: "git log:*" }],
    ["Bash(grep '(' f.txt)", { tool: "Bash", specifier: "grep '(' f.txt" }],
    ["Bash(pnpm test:run:*)", { tool: "Bash", specifier: "pnpm test:run:*" }],
    ["Task(Explore)", { tool: "Agent", specifier: "Explore" }],
    ["FileEdit(src/**)", { tool: "Edit", specifier: "src/**" }],
    ["Read(~/.aws/)", { tool: "Read", specifier: "~/.aws/" }],
    ["WebFetch(domain:*.example.com)", { tool: "WebFetch", specifier: "domain:*.example.com" }],
    ["mcp__github", { tool: "mcp__github" }],
    ["mcp__github__*", { tool: "mcp__github__*" }],
    ["Skill(deploy)", { tool: "Skill", specifier: "deploy" }],
  ])("reads %s", (text, expected) => {
    expect(parseRule(text)).toEqual({ ok: true, rule: { text: text.trim(), ...expected } });
  });

  test.each<[unknown, RegExp]>([
    ["bash(rm:*)", /did you mean Bash\?/],
    ["toString", /no tool named "toString"/],
    ["__proto__", /no tool named/],
    ["Bash(rm:*", /not closed/],
    ["Bash rm)", /no opening/],
    ["Bash()", /brackets are empty/],
    ["Bash(:*)", /follows a command/],
    ["Read(!.env)", /cannot be negated/],
    ["Read(~root/.bashrc)", /own home/],
    ["Read({a,b,c,d,e,f,g,h,i}{1,2,3,4,5,6,7,8,9})", /more than 64/],
    ["WebFetch(https://x.example/)", /domain:host/],
    ["WebFetch(domain:)", /missing/],
    ["WebFetch(domain:https://x.example)", /without scheme/],
    ["WebFetch(domain:*x.example)", /\*\.example\.com/],
    ["mcp__", /names its server/],
    ["mcp__*__read", /names its server/],
    ["mcp__a*__read", /cannot be a wildcard/],
    ["mcp__github(x)", /takes no specifier/],
    ["TodoWrite(x)", /takes no specifier/],
    ["", /empty rule/],
    ["Read(a\0b)", /NUL/],
    [42, /a rule is a text/],
    ["x".repeat(5_000), /at most/],
  ])("refuses %j with a sentence", (text, message) => {
    const parsed = parseRule(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.problem.message).toMatch(message);
  });

  test("knows tools that are not built in when they are named", () => {
    expect(parseRule("Deploy", { tools: ["Deploy"] }).ok).toBe(true);
    expect(parseRule("deploy", { tools: ["Deploy"] })).toMatchObject({
      ok: false,
      problem: { suggestion: "Deploy" },
    });
  });

  test("lets `*` deny but not allow", () => {
    expect(parseRule("*", { list: "deny" }).ok).toBe(true);
    expect(parseRule("*", { list: "allow" }).ok).toBe(false);
  });
});

describe("splitRuleList", () => {
  test.each([
    ["Read, Agent(a, b)", ["Read", "Agent(a, b)"]],
    ["Read Grep\nGlob", ["Read", "Grep", "Glob"]],
    ["Bash(git log *) Edit", ["Bash(git log *)", "Edit"]],
    ["Bash(grep '(' f.txt), Read", ["Bash(grep '(' f.txt)", "Read"]],
    ["Bash(echo it's), Read", ["Bash(echo it's)", "Read"]],
    ["Bash(rm:*", ["Bash(rm:*"]],
    [" , ,", []],
    ["", []],
  ])("splits %j", (text, expected) => {
    expect(splitRuleList(text)).toEqual(expected);
  });

  test("takes time in proportion to the text", () => {
    const time = (count: number): number => {
      const text = "Bash(".repeat(count);
      return cpuMs(() => {
        for (let round = 0; round < 20; round++) splitRuleList(text);
      });
    };
    time(1_000);
    expect(time(8_000)).toBeLessThan(Math.max(time(1_000), 1) * 64);
  });
});
