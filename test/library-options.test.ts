// A slip in an option of the library is told where it is made, with what was expected: JavaScript has no compiler that says so, and some slips would widen what agents may do.
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import {
  branch,
  checkPermission,
  createManager,
  defineTool,
  functionHook,
  loadDefinitions,
  parallel,
  RetinueError,
  sequence,
  startFlow,
  assessReport,
  type AgentManager,
} from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject();
const base = { cwd: project.root, env: { HOME: project.home }, watch: false };
const model = scriptedModel([]);
const own = (name: string) =>
  defineTool({
    name,
    description: "d",
    input: z.object({}),
    readOnly: true,
    run: async () => ({ content: "" }),
  });
const manager: AgentManager = createManager({ ...base, model });
afterAll(async () => {
  await manager.close();
  project.remove();
});

function told(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof RetinueError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const agent = { description: "d", prompt: "p" };

describe("createManager", () => {
  test.each<[string, unknown, string]>([
    ["no object", null, "usage: options: expected an object with agents, cwd"],
    [
      "a misspelt name",
      { modle: "x" },
      'usage: options: there is no "modle"; did you mean "model"?',
    ],
    [
      "a folder that is no text",
      { cwd: new URL("file:///tmp") },
      "usage: options.cwd: expected the path of a folder",
    ],
    [
      "trust that is no switch",
      { trust: "no" },
      'usage: options.trust: expected true or false, got "no"',
    ],
    [
      "watch that is no switch",
      { watch: 0 },
      "usage: options.watch: expected true or false, got 0",
    ],
    [
      "an environment that is none",
      { env: null },
      "usage: options.env: expected an object of texts",
    ],
    [
      "an unknown contract",
      { contract: "reprot" },
      'usage: options.contract: expected "report", "handoff" or "none"',
    ],
    [
      "limits that are a number",
      { limits: 5 },
      "usage: options.limits: expected an object with maxTurns",
    ],
    [
      "a limit without an end",
      { limits: { timeoutMs: Infinity } },
      "usage: options.limits.timeoutMs: expected a whole number above 0, got Infinity",
    ],
    [
      "a folder for output that is none",
      { outputDir: 5 },
      "usage: options.outputDir: expected the path of a folder",
    ],
    [
      "models as a list",
      { models: [] },
      "usage: options.models: expected an object of models by name, got a list",
    ],
    [
      "agents as a list",
      { agents: [{ name: "a", ...agent }] },
      "usage: options.agents: expected an object of agents by name",
    ],
    [
      "an agent that is nothing",
      { agents: { a: null } },
      "usage: options.agents.a: expected an object { description, prompt }",
    ],
    [
      "a key that would have left the agent all tools",
      { agents: { a: { ...agent, tool: ["Read"] } } },
      'usage: options.agents.a: there is no "tool"; did you mean "tools"?',
    ],
    [
      "the prompt under another library's name",
      { agents: { a: { description: "d", instructions: "p" } } },
      'usage: options.agents.a: there is no "instructions". There are name, description, prompt',
    ],
    [
      "a model where its name belongs",
      { agents: { a: { ...agent, model } } },
      'say model: "mine" here',
    ],
    [
      "an agent whose mode does not exist",
      { agents: { a: { ...agent, permissionMode: "pln" } } },
      "config: agents that cannot be used: a. `permissionMode: pln` is not one of",
    ],
    [
      "two tools of one name",
      { tools: [own("T"), own("T")] },
      "usage: options.tools: there is already a tool named T",
    ],
    [
      "a tool with a built-in name",
      { tools: [own("Read")] },
      "usage: options.tools: there is already a tool named Read",
    ],
    [
      "a tool with another name of a built-in one",
      { tools: [own("Task")] },
      "usage: options.tools: there is already a tool named Agent (which Task stands for)",
    ],
    ["a tool with a server's name", { tools: [own("mcp__a__b")] }, "does not begin with mcp__"],
  ])("%s", (_, options, words) => {
    expect(
      told(() =>
        createManager(options === null ? (null as never) : { ...base, ...(options as object) }),
      ),
    ).toContain(words);
  });

  test("what a definition in code says and cannot have is among the warnings", async () => {
    const warned = createManager({
      ...base,
      model,
      agents: { a: { ...agent, tools: ["Read", "Gerp"] } },
    });
    expect(warned.warnings).toEqual(['agents: there is no tool named "Gerp": did you mean Grep?']);
    await warned.close();
  });

  test("a limit that is undefined leaves the settings' cap in place", async () => {
    project.write(
      "../home/.claude/settings.json",
      '{ "retinue": { "limits": { "maxTurns": 1 } } }',
    );
    const capped = createManager({
      ...base,
      contract: "none",
      limits: { maxTurns: undefined },
      model: scriptedModel([{ tools: [{ name: "Glob", input: { pattern: "*" } }] }, "more"]),
    });
    expect(await capped.spawn(agent).done).toMatchObject({ state: "failed", reason: "max_turns" });
    await capped.close();
    project.write("../home/.claude/settings.json", "{}");
  });

  test("a definition that was loaded can be given again", async () => {
    const loaded = loadDefinitions({ ...base, configDir: project.home }).definitions.get(
      "Explore",
    )!;
    await createManager({ ...base, agents: { Explore: { ...loaded, maxTurns: 3 } } }).close();
  });
});

describe("the manager", () => {
  test.each<[string, () => unknown, string]>([
    [
      "a signal in the input",
      () => manager.spawn({ ...agent, signal: new AbortController().signal } as never),
      'usage: spawn: there is no "signal": give it beside the input: spawn(input, { signal })',
    ],
    [
      "the agent under another name",
      () => manager.spawn({ ...agent, agent: "Explore" } as never),
      "the agent's name is subagent_type",
    ],
    [
      "an input that is a text",
      () => manager.spawn("do it" as never),
      "usage: spawn: expected an object with description, prompt",
    ],
    [
      "a signal that is none",
      () => manager.spawn(agent, { signal: {} as never }),
      "usage: signal: expected an AbortSignal",
    ],
    [
      "an option of spawn",
      () => manager.spawn(agent, { sginal: 1 } as never),
      'did you mean "signal"?',
    ],
    [
      "agents that are a list",
      () => manager.registerAgents([] as never),
      "usage: registerAgents: expected an object of agents by name",
    ],
    [
      "an agent's misspelt key",
      () => manager.registerAgents({ a: { ...agent, tool: [] } as never }),
      'registerAgents.a: there is no "tool"',
    ],
  ])("%s", (_, act, words) => {
    expect(told(act)).toContain(words);
  });

  test("an agent that has nothing but Agent is told who starts agents", () => {
    manager.registerAgents({ lead: { ...agent, tools: ["Agent(Explore)"] } });
    expect(told(() => manager.spawn({ ...agent, subagent_type: "lead" }))).toMatch(
      /^no_tools: .*Agent, which only a main thread has/,
    );
  });

  test("a wait with a misspelt option", async () => {
    await expect(manager.getOutput("x", { blok: true } as never)).rejects.toThrow(
      'did you mean "block"?',
    );
  });
});

const plan = {
  name: "T",
  description: "d",
  readOnly: true,
  input: z.object({}),
  run: async () => ({ content: "" }),
};

describe("tools, hooks, flows, the verifier and the rules", () => {
  test.each<[string, () => unknown, string]>([
    [
      "a tool's name with a blank",
      () => defineTool({ ...plan, name: "my tool" }),
      'usage: defineTool: the name "my tool" must be letters',
    ],
    [
      "a tool whose function has another name",
      () => defineTool({ ...plan, run: undefined, execute: plan.run } as never),
      '`run` of "T" must be a function',
    ],
    [
      "a tool that does not say whether it changes anything",
      () => defineTool({ ...plan, readOnly: undefined } as never),
      "whether it is readOnly",
    ],
    [
      "a tool whose input is a text",
      () => defineTool({ ...plan, input: z.string() } as never),
      "must be an object schema",
    ],
    [
      "a tool without anything",
      () => defineTool(undefined as never),
      "usage: defineTool: expected { name, description",
    ],
    [
      "a JSON Schema that cannot be checked",
      () =>
        defineTool({
          ...plan,
          input: { type: "object", properties: { a: { $ref: "#/nowhere" } } },
        }),
      'the JSON Schema of "T" cannot be used',
    ],
    [
      "a hook whose matcher has another name",
      () => functionHook({ event: "PreToolUse", match: "Bash", run: () => undefined } as never),
      'usage: functionHook: there is no "match"; it takes event, matcher',
    ],
    [
      "a hook's deadline as text",
      () => functionHook({ event: "PreToolUse", timeoutMs: "5", run: () => undefined } as never),
      "timeoutMs must be a number above 0",
    ],
    [
      "a case without its tool",
      () => checkPermission({} as never),
      "checkPermission: tool: the name of a tool is expected",
    ],
    [
      "a case with a misspelt key",
      () => checkPermission({ tool: "Bash", rule: {} } as never),
      'did you mean "rules"?',
    ],
    [
      "a rule that can never match",
      () => checkPermission({ tool: "Bash", rules: { deny: ["Bash("] } }),
      "checkPermission: rules.deny: ",
    ],
  ])("%s", (_, act, words) => {
    expect(told(act)).toContain(words);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      "a pattern that does not exist",
      () => startFlow(options(), { pattern: "sequnce" as never, feature: "f" }),
      'there is no pattern "sequnce"; there are sequence, parallel, branch',
    ],
    [
      "phases for a branch",
      () =>
        startFlow(options(), {
          pattern: "branch",
          feature: "f",
          tasks: [
            {
              name: "a",
              agent: "Explore",
              instructions: "x",
              expected_output: "structured_findings",
              required: true,
            },
          ],
        }),
      "tasks are for sequence and parallel",
    ],
    [
      "a flow without a task",
      () => startFlow(options(), { pattern: "sequence" } as never),
      "request.feature: say what is to be done",
    ],
    [
      "a listener among the options",
      () =>
        startFlow({ ...options(), onEvent: () => undefined } as never, {
          pattern: "sequence",
          feature: "f",
        }),
      "as the third argument",
    ],
    [
      "a misspelt callback",
      () =>
        startFlow(options(), { pattern: "sequence", feature: "f" }, {
          onFase: () => undefined,
        } as never),
      'did you mean "onPhase"?',
    ],
    [
      "a pattern without its ports",
      () => sequence({ task: { feature: "f" }, phases: [] } as never),
      "sequence: ports: expected { delegate, newTaskId, record }",
    ],
    [
      "a phase without its agent",
      () => parallel({ task: { feature: "f" }, phases: [{ name: "a" }] as never, ports }),
      "parallel: phases[0].agent: expected a text",
    ],
    [
      "a phase that repairs one that is not there",
      () =>
        sequence({
          task: { feature: "f" },
          phases: [
            {
              name: "a",
              agent: "x",
              instructions: "i",
              expected_output: "validation_result",
              required: true,
              repairs: "b",
            },
          ],
          ports,
        }),
      'sequence: phases[0].repairs: there is no phase named "b"',
    ],
    [
      "a branch without its paths",
      () =>
        branch({
          task: { feature: "f" },
          analyzer: {
            name: "a",
            agent: "x",
            instructions: "i",
            expected_output: "structured_findings",
            required: true,
          },
          ports,
        } as never),
      "branch: phases: expected a list",
    ],
    [
      "no reader",
      () => assessReport("x", {} as never),
      "assessReport: reader must say what to check against: treeReader(folder)",
    ],
  ])("%s", async (_, act, words) => {
    await expect(act()).rejects.toThrow(words);
  });
});

const ports = {
  delegate: manager.delegate,
  newTaskId: (phase: string) => phase,
  record: () => undefined,
};
const options = () => ({ cwd: project.root, env: { HOME: project.home }, model });
