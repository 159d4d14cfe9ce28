import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDefinition, readDefinitionObject } from "./read-definition.ts";
import { withoutTrust } from "../agent-definition.ts";

const origin = { source: "project", path: "x.md" } as const;
const read = (...lines: string[]) =>
  readDefinition(
    ["---", "name: a-b", "description: d", ...lines, "---", "Do it."].join("\n"),
    origin,
  );
const codes = (...lines: string[]): string[] =>
  read(...lines).problems.map((problem) => problem.code);

test("a complete definition is read without a word", () => {
  const reading = read(
    "tools: Read, Agent(a, b), Bash(git log:*)",
    "disallowedTools: [Write]",
    "model: sonnet",
    "permissionMode: plan",
    "skills: one, two",
    "maxTurns: 7",
    "memory: project",
    "background: true",
    "isolation: worktree",
    "effort: high",
    "color: blue",
    "initialPrompt: go",
    "omitClaudeMd: true",
    "profile: read-only",
    "contract: handoff",
    "timeoutMs: 1000",
    "maxTokens: 5000",
    "criticalSystemReminder_EXPERIMENTAL: careful",
  );
  // A sub-agent starts no agents: whoever lists Agent is told.
  expect(reading.problems).toMatchObject([
    {
      code: "agent-tool",
      line: 4,
      message: expect.stringContaining("gets no Agent tool") as string,
    },
  ]);
  expect(reading.definition).toEqual({
    name: "a-b",
    description: "d",
    prompt: "Do it.",
    tools: ["Read", "Agent(a, b)", "Bash(git log:*)"],
    disallowedTools: ["Write"],
    model: "sonnet",
    permissionMode: "plan",
    skills: ["one", "two"],
    maxTurns: 7,
    memory: "project",
    background: true,
    isolation: "worktree",
    effort: "high",
    color: "blue",
    initialPrompt: "go",
    omitClaudeMd: true,
    profile: "read-only",
    contract: "handoff",
    timeoutMs: 1000,
    maxTokens: 5000,
    criticalSystemReminder_EXPERIMENTAL: "careful",
    source: "project",
    priority: 400,
    filePath: "x.md",
  });
});

describe("tools", () => {
  test.each<[string, string[] | undefined, string[]]>([
    ["tools: Read, Grep", ["Read", "Grep"], []],
    ["tools: Read Grep Glob", ["Read", "Grep", "Glob"], []],
    ["tools: [Read, Grep]", ["Read", "Grep"], []],
    ["tools: ['Read, Grep', Glob]", ["Read", "Grep", "Glob"], []],
    ['tools: "Read", "Grep"', ["Read", "Grep"], ["tolerant-yaml"]],
    ["tools: []", [], []],
    ["tools: none", [], []],
    ["tools:", undefined, ["tools-empty"]],
    ["tools: '*'", undefined, []],
    ["tools: *", undefined, ["tolerant-yaml"]],
    ["tools: All tools", undefined, ["tools-all"]],
    [
      "tools: Task, MultiEdit, LS",
      ["Agent", "Edit", "Glob"],
      ["dropped-tool", "dropped-tool", "agent-tool"],
    ],
    ["tools: read, BASH", ["Read", "Bash"], ["tool-case", "tool-case"]],
    [
      "tools: task, ls, multiedit",
      ["Agent", "Glob", "Edit"],
      ["tool-case", "tool-case", "tool-case", "agent-tool"],
    ],
    [
      "tools: Impact Analyzer, Diff Engine",
      ["Impact Analyzer", "Diff Engine"],
      ["unknown-tool", "no-known-tool"],
    ],
    ["tools: [Task Planner, Read Grep]", ["Task Planner", "Read", "Grep"], ["unknown-tool"]],
    ["tools: Read Grep codebase", ["Read", "Grep", "codebase"], ["unknown-tool"]],
    [
      "tools: Read, Grep Glob, Impact Analyzer",
      ["Read", "Grep", "Glob", "Impact Analyzer"],
      ["unknown-tool"],
    ],
    ["tools: Read, CronCreate", ["Read", "CronCreate"], ["absent-tool"]],
    ["tools: Read, NotebookEdit", ["Read", "NotebookEdit"], ["absent-tool"]],
    ["tools: Read, Raed", ["Read", "Raed"], ["unknown-tool"]],
    [
      "tools: codebase, runCommands",
      ["codebase", "runCommands"],
      ["unknown-tool", "no-known-tool"],
    ],
    ["tools: mcp__github__*, mcp__x__y", ["mcp__github__*", "mcp__x__y"], []],
  ])("%s", (line, tools, expected) => {
    const { definition, problems } = read(line);
    expect(definition).toBeDefined();
    expect(definition?.tools).toEqual(tools);
    expect(problems.map((problem) => problem.code)).toEqual(expected);
  });

  test("an unknown tool is named with what was probably meant, and the line", () => {
    expect(read("model: opus", "tools: Read, Bsah").problems).toEqual([
      {
        path: "x.md",
        line: 5,
        severity: "warning",
        code: "unknown-tool",
        message: 'there is no tool named "Bsah": did you mean Bash?',
        suggestion: "Bash",
      },
    ]);
  });

  test("what looks like a server's tool is told how those are written", () => {
    expect(read("tools: Read, mcp-notes, github/*").problems).toMatchObject([
      { code: "unknown-tool", suggestion: expect.stringContaining("mcp__SERVER__TOOL") as string },
    ]);
  });

  test("a slip in a denial refuses the file, because the tool would stay open", () => {
    expect(read("disallowedTools: Bsah").definition).toBeUndefined();
    expect(read("disallowedTools: codebase").definition).toBeDefined();
    expect(read("disallowedTools: Write anything").definition?.disallowedTools).toEqual([
      "Write",
      "anything",
    ]);
  });

  test("a mapping is no list", () =>
    expect(read("tools: {bash: false}").definition).toBeUndefined());

  test("tools of the library's user are known", () => {
    expect(
      readDefinition("---\nname: a\ndescription: d\ntools: Deploy, deploy\n---\nx", {
        ...origin,
        tools: ["Deploy"],
      }).problems.map((problem) => problem.code),
    ).toEqual(["tool-case"]);
  });
});

test.each<[string, string | undefined, number]>([
  ["model: opus", "opus", 0],
  ["model: Sonnet", "sonnet", 1],
  ["model: fable", "fable", 0],
  ["model: Claude Fable 5.1", "fable", 1],
  ["model: inherit", "inherit", 0],
  ["model: claude-opus-5-5", "claude-opus-5-5", 0],
  ["model: openai:gpt-6", "openai:gpt-6", 0],
  ["model: anthropic/claude-sonnet-5-5", "anthropic:claude-sonnet-5-5", 1],
  ["model: claude-3-5-sonnet-20241022", "sonnet", 1],
  ["model: Claude Sonnet 4.5 (copilot)", "sonnet", 1],
  ["model: GPT 4.1 (copilot)", "inherit", 1],
  ["model: [sonnet, opus]", "sonnet", 1],
  ["model: opus, sonnet", "opus", 1],
  ["model: sonnet[1m]", "sonnet", 1],
  ["model: default", "inherit", 1],
  ["model: 4", "4", 0],
  ["model: {a: b}", undefined, 1],
])("%s", (line, model, warnings) => {
  const reading = read(line);
  expect(reading.definition?.model).toBe(model);
  expect(reading.problems.filter((problem) => problem.severity === "warning")).toHaveLength(
    warnings,
  );
  expect(reading.definition).toBeDefined();
});

describe("values that guard or limit are never guessed", () => {
  test.each([
    ["permissionMode: BypassPermissions", "invalid-permissionMode"],
    ["permissionMode: 7", "invalid-permissionMode"],
    ["maxTurns: 1e9", "invalid-maxTurns"],
    ['maxTurns: "NaN"', "invalid-maxTurns"],
    ["maxTurns: 0", "invalid-maxTurns"],
    ["maxTurns: -5", "invalid-maxTurns"],
    ["maxTurns: 2.5", "invalid-maxTurns"],
    ["timeoutMs: soon", "invalid-timeoutMs"],
    ["isolation: container", "invalid-isolation"],
    ["contract: raport", "invalid-contract"],
    ["memory: global", "invalid-memory"],
    ["hooks: [x]", "invalid-hooks"],
    ["hooks: {PreToolUse: [{matcher: Bash}]}", "invalid-hooks"],
    ["hooks: {PreToolUse: [{hooks: [{type: prompt, prompt: x}]}]}", "invalid-hooks"],
    ["hooks: {PreTolUse: [{hooks: [{type: command, command: x}]}]}", "unscoped-hook"],
    ["mcpServers: [7]", "invalid-mcpServers"],
    ["mcpServers: {x: {args: [1]}}", "invalid-mcpServers"],
    ["tools: Read\ntools: Bash", "duplicate-key"],
  ])("%s", (line, code) => {
    expect(read(line).definition).toBeUndefined();
    expect(read(line).problems).toContainEqual(
      expect.objectContaining({ severity: "error", code }),
    );
  });
});

test("a word in another case is taken where it widens nothing", () => {
  expect(read("memory: User", "isolation: Worktree")).toMatchObject({
    definition: { memory: "user", isolation: "worktree" },
    problems: [
      { line: 4, severity: "warning", code: "word-case", suggestion: "memory: user" },
      { code: "word-case" },
    ],
  });
});

test("Claude Code's mode `auto` becomes the one that asks", () => {
  expect(read("permissionMode: auto")).toMatchObject({
    definition: { permissionMode: "default" },
    problems: [{ line: 4, severity: "warning", code: "absent-mode" }],
  });
});

test("Claude Code's mode `manual` is `default` under its newer name", () => {
  expect(read("permissionMode: manual")).toMatchObject({
    definition: { permissionMode: "default" },
    problems: [],
  });
});

test.each(["low", "medium", "high", "xhigh", "max"])("effort: %s", (word) => {
  expect(read(`effort: ${word}`)).toMatchObject({ definition: { effort: word }, problems: [] });
});

test("another effort is named and left out", () => {
  const { definition, problems } = read("effort: higher");
  expect(definition).not.toHaveProperty("effort");
  expect(problems).toMatchObject([
    { line: 4, severity: "warning", code: "invalid-effort", suggestion: "effort: high" },
  ]);
});

test("a key that neither names, guards nor limits may stand twice; the first one is used", () => {
  expect(read("color: blue", "color: red", "model: opus", "model: haiku")).toMatchObject({
    definition: { color: "blue", model: "opus" },
    problems: [
      { line: 5, severity: "warning", code: "duplicate-key" },
      { line: 7, severity: "warning", code: "duplicate-key" },
    ],
  });
});

test("a model and a skill that the set-up does not know are named with their line", () => {
  const known = {
    model: (name: string) =>
      name === "sonet" ? { message: "no such model", suggestion: "sonnet" } : undefined,
    skill: (name: string) => (name === "pdf" ? undefined : { message: `no skill ${name}` }),
  };
  expect(
    readDefinition("---\nname: a\ndescription: d\nmodel: sonet\nskills: [pdf, pfd]\n---\nx", {
      ...origin,
      known,
    }),
  ).toMatchObject({
    definition: { model: "sonet", skills: ["pdf", "pfd"] },
    problems: [
      { line: 4, severity: "warning", code: "unknown-model", suggestion: "model: sonnet" },
      { line: 5, severity: "warning", code: "unknown-skill", message: "no skill pfd" },
    ],
  });
});

test("MCP servers in their three forms", () => {
  expect(
    read(
      "mcpServers:",
      "  - github",
      "  - slack: {command: slack-mcp}",
      "  - serverName: docs",
      "    tools: [search]",
    ).definition?.mcpServers,
  ).toEqual([
    { name: "github" },
    { name: "slack", config: { command: "slack-mcp" } },
    { name: "docs", tools: ["search"] },
  ]);
  expect(read("mcpServers: [{name: x, command: y}]").definition?.mcpServers).toEqual([
    { name: "x", config: { command: "y" } },
  ]);
  expect(read("mcpServers: [{name: x}, {name: y, tools: [z]}]").definition?.mcpServers).toEqual([
    { name: "x" },
    { name: "y", tools: ["z"] },
  ]);
  expect(read("mcpServers: {a: {url: 'https://x.test'}, b: {}}").definition?.mcpServers).toEqual([
    { name: "a", config: { url: "https://x.test" } },
    { name: "b" },
  ]);
});

test("scoped hooks keep their shape; other events are named and left out", () => {
  const reading = read(
    "hooks:",
    "  Stop: [{hooks: [{type: command, command: ./done.sh, timeout: 5}]}]",
    "  SessionStart: [{hooks: [{type: command, command: x}]}]",
    "  pre: echo",
  );
  expect(reading.definition?.hooks).toEqual({
    Stop: [{ hooks: [{ type: "command", command: "./done.sh", timeout: 5 }] }],
  });
  expect(reading.problems.map((problem) => problem.code)).toEqual(["unscoped-hook"]);
});

test("a hook of another type refuses the file before a tool, and is only left out elsewhere", () => {
  const reading = read(
    "hooks: {Stop: [{hooks: [{type: prompt, prompt: x}]}], PostToolUse: [{hooks: [{type: http, url: x}, {type: command, command: y}]}]}",
  );
  expect(reading.definition?.hooks).toEqual({
    Stop: [],
    PostToolUse: [{ hooks: [{ type: "command", command: "y" }] }],
  });
  expect(reading.problems.map((problem) => problem.code)).toEqual(["hook-type", "hook-type"]);
});

test.each([
  ["alowedTools: Bash", "disallowedTools"],
  ["disalowedTools: Bash", "disallowedTools"],
  ["allowed-tools: Bash", "tools"],
  ["permission_mode: plan", "permissionMode"],
  ["modle: opus", "model"],
  ["Description: x", "description"],
])("%s is kept, with a hint", (line, suggestion) => {
  const reading = read(line);
  expect(reading.problems).toMatchObject([
    { line: 4, severity: "warning", code: "near-miss-key", suggestion },
  ]);
  expect(Object.keys(reading.definition?.unknownKeys ?? {})).toEqual([line.split(":")[0]]);
});

test.each(["mode: subagent", "version: 2", "author: me", "temperature: 0.2", "category: x"])(
  "%s is kept without a word",
  (line) => {
    expect(read(line).problems).toEqual([]);
    expect(read(line).definition?.unknownKeys).toBeDefined();
  },
);

test("a key that differs only in case names and narrows all the same", () => {
  expect(readDefinition("---\nName: x\nDescription: d\n---\np", origin)).toMatchObject({
    definition: { name: "x", description: "d" },
    problems: [{ code: "near-miss-key" }, { code: "near-miss-key" }],
  });
  expect(read("Tools: Read").definition?.tools).toEqual(["Read"]);
  expect(read("disallowed-tools: Bash").definition?.disallowedTools).toEqual(["Bash"]);
  expect(read("tools: Read", "Tools: Bash").definition?.tools).toEqual(["Read"]);
  expect(codes("tools: Read", "Tools: Bash")).toEqual(["near-miss-key"]);
});

describe("names and descriptions", () => {
  const named = (name: string, ...more: string[]) =>
    readDefinition(
      ["---", `name: ${name}`, "description: d", ...more, "---", "x"].join("\n"),
      origin,
    );

  test.each(["plugin:x", "-rf", "''"])("%s is skipped with a problem", (name) => {
    expect(named(name).definition).toBeUndefined();
    expect(named(name).problems).toMatchObject([
      { line: 2, severity: "error", code: "invalid-name" },
    ]);
  });

  test("a name against the convention is a warning, and refused where it would become a path", () => {
    expect(named("Code Reviewer")).toMatchObject({
      definition: { name: "Code Reviewer" },
      problems: [{ code: "name-convention", suggestion: "name: code-reviewer" }],
    });
    expect(
      named("Code Reviewer", "memory: project").problems.map((problem) => problem.code),
    ).toContain("unsafe-name");
    expect(named("../x", "isolation: worktree").definition).toBeUndefined();
  });

  test("a number is a name as it was written", () =>
    expect(named("007").definition?.name).toBe("007"));

  test("without a name it is documentation", () => {
    expect(readDefinition("---\ntitle: x: y\ndescription: d\n---\n", origin)).toEqual({
      problems: [],
    });
    expect(readDefinition("# Read me", origin)).toEqual({ problems: [] });
  });

  test("one that was clearly meant as an agent is reported, with a name made from its file", () => {
    const at = { source: "project", path: "agents/Code Helper.md" } as const;
    expect(readDefinition("---\ndescription: d\ntools: Read\n---\nx", at)).toEqual({
      problems: [
        {
          path: at.path,
          line: 2,
          severity: "warning",
          code: "missing-name",
          message: "`name` is missing, so this is no agent",
          suggestion: "name: code-helper",
        },
      ],
    });
    expect(readDefinition("---\nmodel: opus\nname:\n---\nx", at).problems).toMatchObject([
      { line: 3, code: "missing-name" },
    ]);
  });

  test("an agent of a plugin may take its name from its file and do without a description", () => {
    const at = { source: "plugin", plugin: "p", path: "p/agents/tester.md" } as const;
    expect(readDefinition("---\ndescription: d\n---\nx", at)).toMatchObject({
      definition: { name: "p:tester", description: "d" },
      problems: [],
    });
    expect(readDefinition("---\nname: x\n---\nx", at)).toMatchObject({
      definition: { name: "p:x" },
      problems: [{ severity: "warning", code: "missing-description" }],
    });
    expect(readDefinition("---\ntitle: how to\n---\nx", at)).toEqual({ problems: [] });
  });

  test("a description below another key is pointed at", () => {
    expect(
      readDefinition("---\nname: a\nmetadata:\n  description: Reads mail\n---\nx", origin).problems,
    ).toMatchObject([
      {
        code: "missing-description",
        message: expect.stringContaining("below `metadata`") as string,
        suggestion: "description: Reads mail",
      },
    ]);
  });

  test("without a description it is reported", () => {
    expect(readDefinition("---\nname: a\n---\nx", origin)).toMatchObject({
      problems: [{ severity: "error", code: "missing-description" }],
    });
  });

  test("literal line breaks of an unquoted description become real ones; control characters go", () => {
    expect(
      readDefinition(
        String.raw`---
name: a
description: One.\n\nTwo: \"x\"
---
x`,
        origin,
      ).definition?.description,
    ).toBe('One.\n\nTwo: "x"');
    const reading = readDefinition(
      '---\nname: a\ndescription: "ok\\u001b]0;pwn\\u0007 fine"\n---\nx',
      origin,
    );
    expect(reading.definition?.description).not.toMatch(
      /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/,
    );
    expect(reading.problems.map((problem) => problem.code)).toEqual(["control-characters"]);
  });

  test("a mapping where a text was meant is put together again", () => {
    expect(
      readDefinition("---\nname: a\ndescription:\n  Expert: in all\n---\nx", origin).definition
        ?.description,
    ).toBe("Expert: in all");
  });
});

test("a plugin's agent bears its plugin's name and brings no hooks, servers or mode", () => {
  const reading = readDefinition(
    "---\nname: a\ndescription: d\npermissionMode: plan\nmcpServers: [x]\nhooks: {Stop: [{hooks: [{type: command, command: y}]}]}\n---\nx",
    { source: "plugin", path: "p/agents/a.md", plugin: "tools" },
  );
  expect(reading.definition).toMatchObject({ name: "tools:a", source: "plugin" });
  expect(Object.keys(reading.definition ?? {})).not.toEqual(expect.arrayContaining(["hooks"]));
  expect(reading.definition?.mcpServers ?? reading.definition?.permissionMode).toBeUndefined();
  expect(reading.problems.map((problem) => problem.code)).toEqual([
    "plugin-field",
    "plugin-field",
    "plugin-field",
  ]);
});

test("without trust a definition loses what widens and keeps what narrows", () => {
  const { definition } = readDefinitionObject(
    {
      name: "a",
      description: "d",
      prompt: "p",
      tools: ["Read"],
      disallowedTools: ["Bash"],
      permissionMode: "bypassPermissions",
      mcpServers: ["shared", { evil: { command: "sh" } }],
      hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] },
    },
    { source: "project", path: "x" },
  );
  const { definition: rest, withheld } = withoutTrust(definition!);
  expect(withheld).toEqual(["hooks", "mcpServers", "permissionMode: bypassPermissions"]);
  expect(rest).toMatchObject({
    tools: ["Read"],
    disallowedTools: ["Bash"],
    mcpServers: [{ name: "shared" }],
  });
  expect(rest).not.toHaveProperty("hooks");
  expect(rest).not.toHaveProperty("permissionMode");
  expect(withoutTrust({ ...definition!, permissionMode: "plan" }).definition.permissionMode).toBe(
    "plan",
  );
});

test("without trust an agent of a folder has no part in what the person's agent of that name remembers", () => {
  const of = (memory: "user" | "project" | "local") =>
    withoutTrust(
      readDefinitionObject(
        { name: "a", description: "d", prompt: "p", memory },
        { source: "project", path: "x" },
      ).definition!,
    );
  expect(of("user")).toMatchObject({ withheld: ["memory: user"], definition: { name: "a" } });
  expect(of("user").definition).not.toHaveProperty("memory");
  for (const scope of ["project", "local"] as const)
    expect(of(scope)).toMatchObject({ withheld: [], definition: { memory: scope } });
});

test("no bytes make it fail, and every problem has a place", () => {
  const key = fc.constantFrom(
    "name",
    "description",
    "tools",
    "disallowedTools",
    "model",
    "permissionMode",
    "mcpServers",
    "hooks",
    "maxTurns",
    "memory",
    "skills",
    "color",
    "zzz",
  );
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "*", "[a, b]", "{a: b}", "x: y", "|", "null", "1e9", "- a"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 15 }), fc.string(), (pairs, body) => {
      const reading = readDefinition(
        `---\n${pairs.map(([name, text]) => `${name}: ${text}`).join("\n")}\n---\n${body}`,
        origin,
      );
      expect(
        reading.problems.every(
          (problem) => problem.path === "x.md" && problem.line >= 1 && problem.message.length > 0,
        ),
      ).toBe(true);
    }),
    { numRuns: 300 },
  );
});
