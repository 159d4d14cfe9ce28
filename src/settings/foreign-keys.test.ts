import { expect, test } from "vitest";
import { tempProject } from "../testing/temp-project.ts";
import { effectiveSettings } from "./effective-settings.ts";
import { keysWithoutEffect } from "./foreign-keys.ts";
import { loadSettings, type LoadedSettings } from "./load-settings.ts";
import { readLayer } from "./read-layer.ts";

const complaintsOf = (data: Record<string, unknown>) =>
  readLayer(data).complaints.map(({ severity = "error", message }) => `${severity}: ${message}`);

test.each([
  [
    "how Claude Code looks",
    {
      $schema: "x",
      statusLine: { type: "command", command: "x" },
      includeCoAuthoredBy: false,
      spinnerTipsEnabled: true,
      language: "German",
    },
  ],
  ["a sandbox that is off", { sandbox: { enabled: false } }],
  [
    "keys of somebody's own",
    { claudeFlow: { x: 1 }, version: "1", _comment: "x", agents: {}, models: [] },
  ],
  [
    "what only matters to who looks for it",
    { enabledPlugins: { "a@b": true }, apiKeyHelper: "x", enabledMcpjsonServers: ["a"] },
  ],
])("says nothing of %s", (_what, data) => {
  expect(complaintsOf(data)).toEqual([]);
});

test.each([
  [
    "a sandbox that is on",
    { sandbox: { enabled: true } },
    /^warning: `sandbox`.*"retinue": \{"sandbox"/,
  ],
  [
    "an administrator's limits",
    { allowManagedHooksOnly: true },
    /^warning: .*hooks of other settings run/,
  ],
  [
    "servers that are forbidden another way",
    { deniedMcpServers: [{ serverName: "x" }] },
    /^warning: .*mcp__server/,
  ],
  [
    "denials in the wrong place",
    { deny: ["Bash(rm *)"] },
    /^error: `deny` stands outside of `permissions`/,
  ],
  ["a mode in the wrong place", { defaultMode: "plan" }, /^error: `defaultMode` stands outside/],
  [
    "a slip of the pen",
    { permission: { deny: ["Bash"] } },
    /^warning: `permission` has no effect: did you mean `permissions`/,
  ],
  [
    "an event whose hooks stand in no list",
    { hooks: { PreToolUse: { matcher: "Bash", hooks: [] } } },
    /^error: `hooks.PreToolUse` must be a list of `\{matcher, hooks\}`; nothing in it runs/,
  ],
  [
    "a list that permissions do not have",
    { permissions: { execute: ["x"] } },
    /^warning: `permissions.execute` has no effect: there are allow, ask, deny/,
  ],
])("tells of %s", (_what, data, words) => {
  expect(complaintsOf(data)).toEqual([expect.stringMatching(words)]);
});

test("names what has no effect, with what to do instead", () => {
  expect(keysWithoutEffect({ enabledPlugins: {}, statusLine: {}, apiKeyHelper: "x" })).toEqual([
    expect.stringMatching(/^enabledPlugins \(.*--plugin-dir/),
    expect.stringMatching(/^apiKeyHelper \(.*environment/),
  ]);
});

function loaded(files: Record<string, object>): LoadedSettings {
  const project = tempProject(
    Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)])),
  );
  try {
    return loadSettings({
      cwd: project.root,
      configDir: project.path("config"),
      managedDir: project.path("managed"),
    });
  } finally {
    project.remove();
  }
}

const hooks = (command: string) => ({ Stop: [{ hooks: [{ type: "command", command }] }] });

test.each<[string, Record<string, object>, boolean, string[]]>([
  [
    "the folder's own and the person's",
    {
      ".claude/settings.json": { disableAllHooks: true, hooks: hooks("a") },
      "config/settings.json": { hooks: hooks("b") },
    },
    true,
    [],
  ],
  [
    "nothing before the folder is trusted",
    {
      ".claude/settings.json": { disableAllHooks: true },
      "config/settings.json": { hooks: hooks("b") },
    },
    false,
    ["b"],
  ],
  [
    "not the administrator's",
    {
      "config/settings.json": { disableAllHooks: true, hooks: hooks("b") },
      "managed/managed-settings.json": { hooks: hooks("m") },
    },
    true,
    ["m"],
  ],
  [
    "everything where the administrator says so",
    {
      "config/settings.json": { hooks: hooks("b") },
      "managed/managed-settings.json": { disableAllHooks: true, hooks: hooks("m") },
    },
    true,
    [],
  ],
])("disableAllHooks switches off %s", (_what, files, trusted, left) => {
  const { settings } = effectiveSettings(loaded(files), trusted);
  expect(
    [...JSON.stringify(settings.hooks).matchAll(/"command":"(\w)"/g)].map(([, command]) => command),
  ).toEqual(left);
});

test("disabledMcpjsonServers takes a folder's servers away, whoever says so", () => {
  const files = {
    ".mcp.json": { mcpServers: { one: { command: "x" }, two: { command: "y" } } },
    ".claude/settings.local.json": { disabledMcpjsonServers: ["two"] },
  };
  expect(Object.keys(effectiveSettings(loaded(files), true).settings.mcpServers)).toEqual(["one"]);
  expect(effectiveSettings(loaded(files), false).withheld.join()).not.toContain("two");
});

test("what is withheld is told in brief with one line a file, and in full to who decides", () => {
  const servers = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`s${at}`, { command: "run", args: [String(at)] }]),
  );
  const allow = Array.from({ length: 50 }, (_, at) => `Bash(do ${at}\nmore)`);
  const { withheld, inBrief } = effectiveSettings(
    loaded({
      ".mcp.json": { mcpServers: servers },
      ".claude/settings.json": {
        permissions: { allow },
        hooks: { ...hooks("long ".repeat(500)), SessionEnd: hooks("x").Stop },
      },
    }),
    false,
  );
  expect(withheld.join("\n")).toMatch(/Bash\(do 49[\s\S]*long long[\s\S]*MCP server s19/);
  expect(inBrief).toEqual([
    expect.stringMatching(
      /settings\.json: allow Bash\(do 0 more\), .* and 44 more; hooks of Stop, SessionEnd$/,
    ),
    expect.stringMatching(/\.mcp\.json: MCP servers s0, .*s5 and 14 more$/),
  ]);
});
