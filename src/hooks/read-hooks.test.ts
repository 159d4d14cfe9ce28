import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookInput } from "./hook-event.ts";
import { readHooks, readScopedHooks } from "./read-hooks.ts";
import { createHookRegistry } from "./hook-registry.ts";
import { matchHooks } from "./matching/match-hooks.ts";

const group = (command: string, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command", command }],
});
const facts = {
  sessionId: "s",
  transcriptPath: "/t",
  cwd: "/",
  permissionMode: "default",
  agentId: "a1",
  agentType: "writer",
};
const pre = hookInput("PreToolUse", facts, { tool_name: "Bash", tool_input: {}, tool_use_id: "t" });

describe("reading hooks", () => {
  it("takes Claude Code's shape, with timeouts in seconds", () => {
    const { hooks, problems } = readHooks(
      {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              { type: "command", command: "x", timeout: 1.5 },
              { type: "command", command: "y" },
            ],
          },
        ],
        Stop: [group("z")],
      },
      "settings",
    );
    expect(problems).toEqual([]);
    expect(hooks.map((hook) => [hook.event, hook.matcher, hook.type, hook.timeoutMs])).toEqual([
      ["PreToolUse", "Bash", "command", 1500],
      ["PreToolUse", "Bash", "command", undefined],
      ["Stop", "*", "command", undefined],
    ]);
  });

  it.each([
    ["not an object", [], "must be an object"],
    ["an event that is no list", { PreToolUse: {} }, "must be a list"],
    ["a group without hooks", { PreToolUse: [{ matcher: "Bash" }] }, "the entry is ignored"],
    [
      "an empty command",
      { PreToolUse: [{ hooks: [{ type: "command", command: " " }] }] },
      "`command` must be",
    ],
    ["an entry that is a string", { PreToolUse: [{ hooks: ["ls"] }] }, "the hook is ignored"],
  ])("%s is a problem and no hook", (_name, value, words) => {
    const { hooks, problems } = readHooks(value, "settings");
    expect(hooks).toEqual([]);
    expect(problems).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringContaining(words) }),
    ]);
  });

  it("suggests the event or key that was meant", () => {
    expect(readHooks({ PreTooluse: [group("x")] }, "settings").problems).toMatchObject([
      { severity: "warning", suggestion: "PreToolUse" },
    ]);
    expect(
      readHooks({ Stop: [{ hooks: [{ type: "command", command: "x", timout: 3 }] }] }, "settings")
        .problems,
    ).toMatchObject([{ suggestion: "timeout" }]);
  });

  it("keeps a type it cannot run, says so, and never fires it", () => {
    const { hooks, problems } = readHooks(
      { PreToolUse: [{ hooks: [{ type: "prompt", prompt: "safe?" }] }] },
      "settings",
    );
    expect(hooks).toMatchObject([{ type: "unsupported", declared: "prompt" }]);
    expect(problems).toMatchObject([
      { severity: "warning", message: expect.stringContaining('"prompt"') },
    ]);
    expect(matchHooks(hooks, pre)).toEqual([]);
  });

  it("keeps a guard whose matcher cannot be read, firing for everything, and reports an error", () => {
    const { hooks, problems } = readHooks({ PreToolUse: [group("guard", "(?=Bash)")] }, "settings");
    expect(problems).toMatchObject([
      { severity: "error", message: expect.stringContaining("fires for everything") },
    ]);
    expect(matchHooks(hooks, pre)).toHaveLength(1);
  });

  it.each([0, -1, "60", Number.NaN, 1e9])(
    "refuses the timeout %s and keeps the default",
    (timeout) => {
      const { hooks, problems } = readHooks(
        { Stop: [{ hooks: [{ type: "command", command: "x", timeout }] }] },
        "settings",
      );
      expect(problems).toHaveLength(1);
      expect(hooks[0]).not.toHaveProperty("timeoutMs");
    },
  );
});

it("reads any JSON without throwing, and never loses a hook without a word", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const given of [
        value,
        { PreToolUse: value },
        { PreToolUse: [value] },
        {
          PreToolUse: [
            { matcher: value, hooks: [value, { type: value, command: value, timeout: value }] },
          ],
        },
      ]) {
        const { hooks, problems } = readHooks(given, "any");
        if (hooks.length === 0 && JSON.stringify(given).includes("command"))
          expect(problems.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300 },
  );
});

describe("hooks of a definition", () => {
  const written = {
    PreToolUse: [group("pre")],
    PostToolUse: [group("post")],
    Stop: [group("stop", "nobody")],
    SessionStart: [group("start")],
  };

  it("are PreToolUse, PostToolUse and Stop, which becomes SubagentStop", () => {
    const { hooks, problems } = readScopedHooks(written, "agent writer");
    expect(hooks.map((hook) => hook.event)).toEqual(["PreToolUse", "PostToolUse", "SubagentStop"]);
    expect(problems).toMatchObject([
      { message: expect.stringContaining("SessionStart has no effect") },
    ]);
    const stop = hookInput("SubagentStop", facts, {
      agent_transcript_path: "/x",
      last_assistant_message: "",
      stop_hook_active: false,
    });
    expect(matchHooks(hooks, stop)).toHaveLength(1);
  });

  it("fire for their own run only and are gone after it, also when two runs share a definition", () => {
    const registry = createHookRegistry(
      readHooks({ PreToolUse: [group("shared")] }, "settings").hooks,
    );
    const own = readScopedHooks(written, "agent writer").hooks;
    const endFirst = registry.registerScoped("a1", own);
    const endSecond = registry.registerScoped("a2", own);
    const fired = (agent?: string): string[] =>
      matchHooks(registry.hooksFor(agent), pre).map((hook) =>
        hook.type === "command" ? hook.command : "?",
      );
    expect(fired("a1")).toEqual(["shared", "pre"]);
    expect(fired("a3")).toEqual(["shared"]);
    expect(fired()).toEqual(["shared"]);
    endFirst();
    endFirst();
    expect(fired("a1")).toEqual(["shared"]);
    expect(fired("a2")).toEqual(["shared", "pre"]);
    endSecond();
    expect(fired("a2")).toEqual(["shared"]);
  });

  it("can be added and taken back by the library", () => {
    const registry = createHookRegistry();
    const remove = registry.add(readHooks({ PreToolUse: [group("x")] }, "library").hooks);
    expect(registry.hooksFor("a1")).toHaveLength(1);
    remove();
    expect(registry.hooksFor("a1")).toHaveLength(0);
  });
});

it("gives hooks the fields that Claude Code's have", () => {
  const input = hookInput("SubagentStop", facts, {
    agent_transcript_path: "/a.jsonl",
    last_assistant_message: "done",
    stop_hook_active: true,
  });
  expect(input).toEqual({
    session_id: "s",
    transcript_path: "/t",
    cwd: "/",
    permission_mode: "default",
    hook_event_name: "SubagentStop",
    agent_id: "a1",
    agent_type: "writer",
    agent_transcript_path: "/a.jsonl",
    last_assistant_message: "done",
    stop_hook_active: true,
  });
});
