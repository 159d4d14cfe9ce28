// Real executables in sh, node and python, as a person would write them.
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { functionHook, type Hook } from "./hook.ts";
import { hookInput, type HookInput } from "./hook-event.ts";
import { matchHooks } from "./matching/match-hooks.ts";
import { readHooks } from "./read-hooks.ts";
import { runHooks } from "./run-hooks.ts";

let project: TempProject;
beforeAll(() => {
  project = tempProject();
});
afterAll(() => project.remove());

const facts = () => ({
  sessionId: "s-1",
  transcriptPath: "/t.jsonl",
  cwd: project.root,
  permissionMode: "default",
  agentId: "a0123456789abcdef",
  agentType: "reviewer",
});
const preToolUse = (tool = "Bash", toolInput: unknown = { command: "ls" }): HookInput =>
  hookInput("PreToolUse", facts(), {
    tool_name: tool,
    tool_input: toolInput,
    tool_use_id: "toolu_1",
  });

function commands(
  event: string,
  ...entries: (string | { command: string; timeout?: number; matcher?: string })[]
): Hook[] {
  const groups = entries.map((entry) => {
    const { matcher = "*", ...rest } =
      typeof entry === "string" ? { command: entry } : { ...entry };
    return { matcher, hooks: [{ type: "command", ...rest }] };
  });
  const { hooks, problems } = readHooks({ [event]: groups }, "test");
  expect(problems).toEqual([]);
  return hooks;
}

function script(name: string, text: string): string {
  project.write(name, text);
  chmodSync(project.path(name), 0o755);
  return project.path(name);
}

const specific = (fields: object): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("a hook written in", () => {
  const python = `#!/usr/bin/env python3
import json, sys
event = json.load(sys.stdin)
if event["tool_input"]["command"].startswith("rm"):
    print("no removing: " + event["agent_type"], file=sys.stderr)
    sys.exit(2)
`;
  const node = `#!/usr/bin/env node
let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", () => {
  const event = JSON.parse(text);
  if (!event.tool_input.command.startsWith("rm")) return;
  const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no removing: " + event.agent_type };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
});
`;
  const sh = `#!/bin/sh
if grep -q '"command":"rm' ; then echo "no removing: reviewer" >&2; exit 2; fi
`;
  it.each([
    ["sh", sh],
    ["node", node],
    ["python", python],
  ])("%s reads the event and blocks what it should, and only that", async (name, text) => {
    const hooks = commands("PreToolUse", script(`hook-${name}`, text));
    const blocked = await runHooks({ input: preToolUse("Bash", { command: "rm -rf x" }), hooks });
    expect(blocked).toMatchObject({
      behavior: "deny",
      reason: "no removing: reviewer",
      runs: [{ outcome: "blocked" }],
    });
    const passed = await runHooks({ input: preToolUse(), hooks });
    expect(passed.behavior).toBeUndefined();
    expect(passed.runs).toMatchObject([{ outcome: "ok", source: "test" }]);
  });
});

describe("a hook with args", () => {
  const withArgs = (command: string, args: unknown): ReturnType<typeof readHooks> =>
    readHooks(
      { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command, args }] }] },
      "test",
    );

  it("is started as it is, without a shell, and finds the project", async () => {
    project.write(
      "guard.mjs",
      "process.stderr.write(process.argv.slice(2).join('|')); process.exit(2);",
    );
    const { hooks, problems } = withArgs(process.execPath, [
      "${CLAUDE_PROJECT_DIR}/guard.mjs",
      "$HOME; echo `id`",
      "a b",
    ]);
    expect(problems).toEqual([]);
    expect(await runHooks({ input: preToolUse(), hooks, projectDir: project.root })).toMatchObject({
      behavior: "deny",
      reason: "$HOME; echo `id`|a b",
    });
  });

  it("never has the event read as a script, which a shell without its arguments would do", async () => {
    const { hooks } = withArgs("bash", ["-c", "exit 0"]);
    await runHooks({
      input: preToolUse("Bash", { command: `$(touch ${project.path("owned")})` }),
      hooks,
    });
    expect(existsSync(project.path("owned"))).toBe(false);
  });

  it.each([
    ["a text", "-x"],
    ["a number in the list", ["-x", 1]],
    ["a NUL", ["a\0b"]],
  ])("is not run where they are %s", (_what, args) => {
    const { hooks, problems } = withArgs("bash", args);
    expect([hooks.map(({ type }) => type), problems.map(({ severity }) => severity)]).toEqual([
      ["unsupported"],
      ["error"],
    ]);
  });

  it("counts apart from the same program with others", async () => {
    const one = withArgs("true", ["1"]).hooks;
    expect(
      (
        await runHooks({
          input: preToolUse(),
          hooks: [...one, ...one, ...withArgs("true", ["2"]).hooks],
        })
      ).runs.map(({ hook }) => hook),
    ).toEqual(["true 1", "true 2"]);
  });
});

describe("a hook for a shell", () => {
  it("is a line of bash", async () => {
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", '[[ "a.ts" =~ \\.ts$ ]] && { echo "matched" >&2; exit 2; }'),
    });
    expect(verdict).toMatchObject({ behavior: "deny", reason: "matched" });
  });

  it("is not run where it is another shell, and that is said", () => {
    const { hooks, problems } = readHooks(
      {
        Stop: [
          {
            hooks: [
              { type: "command", command: "x", shell: "powershell" },
              { type: "command", command: "y", shell: "bash" },
            ],
          },
        ],
      },
      "test",
    );
    expect([hooks.map(({ type }) => type), problems.map(({ message }) => message)]).toEqual([
      ["unsupported", "command"],
      [expect.stringContaining("powershell")],
    ]);
  });
});

it("fires a hook for automatic compaction also when the provider forced it", () => {
  const hooks = commands("PreCompact", { command: "x", matcher: "auto" });
  expect(matchHooks(hooks, hookInput("PreCompact", facts(), { trigger: "overflow" }))).toHaveLength(
    1,
  );
});

describe("every answer, in every language", () => {
  const sh = `#!/bin/sh
cat > /dev/null
say() { printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse",%s}}' "$1"; }
case "$1" in
  block) echo stop >&2; exit 2;;
  allow|ask) say "\\"permissionDecision\\":\\"$1\\",\\"permissionDecisionReason\\":\\"why\\"";;
  change) say '"updatedInput":{"command":"ls -l"}';;
  context) say '"additionalContext":"mind the gap"';;
  garbage) printf '{"hookSpecificOutput": {';;
  fail) echo oops >&2; exit 3;;
  hang) echo $$ > "$2"; sleep 300 & echo $! >> "$2"; wait;;
esac
`;
  const node = `#!/usr/bin/env node
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
const [what, file] = process.argv.slice(2);
const say = (fields) => process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } }));
process.stdin.resume().on("end", () => {
  if (what === "block") process.exitCode = (process.stderr.write("stop\\n"), 2);
  if (what === "allow" || what === "ask") say({ permissionDecision: what, permissionDecisionReason: "why" });
  if (what === "change") say({ updatedInput: { command: "ls -l" } });
  if (what === "context") say({ additionalContext: "mind the gap" });
  if (what === "garbage") process.stdout.write('{"hookSpecificOutput": {');
  if (what === "fail") process.exitCode = (process.stderr.write("oops\\n"), 3);
  if (what === "hang") writeFileSync(file, process.pid + "\\n" + spawn("sleep", ["300"], { detached: true }).pid + "\\n");
});
`;
  const python = `#!/usr/bin/env python3
import json, os, subprocess, sys, time
what = sys.argv[1]
json.load(sys.stdin)
def say(**fields):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}))
if what == "block":
    sys.exit(print("stop", file=sys.stderr) or 2)
if what in ("allow", "ask"):
    say(permissionDecision=what, permissionDecisionReason="why")
if what == "change":
    say(updatedInput={"command": "ls -l"})
if what == "context":
    say(additionalContext="mind the gap")
if what == "garbage":
    print('{"hookSpecificOutput": {')
if what == "fail":
    sys.exit(print("oops", file=sys.stderr) or 3)
if what == "hang":
    child = subprocess.Popen(["sleep", "300"], start_new_session=True)
    open(sys.argv[2], "w").write("%d\\n%d\\n" % (os.getpid(), child.pid))
    time.sleep(300)
`;
  const answers: [string, object][] = [
    ["block", { behavior: "deny", reason: "stop" }],
    ["allow", { behavior: "allow", reason: "why" }],
    ["ask", { behavior: "ask", reason: "why" }],
    ["change", { updatedInput: { command: "ls -l" } }],
    ["context", { additionalContext: ["mind the gap"] }],
    ["garbage", { behavior: "ask", runs: [{ outcome: "failed" }] }],
    ["fail", { warnings: [expect.stringContaining("exit code 3: oops")] }],
  ];
  const languages: [string, string][] = [
    ["hook.sh", sh],
    ["hook.mjs", node],
    ["hook.py", python],
  ];
  it.each(
    languages.flatMap(([file, text]) =>
      answers.map(([what, expected]) => [file, what, text, expected] as const),
    ),
  )("%s: %s", async (file, what, text, expected) => {
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", `${script(file, text)} ${what}`),
    });
    expect(verdict).toMatchObject(expected);
    if (what === "fail") expect(verdict.behavior).toBeUndefined();
  });

  it.each(languages)("%s: hang, and its tree is gone", async (file, text) => {
    const pids = project.path(`${file}.pids`);
    const running = runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", { command: `${script(file, text)} hang ${pids}`, timeout: 3 }),
    });
    expect(await running).toMatchObject({ behavior: "deny", runs: [{ outcome: "timeout" }] });
    const started = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    expect(started).toHaveLength(2);
    expect(started.filter(alive)).toEqual([]);
  });
});

describe("the protocol of a command", () => {
  const rows: [string, string, object][] = [
    [
      "allow",
      `echo '${specific({ permissionDecision: "allow", permissionDecisionReason: "fine" })}'`,
      { behavior: "allow", reason: "fine" },
    ],
    [
      "ask",
      `echo '${specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" })}'`,
      { behavior: "ask", reason: "sure?" },
    ],
    [
      "the older word approve",
      `echo '{"decision":"approve","reason":"old"}'`,
      { behavior: "allow", reason: "old" },
    ],
    [
      "the older word block",
      `echo '{"decision":"block","reason":"old"}'`,
      { behavior: "deny", reason: "old" },
    ],
    [
      "exit 2 without a word",
      "exit 2",
      { behavior: "deny", reason: expect.stringContaining("no reason") },
    ],
    [
      "exit 2 does not read stdout",
      `echo '${specific({ permissionDecision: "allow" })}'; echo no >&2; exit 2`,
      { behavior: "deny", reason: "no" },
    ],
    [
      "changed input",
      `echo '${specific({ updatedInput: { command: "ls -l" } })}'`,
      { updatedInput: { command: "ls -l" } },
    ],
    [
      "context",
      `echo '${specific({ additionalContext: "mind the gap" })}'`,
      { additionalContext: ["mind the gap"] },
    ],
    ["a message for people", `echo '{"systemMessage":"hello"}'`, { systemMessages: ["hello"] }],
    [
      "continue false ends the run and denies the call",
      `echo '{"continue":false,"stopReason":"enough"}'`,
      { stop: "enough", behavior: "deny", reason: "enough" },
    ],
    [
      "an unknown decision asks",
      `echo '${specific({ permissionDecision: "alow" })}'`,
      { behavior: "ask", reason: expect.stringContaining("alow") },
    ],
    [
      "broken JSON asks",
      `echo '{"decision": "blo'`,
      { behavior: "ask", runs: [{ outcome: "failed" }] },
    ],
    [
      "changed input that is no object asks, even with allow",
      `echo '${specific({ permissionDecision: "allow", updatedInput: "rm" })}'`,
      { behavior: "ask" },
    ],
    [
      "a death by signal denies",
      "kill -9 $$",
      { behavior: "deny", reason: expect.stringContaining("SIGKILL") },
    ],
  ];
  it.each(rows)("%s", async (_name, command, expected) => {
    expect(
      await runHooks({ input: preToolUse(), hooks: commands("PreToolUse", command) }),
    ).toMatchObject(expected);
  });

  it("warns of other exit codes, and of a command that is not there, and decides nothing", async () => {
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", "echo oops >&2; exit 1", "/no/such/hook"),
    });
    expect(verdict.behavior).toBeUndefined();
    expect(verdict.warnings).toEqual([
      expect.stringContaining("exit code 1: oops"),
      expect.stringContaining("exit code 127"),
    ]);
  });

  it("tolerates plain text with a warning before a tool, and takes it as context where Claude Code does", async () => {
    const before = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", "echo not json {"),
    });
    expect(before).toMatchObject({ warnings: [expect.stringContaining("no JSON")] });
    expect(before.behavior).toBeUndefined();
    const prompt = await runHooks({
      input: hookInput("UserPromptSubmit", facts(), { prompt: "hi" }),
      hooks: commands("UserPromptSubmit", "echo today is monday"),
    });
    expect(prompt).toMatchObject({ additionalContext: ["today is monday"], warnings: [] });
  });

  it("cannot block the start of a sub-agent, only add context", async () => {
    const input = hookInput("SubagentStart", facts(), {});
    const verdict = await runHooks({
      input,
      hooks: commands(
        "SubagentStart",
        "echo no >&2; exit 2",
        `echo '{"hookSpecificOutput":{"additionalContext":"see docs"}}'`,
        `echo '{"decision":"block"}'`,
      ),
    });
    expect(verdict.behavior).toBeUndefined();
    expect(verdict.additionalContext).toEqual(["see docs"]);
    expect(verdict.warnings).toHaveLength(2);
  });

  it("blocks the end of a sub-agent with a reason", async () => {
    const input = hookInput("SubagentStop", facts(), {
      agent_transcript_path: "/x",
      last_assistant_message: "done",
      stop_hook_active: false,
    });
    const verdict = await runHooks({
      input,
      hooks: commands(
        "SubagentStop",
        { matcher: "reviewer", command: "echo run the tests >&2; exit 2" },
        { matcher: "writer", command: "exit 2" },
      ),
    });
    expect(verdict).toMatchObject({ behavior: "deny", reason: "run the tests" });
    expect(verdict.runs).toHaveLength(1);
  });
});

describe("several hooks", () => {
  const say = (decision: string, delay = "0"): string =>
    `sleep ${delay}; echo '${specific({ permissionDecision: decision, permissionDecisionReason: decision })}'`;
  it.each([
    [["allow", "ask", "deny"], "deny"],
    [["ask", "allow"], "ask"],
    [["allow", "allow"], "allow"],
  ])("%j give %s", async (decisions, expected) => {
    const hooks = commands(
      "PreToolUse",
      ...decisions.map((decision, index) => say(decision, `0.0${index}`)),
    );
    expect(await runHooks({ input: preToolUse(), hooks })).toMatchObject({
      behavior: expected,
      reason: expected,
    });
  });

  it("run side by side", async () => {
    const started = performance.now();
    await runHooks({
      input: preToolUse(),
      hooks: commands(
        "PreToolUse",
        ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `sleep 0.5; : ${index}`),
      ),
    });
    expect(performance.now() - started).toBeLessThan(8 * 500);
  });

  it("run an identical command once", async () => {
    const command = `echo x >> ${project.path("once")}`;
    await runHooks({
      input: preToolUse(),
      hooks: [
        ...commands("PreToolUse", command, command),
        ...commands("PreToolUse", { command, matcher: "Bash" }),
      ],
    });
    expect(project.read("once")).toBe("x\n");
  });

  it("agree on a changed input, or ask when they differ, with the first one's change", async () => {
    const change = (to: string, note = ""): string =>
      `: ${note}; sleep ${note === "slow" ? 0.2 : 0}; echo '${specific({ updatedInput: { command: to } })}'`;
    const same = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", change("a"), change("a", "again")),
    });
    expect(same).toMatchObject({ updatedInput: { command: "a" }, warnings: [] });
    expect(same.behavior).toBeUndefined();
    const differ = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", change("a", "slow"), change("b")),
    });
    expect(differ).toMatchObject({
      behavior: "ask",
      updatedInput: { command: "a" },
      reason: expect.stringContaining("different ways"),
    });
  });

  it("drop a changed input with a denied call", async () => {
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands(
        "PreToolUse",
        `echo '${specific({ updatedInput: { command: "a" } })}'`,
        "exit 2",
      ),
    });
    expect(verdict.behavior).toBe("deny");
    expect(verdict).not.toHaveProperty("updatedInput");
  });
});

describe("the surroundings of a command", () => {
  it("are the working directory, the project's folder, and an environment without secrets", async () => {
    const command = `pwd > seen; echo "$CLAUDE_PROJECT_DIR" >> seen; env >> seen`;
    const environment = {
      PATH: process.env["PATH"],
      HOME: project.home,
      ANTHROPIC_API_KEY: "sk-ant-secret",
      AWS_SECRET_ACCESS_KEY: "hush",
      LD_PRELOAD: "./x.so",
    };
    await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", command),
      environment,
      projectDir: "/some/root",
      settingsEnv: { TEAM: "blue" },
    });
    const seen = project.read("seen");
    expect(seen.split("\n").slice(0, 2)).toEqual([project.root, "/some/root"]);
    expect(seen).toContain("TEAM=blue");
    expect(seen).not.toMatch(/secret|hush|LD_PRELOAD/);
  });

  it("pass the event whole, also when the hook does not read it", async () => {
    const input = preToolUse("Write", { file_path: "/x", content: "y".repeat(2_000_000) });
    const verdict = await runHooks({
      input,
      hooks: commands("PreToolUse", "exit 0", `cat > event.json`),
    });
    expect(verdict.runs.map((run) => run.outcome)).toEqual(["ok", "ok"]);
    expect(JSON.parse(project.read("event.json"))).toEqual(input);
  });
});

describe("a hook that misbehaves", () => {
  const daemon = (): string =>
    `echo $$ >> pids; (setsid sh -c 'echo $$ >> pids; sleep 300' >/dev/null 2>&1 &); (sleep 300 & echo $! >> pids)`;
  const pids = (): number[] => project.read("pids").trim().split("\n").map(Number);

  it("is ended at its deadline, denies the call, and leaves no process, daemons included (TOOLS-05, TOOLS-06)", async () => {
    project.write("pids", "");
    const started = performance.now();
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", {
        command: `${daemon()}; trap '' TERM; while :; do sleep 1; done`,
        timeout: 2,
      }),
    });
    expect(performance.now() - started).toBeLessThan(2_000 + 5_000);
    expect(verdict).toMatchObject({
      behavior: "deny",
      reason: expect.stringContaining("2 s"),
      runs: [{ outcome: "timeout" }],
    });
    expect(pids()).toHaveLength(3);
    expect(pids().filter(alive)).toEqual([]);
  });

  it("leaves no daemon when it exits in time", async () => {
    project.write("pids", "");
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands(
        "PreToolUse",
        `${daemon()}; until [ "$(wc -l < pids)" = 3 ]; do sleep 0.05; done`,
      ),
    });
    expect(verdict.runs).toMatchObject([{ outcome: "ok" }]);
    expect(pids()).toHaveLength(3);
    expect(pids().filter(alive)).toEqual([]);
  });

  it("warns instead of denying when it hangs after the tool", async () => {
    const input = hookInput("PostToolUse", facts(), {
      tool_name: "Bash",
      tool_input: {},
      tool_use_id: "t",
      tool_response: "x",
    });
    const verdict = await runHooks({
      input,
      hooks: commands("PostToolUse", { command: "sleep 60", timeout: 0.2 }),
    });
    expect(verdict.behavior).toBeUndefined();
    expect(verdict.warnings).toHaveLength(1);
  });

  it("is ended when the run is stopped", async () => {
    const stop = new AbortController();
    const running = runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", "echo $$ > own; sleep 300"),
      signal: stop.signal,
    });
    while (!existsSync(project.path("own")) || project.read("own") === "") await sleep(10);
    stop.abort();
    expect(await running).toMatchObject({
      behavior: "deny",
      reason: expect.stringContaining("stopped"),
    });
    expect(alive(Number(project.read("own")))).toBe(false);
  });

  it("prints without end and costs bounded memory; a guard's cut answer becomes a question (TOOLS-07)", async () => {
    const before = process.memoryUsage().rss;
    const verdict = await runHooks({
      input: preToolUse(),
      hooks: commands("PreToolUse", { command: "head -c 100000000 /dev/zero", timeout: 20 }),
    });
    expect(verdict.behavior).toMatch(/ask|deny/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("cannot be started where the working directory is gone, and denies", async () => {
    const gone = tempProject();
    gone.remove();
    const verdict = await runHooks({
      input: { ...preToolUse(), cwd: gone.root },
      hooks: commands("PreToolUse", "true"),
    });
    expect(verdict).toMatchObject({ behavior: "deny", runs: [{ outcome: "failed" }] });
  });
});

describe("a function hook", () => {
  it("answers like a command", async () => {
    const run = functionHook({
      event: "PreToolUse",
      matcher: "Bash",
      run: (input) => ({
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: `${JSON.stringify(input["tool_name"])} is off`,
        },
      }),
    });
    expect(await runHooks({ input: preToolUse(), hooks: [run] })).toMatchObject({
      behavior: "deny",
      reason: '"Bash" is off',
    });
    expect((await runHooks({ input: preToolUse("Read"), hooks: [run] })).runs).toEqual([]);
  });

  it("that throws or hangs denies a call, and only warns elsewhere", async () => {
    const broken = (event: "PreToolUse" | "PostToolUse") =>
      functionHook({
        event,
        run: () => {
          throw new Error("boom");
        },
      });
    const hangs = functionHook({
      event: "PreToolUse",
      timeoutMs: 50,
      run: () => new Promise(() => {}),
    });
    expect(await runHooks({ input: preToolUse(), hooks: [broken("PreToolUse")] })).toMatchObject({
      behavior: "deny",
      reason: expect.stringContaining("boom"),
    });
    expect(await runHooks({ input: preToolUse(), hooks: [hangs] })).toMatchObject({
      behavior: "deny",
      runs: [{ outcome: "timeout" }],
    });
    const after = hookInput("PostToolUse", facts(), {
      tool_name: "Bash",
      tool_input: {},
      tool_use_id: "t",
      tool_response: "x",
    });
    const late = await runHooks({ input: after, hooks: [broken("PostToolUse")] });
    expect(late.behavior).toBeUndefined();
    expect(late.warnings).toEqual([expect.stringContaining("boom")]);
  });

  it("cannot change the call by changing what it was given", async () => {
    const input = preToolUse();
    const hook = functionHook({
      event: "PreToolUse",
      run: (given) => {
        (given["tool_input"] as { command: string }).command = "rm -rf /";
        return undefined;
      },
    });
    await runHooks({ input, hooks: [hook] });
    expect(input["tool_input"]).toEqual({ command: "ls" });
  });
});
