// One agent rates the task; a simple one takes the short way. Delegates are plain functions here, so
// that no model is needed; `manager.delegate` takes their place in a real program.
import assert from "node:assert/strict";
import {
  branch,
  listFlows,
  loadDefinitions,
  usualPolicy,
  type Delegate,
  type Phase,
} from "../src/app/index.ts";
import { tempProject } from "../src/testing/index.ts";

const project = tempProject({
  ".claude/agents/writer.md": "---\nname: writer\ndescription: writes\n---\nYou write.\n",
});
const { definitions, problems } = loadDefinitions({ cwd: project.root, configDir: project.home });
assert.ok(definitions.has("writer") && problems.length === 0);

const asked: string[] = [];
const delegate: Delegate = async (agent, { task_id, phase }) => {
  asked.push(agent);
  return {
    task_id,
    agent,
    run_ids: [],
    state: "completed",
    outcome: "SUCCESS",
    trust: "VERIFIED",
    verification: null,
    partial: "",
    response: {
      task_id,
      phase,
      status: "complete",
      decision: "PROCEED",
      findings: agent === "analyzer" ? { complexity: "simple" } : {},
      context_summary: `${agent} is done`,
      tokens_used: 0,
      issues: [],
    },
  };
};
const phase = (name: string, agent: string): Phase => ({
  name,
  agent,
  instructions: `Do the part "${name}".`,
  expected_output: "structured_findings",
  required: true,
});

const result = await branch({
  task: { feature: "rename a button" },
  analyzer: phase("analyze", "analyzer"),
  paths: {
    simple: [phase("draft", "writer")],
    complex: [phase("survey", "researcher"), phase("draft", "writer")],
  },
  ports: { delegate, newTaskId: (name) => `task-${name}`, record: () => {} },
  policy: { ...usualPolicy, secondLooks: 0 },
});
assert.equal(result.path, "simple");
assert.deepEqual(asked, ["analyzer", "writer"]);

// `branch` keeps no journal; flows of `startFlow` have one, and this lists them.
assert.deepEqual(listFlows({ HOME: project.home }), []);

project.remove();
