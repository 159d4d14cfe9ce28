import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Fact, Signal } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { Message } from "../model/message.ts";
import { scriptedModel, type ScriptLine } from "../testing/scripted-model.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { deadlineReason, type LoopPorts, type LoopSpec } from "./ports.ts";
import { noJudgedPath } from "../tool/tool.ts";
import { runLoop } from "./run-loop.ts";

const echo = defineZodTool({
  name: "Echo",
  description: "says it again",
  input: z.object({ text: z.string() }),
  readOnly: true,
  run: async ({ text }) => ({ content: text }),
});
const write = defineZodTool({
  name: "Write",
  description: "writes",
  input: z.object({ to: z.string() }),
  readOnly: false,
  run: async ({ to }) => ({ content: `wrote ${to}`, facts: { path: to } }),
});
const broken = defineZodTool({
  name: "Broken",
  description: "always fails",
  input: z.object({}),
  readOnly: true,
  run: async () => Promise.reject(new Error("no disk")),
});

type Told = {
  outcome: RunOutcome;
  facts: Fact[];
  signals: Signal[];
  requests: readonly { messages: readonly Message[] }[];
};

async function tell(
  script: ScriptLine[],
  options: {
    tools?: Tool[];
    spec?: Partial<LoopSpec>;
    ports?: Partial<LoopPorts>;
    signal?: AbortSignal;
    strict?: boolean;
  } = {},
): Promise<Told> {
  const facts: Fact[] = [];
  const signals: Signal[] = [];
  const model = scriptedModel(script);
  let clock = 0;
  const ports: LoopPorts = {
    send: (request, call) => model.send(request, call),
    tools: new Map((options.tools ?? [echo, write, broken]).map((tool) => [tool.name, tool])),
    gate: () => ({ behavior: "allow", judgedPath: noJudgedPath, layer: "allow", reason: "test" }),
    record: (fact) => void facts.push(fact),
    signal: (signal) => void signals.push(signal),
    now: () => (clock += 1),
    ...options.ports,
  };
  const spec: LoopSpec = {
    system: "be brief",
    webSearch: false,
    limits: { maxTurns: 20 },
    window: { contextTokens: 200_000, maxOutputTokens: 4_096, compactionPercent: 95 },
    ...options.spec,
  };
  const outcome = await runLoop(spec, [{ role: "user", content: "go" }], {
    ports,
    signal: options.signal ?? new AbortController().signal,
  });
  if (options.strict !== false) model.finish();
  return { outcome, facts, signals, requests: model.requests };
}

const lastResults = (told: Told): { content: unknown; is_error?: boolean }[] =>
  told.requests.at(-1)!.messages.at(-1)!.content as never;

describe("the loop", () => {
  test("ends with the model's answer and counts what was used", async () => {
    const { outcome } = await tell([{ tools: [{ name: "Echo", input: { text: "hi" } }] }, "done"]);
    expect(outcome).toMatchObject({
      state: "completed",
      content: "done",
      metrics: { turns: 2, tool_uses: 1, tokens_used: 240 },
    });
  });

  test("shows the model the tool's result, paired with its call", async () => {
    const { requests } = await tell([{ tools: [{ name: "Echo", input: { text: "hi" } }] }, "done"]);
    expect(requests[1]!.messages).toEqual([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_1_1", name: "Echo", input: { text: "hi" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1_1", content: "hi" }] },
    ]);
  });

  test("records the reply and the decision before a tool that changes something runs", async () => {
    const order: string[] = [];
    const tool: Tool = {
      ...write,
      inputSchema: {},
      execute: async () => (order.push("executed"), { content: "ok" }),
    };
    await tell([{ tools: [{ name: "Write", input: { to: "a" } }] }, "done"], {
      tools: [tool],
      ports: { record: (fact) => void order.push(fact.type) },
    });
    expect(order).toEqual(["message", "permission-decision", "executed", "message", "message"]);
  });

  test("keeps the tools' facts beside their results", async () => {
    const { facts } = await tell([{ tools: [{ name: "Write", input: { to: "a" } }] }, "done"]);
    expect(
      facts.find((fact) => fact.type === "message" && fact.origin === "tool_results"),
    ).toMatchObject({ toolFacts: { toolu_1_1: { path: "a" } } });
  });

  test("what a tool itself kept back is on record and among the denials, and the rest is shown", async () => {
    const search: Tool = {
      ...echo,
      inputSchema: {},
      execute: async () => ({
        content: "names only",
        denied: { layer: "guard", rule: "bulk", reason: "too much" },
      }),
    };
    const told = await tell([{ tools: [{ name: "Echo", input: { text: "x" } }] }, "done"], {
      tools: [search],
    });
    expect(lastResults(told)[0]).toEqual({
      type: "tool_result",
      tool_use_id: "toolu_1_1",
      content: "names only",
    });
    expect(told.facts).toContainEqual({
      type: "permission-decision",
      toolUseId: "toolu_1_1",
      tool: "Echo",
      behavior: "deny",
      layer: "guard",
      rule: "bulk",
      reason: "too much",
    });
    expect(told.outcome.permission_denials).toEqual([
      {
        tool_name: "Echo",
        tool_use_id: "toolu_1_1",
        tool_input: { text: "x" },
        reason: "too much",
        rule: "bulk",
      },
    ]);
  });

  test("an answer that a rule holds back is told, on record and among the denials; objections are asked for afterwards", async () => {
    const asked: string[] = [];
    const held = [{ behavior: "deny" as const, layer: "guard", rule: "wait", reason: "too early" }];
    const told = await tell(["first", "second"], {
      ports: {
        hooks: {
          gateAnswer: async () => held.shift(),
          beforeEnd: async (answer) => void asked.push(answer),
        },
      },
    });
    expect(told.outcome).toMatchObject({
      state: "completed",
      content: "second",
      permission_denials: [
        { tool_name: "answer", tool_use_id: "answer-1", rule: "wait", reason: "too early" },
      ],
    });
    expect(told.requests[1]!.messages.at(-1)).toEqual({
      role: "user",
      content: "permission denied: too early",
    });
    expect(told.facts).toContainEqual({
      type: "permission-decision",
      toolUseId: "answer-1",
      tool: "answer",
      behavior: "deny",
      layer: "guard",
      rule: "wait",
      reason: "too early",
    });
    expect(asked).toEqual(["second"]);
  });

  test("tells the model why a call was refused, and lists the denial", async () => {
    const told = await tell([{ tools: [{ name: "Write", input: { to: "a" } }] }, "done"], {
      ports: {
        gate: () => ({
          behavior: "deny",
          layer: "deny",
          rule: "Write",
          reason: "Write is denied by a rule",
        }),
      },
    });
    expect(lastResults(told)[0]).toMatchObject({
      is_error: true,
      content: "permission denied: Write is denied by a rule",
    });
    expect(told.outcome.permission_denials).toEqual([
      {
        tool_name: "Write",
        tool_use_id: "toolu_1_1",
        tool_input: { to: "a" },
        reason: "Write is denied by a rule",
        rule: "Write",
      },
    ]);
  });

  test("runs with the input that the gate put in", async () => {
    const told = await tell([{ tools: [{ name: "Write", input: { to: "a" } }] }, "done"], {
      ports: {
        gate: () => ({
          behavior: "allow",
          judgedPath: noJudgedPath,
          layer: "hook",
          reason: "changed",
          input: { to: "b" },
        }),
      },
    });
    expect(lastResults(told)[0]).toMatchObject({ content: "wrote b" });
  });

  test.each<[string, ScriptLine, RegExp]>([
    [
      "PROVI-20 an input that is no JSON",
      {
        tools: [{ name: "Write", input: {}, id: "t1" }],
        invalid_inputs: { t1: "the input is not valid JSON" },
      },
      /not valid JSON/,
    ],
    [
      "PROVI-21 an input that fails the schema",
      { tools: [{ name: "Write", input: { to: 7 } }] },
      /invalid input for Write: to:/,
    ],
    [
      "PROVI-22 an unknown tool",
      { tools: [{ name: "Nope", input: {} }] },
      /there is no tool "Nope"; available: Echo, Write, Broken/,
    ],
    [
      "PROVI-25 a call cut by max_tokens",
      { tools: [{ name: "Write", input: { to: "a" } }], stop_reason: "max_tokens" },
      /cut at the output limit/,
    ],
    [
      "a call cut by the end of the window",
      {
        tools: [{ name: "Write", input: { to: "a" } }],
        stop_reason: "model_context_window_exceeded",
      },
      /cut at the output limit/,
    ],
    ["a tool that throws", { tools: [{ name: "Broken", input: {} }] }, /Broken failed: no disk/],
  ])("answers %s with an error result, and nothing runs", async (_name, line, expected) => {
    const told = await tell([line, "done"]);
    expect(lastResults(told)[0]).toMatchObject({
      is_error: true,
      content: expect.stringMatching(expected),
    });
    expect(told.outcome.state).toBe("completed");
  });

  test("PROVI-23 refuses a tool_use id that was used before, and keeps the history valid", async () => {
    const told = await tell([
      { tools: [{ name: "Echo", input: { text: "1" }, id: "same" }] },
      { tools: [{ name: "Echo", input: { text: "2" }, id: "same" }] },
      "done",
    ]);
    expect(lastResults(told)[0]).toMatchObject({
      is_error: true,
      tool_use_id: "same_repeat_1",
      content: expect.stringContaining("was used before"),
    });
  });

  test("PROVI-23 the id that a repeat gets is nobody's yet", async () => {
    const call = (id: string): ScriptLine => ({
      tools: [{ name: "Echo", input: { text: id }, id }],
    });
    const told = await tell([call("same"), call("same_repeat_2"), call("same"), "done"]);
    expect(lastResults(told)[0]).toMatchObject({ is_error: true, tool_use_id: "same_repeat_3" });
  });

  test("PROVI-23 refuses it also when a summary has taken the first call out of the conversation", async () => {
    const long = "many words ".repeat(1_000);
    const told = await tell(
      [
        {
          tools: [{ name: "Echo", input: { text: long }, id: "same" }],
          usage: { input_tokens: 4_000 },
        },
        "a summary",
        { tools: [{ name: "Echo", input: { text: "2" }, id: "same" }] },
        "done",
      ],
      { spec: { window: { contextTokens: 4_000, maxOutputTokens: 500, compactionPercent: 95 } } },
    );
    expect(told.requests[2]!.messages, "the first call is out of sight").toHaveLength(1);
    expect(lastResults(told)[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("the tool_use id same was used before"),
    });
  });

  test("PROVI-24 executes at most 64 calls of a reply and answers all 200", async () => {
    const told = await tell([
      { tools: Array.from({ length: 200 }, () => ({ name: "Echo", input: { text: "x" } })) },
      "done",
    ]);
    const results = lastResults(told);
    expect(results).toHaveLength(200);
    expect(results.filter((result) => result.is_error)).toHaveLength(136);
    expect(told.outcome.metrics.tool_uses).toBe(64);
  });

  test("PROVI-26 a refusal is a failure that keeps what was said", async () => {
    const { outcome } = await tell([{ text: "I can't", stop_reason: "refusal" }]);
    expect(outcome).toMatchObject({ state: "failed", reason: "refusal", content: "I can't" });
  });

  test("PROVI-27 a paused reply is continued without a new user message", async () => {
    const { outcome, requests } = await tell([
      { text: "searching", stop_reason: "pause_turn" },
      "found",
    ]);
    expect(outcome).toMatchObject({ state: "completed", content: "found" });
    expect(requests[1]!.messages.at(-1)!.role).toBe("assistant");
  });

  test("PROVI-28 an empty reply gets one nudge", async () => {
    const told = await tell([{ text: "" }, "here it is"]);
    expect(told.outcome).toMatchObject({ state: "completed", content: "here it is" });
    expect(JSON.stringify(told.requests[1]!.messages.at(-1))).toContain("Your reply was empty");
  });

  test("PROVI-28 two empty replies are failed(empty), never an empty success", async () => {
    const { outcome } = await tell([{ text: "" }, { text: " " }]);
    expect(outcome).toMatchObject({ state: "failed", reason: "empty" });
  });

  test("PROVI-29 stops a model that repeats the same failing call", async () => {
    const { outcome } = await tell(
      Array.from({ length: 50 }, () => ({ tools: [{ name: "Broken", input: {} }] })),
      { strict: false, spec: { limits: { maxTurns: 50 } } },
    );
    expect(outcome).toMatchObject({
      state: "failed",
      reason: "error",
      error: expect.stringContaining("the same call failed 5 times"),
      metrics: { turns: 5 },
    });
  });

  test("a model that repeats a call which is always denied has failed for permissions", async () => {
    const { outcome } = await tell(
      Array.from({ length: 50 }, () => ({ tools: [{ name: "Echo", input: { text: "x" } }] })),
      {
        strict: false,
        spec: { limits: { maxTurns: 50 } },
        ports: { gate: () => ({ behavior: "deny", layer: "deny", reason: "no" }) },
      },
    );
    expect(outcome).toMatchObject({ state: "failed", reason: "permission", metrics: { turns: 5 } });
  });

  test("does not mistake alternating failures for a repetition", async () => {
    const script: ScriptLine[] = Array.from({ length: 8 }, (_, index) => ({
      tools: [index % 2 ? { name: "Broken", input: {} } : { name: "Echo", input: { text: "x" } }],
    }));
    expect((await tell([...script, "done"])).outcome.state).toBe("completed");
  });

  test("joins an answer that was cut and continued", async () => {
    const { outcome } = await tell([{ text: "one ", stop_reason: "max_tokens" }, "two"]);
    expect(outcome).toMatchObject({ state: "completed", content: "one two" });
  });

  test("does not put what was cut before more work in front of the answer, or in place of one", async () => {
    const cut = { text: "I will now", stop_reason: "max_tokens" as const };
    const call = { tools: [{ name: "Echo", input: { text: "x" } }] };
    expect((await tell([cut, call, "two"])).outcome).toMatchObject({
      state: "completed",
      content: "two",
    });
    expect((await tell([cut, call, { text: "" }, { text: "" }])).outcome).toMatchObject({
      state: "failed",
      reason: "empty",
    });
  });

  test("P10: an answer whose end never came is no success, and is asked for whole once", async () => {
    const cut = { text: "The first half of", stop_reason: "max_tokens" as const };
    const whole = await tell([cut, { text: " \n" }, "All of it."]);
    expect(whole.outcome).toMatchObject({ state: "completed", content: "All of it." });
    expect(JSON.stringify(whole.requests[2]!.messages.at(-1))).toContain(
      "Give the whole answer again",
    );
    for (const script of [
      [cut, { text: "" }, { text: "" }],
      [{ text: "" }, cut, { text: "" }],
    ]) {
      expect((await tell(script)).outcome).toMatchObject({
        state: "failed",
        reason: "empty",
        content: "The first half of",
      });
    }
  });

  test("does not take an answer that is cut again and again for a whole one", async () => {
    const { outcome } = await tell([
      { text: "a", stop_reason: "max_tokens" },
      { text: "b", stop_reason: "model_context_window_exceeded" },
      { text: "c", stop_reason: "max_tokens" },
      { text: "d", stop_reason: "max_tokens" },
    ]);
    expect(outcome).toMatchObject({
      state: "failed",
      reason: "error",
      error: expect.stringContaining("cut") as string,
      content: "abcd",
    });
  });

  test("shows the model no blank text of its own, which a provider would refuse", async () => {
    const { requests } = await tell([{ text: " \n" }, "two"]);
    expect(requests[1]!.messages[1]).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "(empty reply)" }],
    });
  });

  test.each<[string, Partial<LoopSpec>, string]>([
    ["turns", { limits: { maxTurns: 2 } }, "max_turns"],
    ["tokens", { limits: { maxTurns: 20, maxTokens: 200 } }, "budget"],
    [
      "USD",
      {
        limits: { maxTurns: 20, maxUsd: 0.0005 },
        price: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 },
      },
      "budget",
    ],
  ])("ends when its %s are used up", async (_name, spec, reason) => {
    const call = { tools: [{ name: "Echo", input: { text: "x" } }] };
    const { outcome } = await tell([call, call, call], { spec, strict: false });
    expect(outcome).toMatchObject({ state: "failed", reason });
  });

  test("runs read-only calls side by side and others in order", async () => {
    const seen: string[] = [];
    const slow = (name: string, readOnly: boolean): Tool => ({
      ...echo,
      name,
      readOnly,
      inputSchema: {},
      execute: async () => {
        seen.push(`${name}>`);
        await Promise.resolve().then(() => Promise.resolve());
        seen.push(`<${name}`);
        return { content: name };
      },
    });
    const pair = (names: string[]): ScriptLine => ({
      tools: names.map((name) => ({ name, input: { text: "" } })),
    });
    await tell([pair(["A", "B"]), pair(["C", "D"]), "done"], {
      tools: [slow("A", true), slow("B", true), slow("C", true), slow("D", false)],
    });
    expect(seen).toEqual(["A>", "B>", "<A", "<B", "C>", "<C", "D>", "<D"]);
  });

  test("a stop during a tool ends as stopped, never as completed, with every call answered", async () => {
    const stop = new AbortController();
    const tool: Tool = {
      ...write,
      inputSchema: {},
      execute: async () => (stop.abort(), { content: "late" }),
    };
    const told = await tell(
      [
        {
          tools: [
            { name: "Write", input: { to: "a" } },
            { name: "Write", input: { to: "b" } },
          ],
        },
      ],
      { tools: [tool], signal: stop.signal },
    );
    expect(told.outcome).toMatchObject({
      state: "stopped",
      reason: "cancelled",
      metrics: { tool_uses: 1 },
    });
    expect(told.facts.at(-1)).toMatchObject({
      origin: "tool_results",
      message: { content: [{ content: "late" }, { is_error: true }] },
    });
  });

  test("a deadline ends as failed(timeout)", async () => {
    const stop = new AbortController();
    stop.abort(deadlineReason);
    expect((await tell([], { signal: stop.signal })).outcome).toMatchObject({
      state: "failed",
      reason: "timeout",
      error: "Sub-agent did not respond within timeout",
    });
  });

  test("a fact that cannot be kept ends the run as failed(storage) before the tool runs", async () => {
    let executed = false;
    const tool: Tool = {
      ...write,
      inputSchema: {},
      execute: async () => ((executed = true), { content: "" }),
    };
    const full = Object.assign(new Error("disk full"), { name: "StorageFailure" });
    const { outcome } = await tell(
      [{ text: "writing", tools: [{ name: "Write", input: { to: "a" } }] }],
      {
        tools: [tool],
        ports: {
          record: () => {
            throw full;
          },
        },
      },
    );
    expect(outcome).toMatchObject({ state: "failed", reason: "storage", error: "disk full" });
    expect(executed).toBe(false);
  });

  test.each([
    ["rate_limit", "rate_limit"],
    ["overloaded", "rate_limit"],
    ["auth", "auth"],
    ["network", "network"],
    ["malformed", "network"],
  ] as const)("a provider's %s ends as failed(%s) with the partial text", async (kind, reason) => {
    const { outcome } = await tell([
      { failure: { kind, message: "no luck", partialText: "half" } },
    ]);
    expect(outcome).toMatchObject({ state: "failed", reason, error: "no luck", content: "half" });
  });

  test("an objection before the end makes the agent go on", async () => {
    const objections = [{ objection: "not yet" }, undefined];
    const told = await tell(["first", "second"], {
      ports: { hooks: { beforeEnd: async () => objections.shift() } },
    });
    expect(told.outcome.content).toBe("second");
    expect(told.requests[1]!.messages.at(-1)).toEqual({ role: "user", content: "not yet" });
  });

  test("what arrives in the inbox is said at the next turn, in one user message with the results", async () => {
    const inbox = [[], ["agent a1 finished"]];
    const told = await tell([{ tools: [{ name: "Echo", input: { text: "hi" } }] }, "done"], {
      ports: { hooks: { inbox: () => inbox.shift() ?? [] } },
    });
    expect(told.requests[1]!.messages).toHaveLength(3);
    expect(lastResults(told)).toEqual([
      expect.objectContaining({ type: "tool_result" }),
      { type: "text", text: "agent a1 finished" },
    ]);
  });

  test("a run that is to be moved ends between two turns, after the results of its calls are on record, and asks nothing more", async () => {
    let calls = 0;
    const { outcome, facts } = await tell(
      [{ text: "Looking.", tools: [{ name: "Echo", input: { text: "hi" } }] }],
      { ports: { hooks: { isMoving: () => calls++ > 0 } } },
    );
    expect(outcome).toMatchObject({
      state: "stopped",
      reason: "moved",
      content: "Looking.",
      metrics: { turns: 1, tool_uses: 1 },
    });
    expect(facts.at(-1)).toMatchObject({ type: "message", origin: "tool_results" });
  });

  test.each<[string, Partial<LoopSpec>, object]>([
    ["a stop", {}, { state: "stopped", reason: "cancelled" }],
    [
      "a limit that is reached",
      { limits: { maxTurns: 0 } },
      { state: "failed", reason: "max_turns" },
    ],
  ])("%s wins over a move", async (what, spec, expected) => {
    const stop = new AbortController();
    if (what === "a stop") stop.abort("stop");
    expect(
      (await tell([], { spec, signal: stop.signal, ports: { hooks: { isMoving: () => true } } }))
        .outcome,
    ).toMatchObject(expected);
  });

  test("an answer that comes in pieces is finished before the run is moved", async () => {
    let asked = 0;
    const { outcome } = await tell([{ text: "one ", stop_reason: "max_tokens" }, "two"], {
      ports: { hooks: { isMoving: () => asked++ > 0 } },
    });
    expect(outcome).toMatchObject({ state: "completed", content: "one two" });
  });

  test("a run that was moved here counts on: turns, tokens, cost, time and denials are those of the whole run", async () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 50,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    const carried = {
      metrics: {
        turns: 3,
        tool_uses: 5,
        tokens_used: 1_050,
        duration_ms: 900,
        cost_usd: 0.5,
        usage,
      },
      permission_denials: [{ tool_name: "Bash", tool_use_id: "t", tool_input: {}, reason: "no" }],
    };
    const { outcome } = await tell([{ tools: [{ name: "Echo", input: { text: "hi" } }] }], {
      spec: { carried, limits: { maxTurns: 4 } },
    });
    expect(outcome).toMatchObject({
      state: "failed",
      reason: "max_turns",
      metrics: { turns: 4, tool_uses: 6, tokens_used: 1_170 },
      permission_denials: carried.permission_denials,
    });
    expect(outcome.metrics.duration_ms).toBeGreaterThan(900);
  });
});
