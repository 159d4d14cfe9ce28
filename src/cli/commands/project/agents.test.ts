import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";
import * as agents from "./agents.ts";
import * as trust from "./trust.ts";

let base: string;
const at = (...parts: string[]): string => join(base, ...parts);
const put = (path: string, content: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};
const agent = (name: string, ...lines: string[]): string =>
  ["---", `name: ${name}`, "description: helps", ...lines, "---", "Prompt."].join("\n");

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-agents-")));
  mkdirSync(at("ws/.git"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

let width: number | undefined;
beforeEach(() => void (width = undefined));

async function run(
  module: CommandModule,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stdin: Readable.from([]) as unknown as Io["stdin"],
    cwd: at("ws"),
    env: { HOME: at("home") },
    interactive: false,
    paint: (_style, text) => text,
    paintErr: (_style, text) => text,
    width: () => width,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  return {
    code: await runCommand(args, io, { module, all: [] }),
    out: out.join("\n"),
    err: err.join("\n"),
  };
}

describe("agents list and show", () => {
  test("list --json has the published shape, active and overridden ones alike", async () => {
    put("ws/.claude/agents/x.md", agent("x", "tools: Read", "model: opus"));
    put("home/.claude/agents/x.md", agent("x"));
    const { code, out } = await run(agents, "list", "--json");
    const rows = (JSON.parse(out) as Record<string, unknown>[]).filter(
      (row) => row["name"] === "x",
    );
    expect(code).toBe(0);
    expect(rows).toEqual([
      {
        name: "x",
        description: "helps",
        model: "opus",
        source: "project",
        priority: 499,
        tools: ["Read"],
        isActive: true,
        overrides: [{ source: "user", filePath: at("home/.claude/agents/x.md") }],
        filePath: at("ws/.claude/agents/x.md"),
      },
      {
        name: "x",
        description: "helps",
        model: null,
        source: "user",
        priority: 300,
        tools: null,
        isActive: false,
        overrides: [],
        filePath: at("home/.claude/agents/x.md"),
      },
    ]);
  });

  test("list names the built-in that a file overrides and points at problems", async () => {
    put("ws/.claude/agents/g.md", agent("general-purpose", "tools: Bash"));
    put("ws/.claude/agents/bad.md", "---\nname: bad\n---\n");
    const { out, err } = await run(agents, "list");
    expect(out).toMatch(/general-purpose\s+project.*overrides built-in/);
    expect(err).toMatch(/1 error, 0 warnings/);
  });

  test("list puts an agent on several lines where the terminal is narrow, cuts its description where it is not, and cuts nothing elsewhere", async () => {
    const long = `Reviews ${"what was changed ".repeat(12)}to the end`;
    put("ws/.claude/agents/reviewer.md", agent("reviewer", "model: opus").replace("helps", long));
    const listed = async (): Promise<string> => (await run(agents, "list")).out;
    expect(await listed()).toMatch(new RegExp(`^reviewer +project +opus +${long}$`, "m"));
    width = 100;
    expect(await listed()).toMatch(/^reviewer +project +opus +Reviews what was .*…$/m);
    width = 40;
    expect(await listed()).toMatch(
      /^reviewer {2}project {2}opus\n {2}Reviews what was changed what was cha…$/m,
    );
    for (const line of (await listed()).split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("show also says what is wrong with the file", async () => {
    put("ws/.claude/agents/x.md", agent("x", "tools: Read, Raed", "model: sonet"));
    put("ws/.claude/agents/y.md", agent("y", "tools: Raed"));
    const { code, out, err } = await run(agents, "show", "x");
    expect([code, err.split("\n")]).toEqual([
      0,
      [
        expect.stringMatching(/^warning line 4: .*"Raed": did you mean Read\?/),
        expect.stringMatching(/^warning line 5: .*sonet/),
      ],
    ]);
    expect(out).toMatch(/Prompt\.$/);
    expect((await run(agents, "show", "x", "--json")).err).toBe("");
  });

  test("show says which file wins over which and why, and what has no effect without trust", async () => {
    put("ws/.claude/agents/x.md", agent("x", "permissionMode: bypassPermissions"));
    put("home/.claude/agents/x.md", agent("x"));
    const { out, code } = await run(agents, "show", "x");
    expect(code).toBe(0);
    expect(out).toMatch(/source\s+project \.claude\/agents\/x\.md/);
    expect(out).toMatch(/wins over\s+user .*project definitions come before user ones/);
    expect(out).toMatch(/without effect\s+permissionMode: bypassPermissions/);
    expect(out).toMatch(/Prompt\.$/);
  });

  test.each([
    ["--agents that is no JSON", ["list", "--agents", "{oops"], /error --agents is not JSON/],
    [
      "a folder that is not there",
      ["list", "--cwd", "absent"],
      /--cwd: there is no folder \/.*\/absent/,
    ],
    [
      "a folder that is not there, for a new agent",
      ["new", "x", "--cwd", "absent"],
      /--cwd: there is no folder/,
    ],
    [
      "an argument too many",
      ["list", "x"],
      /error too many arguments[\s\S]*`retinue agents list --help`/,
    ],
    ["a word that is no command", ["lst"], /Did you mean list[\s\S]*`retinue agents --help`/],
  ])("%s is told in a sentence, with 2", async (_, args, expected) => {
    const { code, out, err } = await run(agents, ...args);
    expect(err).toMatch(expected);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(existsSync(at("ws/absent"))).toBe(false);
  });

  test("an unknown name is a sentence with a suggestion and exit 2", async () => {
    const { code, err } = await run(agents, "show", "Explor");
    expect(code).toBe(2);
    expect(err).toMatch(/no agent "Explor"; did you mean "Explore"/);
  });

  test("control characters of a definition never reach the terminal", async () => {
    put(
      "ws/.claude/agents/x.md",
      '---\nname: x\ndescription: "ok\\u001b]0;pwn\\u0007"\ncolor: "\\u001b[31m"\n---\nbody \u001b[2J',
    );
    for (const args of [["list"], ["show", "x"]])
      expect((await run(agents, ...args)).out).not.toMatch(
        /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/,
      );
  });
});

describe("agents validate", () => {
  test("a misspelt model and a skill that nobody has are warnings with their line and the nearest right name", async () => {
    put("ws/.claude/skills/pdf-reader/SKILL.md", "---\nname: pdf\ndescription: d\n---\nx");
    put("ws/.claude/agents/a.md", agent("a", "model: sonet", "skills: [pdf, pdf-reader, pfd]"));
    put("ws/.claude/agents/b.md", agent("b", "model: yellow", "skills: nothing-like-it"));
    put("ws/.claude/agents/c.md", agent("c", "model: ollama:llama3", "skills: pdf"));
    put("ws/.claude/agents/d.md", agent("d", "model: quick"));
    put("home/.claude/settings.json", '{"retinue": {"aliases": {"quick": "haiku"}}}');
    for (const paths of [[], [".claude/agents"]]) {
      const { code, out } = await run(agents, "validate", ...paths);
      expect(code).toBe(0);
      expect(out).toMatch(
        /a\.md:4: warning unknown model "sonet"\. Did you mean "sonnet"\?.*\[unknown-model\]\n\s+try: model: sonnet/,
      );
      expect(out).toMatch(
        /a\.md:5: warning there is no skill "pfd"; did you mean "pdf"\? \[unknown-skill\]\n\s+try: pdf/,
      );
      expect(out).toMatch(
        /b\.md:4: warning unknown model "yellow".*\n.*b\.md:5: warning there is no skill "nothing-like-it" \[unknown-skill\]/,
      );
      expect(out).toContain("0 errors, 4 warnings");
    }
  });

  test("files that are no agents are listed, so that one that was meant as one is not missed", async () => {
    put("ws/.claude/agents/a.md", agent("a"));
    put("ws/.claude/agents/planner.md", "You are the planner.");
    expect((await run(agents, "validate")).out).toBe(
      "no agent, because no frontmatter names one: .claude/agents/planner.md\n2 files checked, 1 loaded, 0 errors, 0 warnings",
    );
    expect((await run(agents, "validate", ".claude/agents")).out).toContain(
      "no frontmatter names one: .claude/agents/planner.md\n",
    );
  });

  test("a file below a plugin's folder is read as the plugin's", async () => {
    put("kit/.claude-plugin/plugin.json", '{"name": "kit"}');
    put("kit/skills/lint/SKILL.md", "---\ndescription: d\n---\nx");
    put("kit/agents/tester.md", "---\ndescription: tests\nskills: lint\n---\nx");
    expect((await run(agents, "validate", at("kit/agents"))).out).toBe(
      "1 file checked, 1 loaded, 0 errors, 0 warnings",
    );
  });

  test("prints line, reason and suggestion, and exits 1 on errors", async () => {
    put("ws/.claude/agents/x.md", agent("x", "permissionMode: pln"));
    const { code, out } = await run(agents, "validate");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^\.claude\/agents\/x\.md:4: error `permissionMode: pln` is not one of .*\[invalid-permissionMode\]\n\s+try: permissionMode: plan/,
    );
    expect(out).toMatch(/1 file checked, 0 loaded, 1 error, 0 warnings$/);
  });

  test("takes files and folders; --json has the published shape; warnings alone exit 0", async () => {
    put("ws/some/a.md", agent("a", "tools: Read, Raed"));
    put("ws/some/deep/b.md", agent("b"));
    put("ws/some/README.md", "# docs");
    const { code, out } = await run(agents, "validate", "some", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      checked: 3,
      loaded: 2,
      problems: [
        {
          path: at("ws/some/a.md"),
          line: 4,
          severity: "warning",
          code: "unknown-tool",
          message: 'there is no tool named "Raed": did you mean Read?',
          suggestion: "Read",
        },
      ],
    });
  });

  test("a path that does not exist is wrong usage", async () =>
    expect((await run(agents, "validate", "nowhere")).code).toBe(2));

  test("--fix writes strict YAML, keeps the body byte for byte and the mode, and leaves good files alone", async () => {
    const body = "\r\nBody with  trailing \t\r\n---\r\n\u00e9 and no newline at the end";
    put(
      "ws/a.md",
      `---\r\nname: a\r\ndescription: Use it: always.\\nuser: hi: there\r\ntools: read, MultiEdit\r\nmodel: Opus\r\ncolor: #fff\r\ncustom: kept\r\n---\r\n${body}`,
    );
    put("ws/good.md", agent("good"));
    const { code, err } = await run(agents, "validate", "--fix", "a.md", "good.md");
    expect(code).toBe(0);
    expect(err).toMatch(/^fixed a\.md: /);
    const text = readFileSync(at("ws/a.md"), "utf8");
    expect(text.endsWith(body)).toBe(true);
    expect(text).toMatch(
      /tools: Read, Edit\r\nmodel: opus\r\ncolor: "#fff"\r\ncustom: kept\r\n---\r\n/,
    );
    expect(statSync(at("ws/a.md")).mode & 0o777).toBe(0o644);
    expect(readFileSync(at("ws/good.md"), "utf8")).toBe(agent("good"));
    expect((await run(agents, "validate", "a.md")).out).toMatch(
      /1 file checked, 1 loaded, 0 errors, 0 warnings/,
    );
    expect((await run(agents, "validate", "--fix", "a.md")).err).toBe("");
  });

  test("--fix takes away a repeated key and rights a word, and the agent says the same as before", async () => {
    put("ws/a.md", agent("a", "memory: User", "color: blue", "color: red", "permissionMode: auto"));
    expect((await run(agents, "validate", "--fix", "a.md")).code).toBe(0);
    expect(readFileSync(at("ws/a.md"), "utf8")).toBe(
      agent("a", "memory: user", "color: blue", "permissionMode: default"),
    );
  });

  test("--fix leaves a file alone that is not UTF-8, and one that it cannot read", async () => {
    const bytes = Buffer.concat([
      Buffer.from("---\nname: a\ndescription: x: y\n---\n"),
      Buffer.from([0xff, 0xfe, 0x41]),
    ]);
    mkdirSync(at("ws"), { recursive: true });
    writeFileSync(at("ws/a.md"), bytes);
    put("ws/b.md", "---\nname: b\ndescription: d\ntools: {}\n---\n");
    await run(agents, "validate", "--fix", "a.md", "b.md");
    expect(readFileSync(at("ws/a.md")).equals(bytes)).toBe(true);
    expect(readFileSync(at("ws/b.md"), "utf8")).toContain("tools: {}");
  });
});

describe("agents new", () => {
  test("writes a definition that loads without a word, and never over an existing one", async () => {
    const { code, out } = await run(
      agents,
      "new",
      "db-expert",
      "--description",
      "Use it: for databases",
      "--tools",
      "Read, Grep",
    );
    expect([code, out]).toEqual([0, at("ws/.claude/agents/db-expert.md")]);
    expect((await run(agents, "validate")).out).toMatch(
      /1 file checked, 1 loaded, 0 errors, 0 warnings/,
    );
    expect(await run(agents, "new", "db-expert")).toMatchObject({
      code: 2,
      err: expect.stringContaining("exists already") as string,
    });
  });

  test.each(["../x", "CON", "a b", "-x"])("refuses the name %s", async (name) => {
    expect((await run(agents, "new", "--", name)).code).toBe(2);
    expect(existsSync(at("ws/.claude/agents"))).toBe(false);
  });
});

describe("trust", () => {
  const settings = JSON.stringify({
    permissions: { allow: ["Bash"] },
    hooks: { Stop: [{ hooks: [{ type: "command", command: "touch x" }] }] },
  });

  test("shows what would take effect, refuses to decide alone, and remembers a yes", async () => {
    put("ws/.claude/settings.json", settings);
    put("ws/.claude/agents/x.md", agent("x", "permissionMode: acceptEdits"));
    const first = await run(trust);
    expect(first.code).toBe(2);
    expect(first.err).toMatch(
      /is not trusted[\s\S]*Would take effect:[\s\S]*allow Bash; hooks of Stop: touch x[\s\S]*agent x: permissionMode: acceptEdits[\s\S]*--yes/,
    );
    expect(await run(trust, "--yes")).toMatchObject({ code: 0, out: `trusted ${at("ws")}` });
    expect((await run(trust, "--check")).code).toBe(0);
    put("ws/.claude/settings.json", settings.replace("touch x", "touch y"));
    const changed = await run(trust, "--check");
    expect(changed.code).toBe(1);
    expect(changed.err).toMatch(
      /has changed since it was trusted\n\s+changed\s+\.claude\/settings\.json/,
    );
  });

  test("a folder that does not exist is wrong usage, not trusted", async () =>
    expect((await run(trust, "nowhere", "--yes")).code).toBe(2));

  test("--json says the state and trusts only with --yes", async () => {
    put("ws/.claude/settings.json", settings);
    const { code, out } = await run(trust, "--check", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      root: at("ws"),
      state: "untrusted",
      files: [at("ws/.claude/settings.json")],
      changes: [],
    });
    expect(await run(trust, "--json")).toMatchObject({ code: 1, out, err: "" });
    expect(JSON.parse((await run(trust, "--yes", "--json")).out)).toMatchObject({
      state: "trusted",
    });
  });

  test("what is shown cannot forge the display", async () => {
    put(
      "ws/.claude/settings.json",
      JSON.stringify({
        hooks: {
          Stop: [{ hooks: [{ type: "command", command: "evil\u001b[2K\rharmless\nis trusted" }] }],
        },
      }),
    );
    const { err } = await run(trust, "--check");
    expect(err).not.toMatch(/\u001b|\r/);
    expect(err).toContain(String.raw`\nis trusted`);
  });
});
