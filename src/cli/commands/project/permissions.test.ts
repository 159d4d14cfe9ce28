import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trustFolder } from "../../../settings/trust.ts";
import { runCommand } from "../../command.ts";
import type { Io } from "../../io.ts";
import * as module from "./permissions.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "retinue-permissions-")));
const [ws, home] = [join(root, "ws"), join(root, "home")];

beforeAll(() => {
  for (const folder of [join(ws, ".claude/agents"), join(ws, ".git"), home])
    mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(ws, ".claude/agents/scribe.md"),
    "---\nname: scribe\ndescription: writes notes\ntools: Read, Write\nprofile: writer\nmemory: project\n---\nYou write.\n",
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(
  args: string[],
  stdin = "",
): Promise<{ code: number; out: string[]; err: string[] }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stdin: Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]) as unknown as Io["stdin"],
    cwd: ws,
    env: { HOME: home },
    interactive: false,
    paint: (_style, text) => text,
    width: () => undefined,
    paintErr: (_style, text) => text,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  return { code: await runCommand(args, io, { module, all: [] }), out, err };
}

const answers = (out: string[]): Record<string, unknown>[] =>
  out.map((line) => JSON.parse(line) as Record<string, unknown>);

describe("check", () => {
  test("answers every case on a line of its own with id, decision, reason, rule and layer", async () => {
    const cases = [
      {
        id: "a",
        tool: "Bash",
        input: { command: "git push -f" },
        rules: { deny: ["Bash(git push:*)"] },
      },
      {
        id: "b",
        tool: "Bash",
        input: { command: "git log -1" },
        rules: { allow: ["Bash(git log:*)"] },
        mode: "dontAsk",
      },
      { id: "c", tool: "Write", input: { file_path: "x" } },
      { id: "d", tool: "Write", input: { file_path: "x" }, background: true },
      {
        id: "e",
        tool: "Bash",
        input: { command: "ls" },
        profile: "research",
        rules: { allow: ["Bash(*)"] },
      },
      { id: "f", tool: "Task", input: { subagent_type: "scribe" } },
      { id: "g", tool: "Task", input: { subagent_type: "constructor" } },
      { id: "h", tool: "Task", input: { subagent_type: "scribe" }, parent: { depth: 1 } },
      { id: "j", tool: "Bash", input: { command: "ls" }, agent: "scribe" },
      {
        id: "i",
        tool: "Write",
        input: { file_path: `${ws}/.claude/agent-memory/me/MEMORY.md` },
        profile: "read-only",
        agent: { name: "me", memory: "project" },
      },
    ];
    const { code, out } = await run(
      ["check"],
      cases.map((item) => JSON.stringify(item)).join("\n"),
    );
    expect(code).toBe(0);
    expect(answers(out).map(({ id, decision, layer }) => [id, decision, layer])).toEqual([
      ["a", "deny", "deny"],
      ["b", "allow", "allow"],
      ["c", "ask", "default"],
      ["d", "deny", "default"],
      ["e", "deny", "tools"],
      ["f", "allow", "mode"],
      ["g", "deny", "tools"],
      ["h", "deny", "tools"],
      ["j", "deny", "tools"],
      ["i", "allow", "mode"],
    ]);
    expect(answers(out)[0]).toEqual({
      id: "a",
      decision: "deny",
      reason: expect.stringMatching(/git push/),
      rule: "Bash(git push:*)",
      layer: "deny",
    });
  });

  test("reports a bad line by its number, goes on, and ends with 2", async () => {
    const lines = [
      "{",
      "[]",
      '{"id":1}',
      '{"id":2,"tool":"Read","input":7}',
      '{"id":3,"tool":"Read","mode":"acceptEdit"}',
      '{"id":4,"tool":"Read","profile":"nope"}',
      '{"id":5,"tool":"Read","rules":{"allow":[1]}}',
      '{"id":6,"tool":"Read","cwd":"rel"}',
      '{"id":9,"tool":"Read","agent":"nobody"}',
      "",
      '{"id":7,"tool":"Read","input":{"file_path":"a"}}',
    ];
    const { code, out, err } = await run(["check"], lines.join("\n"));
    expect(code).toBe(2);
    const found = answers(out);
    expect(found.slice(0, 9).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const answer of found.slice(0, 9)) expect(answer["error"]).toMatch(/./);
    expect(found[4]!["error"]).toMatch(/did you mean acceptEdits/);
    expect(found[9]).toMatchObject({ id: 7, decision: "allow" });
    expect(err.join()).toMatch(/9 lines/);
  });

  test("survives any JSON in any field", async () => {
    const values = [null, true, 1, "", "x", [], {}, [null], { a: [] }, "__proto__"];
    const keys = [
      "id",
      "tool",
      "input",
      "profile",
      "mode",
      "rules",
      "cwd",
      "home",
      "agent",
      "parent",
      "background",
      "agents",
      "mcp",
      "hook",
    ];
    const lines = keys.flatMap((key) =>
      values.map((value) =>
        JSON.stringify({ id: "x", tool: "Bash", input: { command: "ls" }, [key]: value }),
      ),
    );
    const { out } = await run(["check"], lines.join("\n"));
    expect(out).toHaveLength(lines.length);
    for (const answer of answers(out)) expect("decision" in answer || "error" in answer).toBe(true);
  });

  test("reads a file of cases, and says so when there is none", async () => {
    writeFileSync(join(ws, "cases.jsonl"), '{"id":1,"tool":"Read","input":{"file_path":"a"}}\n');
    expect((await run(["check", "cases.jsonl"])).out).toHaveLength(1);
    expect(await run(["check", "absent.jsonl"])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/cannot be read/)],
    });
  });
});

describe("explain", () => {
  test("as for a run with the same flags: its agents, settings and folders count", async () => {
    mkdirSync(join(root, "beside"), { recursive: true });
    const decisionOf = async (...args: string[]): Promise<unknown> => {
      const { out, err } = await run([
        "explain",
        "given",
        ...args,
        "--json",
        "--agents",
        '{"given": {"description": "d", "prompt": "p", "permissionMode": "acceptEdits"}}',
      ]);
      return (
        JSON.parse(out.join("\n") || JSON.stringify({ behavior: err.join(" ") })) as {
          behavior: unknown;
        }
      ).behavior;
    };
    expect(await decisionOf("Write", "notes.txt")).toBe("allow");
    expect(
      await decisionOf("Write", "notes.txt", "--settings", '{"permissions": {"deny": ["Write"]}}'),
    ).toBe("deny");
    expect(await decisionOf("Write", join(root, "beside/x"))).toBe("ask");
    expect(await decisionOf("Write", join(root, "beside/x"), "--add-dir", "../beside")).toBe(
      "allow",
    );
    expect(await decisionOf("Write", "x", "--settings", "absent.json")).toMatch(
      /absent\.json: there is no such settings file/,
    );
  });

  test("names the layer and the rule for an agent's call", async () => {
    const { out, code } = await run([
      "explain",
      "scribe",
      "Write",
      "notes.md",
      "--allow",
      "Edit(./**)",
    ]);
    expect(code).toBe(0);
    expect(out.join("\n")).toMatch(/^allow: .*\ndecided by allow rules: Edit\(\.\/\*\*\)/);
  });

  test("the agent's own tools and memory count", async () => {
    expect((await run(["explain", "scribe", "Bash", "ls"])).out.join("\n")).toMatch(
      /^deny: Bash is not among the agent's tools/,
    );
    expect(
      (await run(["explain", "scribe", "Write", ".claude/agent-memory/scribe/MEMORY.md"])).out.join(
        "\n",
      ),
    ).toMatch(/^allow: the agent's own memory/);
  });

  test("the settings of the folder count: its denials at once, its permissions once it is trusted", async () => {
    writeFileSync(
      join(ws, ".claude/settings.json"),
      JSON.stringify({ permissions: { allow: ["Edit(./docs/**)"], deny: ["Read(./secret.txt)"] } }),
    );
    expect((await run(["explain", "scribe", "Read", "secret.txt"])).out.join("\n")).toMatch(
      /^deny: .*\ndecided by deny rules: Read\(\.\/secret\.txt\)/,
    );
    expect((await run(["explain", "scribe", "Write", "docs/a.md"])).out.join("\n")).toMatch(
      /^ask: /,
    );
    trustFolder(ws, { configDir: join(home, ".claude") });
    expect((await run(["explain", "scribe", "Write", "docs/a.md"])).out.join("\n")).toMatch(
      /^allow: .*\ndecided by allow rules: Edit\(\.\/docs\/\*\*\)/,
    );
    rmSync(join(ws, ".claude/settings.json"));
  });

  test("gives the decision as JSON", async () => {
    const { out } = await run(["explain", "scribe", "Write", '{"file_path":"notes.md"}', "--json"]);
    expect(JSON.parse(out.join("\n"))).toMatchObject({
      behavior: "ask",
      layer: "default",
      steps: [{ part: "Write" }],
    });
  });

  test("suggests the agent that was meant", async () => {
    expect(await run(["explain", "scribbe", "Read", "x"])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/did you mean "scribe"/)],
    });
    expect(await run(["explain", "nobody-at-all", "Read", "x"])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/"nobody-at-all"\. `retinue/)],
    });
    expect(await run(["explain", "scribe", "Bash", "ls", "--allow", "Bsh"])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/--allow: the rule "Bsh" can never match/)],
    });
    expect(await run(["explain", "scribe", "Read", "x", "--mode", "planning"])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/no permission mode/)],
    });
  });
});
