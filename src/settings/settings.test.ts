import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { effectiveSettings } from "./effective-settings.ts";
import { loadSettings } from "./load-settings.ts";

let base: string;
const at = (...parts: string[]): string => join(base, ...parts);
const put = (path: string, content: unknown): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), typeof content === "string" ? content : JSON.stringify(content));
};
const load = (options: Partial<Parameters<typeof loadSettings>[0]> = {}) =>
  loadSettings({
    cwd: at("repo"),
    configDir: at("home/.claude"),
    managedDir: at("managed"),
    ...options,
  });
const settings = (trusted = true, options: Parameters<typeof load>[0] = {}) =>
  effectiveSettings(load(options), trusted).settings;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-settings-")));
  mkdirSync(at("repo/.git"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("without any file everything has its default and nothing is said", () => {
  const loaded = load();
  expect(loaded.problems).toEqual([]);
  expect(effectiveSettings(loaded, false)).toEqual({
    withheld: [],
    inBrief: [],
    settings: {
      permissions: {
        allow: [],
        ask: [],
        deny: [],
        additionalDirectories: [],
        disableBypassPermissionsMode: false,
      },
      hooks: {},
      env: {},
      ownEnv: {},
      cleanupPeriodDays: 30,
      pluginDirs: [],
      mcpServers: {},
      profiles: [],
      other: {},
      retinue: {
        limits: { maxConcurrent: 10, idleTimeoutMs: 120_000 },
        aliases: {},
        providers: {},
        sandbox: { enabled: false, allowHosts: [], denyRead: [] },
        contract: "report",
        transcripts: { fsync: "end" },
        executor: "local",
        permissions: { readOnlyCommands: true },
        background: { ask: "upfront", mcp: false, default: false, waitMs: 86_400_000 },
        subagentModel: "default",
        flows: { secondLooks: 3 },
        verify: { runners: [] },
      },
    },
  });
});

test("a higher file overrides single values; permission lists and hooks add up", () => {
  const hook = (command: string) => ({
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }],
  });
  put("managed/managed-settings.json", {
    permissions: { deny: ["Bash(rm:*)"] },
    hooks: hook("managed"),
  });
  put("repo/.claude/settings.local.json", { model: "local", permissions: { allow: ["Read"] } });
  put("repo/.claude/settings.json", {
    model: "project",
    agent: "reviewer",
    permissions: { allow: ["Grep"], ask: ["Bash"] },
    hooks: hook("project"),
    retinue: { limits: { maxTurns: 9 }, aliases: { fast: "a" } },
  });
  put("home/.claude/settings.json", {
    model: "user",
    cleanupPeriodDays: 5,
    permissions: { allow: ["Glob", "Read"] },
    retinue: { limits: { maxTurns: 3, maxUsd: 2 }, aliases: { fast: "b", slow: "c" } },
    theme: "dark",
  });
  const result = settings(true, { cliSettings: '{"permissions": {"defaultMode": "plan"}}' });
  expect(result).toMatchObject({
    model: "local",
    agent: "reviewer",
    cleanupPeriodDays: 5,
    other: { theme: "dark" },
  });
  expect(result.permissions).toEqual({
    allow: ["Read", "Grep", "Glob"],
    ask: ["Bash"],
    deny: ["Bash(rm:*)"],
    additionalDirectories: [],
    defaultMode: "plan",
    disableBypassPermissionsMode: false,
  });
  expect(result.hooks["PreToolUse"]).toHaveLength(2);
  expect(result.retinue.limits).toMatchObject({ maxTurns: 9, maxUsd: 2 });
  expect(result.retinue.aliases).toEqual({ fast: "a", slow: "c" });
});

test("settings of folders between the working directory and the root count, the nearest first", () => {
  put("repo/.claude/settings.json", { model: "root", permissions: { deny: ["Write"] } });
  put("repo/packages/a/.claude/settings.json", { model: "near" });
  put(".claude/settings.json", { model: "outside" });
  expect(settings(true, { cwd: at("repo/packages/a") })).toMatchObject({
    model: "near",
    permissions: { deny: ["Write"] },
  });
});

test("folders of plugins are meant from the project or from the user's folder", () => {
  put("repo/.claude/settings.json", { pluginDirs: ["./tools/plugin", "/abs"] });
  put("home/.claude/settings.json", { pluginDirs: ["plugins/mine"] });
  expect(settings().pluginDirs).toEqual([
    at("repo/tools/plugin"),
    "/abs",
    at("home/.claude/plugins/mine"),
  ]);
  expect(settings(false).pluginDirs).toEqual([at("home/.claude/plugins/mine")]);
});

describe("problems", () => {
  test.each<[string, RegExp, number]>([
    ['{\n  "model": "x",\n}', /line 3, column 1/, 3],
    ["[1]", /one JSON object/, 1],
    ['{\n "retinue": {\n  "limts": {}\n }\n}', /did you mean `limits`/, 3],
    ['{"retinue": {"limits": {"maxTurn": 4}}}', /did you mean `maxTurns`/, 1],
    ['{"retinue": {"limits": {"maxTurns": 0}}}', /retinue\.limits\.maxTurns/, 1],
    [
      '{"retinue": {"providers": {"x": {"protocol": "openai", "baseUrl": "https://x.test", "apiKey": "sk-1"}}}}',
      /did you mean `apiKeyEnv`/,
      1,
    ],
    [
      '{"retinue": {"providers": {"x": {"protocol": "soap", "baseUrl": "https://x.test"}}}}',
      /protocol/,
      1,
    ],
    [
      '{"retinue": {"providers": {"x": {"protocol": "openai", "baseUrl": "file:///etc"}}}}',
      /baseUrl/,
      1,
    ],
    ['{"retinue": {"contract": "raport"}}', /contract/, 1],
    ['{"retinue": []}', /must be an object/, 1],
    ['{"permissions": {"denny": ["Bash"]}}', /did you mean `deny`/, 1],
    ['{"permissions": {"deny": "Bash"}}', /list of texts/, 1],
    ['{"permissions": {"defaultMode": "yolo"}}', /defaultMode/, 1],
    ['{"env": {"A B": "x"}}', /env/, 1],
    ['{"hooks": []}', /hooks/, 1],
    ['{"cleanupPeriodDays": "soon"}', /cleanupPeriodDays/, 1],
  ])("%s", (text, message, line) => {
    put("repo/.claude/settings.json", text);
    put("home/.claude/settings.json", { model: "kept" });
    const loaded = load();
    expect(loaded.problems).toMatchObject([
      {
        path: at("repo/.claude/settings.json"),
        line,
        severity: "error",
        message: expect.stringMatching(message) as string,
      },
    ]);
    expect(effectiveSettings(loaded, true).settings.model).toBe("kept");
  });

  test("a denial that is a single text still denies", () => {
    put("repo/.claude/settings.json", { permissions: { deny: "Bash" } });
    expect(settings(false).permissions.deny).toEqual(["Bash"]);
  });

  test("the part that fits still counts", () => {
    put("home/.claude/settings.json", { retinue: { limts: {}, aliases: { a: "b" } } });
    expect(settings().retinue.aliases).toEqual({ a: "b" });
  });

  test("--settings names a file that is not there", () => {
    expect(load({ cliSettings: "nowhere.json" }).problems).toMatchObject([
      { code: "missing-file" },
    ]);
  });

  test("a settings file that is a folder or binary is reported", () => {
    mkdirSync(at("repo/.claude/settings.json"), { recursive: true });
    put("home/.claude/settings.json", "\0\0");
    expect(load().problems.map((problem) => problem.code)).toEqual([
      "unreadable-file",
      "unreadable-file",
    ]);
  });
});

test("servers without the outer key are read with a warning, and a file that holds none is reported", () => {
  put("repo/.mcp.json", { a: { command: "a" }, b: { serverUrl: "https://b.test" } });
  const loaded = load();
  expect(loaded.mcp.map(({ servers }) => Object.keys(servers))).toEqual([["a"]]);
  expect(loaded.problems).toMatchObject([
    { severity: "warning", code: "invalid-server" },
    {
      severity: "error",
      message: expect.stringContaining('"b" needs') as string,
      suggestion: '"url": "https://b.test"',
    },
  ]);
  put("repo/.mcp.json", { servers: {} });
  expect(load().problems).toMatchObject([
    { severity: "error", message: "there is no `mcpServers`, so no server is read" },
  ]);
  put("repo/.mcp.json", {});
  expect(load().problems).toEqual([]);
});

test("a mode that does not exist is named with the nearest, and Claude Code's `auto` becomes the one that asks", () => {
  put(
    "repo/.claude/settings.json",
    '{\n  "permissions": {\n    "defaultMode": "acceptEdit"\n  }\n}',
  );
  expect(load().problems).toMatchObject([
    {
      line: 3,
      severity: "error",
      message: expect.stringContaining('is "acceptEdit"') as string,
      suggestion: '"defaultMode": "acceptEdits"',
    },
  ]);
  put("repo/.claude/settings.json", { permissions: { defaultMode: "auto" } });
  expect(load().problems).toMatchObject([{ severity: "warning" }]);
  expect(settings().permissions.defaultMode).toBeUndefined();
});

test("MCP servers come from the project, the user and --mcp-config", () => {
  put("repo/.mcp.json", { mcpServers: { a: { command: "a" }, b: { command: "b" }, broken: {} } });
  const loaded = load({ mcpConfigs: ['{"mcpServers": {"a": {"url": "https://a.test"}}}'] });
  expect(effectiveSettings(loaded, true).settings.mcpServers).toEqual({
    a: { url: "https://a.test" },
    b: { command: "b" },
  });
  expect(loaded.problems).toMatchObject([
    { code: "invalid-server", message: expect.stringContaining("broken") as string },
  ]);
  expect(effectiveSettings(loaded, false).settings.mcpServers).toEqual({
    a: { url: "https://a.test" },
  });
});

describe("modes of a folder that nobody trusted only narrow", () => {
  test.each<[string, string | undefined, string | undefined]>([
    ["bypassPermissions", undefined, undefined],
    ["acceptEdits", undefined, undefined],
    ["plan", undefined, "plan"],
    ["dontAsk", undefined, "dontAsk"],
    ["dontAsk", "plan", "plan"],
    ["default", "plan", "plan"],
    ["plan", "acceptEdits", "plan"],
  ])("%s over the user's %s gives %s", (project, user, expected) => {
    put("repo/.claude/settings.json", { permissions: { defaultMode: project } });
    if (user) put("home/.claude/settings.json", { permissions: { defaultMode: user } });
    expect(settings(false).permissions.defaultMode).toBe(expected);
    expect(settings(true).permissions.defaultMode).toBe(project);
  });
});

test("variables that would become code come from the user's own settings only", () => {
  const env = {
    PATH: "/evil",
    LD_PRELOAD: "x.so",
    NODE_OPTIONS: "--require x",
    GIT_SSH_COMMAND: "x",
    BASH_ENV: "x",
    npm_config_registry: "x",
    SAFE: "1",
  };
  put("repo/.claude/settings.json", { env });
  expect(settings(true).env).toEqual({ SAFE: "1" });
  expect(effectiveSettings(load(), true).withheld.join()).toMatch(/LD_PRELOAD/);
  expect(settings(false).env).toEqual({});
  put("home/.claude/settings.json", { env: { PATH: "/mine" } });
  expect(settings(true).env).toEqual({ PATH: "/mine", SAFE: "1" });
});

test("bypassPermissions that is switched off anywhere is off", () => {
  put("managed/managed-settings.json", {
    permissions: { disableBypassPermissionsMode: "disable" },
  });
  put("home/.claude/settings.json", { permissions: { defaultMode: "bypassPermissions" } });
  expect(settings().permissions).toMatchObject({
    disableBypassPermissionsMode: true,
    defaultMode: "default",
  });
});

describe("profiles", () => {
  test("frontmatter, the first yaml fence and yaml files are read; prose is documentation", () => {
    put(
      "repo/.claude/sub-agents/profiles/a.md",
      "---\nname: a\ntools: [Read]\ndeny: ['Read(./secret/**)']\n---\n# A",
    );
    put(
      "repo/.claude/sub-agents/profiles/b.md",
      "# B\n\n```yaml\nname: b\ndescription: all of it\ntools:\n  - All tools\n  - Task\nuse_cases:\n  - x\n```\n```yaml\nname: no\n```\n",
    );
    put(
      "repo/.claude/sub-agents/profiles/c.yaml",
      "name: c\nextends: a\nrules: {deny: [Bash], allow: Read}\n",
    );
    put("repo/.claude/sub-agents/profiles/README.md", "# About\n");
    put("home/.claude/sub-agents/profiles/a.yaml", "name: a\ntools: [Bash]\n");
    const { profiles, problems } = load();
    expect(problems).toEqual([]);
    expect(profiles).toMatchObject([
      { name: "a", tools: ["Read"], deny: ["Read(./secret/**)"], source: "project" },
      { name: "b", description: "all of it", tools: ["*", "Task"], use_cases: ["x"] },
      { name: "c", extends: "a", tools: [], rules: { deny: ["Bash"], allow: ["Read"] } },
    ]);
    expect(settings(false).profiles).toEqual([]);
    expect(settings(true).profiles).toHaveLength(3);
  });

  test.each([
    ["name: a\n", /`tools`, or `extends`/],
    ["name: ../a\ntools: [Read]\n", /lowercase/],
    ["name: a\ntols: [Read]\ntools: [Read]\n", /did you mean `tools`/],
    ["name: a\ntools: [Read]\ntools: [Bash]\n", /twice/],
    ["name: a\ntools: &x [Read]\ndeny: *x\n", /aliases/],
    ["name: a\ntools: {}\n", /list of texts/],
  ])("%j is a problem", (text, message) => {
    put("repo/.claude/sub-agents/profiles/a.yaml", text);
    const { profiles, problems } = load();
    expect(profiles).toEqual([]);
    expect(problems).toContainEqual(
      expect.objectContaining({
        severity: "error",
        message: expect.stringMatching(message) as string,
      }),
    );
  });
});
