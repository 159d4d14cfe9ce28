import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadDefinitions } from "./load-definitions.ts";
import { watchDefinitions } from "./watch-definitions.ts";

let base: string;
const at = (...parts: string[]): string => join(base, ...parts);
const put = (path: string, text: string): string => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
};
const agent = (name: string, description = "d"): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nPrompt of ${description}.`;
const load = (options: Partial<Parameters<typeof loadDefinitions>[0]> = {}) =>
  loadDefinitions({
    cwd: at("repo"),
    configDir: at("home/.claude"),
    managedDir: at("managed"),
    ...options,
  });

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-definitions-")));
  mkdirSync(at("repo/.git"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("each source overrides the ones below it, and each entry says by whom and why", () => {
  put("managed/.claude/agents/x.md", agent("x", "managed"));
  put("repo/.claude/agents/x.md", agent("x", "project"));
  put("home/.claude/agents/x.md", agent("x", "user"));
  put("plugins/tools/agents/x.md", agent("x", "plugin"));
  const { all, definitions, problems } = load({
    cliAgents: '{"x": {"description": "cli", "prompt": "p"}}',
    pluginDirs: [at("plugins/tools")],
  });
  expect(problems).toEqual([]);
  const mine = all.filter((entry) => entry.definition.name === "x");
  expect(mine.map((entry) => entry.definition.source)).toEqual([
    "managed",
    "cli",
    "project",
    "user",
  ]);
  expect(mine.map((entry) => entry.isActive)).toEqual([true, false, false, false]);
  expect(mine[0]?.overrides.map((place) => place.source)).toEqual(["cli", "project", "user"]);
  expect(mine[3]?.overriddenBy).toEqual({
    source: "managed",
    filePath: at("managed/.claude/agents/x.md"),
    reason: "managed definitions come before user ones",
  });
  expect(definitions.get("x")?.description).toBe("managed");
  expect(definitions.get("tools:x")).toMatchObject({ source: "plugin", description: "plugin" });
});

test("a plugin's manifest may name files and folders of agents; each is read once, and nothing outside the plugin", () => {
  put(
    "kit/.claude-plugin/plugin.json",
    JSON.stringify(
      { name: "kit", agents: ["./agents/a.md", "./b.md", "./more", "../c.md", "./gone.md"] },
      undefined,
      2,
    ),
  );
  for (const path of ["kit/agents/a.md", "kit/b.md", "kit/more/d.md", "c.md"])
    put(path, agent(path.slice(-4, -3)));
  const { definitions, problems } = load({ pluginDirs: [at("kit")] });
  expect([...definitions.keys()].filter((name) => name.startsWith("kit:"))).toEqual([
    "kit:a",
    "kit:b",
    "kit:d",
  ]);
  expect(problems).toMatchObject([
    {
      path: at("kit/.claude-plugin/plugin.json"),
      line: 3,
      code: "plugin-manifest",
      message: expect.stringContaining('"../c.md" is no path inside') as string,
    },
    { line: 3, message: expect.stringContaining('there is no "./gone.md"') as string },
  ]);
});

test("what a plugin brings besides agents, skills and commands is named, because it has no effect here", () => {
  put("kit/hooks/hooks.json", "{}");
  put("kit/commands/go.md", "Go.");
  put(
    "kit/.claude-plugin/plugin.json",
    JSON.stringify({ name: "kit", mcpServers: {} }, undefined, 2),
  );
  expect(load({ pluginDirs: [at("kit")] }).problems).toMatchObject([
    {
      path: at("kit/hooks/hooks.json"),
      severity: "warning",
      code: "plugin-hooks",
      message:
        "of a plugin only agents, skills and commands are used here: its hooks/hooks.json has no effect",
    },
    {
      path: at("kit/.claude-plugin/plugin.json"),
      line: 3,
      severity: "warning",
      code: "plugin-mcp",
      message: expect.stringContaining("its `mcpServers` has no effect") as string,
    },
  ]);
});

test("a marketplace, a folder of plugins and a folder of something else are no plugin, and those inside are named", () => {
  put(
    "market/.claude-plugin/marketplace.json",
    JSON.stringify({
      name: "market",
      metadata: { pluginRoot: "./kits" },
      plugins: [
        { name: "a", source: "./kits/a" },
        { name: "b", source: "b" },
        { name: "far", source: { source: "github", repo: "x/y" } },
        { name: "out", source: "../other" },
      ],
    }),
  );
  for (const path of [
    "market/kits/a/agents/a.md",
    "market/kits/b/agents/b.md",
    "other/agents/o.md",
    "empty/readme.txt",
  ])
    put(path, agent("x"));
  put("folder/kit/.claude-plugin/plugin.json", "{}");
  put(
    "remote/.claude-plugin/marketplace.json",
    JSON.stringify({ plugins: [{ name: "far", source: { source: "github", repo: "x/y" } }] }),
  );
  const told = (name: string): unknown => load({ pluginDirs: [at(name)] }).problems;
  expect(told("market")).toEqual([
    {
      path: at("market"),
      line: 1,
      severity: "error",
      code: "no-plugin",
      message: `this is a marketplace of plugins, no plugin; give one of those inside: ${at("market/kits/a")}, ${at("market/kits/b")}`,
    },
  ]);
  expect(told("folder")).toMatchObject([
    {
      message: `this is a folder of plugins, no plugin; give one of those inside: ${at("folder/kit")}`,
    },
  ]);
  expect(told("remote")).toMatchObject([
    { message: expect.stringContaining("none of its plugins lies in it") as string },
  ]);
  expect(told("empty")).toMatchObject([
    { message: expect.stringContaining("this is no plugin") as string },
  ]);
  expect(told("gone")).toMatchObject([{ message: "there is no such folder" }]);
  // A repository that is marketplace and plugin in one.
  put("market/agents/own.md", agent("own"));
  expect(load({ pluginDirs: [at("market")] }).definitions.has("market:own")).toBe(true);
  expect(told("market")).toEqual([]);
});

test("a manifest that cannot be read is reported, and the plugin is called after its folder", () => {
  put("kit/.claude-plugin/plugin.json", '{"name": "other",}');
  put("kit/agents/a.md", agent("a"));
  const { definitions, problems } = load({ pluginDirs: [at("kit")] });
  expect(definitions.has("kit:a")).toBe(true);
  expect(problems).toMatchObject([{ severity: "error", code: "plugin-manifest" }]);
});

test("of nested project folders the nearest wins, up to the repository's root and no further", () => {
  put(".claude/agents/outside.md", agent("outside"));
  put("repo/.claude/agents/x.md", agent("x", "root"));
  put("repo/.claude/agents/only-root.md", agent("only-root"));
  put("repo/packages/a/.claude/agents/deep/er/x.md", agent("x", "near"));
  const { definitions, all } = load({ cwd: at("repo/packages/a") });
  expect(definitions.get("x")?.description).toBe("near");
  expect(definitions.has("only-root")).toBe(true);
  expect(definitions.has("outside")).toBe(false);
  expect(
    all.find((entry) => entry.definition.description === "root")?.overriddenBy?.reason,
  ).toMatch(/nearer/);
});

test("any source overrides a built-in, and the built-ins are all there", () => {
  put("home/.claude/agents/explore.md", agent("Explore", "mine"));
  const { definitions, all } = load();
  expect(definitions.get("Explore")?.source).toBe("user");
  expect(all.find((entry) => entry.definition.source === "user")?.overrides).toEqual([
    { source: "built-in" },
  ]);
  for (const name of [
    "general-purpose",
    "Plan",
    "Bash",
    "statusline-setup",
    "claude-code-guide",
    "researcher",
    "writer",
    "validator",
    "parallel-executor",
    "analyzer",
    "quick-writer",
    "type-checker",
    "lint-checker",
    "test-runner",
    "security-scan",
    "code-architect",
  ]) {
    expect(definitions.get(name)?.prompt.length, name).toBeGreaterThan(400);
  }
});

test.each([
  ["general-purpose", { model: undefined, tools: undefined }],
  ["Explore", { model: "haiku", disallowedTools: ["Write", "Edit"], contract: "report" }],
  ["Plan", { model: undefined, disallowedTools: ["Write", "Edit"], contract: "report" }],
  ["Bash", { tools: ["Bash"] }],
  ["statusline-setup", { model: "sonnet" }],
  ["claude-code-guide", { model: "haiku" }],
  ["researcher", { model: "sonnet", contract: "handoff" }],
  ["writer", { model: "sonnet", contract: "handoff" }],
  ["validator", { model: "haiku", contract: "handoff" }],
  ["parallel-executor", { model: "haiku", contract: "handoff" }],
  ["security-scan", { model: "haiku", contract: "handoff" }],
])("the built-in %s has the model, tools and contract of its role", (name, expected) => {
  const definition = load().definitions.get(name) as unknown as Record<string, unknown>;
  for (const [key, value] of Object.entries(expected)) expect(definition[key], key).toEqual(value);
});

test("one bad file stops no other, and documentation is silent", () => {
  put("repo/.claude/agents/bad.md", "---\nname: bad\ntools: [\n---\nx");
  put("repo/.claude/agents/good.md", agent("good"));
  put("repo/.claude/agents/README.md", "# About these agents\n");
  put("repo/.claude/agents/notes.txt", "name: no");
  put("repo/.claude/agents/binary.md", "---\nname: b\0in\n---\n");
  const { definitions, problems } = load();
  expect(definitions.has("good")).toBe(true);
  expect(problems.map((problem) => problem.path)).toEqual(
    expect.arrayContaining([at("repo/.claude/agents/bad.md"), at("repo/.claude/agents/binary.md")]),
  );
  expect(problems.some((problem) => /README|notes/.test(problem.path))).toBe(false);
});

test("two files of one folder with the same name: the first is used, the second reported", () => {
  put("repo/.claude/agents/a.md", agent("x", "first"));
  put("repo/.claude/agents/b.md", agent("x", "second"));
  const { definitions, problems } = load();
  expect(definitions.get("x")?.description).toBe("first");
  expect(problems).toMatchObject([
    { path: at("repo/.claude/agents/b.md"), severity: "warning", code: "duplicate-name" },
  ]);
});

test("any bytes on the disk give definitions and problems: no file stops another, none is lost without a word", () => {
  const start = fc
    .constantFrom(
      "",
      "---\n",
      "---\nname: x\n",
      "---\nname: x\ndescription: d\n---\n",
      "\uFEFF---\r\nname: x\r\n",
    )
    .map((text) => Buffer.from(text));
  const bytes = fc
    .tuple(start, fc.uint8Array({ maxLength: 400 }))
    .map((parts) => Buffer.concat(parts));
  const files = fc.sample(bytes, { numRuns: 400, seed: 11 });
  for (const [index, content] of files.entries()) {
    put(`repo/.claude/agents/f${index}.md`, "");
    writeFileSync(at(`repo/.claude/agents/f${index}.md`), content);
  }
  put("repo/.claude/agents/zz-good.md", agent("good"));
  const { definitions, all, problems } = load();
  expect(definitions.get("good")).toMatchObject({ name: "good" });
  expect(problems.every(({ line, message }) => line >= 1 && message !== "")).toBe(true);
  // A name and a fence make an agent of it: it is loaded, or it is told why not.
  const told = new Set([
    ...all.map(({ definition }) => definition.filePath),
    ...problems.map(({ path }) => path),
  ]);
  const silent = files.flatMap((content, index) =>
    content.toString("latin1").startsWith("---\nname: x\ndescription: d\n---\n") &&
    !told.has(at(`repo/.claude/agents/f${index}.md`))
      ? [index]
      : [],
  );
  expect(silent).toEqual([]);
});

describe("hostile folders", () => {
  test("loops of links end, and links inside the project are followed once", () => {
    put("repo/.claude/agents/sub/x.md", agent("x"));
    symlinkSync(at("repo/.claude/agents"), at("repo/.claude/agents/sub/loop"));
    symlinkSync("self.md", at("repo/.claude/agents/self.md"));
    put("repo/shared/y.md", agent("y"));
    symlinkSync(at("repo/shared/y.md"), at("repo/.claude/agents/y.md"));
    const { definitions, all } = load();
    expect(definitions.has("y")).toBe(true);
    expect(all.filter((entry) => entry.definition.name === "x")).toHaveLength(1);
  });

  test("a link that leaves the project is not followed, as a file, a folder or the whole agents folder", () => {
    put("outside/x.md", agent("x"));
    mkdirSync(at("repo/.claude/agents"), { recursive: true });
    symlinkSync(at("outside/x.md"), at("repo/.claude/agents/x.md"));
    symlinkSync(at("outside"), at("repo/.claude/agents/folder"));
    const first = load();
    expect(first.definitions.has("x")).toBe(false);
    expect(first.problems.map((problem) => problem.code)).toEqual(["skipped-file", "skipped-file"]);
    rmSync(at("repo/.claude"), { recursive: true });
    mkdirSync(at("repo/.claude"));
    symlinkSync(at("outside"), at("repo/.claude/agents"));
    expect(load().definitions.has("x")).toBe(false);
    expect(load({ configDir: at("repo/.claude") }).definitions.has("x")).toBe(true);
  });

  test("a FIFO is not waited for", () => {
    mkdirSync(at("repo/.claude/agents"), { recursive: true });
    execFileSync("mkfifo", [at("repo/.claude/agents/x.md")]);
    put("repo/.claude/agents/y.md", agent("y"));
    const { definitions, problems } = load();
    expect(definitions.has("y")).toBe(true);
    expect(problems).toMatchObject([
      { code: "skipped-file", message: expect.stringContaining("regular file") as string },
    ]);
  });

  test("folders nested without end are cut off with a problem", () => {
    put(`repo/.claude/agents/${"d/".repeat(20)}x.md`, agent("x"));
    expect(load().definitions.has("x")).toBe(false);
    expect(load().problems.map((problem) => problem.code)).toEqual(["skipped-file"]);
  });

  test("a working directory inside node_modules brings no agents", () => {
    put("repo/node_modules/p/.claude/agents/x.md", agent("x"));
    expect(load().definitions.has("x")).toBe(false);
    expect(load({ cwd: at("repo/node_modules/p") }).definitions.has("x")).toBe(false);
  });
});

test("names of object prototypes are names like others", () => {
  const { definitions } = load({ cliAgents: { constructor: { description: "d", prompt: "p" } } });
  expect(definitions.get("constructor")?.source).toBe("cli");
  expect(definitions.get("toString")).toBeUndefined();
});

test.each([
  ["not json", /not JSON/],
  ["[1]", /object of definitions/],
  ['{"a": 1}', /"a" must be an object/],
  ['{"a": {"prompt": "p"}}', /description/],
])("--agents %s is a problem, not an exception", (cliAgents, message) => {
  expect(load({ cliAgents }).problems).toMatchObject([
    { path: "--agents", severity: "error", message: expect.stringMatching(message) as string },
  ]);
});

test("what the library registers ranks as --agents does", () => {
  put("repo/.claude/agents/x.md", agent("x", "file"));
  expect(
    load({ libraryAgents: { x: { description: "given", prompt: "p" } } }).definitions.get("x"),
  ).toMatchObject({ source: "library", description: "given" });
});

test("a UTF-16 file is read as well", () => {
  mkdirSync(at("repo/.claude/agents"), { recursive: true });
  writeFileSync(at("repo/.claude/agents/x.md"), Buffer.from(`\uFEFF${agent("x")}`, "utf16le"));
  expect(load().definitions.has("x")).toBe(true);
});

test("a change on disk is seen, also in a folder that did not exist, and a burst is one call", async () => {
  const calls: string[][] = [];
  const watcher = watchDefinitions(
    { cwd: at("repo"), configDir: at("home/.claude"), managedDir: at("managed") },
    ({ definitions }) =>
      calls.push(
        [...definitions.values()]
          .filter((one) => one.source !== "built-in")
          .map((one) => one.name)
          .sort(),
      ),
  );
  const until = async (expected: string[]): Promise<void> => {
    for (
      let tries = 0;
      tries < 200 && JSON.stringify(calls.at(-1)) !== JSON.stringify(expected);
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls.at(-1)).toEqual(expected);
  };
  try {
    await watcher.ready;
    for (const name of ["a", "b", "c"]) put(`repo/.claude/agents/${name}.md`, agent(name));
    await until(["a", "b", "c"]);
    expect(calls.length).toBeLessThan(3);
    rmSync(at("repo/.claude/agents/b.md"));
    await until(["a", "c"]);
  } finally {
    await watcher.close();
  }
});
