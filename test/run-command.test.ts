import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  startMockProvider,
  type MockLine,
  type MockProvider,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { entry, retinue, type Finished } from "./retinue-process.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function project(
  files: Record<string, string | Uint8Array> = { "src/a.txt": "one\ntwo\nthree\n" },
): TempProject {
  const made = tempProject(files);
  open.push({ close: () => made.remove() });
  return made;
}

async function provider(script: MockLine[]): Promise<MockProvider> {
  const made = await startMockProvider({ script });
  open.push(made);
  return made;
}

const protocols = [
  [
    "anthropic",
    (url: string) => ({ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url }),
    "sonnet",
  ],
  [
    "openai",
    (url: string) => ({ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${url}/v1` }),
    "openai:gpt-5",
  ],
] as const;

const json = (finished: Finished): Record<string, unknown> =>
  JSON.parse(finished.stdout) as Record<string, unknown>;

describe.each(protocols)("retinue run over %s", (_name, env, model) => {
  const script = (root: string): MockLine[] => [
    {
      text: "Looking.",
      tools: [
        { name: "Grep", input: { pattern: "two" } },
        { name: "Read", input: { file_path: join(root, "src/a.txt") } },
      ],
      usage: { input_tokens: 50, output_tokens: 7 },
    },
    {
      tools: [
        {
          name: "Edit",
          input: { file_path: join(root, "src/a.txt"), old_string: "two", new_string: "2" },
        },
      ],
      usage: { input_tokens: 90, output_tokens: 9 },
    },
    { text: "Line 2 says 2 now.", usage: { input_tokens: 120, output_tokens: 11 } },
  ];

  test("json: turns, tool calls, usage and the edit itself", async () => {
    const place = project();
    const server = await provider(script(place.root));
    const finished = await retinue(
      [
        "run",
        "--model",
        model,
        "--output-format",
        "json",
        "--allowedTools",
        "Edit",
        "--",
        "change two to 2",
      ],
      { project: place, env: env(server.url) },
    );
    expect(finished).toMatchObject({ code: 0, stderr: "" });
    expect(json(finished)).toMatchObject({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Line 2 says 2 now.",
      num_turns: 3,
      usage: { input_tokens: 260, output_tokens: 27 },
      agents: [
        {
          agent_id: expect.stringMatching(/^a[0-9a-f]{16}$/),
          agent_type: "general-purpose",
          state: "completed",
          tool_uses: 3,
        },
      ],
      permission_denials: [],
    });
    expect(place.read("src/a.txt")).toBe("one\n2\nthree\n");
    server.finish();
  });

  test("stream-json: init, messages, result, one object a line", async () => {
    const place = project();
    const server = await provider(script(place.root));
    const finished = await retinue(
      [
        "run",
        "--model",
        model,
        "--output-format",
        "stream-json",
        "--permission-mode",
        "acceptEdits",
        "change it",
      ],
      { project: place, env: env(server.url) },
    );
    const lines = finished.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; subtype?: string });
    expect(lines.map(({ type, subtype }) => subtype ?? type)).toEqual([
      "init",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
      "success",
    ]);
  });

  test("text: the answer on stdout, what the agent does on stderr", async () => {
    const place = project();
    const server = await provider(script(place.root));
    const finished = await retinue(["run", "--model", model, "--allowedTools=Edit", "change it"], {
      project: place,
      env: env(server.url),
    });
    expect(finished).toMatchObject({ code: 0, stdout: "Line 2 says 2 now.\n" });
    // Side by side, Grep and Read end in either order.
    expect(finished.stderr).toMatch(/✓ Grep two → .*\n[\s\S]*✓ Edit/);
    expect(finished.stderr).toMatch(
      /✓ Read .*src\/a\.txt → 3 lines[\s\S]*✓ Edit[\s\S]*3 turns · 287 tokens/,
    );
    expect(finished.stderr).not.toContain("\u001b");
  });

  test("a call that nobody may approve is denied, told to the model, and listed", async () => {
    const place = project();
    const server = await provider([
      { tools: [{ name: "Bash", input: { command: "touch x" } }] },
      "could not",
    ]);
    const finished = await retinue(["run", "--model", model, "--output-format", "json", "go"], {
      project: place,
      env: env(server.url),
    });
    expect(json(finished)).toMatchObject({
      permission_denials: [
        { tool_name: "Bash", reason: expect.stringContaining("nobody is there to be asked") },
      ],
    });
    expect(readdirSync(place.root)).toEqual(["src"]);
    expect(JSON.stringify(server.requests[1]!.body)).toContain("permission denied");
  });
});

describe("retinue run", () => {
  const env = protocols[0][1];
  const once = async (
    args: string[],
    lines: MockLine[],
    more: { project?: TempProject; stdin?: string | Buffer; env?: Record<string, string> } = {},
  ): Promise<Finished> => {
    const server = await provider(lines);
    return retinue(["run", ...args], {
      project: more.project ?? project(),
      env: { ...env(server.url), ...more.env },
      ...(more.stdin === undefined ? {} : { stdin: more.stdin }),
    });
  };

  test.each<[string, string[], MockLine[], string]>([
    [
      "too many turns",
      ["--max-turns", "1", "go"],
      [{ tools: [{ name: "Glob", input: { pattern: "*" } }] }],
      "error_max_turns",
    ],
    ["a refusal", ["go"], [{ text: "no", stop_reason: "refusal" }], "error_provider"],
    ["a bad key", ["go"], [{ fault: { kind: "status", status: 401 } }], "error_provider"],
    [
      "a budget",
      ["--max-budget-usd", "0.01", "go"],
      [
        {
          tools: [{ name: "Glob", input: { pattern: "*" } }],
          usage: { input_tokens: 50_000, output_tokens: 5_000 },
        },
      ],
      "error_budget",
    ],
    [
      "a deadline",
      ["--timeout", "300", "go"],
      [{ fault: { kind: "stall", at: "body" } }],
      "error_timeout",
    ],
  ])("%s ends with 1 and says which it was", async (_name, args, lines, subtype) => {
    const finished = await once(["--output-format", "json", ...args], lines);
    expect(finished.code).toBe(1);
    expect(json(finished)).toMatchObject({ is_error: true, subtype });
  });

  test("the key is never printed, not even when it is refused", async () => {
    const place = project();
    const finished = await once(["go"], [{ fault: { kind: "status", status: 401 } }], {
      project: place,
      env: { ANTHROPIC_API_KEY: "sk-ant-very-secret-0123456789" },
    });
    const written = readdirSync(place.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect([finished.stdout, finished.stderr, ...written].join("\n")).not.toContain("very-secret");
    expect(written.join("\n")).toContain("run_end");
  });

  test("reads the prompt from standard input", async () => {
    const server = await provider(["ok"]);
    await retinue(["run", "-"], { project: project(), env: env(server.url), stdin: "from a pipe" });
    expect(JSON.stringify(server.requests[0]!.body)).toContain("from a pipe");
  });

  test("writes a private transcript in Claude Code's envelope", async () => {
    const place = project();
    const finished = await once(
      ["--output-format", "json", "go"],
      [{ tools: [{ name: "Glob", input: { pattern: "**/*" } }] }, "done"],
      { project: place },
    );
    const { agents, session_id } = json(finished) as {
      agents: { transcript: string }[];
      session_id: string;
    };
    const path = agents[0]!.transcript;
    expect(path).toBe(
      join(
        place.home,
        ".claude/projects",
        place.root.replace(/[^A-Za-z0-9]/g, "-"),
        `${session_id}.jsonl`,
      ),
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const lines = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            type: string;
            subtype?: string;
            uuid: string;
            parentUuid: string | null;
          },
      );
    expect(lines.map(({ type, subtype }) => subtype ?? type)).toEqual([
      "retinue_session",
      "spawn",
      "user",
      "assistant",
      "user",
      "assistant",
      "run_end",
    ]);
    expect(lines.filter(({ type }) => type === "assistant")[0]).toMatchObject({
      sessionId: session_id,
      cwd: place.root,
      userType: "external",
      isSidechain: false,
      message: {
        role: "assistant",
        stop_reason: "tool_use",
        usage: { output_tokens: expect.any(Number) },
      },
    });
  });

  test("Ctrl+C stops cleanly with 130 and leaves a transcript that can be continued", async () => {
    const place = project();
    const server = await startMockProvider({
      script: [{ tools: [{ name: "Bash", input: { command: "sleep 60" } }] }, "went on"],
    });
    open.push(server);
    let sent = false;
    const stopped = await retinue(["run", "--allowedTools", "Bash(sleep 60)", "--", "wait"], {
      project: place,
      env: env(server.url),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (server.requests.length === 1 && !sent) {
            sent = true;
            setTimeout(() => child.kill("SIGINT"), 300);
            clearInterval(timer);
          }
        }, 20);
      },
    });
    expect(stopped.code).toBe(130);
    const id = /([0-9a-f-]{36})\.jsonl/.exec(stopped.stderr)![1]!;
    const finished = await retinue(["run", "--resume", id, "--output-format", "json", "go on"], {
      project: place,
      env: env(server.url),
    });
    expect(json(finished)).toMatchObject({ result: "went on", session_id: id });
    const body = server.requests[1]!.body as { messages: { role: string }[] };
    expect(body.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test.each(["text", "json", "stream-json"])(
    "a key that an agent says is not printed: %s",
    async (format) => {
      const key = "sk-ant-api03-aB3dE6gH9jaB3dE6gH9jaB3dE6gH9j";
      const server = await provider([`the key is ${key}`]);
      const { code, stdout, stderr } = await retinue(
        ["run", "--model", "sonnet", "--output-format", format, "go"],
        { project: project(), env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url } },
      );
      expect(code).toBe(0);
      expect(stdout).toContain("the key is [masked environment]");
      expect(stdout + stderr).not.toContain(key);
    },
  );

  test("--json is the same as --output-format json", async () => {
    const server = await provider(["short"]);
    expect(
      json(await retinue(["run", "--json", "go"], { project: project(), env: env(server.url) })),
    ).toMatchObject({ type: "result", result: "short" });
  });

  test("a session that was killed before it had said what it runs starts with what --resume gives it", async () => {
    const place = project();
    const server = await provider(["never mind", "begun after all"]);
    const first = json(
      await retinue(["run", "--output-format", "json", "go"], {
        project: place,
        env: env(server.url),
      }),
    ) as { session_id: string; agents: { transcript: string }[] };
    const path = first.agents[0]!.transcript;
    const [header] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, `${header}\n`);
    const again = await retinue(
      [
        "run",
        "--resume",
        first.session_id,
        "--permission-mode",
        "acceptEdits",
        "--output-format",
        "json",
        "go",
      ],
      { project: place, env: env(server.url) },
    );
    expect(json(again)).toMatchObject({ result: "begun after all", session_id: first.session_id });
    expect((server.requests[1]!.body as { messages: unknown[] }).messages).toHaveLength(1);
  });

  test("a transcript that was changed to name another folder does not move the run there", async () => {
    const place = project();
    const server = await provider(["first"]);
    const { session_id: id, agents } = json(
      await retinue(["run", "--output-format", "json", "hi"], {
        project: place,
        env: env(server.url),
      }),
    ) as { session_id: string; agents: { transcript: string }[] };
    const file = agents[0]!.transcript;
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll(JSON.stringify(place.root), JSON.stringify(place.home)),
    );
    expect(
      await retinue(["run", "--resume", id, "go on"], { project: place, env: env(server.url) }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lies with those of another folder"),
    });
  });

  test("what was denied in the first life is denied after --resume, whatever that allows; a wider mode is refused", async () => {
    const place = project();
    const server = await provider([
      "first",
      { tools: [{ name: "Bash", input: { command: "touch made" } }] },
      "second",
    ]);
    const first = json(
      await retinue(
        ["run", "--disallowedTools", "Bash(touch:*)", "--output-format", "json", "--", "go"],
        { project: place, env: env(server.url) },
      ),
    );
    const id = first["session_id"] as string;
    expect(
      await retinue(["resume", id, "--permission-mode", "bypassPermissions", "--", "go"], {
        project: place,
        env: env(server.url),
      }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bypassPermissions is wider than default"),
    });
    const second = json(
      await retinue(
        ["resume", id, "--allowedTools", "Bash", "--output-format", "json", "--", "go on"],
        { project: place, env: env(server.url) },
      ),
    );
    expect(second).toMatchObject({ result: "second", permission_denials: [{ tool_name: "Bash" }] });
    expect(readdirSync(place.root)).not.toContain("made");
  });

  test.each<[string, string[], RegExp]>([
    ["an unknown model", ["--model", "nothing-known", "go"], /nothing-known/],
    ["an unknown agent", ["--agent", "Explorer", "go"], /did you mean "Explore"/],
    ["an unknown mode", ["--permission-mode", "yolo", "go"], /no permission mode/],
    ["a rule that cannot match", ["--allowedTools", "Raed", "--", "go"], /Raed/],
    [
      "a folder that is not there",
      ["--cwd", "/nowhere/at/all", "go"],
      /cannot use \/nowhere\/at\/all as working directory/,
    ],
    ["a number that is none", ["--max-turns", "many", "go"], /whole number above 0/],
    ["an unknown flag", ["--modle", "x", "go"], /--model/],
    ["an id that names no run", ["--resume", "../x", "go"], /unknown task_id: \.\.\/x/],
    ["no prompt", [""], /prompt is empty/],
    ["a prompt of blanks", [" \n"], /prompt is empty/],
    ["agents that are no JSON", ["--agents", "{oops", "go"], /error --agents is not JSON/],
    [
      "an agent without a description",
      ["--agents", '{"x": {"prompt": "p"}}', "go"],
      /--agents: `description` is missing/,
    ],
    [
      "settings that are no JSON",
      ["--settings", '{"permissions": {"deny": ["Bash"]}', "go"],
      /--settings: not JSON/,
    ],
    [
      "settings that are not there",
      ["--settings", "absent.json", "go"],
      /absent\.json: there is no such settings file/,
    ],
    [
      "a setting that does not exist",
      ["--settings", '{"retinue": {"limit": {}}}', "go"],
      /did you mean `limits`/,
    ],
    [
      "servers that are not there",
      ["--mcp-config", "absent.json", "--", "go"],
      /absent\.json: not read/,
    ],
    [
      "plugins that are not there",
      ["--plugin-dir", "absent", "--", "go"],
      /--plugin-dir: there is no folder \/.*\/absent/,
    ],
    [
      "a further folder that is not there",
      ["--add-dir", "absent", "--", "go"],
      /--add-dir: there is no folder \/.*\/absent/,
    ],
  ])("%s is told in a sentence, with 2", async (_name, args, expected) => {
    const finished = await once(args, []);
    expect(finished.stderr).toMatch(expected);
    expect(finished).toMatchObject({ code: 2, stdout: "" });
  });

  test("an agent whose file cannot be used is told with what is wrong in it", async () => {
    const place = project({
      ".claude/agents/ops.md":
        "---\nname: ops\ndescription: d\npermissionMode: pln\ntools: Raed\n---\nWork.\n",
    });
    const finished = await once(["--agent", "ops", "go"], [], { project: place });
    expect(finished).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^! 1 agent file cannot be used.*\nerror the agent "ops" cannot be used: .*ops\.md:\d: /,
      ),
    });
  });

  test("agents that ask for haiku run on the model there is a key for, and the main thread's warnings are told", async () => {
    const place = project();
    const server = await provider([
      {
        tools: [
          {
            name: "Agent",
            input: { subagent_type: "helper", description: "look", prompt: "look" },
          },
        ],
      },
      "Nothing to look at.",
      "Done.",
    ]);
    const agents = JSON.stringify({
      lead: { description: "leads", prompt: "Lead.", model: "sonnet" },
      helper: { description: "helps", prompt: "Help.", model: "haiku", contract: "none" },
    });
    const finished = await retinue(
      ["run", "--agents", agents, "--agent", "lead", "--output-format", "json", "go"],
      { project: place, env: protocols[1][1](server.url) },
    );
    expect(finished).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^! .*"sonnet", for which there is no key: it runs on openai:gpt-5/,
      ),
    });
    expect(json(finished)).toMatchObject({
      result: "Done.",
      agents: [{ agent_type: "lead" }, { agent_type: "helper", state: "completed" }],
    });
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["gpt-5", "gpt-5", "gpt-5"]);
  });

  test("a reader that goes away stops the run: it is neither lost nor a success", async () => {
    const place = project();
    const server = await provider(
      Array.from({ length: 50 }, () => ({
        text: "Going on.",
        tools: [{ name: "Bash", input: { command: "sleep 0.1" } }],
      })),
    );
    const finished = await retinue(["run", "--allowedTools", "Bash", "--", "go"], {
      project: place,
      env: protocols[0][1](server.url),
      onStart: (child) => child.stderr!.once("data", () => child.stderr!.destroy()),
    });
    expect(finished.code).toBe(1);
    expect(server.requests.length).toBeLessThan(50);
    expect(
      JSON.parse((await retinue(["ps", "--all", "--json"], { project: place })).stdout),
    ).toMatchObject([{ state: "stopped" }]);
  });

  test("--contract holds the answer to a form: a reference that is made up comes back as flagged", async () => {
    const answer =
      "## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\nFound it.\n\n### Findings\n| ID | Issue | File:Line | Severity |\n|---|---|---|---|\n| QA-1 | it is here | `src/nowhere.ts:3` | Important |\n\n### Confidence\n70\n";
    const free = json(await once(["--output-format", "json", "look"], [answer]));
    expect(free["agents"], "what was asked for in no form is looked at as well").toMatchObject([
      { trust: "CONTRADICTED" },
    ]);
    const held = json(
      await once(["--contract", "report", "--output-format", "json", "look"], [answer, answer]),
    );
    expect(held["agents"]).toMatchObject([{ trust: "CONTRADICTED" }]);
    expect(
      await retinue(["run", "--contract", "letter", "look"], { project: project() }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("report, handoff, none") });
  });

  test("no key at all names the ways to give one", async () => {
    const finished = await retinue(["run", "go"], { project: project() });
    expect(finished).toMatchObject({ code: 2 });
    expect(finished.stderr).toMatch(/ANTHROPIC_API_KEY[\s\S]*OPENAI_API_KEY[\s\S]*ollama/);
  });

  test("a prompt of 5 MB is refused before anything starts", async () => {
    const finished = await once(["-"], [], { stdin: Buffer.alloc(5 * 1024 * 1024, "x") });
    expect(finished.code).toBe(2);
    expect(finished.stderr).toMatch(/more than 4 MB/);
  });

  test("a folder that cannot be entered is told, not crashed on", async () => {
    const place = project();
    mkdirSync(join(place.root, "file"), { recursive: true });
    place.write("plain", "x");
    const finished = await once(["--cwd", place.path("plain"), "go"], [], { project: place });
    expect(finished).toMatchObject({ code: 2, stderr: expect.stringContaining("it is no folder") });
  });

  test("a folder that may not be entered is told, to people who are not root", async () => {
    const place = project({ "closed/x": "" });
    // Root may enter everything, so as root the command runs as nobody, from copies of Node and of itself that nobody may read.
    const nobody = process.getuid?.() === 0 ? 65534 : undefined;
    const command = join(place.home, "retinue");
    const node = join(place.home, "node");
    cpSync(dirname(dirname(entry)), command, { recursive: true });
    copyFileSync(process.execPath, node);
    for (const folder of [dirname(place.home), place.home, place.root]) chmodSync(folder, 0o755);
    if (nobody !== undefined) chownSync(place.home, nobody, nobody);
    chmodSync(place.path("closed"), 0);
    const finished = spawnSync(
      node,
      [join(command, "cli/retinue.js"), "run", "--cwd", place.path("closed"), "go"],
      {
        encoding: "utf8",
        cwd: "/",
        env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ANTHROPIC_API_KEY: "x" },
        ...(nobody === undefined ? {} : { uid: nobody, gid: nobody }),
      },
    );
    chmodSync(place.path("closed"), 0o755);
    expect(finished.error).toBeUndefined();
    expect(finished.stderr).toMatch(/cannot use .*closed as working directory/);
    expect(finished.status).toBe(2);
  });

  test("logs prints what happened, as text and as the transcript's own lines", async () => {
    const place = project();
    const finished = await once(
      ["--output-format", "json", "find files"],
      [{ tools: [{ name: "Glob", input: { pattern: "**/*.txt" } }] }, "one file"],
      { project: place },
    );
    const { session_id, agents } = json(finished) as {
      session_id: string;
      agents: { agent_id: string }[];
    };
    const text = await retinue(["logs", agents[0]!.agent_id], { project: place });
    expect(text.stdout).toMatch(
      /user {2}find files[\s\S]*agent Glob[\s\S]*one file[\s\S]*run completed/,
    );
    const lines = (await retinue(["logs", session_id, "--json"], { project: place })).stdout
      .trim()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("assistant");
  });
});

test("a person's number of turns, or a definition's, takes the place of the default; the settings' is a cap over both", async () => {
  const place = project({
    ".claude/agents/long.md":
      "---\nname: long\ndescription: d\nmaxTurns: 60\ntimeoutMs: 3600000\n---\nWork.\n",
  });
  const server = await startMockProvider({
    reply: ({ index }) => ({ tools: [{ name: "Glob", input: { pattern: `x${index}` } }] }),
  });
  open.push(server);
  const turns = async (...args: string[]): Promise<unknown> =>
    json(
      await retinue(["run", "--model", "sonnet", "--json", ...args, "--", "go"], {
        project: place,
        env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
      }),
    )["num_turns"];
  expect(await turns("--max-turns", "55")).toBe(55);
  expect(await turns("--agent", "long")).toBe(60);
  expect(
    await turns("--agent", "long", "--settings", '{"retinue": {"limits": {"maxTurns": 7}}}'),
  ).toBe(7);
});

test("what goes on keeps the limits that it began with, unless the call names others", async () => {
  const place = project();
  const server = await startMockProvider({
    reply: ({ index }) => ({ tools: [{ name: "Glob", input: { pattern: `x${index}` } }] }),
  });
  open.push(server);
  const turns = async (...args: string[]): Promise<Record<string, unknown>> =>
    json(
      await retinue([...args, "--json", "--", "go"], {
        project: place,
        env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
      }),
    );
  const id = String((await turns("run", "--max-turns", "2"))["session_id"]);
  expect((await turns("resume", id))["num_turns"]).toBe(2);
  expect((await turns("resume", id, "--max-turns", "4"))["num_turns"]).toBe(4);
});

test("a built-in agent runs on the model that it names, also as main thread; the flag comes first", async () => {
  const place = project();
  const server = await provider(["one", "two"]);
  for (const args of [[], ["--model", "opus"]])
    await retinue(["run", "--agent", "Explore", "--contract", "none", ...args, "--", "look"], {
      project: place,
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    });
  expect(server.requests.map(({ body }) => body["model"])).toEqual([
    "claude-haiku-5-5",
    "claude-opus-5-5",
  ]);
});

test("the user's own settings give keys, addresses and models; a folder's do not, trusted or not", async () => {
  const place = project();
  const server = await provider(["one"]);
  const env = {
    ANTHROPIC_API_KEY: "sk-ant-own",
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_MODEL: "claude-opus-5-5",
  };
  place.write(".claude/settings.json", JSON.stringify({ env }));
  expect(await retinue(["run", "--trust", "--", "hello"], { project: place })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no key is set"),
  });
  place.write("../home/.claude/settings.json", JSON.stringify({ env }));
  expect(await retinue(["run", "--", "hello"], { project: place })).toMatchObject({
    code: 0,
    stdout: "one\n",
  });
  expect(server.requests[0]!.body["model"]).toBe("claude-opus-5-5");
  expect((await retinue(["doctor"], { project: place })).stdout).toContain(
    "claude-opus-5-5 is used where nothing else is said",
  );
});

test("what a definition begins with stands before the prompt, once", async () => {
  const place = project({
    ".claude/agents/guide.md":
      "---\nname: guide\ndescription: d\ninitialPrompt: Greet first.\n---\nGuide.\n",
  });
  const server = await provider(["hello", "again"]);
  const options = {
    project: place,
    env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
  };
  const { session_id } = json(
    await retinue(["run", "--agent", "guide", "--json", "--", "look"], options),
  );
  await retinue(["resume", String(session_id), "--", "go on"], options);
  expect(
    server.requests.map(
      ({ body }) => JSON.stringify(body["messages"]).split("Greet first.").length - 1,
    ),
  ).toEqual([1, 1]);
  expect(JSON.stringify(server.requests[0]!.body["messages"])).toMatch(/Greet first\.\\n\\nlook/);
});
