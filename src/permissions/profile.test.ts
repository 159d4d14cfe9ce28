import { describe, expect, test } from "vitest";
import { builtInProfiles, repeatsBuiltIn, resolveProfile, type Profile } from "./profile.ts";

const profile = (fields: Partial<Profile> & { name: string }): Profile => ({
  description: "",
  tools: [],
  ...fields,
});
const resolved = (name: string, own: Profile[] = []): Profile => {
  const found = resolveProfile(name, own);
  if (!found.ok) throw new Error(found.problem);
  return found.profile;
};

test("each built-in profile has exactly the tools of its design", () => {
  expect(Object.fromEntries(builtInProfiles.map(({ name, tools }) => [name, tools]))).toEqual({
    "read-only": [
      "Read",
      "Grep",
      "Glob",
      "mcp__cclsp__find_definition",
      "mcp__cclsp__find_references",
      "mcp__cclsp__get_hover",
      "mcp__cclsp__find_workspace_symbols",
    ],
    research: [
      "Read",
      "Grep",
      "Glob",
      "WebFetch",
      "WebSearch",
      "mcp__cclsp__*",
      "mcp__context7__*",
    ],
    writer: ["Read", "Write", "Edit", "Bash", "Grep", "Glob", "mcp__cclsp__*"],
    "full-access": ["*"],
    validator: ["Read", "Grep", "Glob", "Bash", "mcp__cclsp__*"],
  });
});

describe("resolveProfile", () => {
  test("folds in what a profile extends: tools, denials, rules and guards", () => {
    const own = [
      profile({
        name: "auditor",
        extends: "read-only",
        tools: ["Bash"],
        deny: ["Read(vendor/**)"],
        rules: { ask: ["Bash"] },
      }),
    ];
    expect(resolved("auditor", own)).toMatchObject({
      guarded: true,
      tools: expect.arrayContaining(["Read", "Bash"]),
      deny: ["Read(vendor/**)"],
      rules: { ask: ["Bash"] },
    });
  });

  test("a file of the same name comes before the built-in one, may extend it, and keeps its guards", () => {
    expect(resolved("read-only", [profile({ name: "read-only", tools: ["Read"] })])).toMatchObject({
      tools: ["Read"],
      guarded: true,
    });
    expect(
      resolved("research", [
        profile({ name: "research", extends: "research", tools: ["mcp__docs__*"] }),
      ]).tools,
    ).toContain("mcp__docs__*");
  });

  test("says which name is missing and which are known, and does not turn in circles", () => {
    expect(resolveProfile("nope")).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/"nope".*read-only/),
    });
    expect(
      resolveProfile("a", [
        profile({ name: "a", extends: "b" }),
        profile({ name: "b", extends: "a" }),
      ]),
    ).toMatchObject({ ok: false, problem: expect.stringMatching(/extends itself/) });
  });
});

test.each<[string, Partial<Profile>, boolean]>([
  ["the same tools", { tools: ["*"] }, true],
  [
    "the same tools in another order",
    { name: "validator", tools: ["mcp__cclsp__*", "Bash", "Read", "Grep", "Glob"] },
    true,
  ],
  ["empty lists", { tools: ["*"], deny: [], rules: { allow: [], deny: [] } }, true],
  [
    "fewer tools, one of them twice",
    { name: "validator", tools: ["Read", "Read", "Grep", "Glob", "Bash"] },
    false,
  ],
  ["a denial more", { tools: ["*"], deny: ["Bash"] }, false],
  ["a rule more", { tools: ["*"], rules: { ask: ["Bash"] } }, false],
  ["another base", { tools: ["*"], extends: "read-only" }, false],
  ["another name", { name: "own", tools: ["*"] }, false],
])(
  "a file repeats the built-in profile only when it changes nothing: %s",
  (_case, fields, same) => {
    expect(repeatsBuiltIn(profile({ name: "full-access", ...fields }))).toBe(same);
  },
);
