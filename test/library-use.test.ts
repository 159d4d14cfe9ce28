// What a program builds on: signals, tools from either schema, models by name in flows, the rules and the transcripts by themselves.
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import * as zm from "zod/mini";
import {
  checkPermission,
  createManager,
  defineTool,
  readOutput,
  readTranscript,
  resumeFlow,
  startFlow,
  type AgentPlan,
  type ModelResult,
  type Phase,
} from "../src/app/index.ts";
import { scriptedModel, startMockProvider, tempProject } from "../src/testing/index.ts";
import { retinue } from "./retinue-process.ts";

const project = tempProject({ "src/a.ts": "export const a = 1;\n" });
afterAll(() => project.remove());
const base = {
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  contract: "none" as const,
};
const task = { description: "d", prompt: "p" };

test("a signal stops the runs that were started with it, and nothing of them stays on it", async () => {
  await using provider = await stalled();
  const manager = createManager({
    ...base,
    watch: false,
    env: { ...base.env, ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "k" },
    model: "sonnet",
    limits: { maxConcurrent: 30 },
  });
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const stop = new AbortController();
  const runs = Array.from({ length: 30 }, () => manager.spawn(task, { signal: stop.signal }));
  setTimeout(() => stop.abort(), 50);
  const states = await Promise.all(runs.map(async ({ done }) => (await done).state));
  expect(new Set(states)).toEqual(new Set(["stopped"]));
  expect((await manager.spawn(task, { signal: stop.signal }).done).state).toBe("stopped");
  await manager.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});

test("a tool may be an object of a class", async () => {
  class Stock {
    readonly #count = 12;
    readonly name = "Stock";
    readonly readOnly = true;
    get description(): string {
      return "how many there are";
    }
    get inputSchema(): { type: string } {
      return { type: "object" };
    }
    parse(): { ok: true; value: Record<string, unknown> } {
      return { ok: true, value: { count: this.#count } };
    }
    async execute(input: Record<string, unknown>): Promise<{ content: string }> {
      return { content: `${String(input["count"])} of ${this.#count}` };
    }
  }
  const model = scriptedModel([
    { tools: [{ name: "Stock", input: {} }] },
    ({ messages }) => JSON.stringify(messages.at(-1)!.content),
  ]);
  const manager = createManager({
    ...base,
    watch: false,
    model,
    tools: [new Stock()],
    permissions: { allow: ["Stock"] },
  });
  expect((await manager.spawn(task).done).content).toContain("12 of 12");
  await manager.close();
});

test("a model may be an object of a class, under its own name and under another", async () => {
  class Echo {
    readonly #word = "heard";
    readonly name = "echo:one";
    readonly maxOutputTokens = 1_000;
    readonly takesImages = false;
    readonly takesDocuments = false;
    readonly hasWebSearch = false;
    get contextWindow(): number {
      return 100_000;
    }
    async send(): Promise<ModelResult> {
      return {
        ok: true,
        reply: {
          id: "1",
          model: this.name,
          content: [{ type: "text", text: this.#word }],
          stop_reason: "end_turn",
          usage: {
            input_tokens: 1,
            output_tokens: 1,
            cache_read_input_tokens: 0,
            cache_creation_input_tokens: 0,
          },
        },
      };
    }
  }
  for (const options of [{ model: new Echo() }, { models: { mine: new Echo() }, model: "mine" }]) {
    const manager = createManager({ ...base, watch: false, ...options });
    expect(await manager.spawn(task).done).toMatchObject({
      state: "completed",
      content: expect.stringContaining("heard") as string,
    });
    await manager.close();
  }
});

async function stalled(): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const provider = await startMockProvider({
    reply: () => ({ text: "x", fault: { kind: "stall", at: "body" } }),
  });
  return { url: provider.url, [Symbol.asyncDispose]: () => provider.close() };
}

test("a tool's input is checked by its JSON Schema, which the model sees as it was written", async () => {
  const schema = {
    type: "object",
    properties: {
      article: { type: "string", minLength: 1 },
      count: { type: "integer", default: 1 },
    },
    required: ["article"],
    additionalProperties: false,
  } as const;
  const given: unknown[] = [];
  const stock = defineTool({
    name: "Stock",
    description: "d",
    input: schema,
    readOnly: true,
    run: async (input) => (given.push(input), { content: "12" }),
  });
  const model = scriptedModel([
    {
      tools: [
        { name: "Stock", input: { article: "apple" } },
        { name: "Stock", input: { article: "" } },
        { name: "Stock", input: { article: "a", x: 1 } },
      ],
    },
    ({ messages }) => JSON.stringify(messages.at(-1)!.content),
  ]);
  const manager = createManager({
    ...base,
    watch: false,
    model,
    tools: [stock],
    permissions: { allow: ["Stock"] },
  });
  const { content } = await manager.spawn(task).done;
  await manager.close();
  expect(given).toEqual([{ article: "apple", count: 1 }]);
  expect(content).toMatch(/article: .*input: /);
  expect(model.requests[0]!.tools.find(({ name }) => name === "Stock")!.input_schema).toEqual(
    schema,
  );
});

test("a tool's function knows its input, whichever schema it has", () => {
  defineTool({
    name: "A",
    description: "d",
    input: z.object({ n: z.number().default(1) }),
    readOnly: true,
    run: async ({ n }) => ({ content: n.toFixed() }),
  });
  // Another copy of Zod has other types: what counts is what every release of it has.
  const mini = defineTool({
    name: "M",
    description: "d",
    input: zm.object({ word: zm.string() }),
    readOnly: true,
    run: async ({ word }) => ({ content: word.trim() }),
  });
  expect([
    mini.parse({ word: "x" }),
    mini.parse({ word: 1 }).ok,
    mini.inputSchema["required"],
  ]).toEqual([{ ok: true, value: { word: "x" } }, false, ["word"]]);
  defineTool({
    name: "B",
    description: "d",
    input: { type: "object" },
    readOnly: true,
    // @ts-expect-error a JSON Schema names no types
    run: async ({ n }) => ({ content: n.toFixed() }),
  });
  expect(() =>
    defineTool({
      name: "C",
      description: "d",
      // @ts-expect-error only objects
      input: z.string(),
      readOnly: true,
      run: async () => ({ content: "" }),
    }),
  ).toThrow();
});

test("an agent's servers are given in the forms of a file", () => {
  const plans: AgentPlan[] = [
    {
      description: "d",
      prompt: "p",
      mcpServers: [
        "github",
        { serverName: "docs", tools: ["search"] },
        { own: { command: "npx", args: ["-y", "own"] } },
        { web: { type: "http", url: "https://example.org/mcp" } },
      ],
    },
    { description: "d", prompt: "p", tools: "Read, Grep", disallowedTools: ["Bash"] },
  ];
  // @ts-expect-error the prompt is missing
  plans.push({ description: "d" });
  // @ts-expect-error a server without a command or an address
  plans.push({ description: "d", prompt: "p", mcpServers: [{ own: { comand: "npx" } }] });
});

const answer = (summary: string, more: object = {}): string =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {},
    context_summary: summary,
    issues: [],
    ...more,
  });
const phase = (name: string): Phase => ({
  name,
  agent: "reader",
  instructions: name,
  expected_output: "structured_findings",
  required: true,
});
const agents: Record<string, AgentPlan> = {
  reader: { description: "r", prompt: "r", tools: ["Read"], contract: "handoff" },
};

test("a flow takes a manager's options and phases of one's own, and goes on from its journal", async () => {
  const model = scriptedModel([
    answer("one"),
    answer("two", { status: "blocked", decision: "CLARIFY", questions: ["Which?"] }),
  ]);
  const seen: string[] = [];
  const first = await startFlow(
    { cwd: project.root, env: base.env, agents, model },
    { pattern: "sequence", feature: "f", tasks: [phase("look"), phase("decide")] },
    { onPhase: ({ phase: name }) => void seen.push(name) },
  );
  expect([first.decision, first.questions, seen]).toEqual([
    "CLARIFY",
    ["Which?"],
    ["look", "decide"],
  ]);
  const later = scriptedModel([answer("three")]);
  const second = await resumeFlow(
    { env: base.env, agents, models: { mine: later }, model: "mine" },
    { flowId: first.flow_id, answers: ["Which?=the first"] },
  );
  expect([second.decision, second.phases.at(-1)?.context_summary]).toEqual(["PROCEED", "three"]);
  expect(JSON.stringify(later.requests[0]!.messages)).toContain("the first");
});

test("rules are tried without a run", () => {
  const rules = { allow: ["Bash(git log:*)"], deny: ["Bash(git push:*)"] };
  const decide = (command: string, more = {}) =>
    checkPermission(
      { tool: "Bash", input: { command }, rules, cwd: project.root, home: project.home, ...more },
      { env: base.env },
    ).decision;
  expect([
    decide("git log -3"),
    decide("git log; git push"),
    decide("make"),
    decide("make", { background: true }),
    decide("make", { mode: "dontAsk" }),
  ]).toEqual(["allow", "deny", "ask", "deny", "deny"]);
  expect(
    checkPermission({
      tool: "Bash",
      input: { command: "git push" },
      rules,
      cwd: project.root,
      home: project.home,
    }),
  ).toMatchObject({ rule: "Bash(git push:*)", layer: "deny" });
});

test("a transcript is read back as messages, runs and problems", async () => {
  const manager = createManager({
    ...base,
    watch: false,
    model: scriptedModel([{ tools: [{ name: "Read", input: { file_path: "src/a.ts" } }] }, "done"]),
  });
  const { transcript } = await manager.spawn(task).done;
  await manager.close();
  const read = await readTranscript(transcript);
  expect(read.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect([read.ended?.state, read.runs.length, read.problems]).toEqual(["completed", 1, []]);
  expect((await readTranscript("/nowhere.jsonl")).problems[0]).toMatchObject({
    code: "unreadable",
  });
});

test("the result of a run in another process is read by its id and by its name", async () => {
  const { stdout } = await retinue(
    [
      "run",
      "--background",
      "--name",
      "scout",
      "--output-format",
      "json",
      "--agent",
      "Explore",
      "--model",
      "offline",
      "where is `a` defined?",
    ],
    { project },
  );
  const { agent_id, session_id } = JSON.parse(stdout) as Record<string, string>;
  const output = await readOutput(agent_id!, { block: true, timeoutMs: 20_000, env: base.env });
  expect(output).toMatchObject({
    agent_id,
    agent_type: "Explore",
    state: "completed",
  });
  expect(await readOutput("scout", { env: base.env })).toEqual(output);
  expect(await readOutput(session_id!, { env: base.env })).toEqual(output);
  await expect(readOutput("nobody", { env: base.env })).rejects.toMatchObject({
    code: "unknown_task",
  });
});

test("a listener that throws or rejects changes nothing, and is told of once", async () => {
  const warnings: string[] = [];
  const warn = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", warn);
  for (const onEvent of [
    () => {
      throw new Error("no disk");
    },
    () => Promise.reject(new Error("no network")),
  ]) {
    const manager = createManager({
      ...base,
      watch: false,
      model: scriptedModel(["done"]),
      onEvent,
    });
    expect((await manager.spawn(task).done).state).toBe("completed");
    await manager.close();
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("warning", warn);
  expect(warnings).toEqual([
    "onEvent failed, and the run goes on: no disk",
    "onEvent failed, and the run goes on: no network",
  ]);
});

test("a tool may be synchronous and may return a plain string; anything else is named to the model", async () => {
  const tool = (name: string, run: () => unknown) =>
    defineTool({
      name,
      description: "d",
      input: z.object({}),
      readOnly: true,
      run: run as () => string,
    });
  const model = scriptedModel([
    { tools: ["Text", "Later", "Whole", "Nothing"].map((name) => ({ name, input: {} })) },
    ({ messages }) => JSON.stringify(messages.at(-1)!.content),
  ]);
  const manager = createManager({
    ...base,
    model,
    permissions: { allow: ["Text", "Later", "Whole", "Nothing"] },
    tools: [
      tool("Text", () => "twelve"),
      tool("Later", async () => "thirteen"),
      tool("Whole", () => ({ content: "no such article", isError: true })),
      tool("Nothing", () => undefined),
    ],
  });
  const { content } = await manager.spawn(task).done;
  await manager.close();
  const results = JSON.parse(content) as { content: string; is_error?: boolean }[];
  expect(results.map((result) => [result.content, result.is_error ?? false])).toEqual([
    ["twelve", false],
    ["thirteen", false],
    ["no such article", true],
    [
      "the tool Nothing returned undefined; expected a string or { content: string | blocks }",
      true,
    ],
  ]);
});

test("the report in a result is typed and has the names of its JSON", async () => {
  const text =
    "## Explorer Result\n\n### Status\nSUCCESS\n\n### Summary\nIt stands in `src/a.ts:1`.\n\n" +
    "### Findings\n\n#### Key References\n| Item | Location | Relevance |\n|---|---|---|\n" +
    "| a | `src/a.ts:1` | the constant |\n\n### Next Steps\n- Add a test\n\n### Confidence\n90\n";
  const manager = createManager({
    ...base,
    contract: "report",
    model: scriptedModel([text, text]),
  });
  const { agent_id, report } = await manager.spawn(task).done;
  await manager.close();
  const rows: { item: string; location: string }[] = report?.key_references ?? [];
  expect(rows).toMatchObject([{ item: "a", location: "`src/a.ts:1`" }]);
  const steps: string[] = report?.next_steps ?? [];
  expect(steps).toEqual(["Add a test"]);
  expect((await readOutput(agent_id, { env: base.env })).report).toEqual(report);
});
