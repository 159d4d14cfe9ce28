// Every line of the manager's verification checklist and every row of the infrastructure's testing strategy, one test each, named after it.
// docs/checklist.md is made from this file.
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { definitionKeys } from "../src/definitions/agent-definition.ts";
import { checkResponse } from "../src/contract/handoff/check-response.ts";
import { fitSummary } from "../src/contract/handoff/fit-summary.ts";
import {
  handoffRequestSchema,
  handoffResponseSchema,
  type HandoffRequest,
} from "../src/contract/handoff/handoff.ts";
import { countTokens } from "../src/base/text/tokens.ts";
import { functionHook } from "../src/hooks/hook.ts";
import { spawnInputSchema } from "../src/manager/agents/spawn-input.ts";
import { createModels } from "../src/model/create-models.ts";
import type { Delivery, FlowPorts, Phase } from "../src/patterns/flow.ts";
import { parallel } from "../src/patterns/parallel.ts";
import { sequence } from "../src/patterns/sequence.ts";
import { builtInProfiles } from "../src/permissions/profile.ts";
import { cleanTranscripts } from "../src/transcripts/clean-transcripts.ts";
import { expectGenerated } from "./generated-doc.ts";
import {
  benchesOfTest,
  brainModel,
  forever,
  task,
  type Bench,
  type Brain,
} from "./support/manager-bench.ts";

const { open, project } = benchesOfTest();

const done: Brain = () => "done";
const call =
  (name: string, input: unknown): Brain =>
  ({ turn }) =>
    turn === 1 ? { tools: [{ name, input }] } : "done";
const plain = { description: "d", prompt: "p" };
const toolsOf = ({ model }: Bench, at = 0): string[] =>
  model.requests[at]!.tools.map(({ name }) => name);

type Row = [title: string, words: string, check: () => Promise<void> | void];

const manager: Row[] = [
  [
    "AgentDefinition completeness",
    "All fields mapped (Name, Description, Tools, DisallowedTools, Prompt, Model, PermissionMode, MCPServers, CriticalReminder, Skills, MaxTurns, Memory, Hooks)",
    () => {
      const seed = [
        "name",
        "description",
        "tools",
        "disallowedTools",
        "prompt",
        "model",
        "permissionMode",
        "mcpServers",
        "criticalSystemReminder_EXPERIMENTAL",
        "skills",
        "maxTurns",
        "memory",
        "hooks",
      ];
      expect(seed.filter((field) => !definitionKeys.has(field))).toEqual([]);
    },
  ],
  [
    "AgentInput completeness",
    "All fields from the input's definition mapped",
    async () => {
      const seed = [
        "description",
        "prompt",
        "subagent_type",
        "model",
        "resume",
        "run_in_background",
        "max_turns",
        "name",
        "mode",
        "team_name",
        "isolation",
      ];
      // `require` is this project's own: the least trust that the caller accepts.
      expect(Object.keys(spawnInputSchema.shape).sort()).toEqual([...seed, "require"].sort());
      const { manager: one } = open(done);
      expect(
        (
          await one.spawn(task("go", { team_name: "x", name: "n", max_turns: 3, mode: "plan" }))
            .done
        ).notes,
      ).toEqual([expect.stringContaining("team_name is ignored")]);
    },
  ],
  [
    "Model resolution",
    '"sonnet"/"opus"/"haiku"/"inherit" expand correctly',
    async () => {
      const models = createModels({ env: { ANTHROPIC_API_KEY: "k" }, providers: {}, aliases: {} });
      expect(["sonnet", "opus", "haiku"].map((alias) => models.resolve(alias).name)).toEqual([
        "anthropic:claude-sonnet-5-5",
        "anthropic:claude-opus-5-5",
        "anthropic:claude-haiku-5-5",
      ]);
      await models.close();
      const other = brainModel(() => "from the other");
      const bench = open(() => "from the parent's", {
        models: { "brain:one": brainModel(() => "from the parent's"), "brain:two": other },
        agents: { inherits: { ...plain, model: "inherit" }, own: { ...plain, model: "brain:two" } },
      });
      const content = async (more: Record<string, unknown>): Promise<string> =>
        (await bench.manager.spawn(task("go", more)).done).content;
      expect([
        await content({ subagent_type: "inherits" }),
        await content({ subagent_type: "own" }),
        await content({ model: "brain:two" }),
        await content({ subagent_type: "own", model: "brain:one" }),
      ]).toEqual(["from the parent's", "from the other", "from the other", "from the parent's"]);
    },
  ],
  [
    "Tool inheritance",
    "Nil tools -> inherit parent; explicit tools -> use those",
    async () => {
      const bench = open(done, {
        agents: {
          explicit: { ...plain, tools: ["Read", "Grep"] },
          less: { ...plain, disallowedTools: ["Write"] },
        },
      });
      for (const type of ["worker", "explicit", "less"])
        await bench.manager.spawn(task("go", { subagent_type: type })).done;
      expect(toolsOf(bench)).toEqual(
        expect.arrayContaining([
          "Read",
          "Write",
          "Edit",
          "Bash",
          "Grep",
          "Glob",
          "WebFetch",
          "TodoWrite",
        ]),
      );
      expect(toolsOf(bench, 1)).toEqual(["Read", "Grep"]);
      expect(toolsOf(bench, 2)).toEqual(toolsOf(bench).filter((name) => name !== "Write"));
    },
  ],
  [
    "Task(type) parsing",
    "`Task`, `Task(t1,t2)`, omitted Task all handled correctly",
    () => {
      // Through the built command in test/delegation.test.ts; here as the definition's reader and the policy see it.
      const { manager: one } = open(done, {
        agents: {
          all: { ...plain, tools: ["Task", "Read"] },
          some: { ...plain, tools: ["Task(a, b)", "Read"] },
        },
      });
      const tools = (name: string): string[] | null =>
        one.listAgentInfo().find((agent) => agent.name === name)!.tools;
      expect([tools("all"), tools("some")]).toEqual([
        ["Agent", "Read"],
        ["Agent(a, b)", "Read"],
      ]);
    },
  ],
  [
    "No nesting",
    "a sub-agent cannot spawn, whatever its definition says",
    async () => {
      const bench = open(
        call("Agent", { description: "d", prompt: "nested", subagent_type: "worker" }),
        {
          permissions: { mode: "bypassPermissions" },
          agents: { nester: { ...plain, tools: ["Agent", "Task", "SendMessage", "Read"] } },
        },
      );
      await bench.manager.spawn(task("go", { subagent_type: "nester" })).done;
      expect(toolsOf(bench)).toEqual(["Read"]);
      expect(JSON.stringify(bench.model.requests[1]!.messages.at(-1))).toContain(
        "there is no tool",
      );
    },
  ],
  [
    "Background execution",
    "`run_in_background` starts it and returns the task ID at once",
    async () => {
      const { manager: one } = open(({ signal }) => forever(signal));
      const run = one.spawn(task("go", { run_in_background: true }));
      expect(one.list()).toMatchObject([{ agent_id: run.id, state: "running", background: true }]);
      await one.stop(run.id);
    },
  ],
  [
    "Background permissions",
    "Pre-approved only; AskUserQuestion fails; no MCP tools",
    async () => {
      const brain: Brain = ({ turn }) =>
        turn === 1
          ? {
              tools: [
                { name: "Bash", input: { command: "touch allowed" } },
                { name: "Bash", input: { command: "touch denied" } },
                { name: "AskUserQuestion", input: { questions: [{ question: "may I?" }] } },
              ],
            }
          : "went on";
      const bench = open(brain, {
        permissions: { allow: ["Bash(touch allowed)"] },
        answer: async () => ["yes"],
        agents: {
          worker: {
            ...plain,
            mcpServers: [
              {
                name: "x",
                config: {
                  command: process.execPath,
                  args: [
                    join(import.meta.dirname, "fixtures/fake-mcp-server.mjs"),
                    project().path("notes"),
                  ],
                },
              },
            ],
          },
        },
      });
      await bench.manager.spawn(task("go")).done;
      // The server is there and works: what is missing in the background is missing because of the background.
      expect(toolsOf(bench)).toContain("mcp__x__echo");
      const before = bench.model.requests.length;
      const result = await bench.manager.spawn(task("go", { run_in_background: true })).done;
      expect(result).toMatchObject({ state: "completed", content: "went on" });
      expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual([
        "Bash",
        "AskUserQuestion",
      ]);
      expect([
        existsSync(project().path("allowed")),
        existsSync(project().path("denied")),
        toolsOf(bench, before).some((name) => name.startsWith("mcp__")),
      ]).toEqual([true, false, false]);
    },
  ],
  [
    "TaskOutput blocking",
    "`block: true` waits for completion with timeout",
    async () => {
      const { manager: one } = open(async ({ prompt, signal }) =>
        prompt === "short"
          ? (await new Promise((resolve) => setTimeout(resolve, 50)), "done")
          : forever(signal),
      );
      const [short, long] = [
        one.spawn(task("short", { run_in_background: true })),
        one.spawn(task("long", { run_in_background: true })),
      ];
      expect(await one.getOutput(short.id, { block: true, timeoutMs: 10_000 })).toMatchObject({
        state: "completed",
        content: "done",
      });
      expect(await one.getOutput(long.id, { block: true, timeoutMs: 50 })).toMatchObject({
        state: "running",
        timed_out: true,
      });
      await one.stop(long.id);
    },
  ],
  [
    "TaskStop",
    "Cancels a running agent",
    async () => {
      const { manager: one } = open(({ signal }) => forever(signal));
      const run = one.spawn(task("go"));
      expect(await one.stop(run.id)).toMatchObject({ stopped: true, state: "stopped" });
      expect((await run.done).state).toBe("stopped");
    },
  ],
  [
    "Task metrics",
    "TokensUsed, ToolUses, Duration returned in result",
    async () => {
      const { manager: one } = open(call("Glob", { pattern: "*" }));
      expect((await one.spawn(task("go")).done).metrics).toEqual({
        tokens_used: 240,
        tool_uses: 1,
        duration_ms: expect.any(Number) as number,
        cost_usd: null,
      });
    },
  ],
  [
    "Hook lifecycle",
    "SubagentStart/SubagentStop fire; scoped hooks registered/cleaned up",
    async () => {
      const fired: string[] = [];
      const note = (event: "SubagentStart" | "SubagentStop") =>
        functionHook({
          event,
          run: (input) => void fired.push(`${event} ${JSON.stringify(input["agent_type"])}`),
        });
      const scoped = {
        PostToolUse: [
          {
            matcher: "Glob",
            hooks: [{ type: "command" as const, command: "echo ran >> hook.log" }],
          },
        ],
      };
      const { manager: one } = open(call("Glob", { pattern: "*" }), {
        hooks: [note("SubagentStart"), note("SubagentStop")],
        agents: { hooked: { ...plain, hooks: scoped } },
      });
      await one.spawn(task("go", { subagent_type: "hooked" })).done;
      await one.spawn(task("go")).done;
      expect(fired).toEqual([
        'SubagentStart "hooked"',
        'SubagentStop "hooked"',
        'SubagentStart "worker"',
        'SubagentStop "worker"',
      ]);
      expect(project().read("hook.log")).toBe("ran\n");
    },
  ],
  [
    "Resource limits",
    "Max concurrent agents enforced",
    async () => {
      const { manager: one } = open(({ signal }) => forever(signal), {
        limits: { maxConcurrent: 2 },
      });
      const runs = [one.spawn(task("go")), one.spawn(task("go"))];
      expect(() => one.spawn(task("go"))).toThrow("max concurrent agents reached (2)");
      await one.stop(runs[0]!.id);
      expect(one.spawn(task("go")).id).toMatch(/^a/);
    },
  ],
  [
    "Resume support",
    "`resume` field loads transcript and continues",
    async () => {
      const bench = open(({ turn }) => `answer ${turn}`);
      const first = await bench.manager.spawn(task("one")).done;
      expect(await bench.manager.spawn(task("two", { resume: first.agent_id })).done).toMatchObject(
        { agent_id: first.agent_id, content: "answer 2" },
      );
    },
  ],
  [
    "Output streaming",
    "Background agent output written incrementally to file",
    async () => {
      const { manager: one } = open(({ turn, signal }) =>
        turn === 1
          ? { text: "the first words", tools: [{ name: "Glob", input: { pattern: "*" } }] }
          : forever(signal),
      );
      const run = one.spawn(task("go", { run_in_background: true }));
      const { output_file } = await one.getOutput(run.id, { block: false });
      await expect
        .poll(() => existsSync(output_file!) && readFileSync(output_file!, "utf8"))
        .toContain("the first words\n");
      expect(one.list()).toHaveLength(1);
      await one.stop(run.id);
      expect(readFileSync(output_file!, "utf8")).toContain(
        `[retinue] state=stopped reason=cancelled agent=${run.id}`,
      );
    },
  ],
  [
    "Memory",
    "Directory created, MEMORY.md loaded, Read/Write/Edit auto-enabled",
    async () => {
      const bench = open(call("Write", { file_path: "elsewhere.txt", content: "x" }), {
        agents: { keeper: { ...plain, tools: ["Grep"], memory: "project" } },
      });
      const folder = project().path(".claude/agent-memory/keeper");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "MEMORY.md"), "the retry logic is in net.ts\n");
      await bench.manager.spawn(task("go", { subagent_type: "keeper" })).done;
      expect(bench.model.requests[0]!.system).toContain("the retry logic is in net.ts");
      expect(toolsOf(bench)).toEqual(expect.arrayContaining(["Read", "Write", "Edit", "Grep"]));
      expect(existsSync(project().path("elsewhere.txt"))).toBe(false);
    },
  ],
  [
    "Skills",
    "Full content injected into system prompt; not inherited from parent",
    async () => {
      project({
        ".claude/skills/deploy/SKILL.md":
          "---\nname: deploy\ndescription: how to deploy\n---\nPush the green button.\n",
      });
      const bench = open(done, { agents: { skilled: { ...plain, skills: ["deploy"] } } });
      for (const type of ["skilled", "worker"])
        await bench.manager.spawn(task("go", { subagent_type: type })).done;
      expect(
        bench.model.requests.map(({ system }) => system.includes("Push the green button.")),
      ).toEqual([true, false]);
    },
  ],
  [
    "Transcript persistence",
    "JSONL written, independent of main compaction, cleanup works",
    async () => {
      const { manager: one, store } = open(done);
      const { transcript } = await one.spawn(task("go")).done;
      expect(
        readFileSync(transcript, "utf8")
          .trim()
          .split("\n")
          .map(
            (line) => (JSON.parse(line) as { subtype?: string; type: string }).subtype ?? "message",
          ),
      ).toEqual(["retinue_session", "spawn", "message", "message", "run_end"]);
      const old = (Date.now() - 40 * 86_400_000) / 1_000;
      utimesSync(transcript, old, old);
      expect(cleanTranscripts({ projects: store, days: 30, nowMs: Date.now() }).kept).toHaveLength(
        1,
      );
      expect(
        cleanTranscripts({
          projects: store,
          days: 30,
          nowMs: Date.now() + 40 * 86_400_000,
          boot: { id: null, uptimeSeconds: 40 * 86_400 },
        }).removed,
      ).toHaveLength(1);
      expect(existsSync(transcript)).toBe(false);
    },
  ],
  [
    "Auto-compaction",
    "Triggers at 95% capacity in subagent context",
    async () => {
      const brain: Brain = ({ request, turn }) =>
        request.tools.length === 0
          ? "a summary"
          : turn < 4
            ? {
                text: "x",
                tools: [{ name: "Glob", input: { pattern: `*${turn}` } }],
                usage: { input_tokens: turn === 3 ? 9_600 : 100 },
              }
            : "done";
      const small = brainModel(brain, { contextWindow: 10_000, maxOutputTokens: 1_000 });
      const { manager: one } = open(brain, { models: { "small:one": small }, model: "small:one" });
      const { transcript, state } = await one.spawn(task("go", { max_turns: 6 })).done;
      expect(["completed", "failed"]).toContain(state);
      expect(readFileSync(transcript, "utf8")).toMatch(
        /"subtype":"compact_boundary".*"compactMetadata":\{"trigger":"auto","preTokens":\d+/,
      );
    },
  ],
  [
    "Disable deny",
    "`Task(name)` in permissions.deny blocks specific subagents",
    async () => {
      const { manager: one } = open(done, { permissions: { deny: ["Task(Explore)"] } });
      expect(() => one.spawn(task("go", { subagent_type: "Explore" }))).toThrow(
        "agent Explore may not be started",
      );
      expect((await one.spawn(task("go")).done).state).toBe("completed");
    },
  ],
  [
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
    "Env var disables background functionality",
    async () => {
      const { manager: one } = open(done, { env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } });
      const result = await one.spawn(task("go", { run_in_background: true })).done;
      expect([result.output_file, result.notes?.join()]).toEqual([
        undefined,
        expect.stringContaining("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"),
      ]);
    },
  ],
];

const request: HandoffRequest = {
  task_id: "t1",
  phase: "research",
  context: {
    feature: "login",
    spec_path: null,
    relevant_files: [],
    constraints: [],
    previous_findings: null,
  },
  instructions: "look",
  expected_output: "structured_findings",
};
const response = {
  task_id: "t1",
  phase: "research",
  status: "complete",
  decision: "PROCEED",
  findings: {},
  context_summary: "auth.ts has it",
  tokens_used: 1,
  issues: [],
};
const phase = (name: string): Phase => ({
  name,
  agent: "worker",
  instructions: `do ${name}`,
  expected_output: "structured_findings",
  required: true,
});

/** Each phase is a real run of a real agent; only what it answers is made up. */
function flowPorts(bench: Bench): FlowPorts {
  let ids = 0;
  return {
    newTaskId: (name) => `${name}-${++ids}`,
    record: () => undefined,
    async delegate(agent, handoff): Promise<Delivery> {
      const { state, content, agent_id } = await bench.manager.spawn(
        task(JSON.stringify(handoff), { subagent_type: agent }),
      ).done;
      const checked = checkResponse(JSON.parse(content) as Record<string, unknown>, {
        task_id: handoff.task_id,
        phase: handoff.phase,
        tokens_used: 1,
      });
      return {
        task_id: handoff.task_id,
        agent,
        run_ids: [agent_id],
        state,
        outcome: "SUCCESS",
        response: checked.ok ? checked.response : null,
        partial: "",
        trust: "UNVERIFIED",
        verification: null,
      };
    },
  };
}

const answering: Brain = ({ prompt }) => {
  const { phase: name } = JSON.parse(prompt) as HandoffRequest;
  return JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {
      [name]: true,
      raw: `RAW-OF-${name}`,
      ...(name === "validate" ? { checks: { tests: { passed: true } } } : {}),
    },
    context_summary: `${name} is done`,
  });
};

const infrastructure: Row[] = [
  [
    "Handoff JSON validates",
    "Schema validation passes",
    () => {
      expect([
        handoffRequestSchema.safeParse(request).success,
        handoffResponseSchema.safeParse(response).success,
        handoffResponseSchema.safeParse({ ...response, status: "finished" }).success,
      ]).toEqual([true, true, false]);
    },
  ],
  [
    "Decision values correct",
    "Only PROCEED/STOP/CLARIFY",
    () => {
      const valid = (decision: string): boolean =>
        handoffResponseSchema.safeParse({ ...response, decision }).success;
      expect(["PROCEED", "STOP", "CLARIFY", "proceed", "GO", ""].map(valid)).toEqual([
        true,
        true,
        true,
        false,
        false,
        false,
      ]);
    },
  ],
  [
    "Profile tools correct",
    "Each profile has expected tools",
    () => {
      const names = (name: string): string[] =>
        builtInProfiles
          .find((profile) => profile.name === name)!
          .tools.filter((tool) => !tool.startsWith("mcp__"));
      expect([
        names("read-only"),
        names("research"),
        names("writer"),
        names("full-access"),
      ]).toEqual([
        ["Read", "Grep", "Glob"],
        ["Read", "Grep", "Glob", "WebFetch", "WebSearch"],
        ["Read", "Write", "Edit", "Bash", "Grep", "Glob"],
        ["*"],
      ]);
    },
  ],
  [
    "Sequential chain completes",
    "All 3 phases return results",
    async () => {
      const bench = open(answering);
      const result = await sequence({
        task: { feature: "login" },
        phases: ["research", "write", "validate"].map(phase),
        ports: flowPorts(bench),
      });
      expect(
        result.phases.map(({ phase: name, status, context_summary }) => [
          name,
          status,
          context_summary,
        ]),
      ).toEqual(["research", "write", "validate"].map((name) => [name, "done", `${name} is done`]));
    },
  ],
  [
    "Parallel executor aggregates",
    "All results combined correctly",
    async () => {
      const bench = open(answering);
      const result = await parallel({
        task: { feature: "checks" },
        phases: ["types", "lint", "tests"].map(phase),
        ports: flowPorts(bench),
      });
      expect(result.phases.map(({ phase: name, decision }) => [name, decision])).toEqual([
        ["types", "PROCEED"],
        ["lint", "PROCEED"],
        ["tests", "PROCEED"],
      ]);
    },
  ],
  [
    "Context isolation works",
    "Sub-agents don't see each other's context",
    async () => {
      const bench = open(answering);
      await sequence({
        task: { feature: "login" },
        phases: ["research", "write"].map(phase),
        ports: flowPorts(bench),
      });
      const second = JSON.stringify(bench.model.requests[1]);
      expect([
        second.includes("research is done"),
        second.includes("RAW-OF-research"),
        second.includes("do research"),
      ]).toEqual([true, false, false]);
    },
  ],
  [
    "Handoff compaction works",
    "context_summary < 500 tokens",
    () => {
      const fitted = fitSummary("A sentence about what was found where. ".repeat(500), "/full.txt");
      expect(countTokens(fitted.text)).toBeLessThanOrEqual(500);
    },
  ],
];

const parts = [
  { name: "Manager: verification checklist", seed: "002 §19", rows: manager },
  { name: "Infrastructure: testing strategy", seed: "001, Testing Strategy", rows: infrastructure },
];

describe.each(parts)("$name ($seed)", ({ rows }) => {
  test.each(rows)("%s: %s", async (_title, _words, check) => check());
});

test("docs/checklist.md lists them all", () => {
  const table = ({ name, seed, rows }: (typeof parts)[number]): string =>
    [
      `## ${name}`,
      "",
      `Seed ${seed}.`,
      "",
      "| | line | says |",
      "|---|---|---|",
      ...rows.map(([title, words]) => `| ✓ | ${title} | ${words.replaceAll("|", "\\|")} |`),
    ].join("\n");
  expectGenerated(
    "docs/checklist.md",
    `# Checklist\n\nWhat the specifications ask to be verified. Each line is one test in \`test/seed-checklist.test.ts\`, named after it, and this page is made from that file.\n\n${parts.map(table).join("\n\n")}\n`,
  );
});
