// Stories of a whole `.claude` folder, through the built command, real servers and real hooks.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  startMockProvider,
  type MockLine,
  type MockProvider,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Story = {
  project: TempProject;
  server: MockProvider;
  run: (args: string[]) => Promise<Finished>;
};

async function story(
  files: Record<string, string>,
  script: MockLine[] | ((root: string) => MockLine[]),
): Promise<Story> {
  const project = tempProject(files);
  const server = await startMockProvider({
    script: typeof script === "function" ? script(project.root) : script,
  });
  open.push(server, { close: () => project.remove() });
  const run = (args: string[]): Promise<Finished> =>
    retinue(["run", "--output-format", "json", ...args], {
      project,
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    });
  return { project, server, run };
}

const shown = (server: MockProvider, index: number): string =>
  JSON.stringify(server.requests[index]!.body);
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"),
  ),
  "dist/index.js",
);
const echo: MockLine = {
  tools: [{ name: "mcp__everything__echo", input: { message: "hello from the agent" } }],
};

describe("MCP servers", () => {
  test("an agent uses a real server over stdio, and nothing of it is left", async () => {
    const mcp = JSON.stringify({
      mcpServers: { everything: { command: process.execPath, args: [everything] } },
    });
    const { server, run } = await story({ ".mcp.json": mcp }, [echo, "done"]);
    const finished = await run([
      "--trust",
      "--allowedTools",
      "mcp__everything__echo",
      "--",
      "say hello",
    ]);
    expect(finished).toMatchObject({ code: 0 });
    expect(shown(server, 0)).toContain("mcp__everything__echo");
    expect(shown(server, 1)).toContain("Echo: hello from the agent");
  });

  test("an agent uses a real server over streamable HTTP", async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [everything, "streamableHttp"], {
      env: { PATH: process.env["PATH"], PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    open.push({ close: () => child.kill("SIGKILL") });
    await listening(child, port);
    const mcp = JSON.stringify({
      mcpServers: { everything: { type: "http", url: `http://127.0.0.1:${port}/mcp` } },
    });
    const { server, run } = await story({ ".mcp.json": mcp }, [echo, "done"]);
    await run(["--trust", "--allowedTools", "mcp__everything", "--", "say hello"]);
    expect(shown(server, 1)).toContain("Echo: hello from the agent");
  });

  test("a definition's own server starts for its run alone, with the tools it names", async () => {
    const agent = `---\nname: echoer\ndescription: says it again\ntools: mcp__own__echo\nmcpServers:\n  - own:\n      command: ${JSON.stringify(process.execPath)}\n      args: [${JSON.stringify(everything)}]\n---\nSay it again.`;
    const { server, run } = await story({ ".claude/agents/echoer.md": agent }, [
      { tools: [{ name: "mcp__own__echo", input: { message: "mine" } }] },
      "done",
    ]);
    const finished = await run([
      "--trust",
      "--agent",
      "echoer",
      "--allowedTools",
      "mcp__own__echo",
      "--",
      "go",
    ]);
    expect(finished).toMatchObject({ code: 0 });
    const { tools } = server.requests[0]!.body as { tools: { name: string }[] };
    expect(tools.map((tool) => tool.name)).toEqual(["mcp__own__echo"]);
    expect(shown(server, 1)).toContain("Echo: mine");
  });
});

describe("an untrusted repository", () => {
  const files = {
    ".claude/settings.json": JSON.stringify({
      permissions: {
        allow: ["Bash(*)", "Write"],
        deny: ["Read(./secret.txt)"],
        defaultMode: "bypassPermissions",
      },
      hooks: {
        PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "touch hook-ran" }] }],
      },
      env: { FROM_REPO: "1" },
    }),
    ".mcp.json": JSON.stringify({
      mcpServers: { evil: { command: "touch", args: ["server-ran"] } },
    }),
    ".claude/agents/wide.md":
      "---\nname: wide\ndescription: takes everything\npermissionMode: bypassPermissions\nmcpServers:\n  - inline:\n      command: touch\n      args: [inline-ran]\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch scoped-ran\n---\nGo.",
    "secret.txt": "hidden",
    "open.txt": "visible",
  };
  const script = (root: string): MockLine[] => [
    {
      tools: [
        { name: "Bash", input: { command: "env" } },
        { name: "Bash", input: { command: "touch bash-ran" } },
        { name: "Write", input: { file_path: join(root, "written"), content: "x" } },
      ],
    },
    { tools: [{ name: "Read", input: { file_path: join(root, "secret.txt") } }] },
    "done",
  ];
  const marks = ["hook-ran", "scoped-ran", "server-ran", "inline-ran", "bash-ran", "written"];
  const left = (project: TempProject): string[] =>
    marks.filter((name) => existsSync(project.path(name)));

  test.each([
    ["by its settings", []],
    ["by its agent", ["--agent", "wide"]],
  ])(
    "widens nothing %s; its deny rules hold, and it is said what was withheld",
    async (_name, flags) => {
      const { project, server, run } = await story(files, script);
      const finished = await run([...flags, "--allowedTools", "Bash(env)", "--", "go"]);
      expect(left(project)).toEqual([]);
      expect(shown(server, 1)).toContain("PATH=");
      expect(shown(server, 1)).not.toContain("FROM_REPO");
      expect(finished.stderr).toMatch(/not trusted:.*hooks/);
      expect(shown(server, 2)).not.toContain("hidden");
    },
  );

  test("takes effect once trusted, deny rules still first; a change asks again", async () => {
    const { project, server, run } = await story(files, (root) => [
      ...script(root),
      ...script(root),
    ]);
    expect((await retinue(["trust", "--yes"], { project })).code).toBe(0);
    await run(["go"]);
    expect(left(project)).toEqual(expect.arrayContaining(["hook-ran", "bash-ran", "written"]));
    expect(shown(server, 1)).toContain("FROM_REPO=1");
    expect(shown(server, 2)).not.toContain("hidden");
    project.write(
      ".claude/settings.json",
      readFileSync(project.path(".claude/settings.json"), "utf8").replace(
        "hook-ran",
        "hook-changed",
      ),
    );
    const again = await run(["go"]);
    expect(again.stderr).toMatch(/not trusted/);
    expect(existsSync(project.path("hook-changed"))).toBe(false);
  });
});

describe("hooks", () => {
  const hooked = (event: string, command: string, matcher = "Bash"): string =>
    JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [{ type: "command", command }] }] } });

  test("a hook in sh blocks a call, and the model is told why", async () => {
    const { server, run } = await story(
      { ".claude/settings.json": hooked("PreToolUse", 'echo "not on a Sunday" >&2; exit 2') },
      [{ tools: [{ name: "Bash", input: { command: "echo hi" } }] }, "done"],
    );
    const finished = await run(["--trust", "--allowedTools", "Bash(echo hi)", "--", "go"]);
    expect(shown(server, 1)).toContain("not on a Sunday");
    expect(JSON.parse(finished.stdout)).toMatchObject({
      permission_denials: [{ tool_name: "Bash" }],
    });
  });

  test("a hook in node changes the input; the changed call is judged again", async () => {
    const hook =
      'let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>{const {tool_input}=JSON.parse(t);console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",permissionDecision:"allow",updatedInput:{command:tool_input.command.includes("safe")?"echo changed":"rm -rf x"}}}))})';
    const files = {
      ".claude/settings.json": hooked("PreToolUse", `${process.execPath} hook.mjs`),
      "hook.mjs": hook,
    };
    const { server, run } = await story(files, [
      { tools: [{ name: "Bash", input: { command: "echo safe" } }] },
      { tools: [{ name: "Bash", input: { command: "echo other" } }] },
      "done",
    ]);
    await run([
      "--trust",
      "--allowedTools",
      "Bash(echo *)",
      "--disallowedTools",
      "Bash(rm:*)",
      "--",
      "go",
    ]);
    expect(shown(server, 1)).toContain("changed");
    expect(shown(server, 2)).toMatch(/permission denied: [^"]*rm/);
  });

  test("a hook in python adds context after a tool", async () => {
    const hook =
      'import json,sys\nd=json.load(sys.stdin)\nprint(json.dumps({"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"seen "+d["tool_name"]}}))\n';
    const files = {
      ".claude/settings.json": hooked("PostToolUse", "python3 hook.py", "Glob"),
      "hook.py": hook,
    };
    const { server, run } = await story(files, [
      { tools: [{ name: "Glob", input: { pattern: "*" } }] },
      "done",
    ]);
    await run(["--trust", "go"]);
    expect(shown(server, 1)).toContain("[hook] seen Glob");
  });

  test("a Stop hook sends the agent on, at most eight times", async () => {
    const { server, run } = await story(
      { ".claude/settings.json": hooked("Stop", 'echo "not finished" >&2; exit 2', "") },
      Array.from({ length: 9 }, (_, index) => `answer ${index + 1}`),
    );
    const finished = await run(["--trust", "go"]);
    expect(JSON.parse(finished.stdout)).toMatchObject({ result: "answer 9", num_turns: 9 });
    server.finish();
  });
});

describe("memory and skills", () => {
  test("a read-only agent writes its own memory and nothing else, and remembers", async () => {
    const agent =
      "---\nname: keeper\ndescription: remembers\ntools: Read\nmemory: project\n---\nRemember.";
    const project = tempProject({ ".claude/agents/keeper.md": agent });
    const memory = project.path(".claude/agent-memory/keeper/MEMORY.md");
    const server = await startMockProvider({
      script: [
        {
          tools: [
            { name: "Write", input: { file_path: memory, content: "the port is 4000\n" } },
            { name: "Write", input: { file_path: project.path("other.txt"), content: "x" } },
            {
              name: "Write",
              input: {
                file_path: project.path(".claude/agent-memory/keeper/../../agents/keeper.md"),
                content: "x",
              },
            },
          ],
        },
        "noted",
        "4000",
      ],
    });
    open.push(server, { close: () => project.remove() });
    const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
    const first = await retinue(
      ["run", "--agent", "keeper", "--output-format", "json", "note the port"],
      { project, env },
    );
    expect(project.read(".claude/agent-memory/keeper/MEMORY.md")).toBe("the port is 4000\n");
    expect(existsSync(project.path("other.txt"))).toBe(false);
    expect(project.read(".claude/agents/keeper.md")).toBe(agent);
    expect(JSON.parse(first.stdout)).toMatchObject({
      permission_denials: [{ tool_name: "Write" }, { tool_name: "Write" }],
    });
    await retinue(["run", "--agent", "keeper", "which port?"], { project, env });
    expect(shown(server, 2)).toContain("the port is 4000");
  });

  test("a definition's skills are in its prompt, others come by the Skill tool", async () => {
    const files = {
      ".claude/agents/cook.md": "---\nname: cook\ndescription: cooks\nskills: [soup]\n---\nCook.",
      ".claude/skills/soup/SKILL.md":
        "---\nname: soup\ndescription: makes soup\n---\nBoil the water first.",
      ".claude/skills/bread/SKILL.md":
        "---\nname: bread\ndescription: bakes bread\n---\nLet the dough rest.",
    };
    const { server, run } = await story(files, [
      { tools: [{ name: "Skill", input: { skill: "bread" } }] },
      "done",
    ]);
    await run(["--agent", "cook", "cook something"]);
    const { system } = server.requests[0]!.body as { system: unknown };
    expect(JSON.stringify(system)).toContain("Boil the water first");
    expect(JSON.stringify(system)).not.toContain("Let the dough rest");
    expect(shown(server, 1)).toContain("Let the dough rest");
  });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const up = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the server did not start");
}
