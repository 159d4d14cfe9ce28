// Every field of an agent's frontmatter that Claude Code 2.1.325 takes, with every kind of value that it
// takes: it loads with its meaning, or a problem names it.
import { expect, test } from "vitest";
import type { AgentFields } from "../agent-definition.ts";
import { readDefinition } from "./read-definition.ts";

/** The line, what it becomes, and the problems that name what is otherwise here. */
type Row = [line: string, becomes: Partial<AgentFields>, codes: string[]];

const modes = ["acceptEdits", "bypassPermissions", "default", "dontAsk", "plan"] as const;
const colors = ["red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"];
const hook = (text: string): string => `hooks: {PreToolUse: [{matcher: Bash, hooks: [${text}]}]}`;
const guard = (more: object): Partial<AgentFields> => ({
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check", ...more }] }],
  },
});
const idleHooks = ["once: true", "async: true", "asyncRewake: true", "rewakeMessage: x"];

const rows: Row[] = [
  ["tools: Read, Grep", { tools: ["Read", "Grep"] }, []],
  ["tools: [Read, 'Bash(git log:*)']", { tools: ["Read", "Bash(git log:*)"] }, []],
  ["tools: ['*']", {}, []],
  ["tools: [Read, Agent]", { tools: ["Read", "Agent"] }, ["agent-tool"]],
  ["tools: Read, Agent(reviewer)", { tools: ["Read", "Agent(reviewer)"] }, ["agent-tool"]],
  ["disallowedTools: Write, mcp__db", { disallowedTools: ["Write", "mcp__db"] }, []],
  ["disallowedTools: [mcp__db__*, mcp__*]", { disallowedTools: ["mcp__db__*", "mcp__*"] }, []],
  ...["sonnet", "opus", "haiku", "inherit", "claude-opus-5-5"].map((model): Row => [
    `model: ${model}`,
    { model },
    [],
  ]),
  ["model: Inherit", { model: "inherit" }, ["model-name"]],
  ...["low", "medium", "high", "xhigh", "max"].map((effort): Row => [
    `effort: ${effort}`,
    { effort },
    [],
  ]),
  ["effort: med", { effort: "medium" }, []],
  ["effort: High", { effort: "high" }, []],
  ["effort: 12000", {}, ["invalid-effort"]],
  ...modes.map((permissionMode): Row => [
    `permissionMode: ${permissionMode}`,
    { permissionMode },
    [],
  ]),
  ["permissionMode: manual", { permissionMode: "default" }, []],
  ["permissionMode: auto", { permissionMode: "default" }, ["absent-mode"]],
  ["mcpServers: [github]", { mcpServers: [{ name: "github" }] }, []],
  [
    "mcpServers: [{db: {command: db-server, args: [-x]}}]",
    { mcpServers: [{ name: "db", config: { command: "db-server", args: ["-x"] } }] },
    [],
  ],
  ...["http", "streamable-http"].map((type): Row => [
    `mcpServers: [{db: {type: ${type}, url: "https://db.example"}}]`,
    { mcpServers: [{ name: "db", config: { type, url: "https://db.example" } }] },
    [],
  ]),
  ...["sse", "ws", "sse-ide", "ws-ide"].map((type): Row => [
    `mcpServers: [{db: {type: ${type}, url: "https://db.example"}}]`,
    { mcpServers: [{ name: "db", config: { type, url: "https://db.example" } }] },
    ["absent-transport"],
  ]),
  [hook("{type: command, command: ./check}"), guard({}), []],
  [hook("{type: command, command: ./check, timeout: 5}"), guard({ timeout: 5 }), []],
  [hook("{type: command, command: ./check, args: [a, b]}"), guard({ args: ["a", "b"] }), []],
  [hook("{type: command, command: ./check, if: 'Bash(git *)'}"), guard({ if: "Bash(git *)" }), []],
  [hook("{type: command, command: ./check, shell: bash, statusMessage: x}"), guard({}), []],
  ...idleHooks.map((key): Row => [
    hook(`{type: command, command: ./check, ${key}}`),
    guard({}),
    ["hook-key"],
  ]),
  ...["Stop", "PostToolUse"].map((event): Row => [
    `hooks: {${event}: [{hooks: [{type: command, command: x, shell: powershell}]}]}`,
    { hooks: { [event]: [] } },
    ["hook-type"],
  ]),
  ...["prompt, prompt: x", "agent, prompt: x", "http, url: x", "mcp_tool, server: s, tool: t"].map(
    (type): Row => [
      `hooks: {Stop: [{hooks: [{type: ${type}}]}]}`,
      { hooks: { Stop: [] } },
      ["hook-type"],
    ],
  ),
  [
    "hooks: {SubagentStart: [{hooks: [{type: command, command: x}]}]}",
    { hooks: {} },
    ["unscoped-hook"],
  ],
  ["maxTurns: 12", { maxTurns: 12 }, []],
  ['maxTurns: "12"', { maxTurns: 12 }, ["number-as-text"]],
  ["skills: one, two", { skills: ["one", "two"] }, []],
  ["skills: [one, two]", { skills: ["one", "two"] }, []],
  ["initialPrompt: begin", { initialPrompt: "begin" }, []],
  ...(["user", "project", "local"] as const).map((memory): Row => [
    `memory: ${memory}`,
    { memory },
    [],
  ]),
  ["background: true", { background: true }, []],
  ['background: "false"', { background: false }, []],
  ["omitClaudeMd: true", { omitClaudeMd: true }, []],
  ["isolation: worktree", { isolation: "worktree" }, []],
  ["isolation: remote", { isolation: "worktree" }, ["absent-isolation"]],
  ...colors.map((color): Row => [`color: ${color}`, { color }, []]),
  ["autoCompactWindow: 200000", {}, ["idle-key"]],
  ["observer: watcher", {}, ["idle-key"]],
  ["observerMessage: look closely", {}, ["idle-key"]],
  ["observeSubagents: false", {}, ["idle-key"]],
  ["experimental: {cacheTtl: 1h}", {}, ["idle-key"]],
];

test.each(rows)("%s", (line, becomes, codes) => {
  const text = `---\nname: a-b\ndescription: d\n${line}\n---\nDo it.`;
  const { definition, problems } = readDefinition(text, { source: "project", path: "x.md" });
  expect(problems.map(({ code }) => code)).toEqual(codes);
  const { name, description, prompt, source, priority, filePath, unknownKeys, ...fields } =
    definition!;
  expect([name, description, prompt, source, priority, filePath]).toBeTruthy();
  expect(fields).toEqual(becomes);
  // A key that means nothing here stays in the definition, and is named by its own name.
  for (const key of Object.keys(unknownKeys ?? {}))
    expect(problems[0]!.message).toContain(`\`${key}\``);
});

test.each([
  hook("{type: prompt, prompt: x}"),
  hook("{type: command, command: ./check, shell: powershell}"),
  hook("{type: command, command: ./check, args: x}"),
])("a guard that cannot run here refuses the definition: %s", (line) => {
  const text = `---\nname: a-b\ndescription: d\n${line}\n---\nDo it.`;
  const { definition, problems } = readDefinition(text, { source: "project", path: "x.md" });
  expect(definition).toBeUndefined();
  expect(problems).toMatchObject([{ severity: "error", code: "invalid-hooks" }]);
});
