// What a person reads when something is not as they thought: a reason and a way on, never a stack, never silence.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { z as z3 } from "zod/v3";
import { createManager } from "../src/app/create-manager.ts";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import type { SpawnInput } from "../src/manager/agents/spawn-input.ts";
import { functionHook } from "../src/hooks/hook.ts";
import { startMockProvider } from "../src/testing/mock-provider.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { defineTool } from "../src/app/define-tool.ts";
import { entry, retinue } from "./retinue-process.ts";

const broken = "---\nname: ops\ndescription: Runs things\npermissionMode: pln\n---\nRun.\n";
const project = tempProject({
  "src/config.js": "export function parseConfig() {}\n",
  ".claude/agents/ops.md": broken,
  ".claude/settings.json":
    '{ "retinue": { "limts": {} }, "permissions": { "allow": ["Bash(ls)"] } }\n',
});
const named = tempProject({
  "a b'c/.claude/settings.json": '{ "permissions": { "allow": ["Bash(ls)"] } }\n',
});
afterAll(() => (project.remove(), named.remove()));

describe("a home that cannot be written", () => {
  const env = (): Record<string, string> => {
    writeFileSync(project.path("no-folder"), "");
    return { HOME: project.path("no-folder") };
  };

  test.each([[["trust", "--yes"]], [["run", "--agent", "Explore", "--model", "offline", "look"]]])(
    "%j says so in a sentence",
    async (args) => {
      const { code, stderr } = await retinue(args, { project, env: env() });
      expect(code).toBe(1);
      expect(stderr).toMatch(/ENOTDIR|ENOENT|EEXIST/);
      expect(stderr).toContain("no-folder");
      expect(stderr).not.toMatch(/^\s+at /m);
      if (args[0] === "run")
        expect(stderr).toContain("make it writable, or set CLAUDE_CONFIG_DIR to a folder that is");
    },
  );
});

test("a folder that is gone is a sentence", () => {
  const gone = project.path("gone");
  const { status, stderr } = spawnSync(
    "sh",
    [
      "-c",
      'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" ps',
      "sh",
      gone,
      process.execPath,
      entry,
    ],
    { env: { PATH: process.env["PATH"], HOME: project.home }, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([
    2,
    "error the folder in which this was started is gone; go to one that exists.\n",
  ]);
});

test("an option that took the prompt is named, with the way around it", async () => {
  expect(
    await retinue(
      ["run", "--model", "offline", "--allowedTools", "Read", "where is parseConfig?"],
      { project },
    ),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining("write -- before the prompt") });
  expect((await retinue(["run", "--model", "offline"], { project })).stderr).not.toContain(
    "--allowedTools",
  );
});

test.each([
  [["agents", "show", "ops"]],
  [["permissions", "explain", "ops", "Bash", "ls"]],
  [["run", "--agent", "ops", "--model", "offline", "go"]],
])("%j says why the agent's file cannot be used", async (args) => {
  const { code, stderr } = await retinue(args, { project });
  expect(code).toBe(2);
  expect(stderr).toMatch(/ops\.md:4: .*pln/);
});

test("the command that `trust` tells to run can be pasted", async () => {
  const { stderr } = await retinue(["trust", named.path("a b'c")], { project: named });
  expect(stderr).toContain(`retinue trust '${named.path("a b'\\''c")}' --yes`);
});

test("an agent that runs without its hooks, because nobody trusts its folder, is said to", async () => {
  const agent =
    "---\nname: guarded\ndescription: Has a guard\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh\n---\nWork.\n";
  const guarded = tempProject({ ".claude/agents/guarded.md": agent });
  const run = (...args: string[]): ReturnType<typeof retinue> =>
    retinue(["run", "--agent", "guarded", "--model", "offline", ...args, "hello"], {
      project: guarded,
    });
  expect((await run()).stderr).toMatch(/not trusted: .*guarded \(hooks\).*retinue trust/);
  expect((await retinue(["doctor"], { project: guarded })).stdout).toMatch(/✗ trust/);
  expect((await run("--trust")).stderr).not.toContain("not trusted");
  guarded.remove();
});

test("a folder that brings nothing is not called trusted", async () => {
  const plain = tempProject();
  const doctor = await retinue(["doctor"], { project: plain });
  expect(doctor.stdout).toMatch(/✓ trust +nothing here needs trust$/m);
  const check = await retinue(["trust", "--check"], { project: plain });
  expect(check).toMatchObject({ code: 0, stderr: `nothing in ${plain.root} needs trust\n` });
  plain.remove();
});

test("of several commands, the one that keeps them from being allowed is named first", async () => {
  const explain = async (command: string): Promise<string> =>
    (await retinue(["permissions", "explain", "Explore", `Bash(${command})`], { project })).stdout;
  expect(await explain("ls")).toMatch(/^allow: read-only command: `ls`/);
  const both = await explain("ls && rm -rf src");
  expect(both).toMatch(/^ask: no rule allows `rm -rf src`$/m);
  expect(both).toContain("no rule allows `ls`, and beside a command that does more than read");
});

test("a deny rule that cannot be read is said to deny everything", async () => {
  const env = { CLAUDE_CONFIG_DIR: project.path("config") };
  project.write("config/settings.json", '{ "permissions": { "deny": ["Read("] } }');
  expect(
    (
      await retinue(["run", "--agent", "Explore", "--model", "offline", "where is parseConfig?"], {
        project,
        env,
      })
    ).stderr,
  ).toContain(
    `${project.path("config/settings.json")}: permissions.deny[0]: the rule "Read(" can never match: the bracket is not closed at the end of the rule; every call is denied until it is repaired`,
  );
  expect(
    (
      await retinue(["permissions", "explain", "Explore", "Read", "src/config.js"], {
        project,
        env,
      })
    ).stdout,
  ).toMatch(/^deny/);
});

test("rules and hooks that cannot be used are named with their file and place, those of a folder that is not trusted only where they count", async () => {
  using place = tempProject({
    ".claude/settings.json": JSON.stringify({
      permissions: { allow: ["Read", "Bsh(ls)"], ask: ["Bash()"] },
      hooks: { PreToolUze: [] },
    }),
    "config/settings.json": JSON.stringify({
      permissions: { allow: ["Bash(ls)", "Edit", "Reed"] },
      hooks: { PreToolUse: [{ matcher: "(", hooks: [{ type: "command", command: "true" }] }] },
    }),
  });
  const complaints = async (...flags: string[]): Promise<string[]> =>
    (
      await retinue(["run", "--agent", "Explore", "--model", "offline", ...flags, "hello"], {
        project: place,
        env: { CLAUDE_CONFIG_DIR: place.path("config") },
      })
    ).stderr
      .split("\n")
      .filter((line) => /^! .*settings\.json: (permissions|hooks)/.test(line));
  const asked = `! ${place.path(".claude/settings.json")}: permissions.ask[0]: the rule "Bash()"`;
  const own = [
    `! ${place.path("config/settings.json")}: permissions.allow[2]: the rule "Reed" can never match: there is no tool named "Reed"; did you mean Read?`,
    `! ${place.path("config/settings.json")}: hooks.PreToolUse[0]: `,
  ];
  expect(await complaints()).toEqual(
    [asked, ...own].map((line) => expect.stringContaining(line) as string),
  );
  expect(await complaints("--trust")).toEqual(
    [
      `! ${place.path(".claude/settings.json")}: permissions.allow[1]: `,
      asked,
      `! ${place.path(".claude/settings.json")}: hooks.PreToolUze: unknown hook event "PreToolUze": it never fires; did you mean PreToolUse?`,
      ...own,
    ].map((line) => expect.stringContaining(line) as string),
  );
});

test("a plugin's hooks and servers, which have no effect, are not missing in silence", async () => {
  using place = tempProject({ "kit/hooks/hooks.json": "{}", "kit/commands/go.md": "Go." });
  const { code, stderr } = await retinue(
    ["run", "--agent", "Explore", "--model", "offline", "--plugin-dir", "kit", "--", "hello"],
    { project: place },
  );
  expect([code, stderr.match(/^! .*$/gm)]).toEqual([
    0,
    [
      `! ${place.path("kit/hooks/hooks.json")}: of a plugin only agents, skills and commands are used here: its hooks/hooks.json has no effect`,
    ],
  ]);
});

test("a marketplace given as a plugin is refused, with the plugins inside", async () => {
  using place = tempProject({
    "market/.claude-plugin/marketplace.json": "{}",
    "market/plugins/kit/.claude-plugin/plugin.json": "{}",
  });
  const words = expect.stringContaining(
    `--plugin-dir: ${place.path("market")}: this is a marketplace of plugins, no plugin; give one of those inside: ${place.path("market/plugins/kit")}`,
  ) as string;
  for (const args of [
    ["run", "--model", "offline", "--plugin-dir", "market", "--", "hello"],
    ["agents", "list", "--plugin-dir", "market"],
  ])
    expect(await retinue(args, { project: place })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: words,
    });
  expect(
    await retinue(["agents", "validate", "--plugin-dir", "market"], { project: place }),
  ).toMatchObject({ code: 1, stdout: expect.stringContaining("[no-plugin]") as string });
  expect(
    (await retinue(["agents", "list", "--plugin-dir", "nowhere"], { project: place })).stderr,
  ).toContain("there is no such folder");
});

test("what --settings gives must be right, or nothing starts", async () => {
  project.write("given.json", '{ "permissions": { "deny": ["Read", "Bash("] } }');
  const run = async (settings: string): Promise<string> =>
    (
      await retinue(
        ["run", "--agent", "Explore", "--model", "offline", "--settings", settings, "hello"],
        { project },
      )
    ).stderr;
  expect(await run('{ "permissions": { "allow": ["Bsh"] } }')).toBe(
    'error --settings: permissions.allow[0]: the rule "Bsh" can never match: there is no tool named "Bsh"; did you mean Bash?\n',
  );
  expect(await run("given.json")).toBe(
    `error --settings: ${project.path("given.json")}: permissions.deny[1]: the rule "Bash(" can never match: the bracket is not closed at the end of the rule\n`,
  );
});

describe("habits of Claude Code", () => {
  test.each([
    [["fix the bug"], 'To give an agent a task: retinue run "…"'],
    [["-p", "hi"], 'To give an agent a task: retinue run "…"'],
    [["run", "-p", "hi"], "-p is a flag of Claude Code; here leave it out"],
    [["run", "--dangerously-skip-permissions", "hi"], "write --permission-mode bypassPermissions"],
  ])("%j is answered with what says the same here", async (args, words) => {
    expect(await retinue(args, { project })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(words) as string,
    });
  });

  test("a slash command whose file is there is said not to be put in; another slash is a prompt like any other", async () => {
    project.write(".claude/commands/ops/fix.md", "Fix $ARGUMENTS");
    const told = async (prompt: string): Promise<string> =>
      (await retinue(["run", "--agent", "Explore", "--model", "offline", prompt], { project }))
        .stderr;
    expect(await told("/ops:fix 12")).toContain(
      `! /ops:fix is a slash command of Claude Code (${project.path(".claude/commands/ops/fix.md")}); here its text is not put in`,
    );
    expect(await told("/ops/fix.md: what is it?")).not.toContain("slash command");
    expect(await told("/nothing here")).not.toContain("slash command");
  });
});

describe("permissions explain", () => {
  const explain = (...args: string[]): ReturnType<typeof retinue> =>
    retinue(["permissions", "explain", "general-purpose", ...args], { project });

  test("takes a call as a rule writes it", async () => {
    expect(await explain("Bash(git log)", "--allow", "Bash(git log:*)")).toMatchObject({
      code: 0,
      stdout: (await explain("Bash", "git log", "--allow", "Bash(git log:*)")).stdout,
    });
  });

  test.each([
    [["Bsh(ls)"], /there is no tool named "Bsh": did you mean Bash\?/],
    [["bash", "ls"], /did you mean Bash\?/],
    [["Frobnicate"], /there are Read, Write, .*mcp__SERVER__TOOL/],
    [["Bash(git log:*)"], /is a rule, which stands for many calls.*explain AGENT Bash "git log"/],
    [["Bash(ls)", "pwd"], /the input is given twice/],
  ])("of %j says what was meant", async (args, words) => {
    expect(await explain(...args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(words),
    });
  });
});

test.each(["", " \n"])("an empty report (%j) is no report without a fault", async (stdin) => {
  expect(await retinue(["verify"], { project, stdin })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("the report is empty"),
  });
});

test("doctor tells settings, agents and trust apart", async () => {
  const { stdout } = await retinue(["doctor", "--json"], { project });
  const rows = new Map(
    (JSON.parse(stdout) as { check: string; ok: boolean; detail: string }[]).map((row) => [
      row.check,
      row,
    ]),
  );
  expect(rows.get("agents")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("ops.md:4"),
  });
  expect(rows.get("settings")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("limts"),
  });
  project.write("config/settings.json", '{ "permissions": { "allow": ["Bsh", "Reed"] } }');
  expect(
    (await retinue(["doctor"], { project, env: { CLAUDE_CONFIG_DIR: project.path("config") } }))
      .stdout,
  ).toMatch(/✗ settings +3 complaints:\n +.*limts.*\n +.*"Bsh".*\n +.*"Reed".*\n +→ fix these/);
  expect(rows.get("trust")).toMatchObject({ ok: false });
});

test("output and logs say what the verifier came to", async () => {
  const ran = await retinue(
    [
      "run",
      "--agent",
      "Explore",
      "--model",
      "offline",
      "--output-format",
      "json",
      "where is parseConfig defined?",
    ],
    { project },
  );
  const { agents } = JSON.parse(ran.stdout) as { agents: { agent_id: string; trust: null }[] };
  const { agent_id: id, trust } = agents[0]!;
  // A search claims nothing: its places are counted, and no word of trust stands behind them.
  expect(trust).toBeNull();
  const { stderr } = await retinue(["output", id], { project });
  expect(stderr).toMatch(/places (\d+) of \1 hold/);
  expect(stderr).not.toContain("trust");
  const { stdout } = await retinue(["logs", id], { project });
  expect(stdout).toContain("spawn Explore on offline");
  expect(stdout).toMatch(/verification places \d+ of \d+ hold/);
  const hour = async (TZ: string): Promise<number> =>
    Number((await retinue(["logs", id], { project, env: { TZ } })).stdout.slice(0, 2));
  expect(((await hour("Etc/GMT-9")) - (await hour("UTC")) + 24) % 24).toBe(9);
});

describe("a manager", () => {
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    watch: false,
    model: "offline",
    contract: "none",
  });
  afterAll(() => manager.close());

  test("refuses a field that spawn does not have, instead of starting another agent than was meant", () => {
    expect(() =>
      manager.spawn({ description: "d", prompt: "p", subagent_typ: "Explore" } as SpawnInput),
    ).toThrow('spawn: there is no "subagent_typ"; did you mean "subagent_type"?');
  });

  test.each([undefined, null, "", 7, {}])(
    "takes %j for no agent at all, whichever ran last",
    async (id) => {
      await manager.spawn({
        description: "d",
        prompt: "where is parseConfig?",
        subagent_type: "Explore",
      }).done;
      expect(() => manager.resume(id as string, "go on")).toThrow(/^unknown task_id/);
      await expect(Promise.resolve().then(() => manager.getOutput(id as string))).rejects.toThrow(
        /^unknown task_id/,
      );
      await expect(Promise.resolve().then(() => manager.stop(id as string))).rejects.toThrow(
        /^unknown task_id/,
      );
    },
  );
});

test.each([
  [
    { permisions: { deny: ["Bash"] } },
    'options: there is no "permisions"; did you mean "permissions"?',
  ],
  [
    { permissions: { denny: ["Bash"] } },
    'options.permissions: there is no "denny"; did you mean "deny"?',
  ],
  [
    { permissions: { deny: "Bash" } },
    'options.permissions.deny: expected a list of texts, got "Bash"',
  ],
  [{ limits: { maxturns: 3 } }, 'options.limits: there is no "maxturns"; did you mean "maxTurns"?'],
  [
    { limits: { maxTurns: -1 } },
    "options.limits.maxTurns: expected a whole number above 0, got -1",
  ],
  [
    { tools: [{ name: "x" }] },
    "options.tools[0]: expected a tool, made with defineTool({ name, description, input, readOnly, run }), got an object with name",
  ],
  [
    { hooks: [{ event: "PreToolUse", run: () => undefined }] },
    "options.hooks[0]: expected a hook, made with functionHook({ event, matcher, run }), got an object with event, run",
  ],
  [{ model: { id: "x" } }, "options.model: expected a name such as"],
  [
    { models: { own: "sonnet" } },
    'options.models.own: expected a model (one of the AI SDK\'s, or an object with name and send), got "sonnet"',
  ],
  [{ ask: "once" }, 'options.ask: expected a function, got "once"'],
])("createManager refuses %o, which would be a rule that nobody keeps", (options, message) => {
  expect(() =>
    createManager({
      cwd: project.root,
      env: { HOME: project.home },
      watch: false,
      ...options,
    } as ManagerOptions),
  ).toThrow(message);
});

test("a hook for an event that does not exist is refused: it would be a guard that never fires", () => {
  expect(() => functionHook({ event: "PreToolUze" as "PreToolUse", run: () => undefined })).toThrow(
    'functionHook: there is no event "PreToolUze", so it would never fire; did you mean "PreToolUse"?',
  );
  expect(() =>
    functionHook({ event: "PreToolUse" } as unknown as Parameters<typeof functionHook>[0]),
  ).toThrow("`run` must be a function");
});

test.each([
  ["once", "hi", undefined],
  ["no", "permission denied", "a person said no"],
  [undefined, "permission denied", "nobody answered"],
  [
    "yes",
    "permission denied",
    'the answer to the question, "yes", is none of "once", "session", "no" and "always" with rules',
  ],
])("an asker that answers %j without a promise is heard", async (answer, shown, reason) => {
  const model = scriptedModel([
    { tools: [{ name: "Bash", input: { command: "touch hi && echo hi" } }] },
    ({ messages }) => JSON.stringify(messages.at(-1)),
  ]);
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    watch: false,
    contract: "none",
    model,
    ask: (() => answer) as unknown as NonNullable<ManagerOptions["ask"]>,
  });
  const { content, permission_denials } = await manager.spawn({ description: "d", prompt: "p" })
    .done;
  expect(content).toContain(shown);
  expect(permission_denials.map((denial) => denial.reason)).toEqual(
    reason === undefined ? [] : [reason],
  );
  await manager.close();
});

test.each([[z3.object({ a: z3.string() })], [{ type: "string" }], [undefined]])(
  "a tool's input that is no object schema is refused where the tool is made",
  (input) => {
    expect(() =>
      defineTool({
        name: "Own",
        description: "d",
        readOnly: true,
        run: async () => ({ content: "" }),
        input: input as never,
      }),
    ).toThrow('defineTool: the input of "Own" must be an object schema: z.object');
  },
);

test("a main thread that runs out of time names its limit and the provider's last error, a sub-agent its own", async () => {
  const server = await startMockProvider({
    reply: () => ({ fault: { kind: "status", status: 500 } }),
  });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const main = await retinue(["run", "--timeout", "1500", "x"], { project, env });
  expect(main.stderr).toMatch(
    /no answer within the limit of 1\.5 s \(--timeout.*last error: HTTP 500/,
  );
  expect(main.stderr).not.toContain("Sub-agent");
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"], ...env },
    watch: false,
    model: "sonnet",
    limits: { timeoutMs: 1_500 },
  });
  const { error } = await manager.spawn({ description: "d", prompt: "p" }).done;
  expect(error).toMatch(/^Sub-agent did not respond within timeout \(1\.5 s\).*HTTP 500/);
  await manager.close();
  await server.close();
});

test("a folder in the place of a report is a sentence, and an empty report in a batch is an error row", async () => {
  const folder = await retinue(["verify", "src"], { project });
  expect(folder.code).toBe(2);
  expect(folder.stderr).toMatch(/src is a folder.*--root/);
  expect(folder.stderr).not.toContain("EISDIR");
  const rows = '{"id":"a","report":" "}\n{"id":"b","report":"`src/config.js:1` is there."}\n';
  const batch = await retinue(["verify", "--batch"], { project, stdin: rows });
  expect(batch.code).toBe(1);
  const [empty, other] = batch.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(empty).toEqual({ id: "a", line: 1, error: expect.stringContaining("empty") });
  expect(other).not.toHaveProperty("error");
});
