// A flow whose agents each run in a process of their own: one of these is killed with -9 while the others and the flow go on.
import { expect, test } from "vitest";
import { openSession } from "../src/app/session/open-session.ts";
import { retinue } from "./retinue-process.ts";
import { newUuid } from "../src/base/ids.ts";
import { parallelPhases, sequencePhases } from "../src/flows/phases.ts";
import type { FlowPattern } from "../src/flows/journal.ts";
import { runFlow, type FlowOutcome } from "../src/flows/run-flow.ts";
import { openManager } from "../src/manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../src/manager/run/settle/resolve-policy.ts";
import type { MockLine } from "../src/testing/mock-provider.ts";
import { answer, flowStory, type FlowStory } from "./support/flow-story.ts";
import { processExecutor, type ProcessExecutor } from "./support/process-executor.ts";

const silent: MockLine = { fault: { kind: "stall", at: "body" } };
const half: MockLine = {
  text: "I have half of it",
  tools: [{ name: "Glob", input: { pattern: "*.json" } }],
};

type Lost = {
  outcome: FlowOutcome;
  hosts: ProcessExecutor["hosts"];
  /** The types of those that were at work when the last one was killed. */ beside: string[];
};

/** Kills the process of `agent` whenever it has come to its second question, and lets the others be. */
async function flowWithout(
  story: FlowStory,
  pattern: FlowPattern,
  agent: { type: string; phase: string; kills: number },
): Promise<Lost> {
  const options = {
    cwd: story.project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: story.project.home, ...story.env },
    mode: "acceptEdits",
    allowedTools: ["Bash(npm run:*)"],
    sessionId: newUuid(),
  };
  const opened = openSession(options);
  const { session } = opened;
  const executor = processExecutor(options);
  const caller = {
    name: "flow",
    description: "a flow",
    prompt: "",
    source: "built-in" as const,
    priority: 0,
  };
  const manager = openManager(session, {
    parent: { policy: resolveMainPolicy(session, caller, { cwd: session.cwd }), model: "sonnet" },
    executor: () => executor,
  });
  let killed = 0;
  let beside: string[] = [];
  const killer = setInterval(() => {
    if (killed === agent.kills || story.shown(agent.phase).length < 2 * (killed + 1)) return;
    beside = manager.list().map(({ agent_type }) => agent_type);
    process.kill(
      executor.hosts.filter(({ agentType }) => agentType === agent.type)[killed++]!.pid,
      "SIGKILL",
    );
  }, 20);
  const header = {
    type: "retinue_flow" as const,
    version: 1 as const,
    flowId: newUuid(),
    sessionId: session.id,
    pattern,
    task: { feature: "make the test pass" },
    phases: [...(pattern === "parallel" ? parallelPhases : sequencePhases)],
    cwd: session.cwd,
    model: "sonnet",
    secondLooks: 0,
    at: new Date().toISOString(),
  };
  try {
    const outcome = await runFlow(header, {
      manager,
      root: session.root,
      journalPath: session.paths.flow(header.flowId),
      spillDir: session.paths.spill,
      transcriptOf: (id) => session.paths.agent(id),
      env: { ...session.env },
      signal: new AbortController().signal,
      mayRun: async () => ({ ok: true }),
    });
    expect(killed, "kills").toBe(agent.kills);
    return { outcome, hosts: executor.hosts, beside };
  } finally {
    clearInterval(killer);
    await manager.close();
    await opened.close();
  }
}

const statesOf = async (story: FlowStory): Promise<string[]> => {
  const runs = JSON.parse(
    (await retinue(["ps", "--all", "--json"], { project: story.project })).stdout,
  ) as { agent_type: string; state: string; reason?: string }[];
  return runs.map(({ agent_type, state, reason }) => `${agent_type} ${reason ?? state}`).sort();
};

test("side by side: the lost one is tried once more with a smaller task, the others are not disturbed, and the flow ends well", async () => {
  await using story = await flowStory({
    script: () => ({
      types: [answer({})],
      lint: [answer({})],
      tests: [half, silent, answer({ context_summary: "looked at the tests" })],
      security: [{ text: answer({}), delayMs: 2_500 }],
    }),
  });
  const { outcome, hosts, beside } = await flowWithout(story, "parallel", {
    type: "test-runner",
    phase: "tests",
    kills: 1,
  });
  expect(outcome).toMatchObject({
    decision: "PROCEED",
    issues: [],
    phases: [
      { phase: "types" },
      { phase: "lint" },
      { phase: "tests", context_summary: "looked at the tests" },
      { phase: "security" },
    ],
  });
  expect(beside).toEqual(expect.arrayContaining(["test-runner", "security-scan"]));
  expect(new Set(hosts.map(({ pid }) => pid)).size, "a process each").toBe(5);
  expect(outcome.phases[2]!.run_ids).toEqual(
    hosts.filter(({ agentType }) => agentType === "test-runner").map(({ agentId }) => agentId),
  );
  expect(story.shown("tests").at(-1)).toContain("An earlier try did not finish");
  expect(await statesOf(story)).toEqual([
    "lint-checker completed",
    "security-scan completed",
    "test-runner completed",
    "test-runner lost",
    "type-checker completed",
  ]);
});

test("side by side: lost twice, its part is told as failed (lost), and what the others found is kept", async () => {
  await using story = await flowStory({
    script: () => ({
      types: [answer({ context_summary: "looked at the types" })],
      lint: [answer({})],
      tests: [half, silent, half, silent],
      security: [answer({ issues: ["one note"] })],
    }),
  });
  const { outcome } = await flowWithout(story, "parallel", {
    type: "test-runner",
    phase: "tests",
    kills: 2,
  });
  expect(outcome.decision).toBe("STOP");
  expect(outcome.phases.map(({ phase, status, decision }) => [phase, status, decision])).toEqual([
    ["types", "done", "PROCEED"],
    ["lint", "done", "PROCEED"],
    ["tests", "failed", "STOP"],
    ["security", "done", "PROCEED"],
  ]);
  expect(outcome.issues).toEqual(["test-runner: gave no usable answer (lost)", "one note"]);
  expect(story.journal().lines).toContainEqual(
    expect.objectContaining({
      phase: "tests",
      status: "failed",
      issues: [expect.stringContaining("(lost)")],
    }),
  );
  expect((await statesOf(story)).filter((state) => state.startsWith("test-runner"))).toEqual([
    "test-runner lost",
    "test-runner lost",
  ]);
});

test("one after the other: the writer's process is lost once, and the sequence goes on with a new one to the checks", async () => {
  await using story = await flowStory({
    script: () => ({
      research: [answer({ context_summary: "SUMMARY-R" })],
      write: [
        half,
        silent,
        { tools: [{ name: "Write", input: { file_path: "done.txt", content: "x\n" } }] },
        answer({ context_summary: "SUMMARY-W" }),
      ],
    }),
  });
  const { outcome } = await flowWithout(story, "sequence", {
    type: "writer",
    phase: "write",
    kills: 1,
  });
  expect(outcome).toMatchObject({
    decision: "PROCEED",
    phases: [
      { phase: "research" },
      { phase: "write", context_summary: "SUMMARY-W" },
      { phase: "validate", decision: "PROCEED" },
    ],
  });
  expect([story.runsOf("research"), story.runsOf("write")]).toEqual([1, 2]);
  expect(story.shown("write").at(-1)).toContain("SUMMARY-R");
  expect(await statesOf(story)).toEqual([
    "researcher completed",
    "writer completed",
    "writer lost",
  ]);
});
