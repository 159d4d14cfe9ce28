import { describe, expect, test } from "vitest";
import { createPolicy, type FactsOf } from "../../permissions/policy.ts";
import { createApprovals, nobodyToAsk } from "../session/asker.ts";
import { guardCall, noHistory } from "../../permissions/orchestrator/orchestrator-rules.ts";
import { unkept, wholeGate } from "../../loop/whole-gate.ts";
import { createGate, noGuard, noMcpTools, type CallGuard, type GateParts } from "./gate.ts";

const facts: FactsOf = (path) => ({
  real: path.startsWith("/") ? path : `/w/${path}`,
  exists: true,
  kind: "file",
});
const policy = createPolicy({
  workspace: { cwd: "/w", home: "/h" },
  rules: { allow: ["Bash(ls:*)"], ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"] },
});
const splitGate = (parts: Partial<GateParts>) =>
  createGate({
    noteApproved: () => undefined,
    agentId: "a",
    agentType: "t",
    policy: () => policy,
    facts,
    mcpFacts: noMcpTools,
    guard: noGuard,
    whileAsking: (answer) => answer,
    ask: nobodyToAsk,
    approvals: createApprovals(),
    ...parts,
  });
const gateWith = (parts: Partial<GateParts>) => wholeGate(splitGate(parts), unkept);
const bash = (command: string) => ({ toolUseId: "1", tool: "Bash", input: { command } });
const run = (parts: Partial<GateParts>, command: string) =>
  gateWith(parts)(bash(command), new AbortController().signal);

describe("the gate", () => {
  test.each([
    ["what no rule covers", "make build", "allow"],
    ["what an ask rule covers", "git push origin", "deny"],
    ["a protected path", "ls > .git/config", "deny"],
    ["what a deny rule covers", "rm x", "deny"],
  ])("a PermissionRequest hook's yes counts for %s: %s is %s", async (_what, command, behavior) => {
    expect(await run({ answerInstead: async () => "allow" }, command)).toMatchObject({ behavior });
  });

  test("a PreToolUse hook that changes the input has the change judged", async () => {
    const beforeTool = async () => ({
      verdict: { behavior: "allow" as const },
      input: { command: "rm x" },
    });
    expect(await run({ beforeTool }, "ls")).toMatchObject({ behavior: "deny", layer: "deny" });
  });

  test("Notification hooks are told before a person is asked, and only then", async () => {
    const told: string[] = [];
    const notifyQuestion = async ({ tool }: { tool: string }): Promise<void> =>
      void told.push(tool);
    for (const command of ["ls", "rm x"])
      await run({ notifyQuestion, ask: async () => "once" }, command);
    await run(
      { notifyQuestion, answerInstead: async () => "allow", ask: async () => "once" },
      "make build",
    );
    expect(told).toEqual([]);
    expect(await run({ notifyQuestion, ask: async () => "once" }, "make build")).toMatchObject({
      behavior: "allow",
    });
    expect(told).toEqual(["Bash"]);
  });

  test("a Notification hook that hangs is ended soon after the answer, and one that fails changes nothing", async () => {
    const hangs = (_: unknown, until: AbortSignal): Promise<void> =>
      new Promise((done) => until.addEventListener("abort", () => done()));
    const started = performance.now();
    expect(
      await run({ notifyQuestion: hangs, ask: async () => "once" }, "make build"),
    ).toMatchObject({ behavior: "allow" });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(
      await run(
        { notifyQuestion: () => Promise.reject(new Error("no bell")), ask: async () => "once" },
        "make build",
      ),
    ).toMatchObject({ behavior: "allow" });
  });

  test("a person is still asked where the hook's yes does not count", async () => {
    expect(
      await run({ answerInstead: async () => "allow", ask: async () => "once" }, "git push origin"),
    ).toMatchObject({ behavior: "allow", reason: "a person said yes" });
  });
});

describe("the gate of an orchestrator", () => {
  const delegating = createPolicy({
    mode: "delegate",
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: ["Bash(ls:*)", "Edit"], ask: ["Read(./asked)"], deny: ["Read(./denied)"] },
  });
  const judge = async (
    tool: string,
    input: Record<string, unknown>,
    parts: Partial<GateParts> = {},
  ) => {
    const noted: string[] = [];
    const guard: CallGuard = {
      refuse: async (call) =>
        guardCall(
          {
            tool: call.tool,
            ...(typeof call.input["file_path"] === "string"
              ? {
                  file: {
                    real: `/w/${call.input["file_path"]}`,
                    shown: call.input["file_path"],
                    exists: true,
                    isOwn: false,
                  },
                }
              : {}),
          },
          { ...noHistory, filesRead: ["/w/a", "/w/b", "/w/c"] },
        ),
      note: (call) => void noted.push(call.tool),
    };
    return {
      decision: await gateWith({
        policy: () => delegating,
        guard,
        ask: async () => "once",
        ...parts,
      })({ toolUseId: "1", tool, input }, new AbortController().signal),
      noted,
    };
  };

  test.each<[string, string, Record<string, unknown>, string]>([
    ["its rules come before allow rules", "Edit", { file_path: "x.ts" }, "orchestrator-guard"],
    ["and before the mode", "Bash", { command: "ls" }, "orchestrator-guard"],
    ["and before a person who is asked", "Read", { file_path: "asked" }, "orchestrator-guard"],
    ["deny rules come before them", "Read", { file_path: "denied" }, "deny"],
    [
      "and so do protected paths that are denied",
      "Read",
      { file_path: "/proc/1/mem" },
      "protected",
    ],
  ])("%s", async (_what, tool, input, layer) => {
    const { decision, noted } = await judge(tool, input);
    expect(decision).toMatchObject({ behavior: "deny", layer });
    expect(noted).toEqual([]);
  });

  test("only a call that goes through is noted, in the form that a hook gave it", async () => {
    expect(await judge("Read", { file_path: "a" })).toMatchObject({
      decision: { behavior: "allow" },
      noted: ["Read"],
    });
    const beforeTool = async () => ({
      verdict: { behavior: "allow" as const },
      input: { file_path: "fourth" },
    });
    expect(await judge("Read", { file_path: "a" }, { beforeTool })).toMatchObject({
      decision: { behavior: "deny", rule: "max-files" },
      noted: [],
    });
  });
});

describe("a yes for the session", () => {
  const asked = (given: Partial<GateParts> = {}) => {
    const questions: unknown[] = [];
    const gate = gateWith({
      policy: () => createPolicy({ workspace: { cwd: "/w", home: "/h" } }),
      ask: async ({ input }) => (questions.push(input), "session"),
      ...given,
    });
    const call = (tool: string, input: Record<string, unknown>) =>
      gate({ toolUseId: "1", tool, input }, new AbortController().signal);
    return { call, questions };
  };

  test.each([
    [
      "another value below the first level",
      "mcp__db__run",
      { args: { sql: "select 1" } },
      { args: { sql: "drop table t" } },
    ],
    [
      "another value in a list",
      "mcp__db__run",
      { args: [{ sql: "select 1" }] },
      { args: [{ sql: "drop table t" }] },
    ],
    [
      "another description, where that is what the tool does",
      "mcp__tracker__create",
      { description: "a" },
      { description: "b" },
    ],
    ["a list in place of an object", "mcp__db__run", { args: { a: 1 } }, { args: [["a", 1]] }],
  ])("is none for %s", async (_what, tool, first, second) => {
    const { call, questions } = asked();
    await call(tool, first);
    await call(tool, second);
    expect(questions).toEqual([first, second]);
  });

  test("holds for the same fields in another order, and for a command under another label", async () => {
    const { call, questions } = asked();
    await call("mcp__db__run", { a: { x: 1, y: 2 }, b: 3 });
    await call("mcp__db__run", { b: 3, a: { y: 2, x: 1 } });
    await call("Bash", { command: "make", description: "builds" });
    await call("Bash", { command: "make", description: "builds again" });
    expect(questions).toHaveLength(2);
  });

  test("is for the file that the path led to, not for whatever it leads to later", async () => {
    let real = "/w/notes.md";
    const { call, questions } = asked({
      facts: (path) =>
        path === "/w/notes.md" ? { real, exists: true, kind: "file" } : facts(path),
    });
    await call("Edit", { file_path: "notes.md" });
    await call("Edit", { file_path: "notes.md" });
    expect(questions).toHaveLength(1);
    real = "/w/.git/config";
    await call("Edit", { file_path: "notes.md" });
    expect(questions).toHaveLength(2);
  });

  describe("a tool of the library's user, which is judged once", () => {
    const own = (rules: Partial<typeof policy.rules>) =>
      createPolicy({
        workspace: { cwd: "/w", home: "/h" },
        customTools: ["lookup"],
        rules: { allow: [], ask: [], deny: [], ...rules },
      });
    const ask = (parts: Partial<GateParts>, input: Record<string, unknown>) =>
      gateWith(parts)({ toolUseId: "1", tool: "lookup", input }, new AbortController().signal);

    test("gets the same word for every input", async () => {
      const parts = { policy: () => allowed };
      const allowed = own({ allow: ["lookup"] });
      for (const input of [{}, { key: "a" }, { key: { deep: [] } }])
        expect(await ask(parts, input)).toMatchObject({ behavior: "allow", rule: "lookup" });
    });

    test("is judged by its input where a rule refuses a parameter", async () => {
      const narrowed = own({ allow: ["lookup"], deny: ["lookup(key:secret)"] });
      const parts = { policy: () => narrowed };
      expect(await ask(parts, { key: "a" })).toMatchObject({ behavior: "allow" });
      expect(await ask(parts, { key: "secret" })).toMatchObject({ behavior: "deny" });
      expect(await ask(parts, { key: "b" })).toMatchObject({ behavior: "allow" });
    });

    test("is judged anew under another policy, and with a hook's word", async () => {
      let now = own({ allow: ["lookup"] });
      const parts = { policy: () => now };
      expect(await ask(parts, {})).toMatchObject({ behavior: "allow" });
      const beforeTool = async () => ({ verdict: { behavior: "deny" as const } });
      expect(await ask({ ...parts, beforeTool }, {})).toMatchObject({ behavior: "deny" });
      now = own({ deny: ["lookup"] });
      expect(await ask(parts, {})).toMatchObject({ behavior: "deny" });
    });

    test("has its own path looked up at every call", async () => {
      const allowed = own({ allow: ["lookup"] });
      for (const path of ["/w/a", "/w/b"])
        expect(await ask({ policy: () => allowed }, { file_path: path })).toMatchObject({
          judgedPath: path,
        });
    });
  });
});
