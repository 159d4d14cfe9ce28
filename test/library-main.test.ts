// A main thread in a program: a model that leads agents defined in code.
import { afterAll, expect, test } from "vitest";
import { runMain } from "../src/app/main/run-main.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { tempProject } from "../src/testing/temp-project.ts";

const project = tempProject({ "src/a.ts": "export function foo() {}\n" });
afterAll(() => project.remove());
const env = { HOME: project.home, PATH: process.env["PATH"] };
const agents = {
  lead: { description: "leads", prompt: "You lead.", tools: ["Agent(finder)"], model: "lead" },
  finder: {
    description: "finds",
    prompt: "You find.",
    tools: ["Read"],
    model: "finder",
    contract: "none" as const,
  },
};

test("it starts the agents of its list, and their results come with its own", async () => {
  const lead = scriptedModel([
    {
      tools: [
        {
          name: "Agent",
          input: { subagent_type: "finder", description: "foo", prompt: "where is foo?" },
        },
      ],
    },
    "foo is in src/a.ts",
  ]);
  const finder = scriptedModel([
    { tools: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
    "line 1",
  ]);
  const heard = new Set<string>();
  const result = await runMain(
    { cwd: project.root, env, agents, models: { lead, finder } },
    { agent: "lead", prompt: "find foo" },
    { onEvent: ({ agentId }) => void heard.add(agentId) },
  );
  expect(result).toMatchObject({
    state: "completed",
    content: "foo is in src/a.ts",
    agent_type: "lead",
    agents: [{ agent_type: "finder", state: "completed", content: "line 1" }],
  });
  expect(heard.size).toBe(2);
  lead.finish();
  finder.finish();
});

test("an aborted signal ends it and its agents", async () => {
  const stop = new AbortController();
  const lead = scriptedModel([() => (stop.abort(), "too late"), "more"]);
  const result = await runMain(
    { cwd: project.root, env, agents, models: { lead, finder: scriptedModel([]) } },
    { agent: "lead", prompt: "find foo" },
    { signal: stop.signal },
  );
  expect([result.state, result.reason]).toEqual(["stopped", "cancelled"]);
});

test.each([
  [{ agent: "lead" }, /prompt/],
  [{ prompt: "p", agent: "leed" }, /lead/],
  [{ prompt: "p", agnet: "lead" }, /did you mean "agent"/],
])("%j is told what is wrong with it", async (request, words) => {
  await expect(
    runMain(
      { cwd: project.root, env, agents, models: { lead: scriptedModel([]) } },
      request as never,
    ),
  ).rejects.toThrow(words);
});
