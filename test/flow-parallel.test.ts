// Checks side by side on the real product: what is kept when some of them fail, how long it takes, and what a break in the middle costs.
import { writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import type { MockLine } from "../src/testing/mock-provider.ts";
import { answer, flowStory } from "./support/flow-story.ts";

const silent: MockLine = { fault: { kind: "stall", at: "body" } };

test("four checks, one throws and one times out: two results are kept, the decision is STOP, both failures are named", async () => {
  await using flow = await flowStory({
    script: () => ({
      types: [
        answer({
          context_summary: "the types were looked at",
          findings: { places: ["tsconfig.json is there"] },
        }),
      ],
      tests: [silent],
      security: [answer({ context_summary: "nothing to see", issues: ["one note"] })],
    }),
    hurried: { agent: "test-runner", timeoutMs: 3_000 },
  });
  const outcome = await flow.start("parallel", {
    options: { disallowedTools: ["Agent(lint-checker)"] },
  });
  expect(outcome.decision).toBe("STOP");
  expect(
    (
      JSON.parse(flow.project.read(`.retinue/progress/${outcome.flow_id}.json`)) as {
        warnings: string[];
      }
    ).warnings.sort(),
  ).toEqual([
    "Agent lint-checker failed, results may be incomplete",
    "Agent test-runner failed, results may be incomplete",
  ]);
  expect(
    outcome.phases.map(({ phase, status, decision, context_summary }) => [
      phase,
      status,
      decision,
      context_summary,
    ]),
  ).toEqual([
    ["types", "done", "PROCEED", "the types were looked at"],
    ["lint", "failed", "STOP", expect.stringContaining("lint-checker may not be started")],
    ["tests", "failed", "STOP", ""],
    ["security", "done", "PROCEED", "nothing to see"],
  ]);
  expect(Object.values(outcome.checks!), "decision and findings of each are kept").toEqual([
    { phase: "types", decision: "PROCEED", findings: { places: ["tsconfig.json is there"] } },
    { phase: "lint", decision: "STOP", findings: {} },
    { phase: "tests", decision: "STOP", findings: {} },
    { phase: "security", decision: "PROCEED", findings: {} },
  ]);
  expect(outcome.phases[0]!.findings).toEqual({ places: ["tsconfig.json is there"] });
  expect(outcome.issues).toEqual([
    expect.stringMatching(/^lint-checker: .*may not be started/),
    "test-runner: gave no usable answer (timeout)",
    "one note",
  ]);
  expect(flow.started().sort()).toEqual([
    "security-scan",
    "test-runner",
    "test-runner",
    "type-checker",
  ]);
  expect(
    flow.events
      .of("run-end")
      .map(({ outcome: { state, reason } }) => reason ?? state)
      .sort(),
  ).toEqual(["completed", "completed", "timeout", "timeout"]);
  expect(
    new Set(outcome.phases.map(({ task_id }) => task_id)).size,
    "each has a task id of its own",
  ).toBe(4);
  const [first, second] = flow.shown("tests");
  expect(first).not.toContain("did not finish");
  expect(second).toContain("An earlier try did not finish");
  for (const phase of ["types", "security"])
    expect(flow.shown(phase)[0]).not.toMatch(/lint|test-runner|previous-findings/);
});

test("four checks side by side take at most 1.3 times the slowest one", async () => {
  const after = (delayMs: number): MockLine[] => [{ text: answer({}), delayMs }];
  await using flow = await flowStory({
    script: () => ({
      types: after(1_600),
      lint: after(1_700),
      tests: after(2_000),
      security: after(1_800),
    }),
  });
  let began = 0;
  expect(
    (await flow.start("parallel", { watch: { onOpen: () => (began = performance.now()) } }))
      .decision,
  ).toBe("PROCEED");
  const whole = performance.now() - began;
  const slowest = Math.max(
    ...flow.events.of("run-end").map(({ outcome }) => outcome.metrics.duration_ms),
  );
  expect(slowest).toBeGreaterThan(1_900);
  expect(whole / slowest).toBeLessThan(1.3);
});

test("a break in the middle costs only what was not on record; after an end what failed is run again", async () => {
  await using flow = await flowStory({
    script: () => ({
      types: [answer({})],
      lint: [answer({ decision: "STOP", issues: ["2 errors"] })],
      tests: [answer({})],
      security: [answer({})],
    }),
  });
  const { flow_id: flowId, decision } = await flow.start("parallel");
  expect(decision).toBe("STOP");
  const { path, lines } = flow.journal();
  // As if it had been killed before the last check and the end were on record.
  const without = lines.filter(
    (line) => (line as { phase?: string }).phase !== "security" && !("end" in (line as object)),
  );
  writeFileSync(
    path,
    without
      .map(
        (line, index) =>
          `${JSON.stringify(index === 0 ? line : { ...(line as object), seq: index })}\n`,
      )
      .join(""),
  );
  expect(await flow.resume(flowId)).toMatchObject({
    decision: "STOP",
    issues: ["2 errors"],
    phases: [{}, { phase: "lint", decision: "STOP" }, {}, {}],
  });
  expect(["types", "lint", "tests", "security"].map((phase) => flow.runsOf(phase))).toEqual([
    1, 1, 1, 2,
  ]);
  await flow.resume(flowId);
  expect(["types", "lint", "tests", "security"].map((phase) => flow.runsOf(phase))).toEqual([
    1, 2, 1, 2,
  ]);
});
